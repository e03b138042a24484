/** Recovery codes: how many are left, and new ones, which are shown once. */
import { t, tn } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { prove, supported } from "../passkeys.js";
import { html, nothing } from "../view.js";
import { Section } from "./section.js";

class Recovery extends Section {
  static properties = {
    ...Section.properties,
    left: { state: true },
    codes: { state: true },
    wrong: { state: true },
  };

  constructor() {
    super();
    /** @type {number | null} */
    this.left = null;
    this.password = false;
    this.keys = false;
    /** The codes that were just made, shown this once. @type {string[]} */
    this.codes = [];
    this.wrong = "";
  }

  async fetch() {
    const account = await this.load(get("/account"));
    const keys = account && (await this.load(get("/me/passkeys")));
    if (!keys) return;
    this.password = account.password;
    this.keys = keys.length > 0 && supported();
    this.left = account.codes;
  }

  /** @param {() => Promise<object | null>} proof */
  async make(proof) {
    this.wrong = "";
    try {
      const body = await proof();
      if (!body) return;
      this.codes = (await post("/account/codes", body)).codes;
    } catch (error) {
      // A dialog of the browser that was closed is no fault of anybody's.
      if (!(error instanceof ApiError || error instanceof DOMException)) throw error;
      if (error instanceof ApiError) this.wrong = error.message;
      return;
    }
    await this.fetch();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("#recovery-codes"))?.focus();
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const password = String(new FormData(form).get("password") ?? "");
    void this.make(async () => ({ password })).then(() => form.reset());
  }

  async byKey() {
    await this.make(async () => {
      const passkey = await prove();
      return passkey && { passkey };
    });
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.codes.join("\n"));
      this.app.toast(t("The codes have been copied."));
    } catch {
      const shown = /** @type {HTMLElement} */ (this.querySelector("#recovery-codes"));
      getSelection()?.selectAllChildren(shown);
    }
  }

  /** Print the codes and nothing else of the page. */
  print() {
    const done = () => document.body.classList.remove("printing-codes");
    document.body.classList.add("printing-codes");
    addEventListener("afterprint", done, { once: true });
    print();
  }

  made() {
    return html`<div class="stack codes" role="status">
      <p>
        <b>${t(
          "Your new recovery codes. They are shown this once: print them, or keep them where you keep passwords.",
        )}</b>
      </p>
      <ul id="recovery-codes" class="codelist" tabindex="-1" dir="ltr" aria-label=${t("Recovery codes")}>
        ${this.codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <div class="row">
        <button class="pri" @click=${this.copy}>${t("Copy")}</button>
        <button @click=${this.print}>${t("Print")}</button>
        <button @click=${() => (this.codes = [])}>${t("Done")}</button>
      </div>
    </div>`;
  }

  form() {
    const action = this.left ? t("Make new codes") : t("Make recovery codes");
    return html`<form class="stack" @submit=${this.submit}>
      ${this.left ? html`<p class="small quiet">${t("New codes end the old ones.")}</p>` : nothing}
      ${
        this.password
          ? html`<div class="field">
            <label for="codes-password">${t("Password")}</label>
            <input
              id="codes-password"
              name="password"
              type="password"
              required
              maxlength="200"
              autocomplete="current-password"
            >
          </div>`
          : nothing
      }
      ${this.wrong ? html`<p class="verdict-bad" role="alert">${this.wrong}</p>` : nothing}
      <div class="row">
        ${this.password || !this.keys ? html`<button>${action}</button>` : nothing}
        ${
          this.keys
            ? html`<button type="button" @click=${this.byKey}>${t("Make them with a passkey")}</button>`
            : nothing
        }
      </div>
    </form>`;
  }

  render() {
    const { left } = this;
    if (left === null) return this.card(t("Recovery codes"), nothing);
    return this.card(
      t("Recovery codes"),
      html`<p class="small quiet">
          ${t("With one of them you set a new password when you have lost the old one. Each is good once.")}
        </p>
        <p>${left ? tn("{n} code is left.", "{n} codes are left.", left) : t("You have none.")}</p>
        ${this.codes.length ? this.made() : this.form()}`,
    );
  }
}

customElements.define("ssb-recovery", Recovery);
