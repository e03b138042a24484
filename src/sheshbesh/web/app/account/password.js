/** Changing the password, or setting the first one. */
import { t } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { html, nothing } from "../view.js";
import { Section } from "./section.js";

class Password extends Section {
  static properties = { ...Section.properties, has: { state: true }, wrong: { state: true } };

  constructor() {
    super();
    /** @type {boolean | null} */
    this.has = null;
    /** @type {{where?: string, text: string} | null} */
    this.wrong = null;
  }

  async fetch() {
    this.has = (await this.load(get("/account")))?.password ?? null;
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = new FormData(form);
    this.wrong = null;
    try {
      await post("/account/password", { old: String(data.get("old") ?? ""), new: String(data.get("new")) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.wrong = { where: error.where, text: error.message };
      return;
    }
    form.reset();
    this.app.toast(t("The password has been changed. Other devices have been signed out."));
    this.has = true;
    this.dispatchEvent(new CustomEvent("signed-out", { bubbles: true }));
  }

  /** @param {string} name @param {string} label @param {string} fill */
  field(name, label, fill) {
    const bad = this.wrong && (this.wrong.where === "old") === (name === "old");
    return html`<div class="field">
        <label for="password-${name}">${label}</label>
        <input
          id="password-${name}"
          name=${name}
          type="password"
          required
          minlength=${name === "new" ? 8 : 1}
          maxlength="200"
          autocomplete=${fill}
          aria-invalid=${bad ? "true" : nothing}
          aria-describedby=${bad ? "password-wrong" : nothing}
        >
      </div>
      ${bad ? html`<p class="verdict-bad" id="password-wrong" role="alert">${this.wrong?.text}</p>` : nothing}`;
  }

  render() {
    if (this.has === null) return this.card(t("Password"), nothing);
    return this.card(
      t("Password"),
      html`<form class="stack" @submit=${this.submit}>
        ${
          this.has
            ? this.field("old", t("Password until now"), "current-password")
            : html`<p class="small quiet">${t("You have none: you sign in by a passkey.")}</p>`
        }
        ${this.field("new", t("New password"), "new-password")}
        <p class="small quiet">${t("All other devices will be signed out.")}</p>
        <div class="row"><button>${this.has ? t("Change the password") : t("Set a password")}</button></div>
      </form>`,
    );
  }
}

customElements.define("ssb-password", Password);
