/** What a link in a mail opens: it confirms an address, or sets a new password. The token follows the #. */
import { t } from "../../i18n/i18n.js";
import { ApiError, post } from "../api.js";
import { html, nothing, View } from "../view.js";

class Mail extends View {
  static properties = {
    ...View.properties,
    wrong: { state: true },
    busy: { state: true },
    confirmed: { state: true },
  };

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
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    void this.send(async () => {
      await post("/account/mail/password", { token: this.reset, password: String(data.get("password")) });
      await this.app.identify();
      this.app.toast(t("The password has been changed. Other devices have been signed out."));
      this.app.router.go("/account", { replace: true });
    });
  }

  message() {
    return this.wrong ? html`<p class="verdict-bad" role="alert">${this.wrong}</p>` : nothing;
  }

  body() {
    if (this.reset)
      return html`<form class="card stack" @submit=${this.setIt}>
        <div class="field">
          <label for="new-password">${t("New password")}</label>
          <input
            id="new-password"
            name="password"
            type="password"
            required
            minlength="8"
            maxlength="200"
            autocomplete="new-password"
          >
        </div>
        <p class="small quiet">${t("All other devices will be signed out.")}</p>
        ${this.message()}
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
        ${this.message()}
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
