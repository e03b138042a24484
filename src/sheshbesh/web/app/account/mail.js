/** The mail address of an account: setting one, which a link confirms, and removing it. */
import { t } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { prove, supported } from "../passkeys.js";
import { html, nothing } from "../view.js";
import { Section } from "./section.js";

class Mail extends Section {
  static properties = { ...Section.properties, mail: { state: true }, wrong: { state: true } };

  constructor() {
    super();
    /** None where the site sends no mail. @type {{address: string | null, wanted: string | null} | null} */
    this.mail = null;
    this.password = false;
    this.keys = false;
    /** @type {{where?: string, text: string} | null} */
    this.wrong = null;
  }

  async fetch() {
    const account = await this.load(get("/account"));
    if (!account?.mail) return;
    const keys = await this.load(get("/me/passkeys"));
    this.password = account.password;
    this.keys = Boolean(keys?.length) && supported();
    this.mail = account.mail;
  }

  /**
   * Change the address, with a proof of identity.
   * @param {string} path
   * @param {object} body
   * @param {boolean} [byKey]
   */
  async save(path, body, byKey) {
    this.wrong = null;
    const input = /** @type {HTMLInputElement | null} */ (this.querySelector("#mail-password"));
    try {
      const passkey = byKey ? await prove() : null;
      if (byKey && !passkey) return;
      const proof = passkey ? { passkey } : { password: input?.value ?? "" };
      this.mail = await post(path, { ...body, ...proof });
    } catch (error) {
      // A dialog of the browser that was closed is no fault of anybody's.
      if (!(error instanceof ApiError || error instanceof DOMException)) throw error;
      if (error instanceof ApiError) this.wrong = { where: error.where, text: error.message };
      return;
    }
    if (input) input.value = "";
    this.app.toast(
      path.endsWith("remove") ? t("The mail address has been removed.") : t("A link has been sent."),
    );
  }

  /** @param {boolean} [byKey] */
  set(byKey) {
    const input = /** @type {HTMLInputElement} */ (this.querySelector("#mail-address"));
    if (input.reportValidity()) void this.save("/account/mail", { address: input.value.trim() }, byKey);
  }

  state() {
    const { address, wanted } = /** @type {{address: string | null, wanted: string | null}} */ (this.mail);
    const goes = address ? t("Mail for a lost password goes to {address}.", { address }) : "";
    const notice = t(
      "A link is on its way to {address}. The address is yours when you have opened it, within an hour.",
      {
        address: wanted ?? "",
      },
    );
    return html`<p>${goes || t("This account has no mail address.")}</p>
      ${wanted ? html`<p role="status">${notice}</p>` : nothing}`;
  }

  render() {
    if (!this.mail) return nothing;
    const { address, wanted } = this.mail;
    const bad = this.wrong?.where === "address";
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.set(!this.password && this.keys);
    };
    return this.card(
      t("Mail address"),
      html`<p class="small quiet">
          ${t(
            "Not needed. If you have lost your password, the site can send a link to it; it is used " +
              "for nothing else and shown to nobody.",
          )}
        </p>
        ${this.state()}
        <form class="stack" @submit=${submit}>
          <div class="field">
            <label for="mail-address">${address ? t("Another address") : t("Mail address")}</label>
            <input
              id="mail-address"
              name="address"
              type="email"
              required
              maxlength="254"
              dir="ltr"
              autocomplete="email"
              aria-invalid=${bad ? "true" : nothing}
              aria-describedby=${bad ? "mail-wrong" : nothing}
            >
          </div>
          ${
            this.password
              ? html`<div class="field">
                <label for="mail-password">${t("Password")}</label>
                <input
                  id="mail-password"
                  name="password"
                  type="password"
                  maxlength="200"
                  autocomplete="current-password"
                >
              </div>`
              : nothing
          }
          ${
            this.wrong
              ? html`<p class="verdict-bad" id="mail-wrong" role="alert">${this.wrong.text}</p>`
              : nothing
          }
          <div class="row">
            <button>${t("Send a link there")}</button>
            ${
              this.password && this.keys
                ? html`<button type="button" @click=${() => this.set(true)}>${t("With a passkey")}</button>`
                : nothing
            }
            ${
              address || wanted
                ? html`<button
                  type="button"
                  @click=${() => this.save("/account/mail/remove", {}, !this.password && this.keys)}
                >${t("Remove the address")}</button>`
                : nothing
            }
          </div>
        </form>`,
    );
  }
}

customElements.define("ssb-mail-address", Mail);
