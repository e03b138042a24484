/** What a link in a mail opens: it confirms an address, or sets a new password. The token follows the #. */

import { t } from "../../i18n/i18n.js";
import { ApiError, post } from "../api.js";
import { entered, fault, passwordField } from "../fields.js";
import { html, states, View } from "../view.js";

class Mail extends View {
  static properties = states("wrong", "busy", "confirmed");

  constructor() {
    super();
    this.wrong = "";
    this.busy = false;
    /** The address that was confirmed. */
    this.confirmed = "";
    const fragment = new URLSearchParams(location.hash.slice(1));
    this.confirm = fragment.get("confirm") ?? "";
    this.reset = fragment.get("password") ?? "";
  }

  get heading() {
    return this.reset ? t("A new password") : t("Mail address");
  }

  /** @param {() => Promise<void>} work */
  async send(work) {
    this.busy = true;
    this.wrong = "";
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.wrong = error.message;
    } finally {
      this.busy = false;
    }
  }

  /** Nothing is sent before somebody presses a button: programs that scan mail open links, too. */
  async confirmIt() {
    await this.send(async () => {
      this.confirmed = (await post("/account/mail/confirm", { token: this.confirm })).address;
    });
  }

  /** @param {SubmitEvent} event */
  setIt(event) {
    const password = String(entered(event).get("password"));
    void this.send(async () => {
      await post("/account/mail/password", { token: this.reset, password });
      await this.app.identify();
      this.app.toast(t("The password has been changed. Other devices have been signed out."));
      this.app.router.go("/account", { replace: true });
    });
  }

  body() {
    if (this.reset)
      return html`<form class="card stack" @submit=${this.setIt}>
        ${passwordField("new-password", { label: t("New password"), isNew: true })}
        <p class="small quiet">${t("All other devices will be signed out.")}</p>
        ${fault(this.wrong)}
        <div class="row">
          <button class="pri" ?disabled=${this.busy}>${t("Set the password and sign in")}</button>
        </div>
      </form>`;
    if (this.confirmed)
      return html`<div class="card stack">
        <p role="status">${t("Mail for a lost password goes to {address}.", { address: this.confirmed })}</p>
        <div class="row"><a class="button pri" href="/account">${t("Account")}</a></div>
      </div>`;
    if (this.confirm)
      return html`<div class="card stack">
        <p>${t("Press the button, and this mail address is that of your account.")}</p>
        ${fault(this.wrong)}
        <div class="row">
          <button class="pri" ?disabled=${this.busy} @click=${this.confirmIt}>${t("Confirm the address")}</button>
        </div>
      </div>`;
    return html`<div class="card stack">
      <p>${t("This link is not whole. Open it from the mail once more, or ask for a new one.")}</p>
      <div class="row"><a class="button" href="/login">${t("Account")}</a></div>
    </div>`;
  }

  render() {
    return html`<div class="page narrow"><h1>${this.heading}</h1>${this.body()}</div>`;
  }
}

customElements.define("ssb-mail", Mail);
