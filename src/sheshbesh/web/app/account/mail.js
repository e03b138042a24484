/** The mail address of an account: setting one, which a link confirms, and removing it. */
import { t } from "../../i18n/i18n.js";
import { post } from "../api.js";
import { fault, field, passwordField } from "../fields.js";
import { html, nothing, states } from "../view.js";
import { ProvenSection } from "./section.js";

class Mail extends ProvenSection {
  static properties = states("mail");

  constructor() {
    super();
    /** None where the site sends no mail. @type {{address: string | null, wanted: string | null} | null} */
    this.mail = null;
  }

  async fetch() {
    this.mail = (await this.account())?.mail ?? this.mail;
  }

  /** Change the address. @param {string} path @param {object} body @param {string} done @param {boolean} byKey */
  async save(path, body, done, byKey) {
    const input = /** @type {HTMLInputElement | null} */ (this.querySelector("#mail-password"));
    const ask = async (/** @type {object} */ proof) => (this.mail = await post(path, { ...body, ...proof }));
    if (!(await this.proven(byKey ? null : (input?.value ?? ""), ask))) return;
    if (input) input.value = "";
    this.app.toast(done);
  }

  /** @param {boolean} [byKey] */
  set(byKey = !this.password && this.keys) {
    const input = /** @type {HTMLInputElement} */ (this.querySelector("#mail-address"));
    if (!input.reportValidity()) return;
    void this.save("/account/mail", { address: input.value.trim() }, t("A link has been sent."), byKey);
  }

  removeAddress() {
    const byKey = !this.password && this.keys;
    void this.save("/account/mail/remove", {}, t("The mail address has been removed."), byKey);
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
      this.set();
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
          ${field(
            "mail-address",
            address ? t("Another address") : t("Mail address"),
            html`<input
              id="mail-address"
              name="address"
              type="email"
              required
              maxlength="254"
              dir="ltr"
              autocomplete="email"
              aria-invalid=${bad ? "true" : nothing}
              aria-describedby=${bad ? "mail-wrong" : nothing}
            >`,
          )}
          ${this.password ? passwordField("mail-password", { optional: true }) : nothing}
          ${fault(this.wrong?.message, "mail-wrong")}
          <div class="row">
            <button>${t("Send a link there")}</button>
            ${
              this.password && this.keys
                ? html`<button type="button" @click=${() => this.set(true)}>${t("With a passkey")}</button>`
                : nothing
            }
            ${
              address || wanted
                ? html`<button type="button" @click=${this.removeAddress}>${t("Remove the address")}</button>`
                : nothing
            }
          </div>
        </form>`,
    );
  }
}

customElements.define("ssb-mail-address", Mail);
