/** Changing the password, or setting the first one. */
import { t } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { entered, fault, passwordField } from "../fields.js";
import { html, nothing, states } from "../view.js";
import { Section } from "./section.js";

class Password extends Section {
  static properties = states("has", "wrong");

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
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = entered(event);
    this.wrong = null;
    try {
      await post("/account/password", {
        old: String(data.get("old") ?? ""),
        new: String(data.get("password")),
      });
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

  /** @param {"old" | "new"} name @param {string} label */
  field(name, label) {
    const bad = this.wrong !== null && (this.wrong.where === "old") === (name === "old");
    const how = { name: name === "old" ? "old" : "password", label, isNew: name === "new" };
    return html`${passwordField(`password-${name}`, { ...how, wrong: bad && "password-wrong" })}
      ${fault(bad && this.wrong?.text, "password-wrong")}`;
  }

  render() {
    if (this.has === null) return this.card(t("Password"), nothing);
    return this.card(
      t("Password"),
      html`<form class="stack" @submit=${this.submit}>
        ${
          this.has
            ? this.field("old", t("Password until now"))
            : html`<p class="small quiet">${t("You have none: you sign in by a passkey.")}</p>`
        }
        ${this.field("new", t("New password"))}
        <p class="small quiet">${t("All other devices will be signed out.")}</p>
        <div class="row"><button>${this.has ? t("Change the password") : t("Set a password")}</button></div>
      </form>`,
    );
  }
}

customElements.define("ssb-password", Password);
