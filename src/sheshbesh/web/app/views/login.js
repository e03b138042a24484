/** Sign in, or turn a guest into an account with a password or a passkey. */
import { t } from "../../i18n/i18n.js";
import { ApiError, post } from "../api.js";
import { guestName } from "../names.js";
import { login, register, supported } from "../passkeys.js";
import { html, nothing, View } from "../view.js";

class Login extends View {
  static properties = { ...View.properties, wrong: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** @type {{form: string, text: string} | null} */
    this.wrong = null;
    this.busy = false;
  }

  get heading() {
    return t("Account");
  }

  connectedCallback() {
    super.connectedCallback();
    void this.load(this.app.identity).then(() => this.onward());
  }

  /** Players with an account are sent elsewhere. */
  onward() {
    if (this.isConnected && this.app.user && this.app.user.kind !== "guest")
      this.app.router.go("/account", { replace: true });
    else this.requestUpdate();
  }

  /**
   * @param {string} form
   * @param {() => Promise<unknown>} work
   */
  async send(form, work) {
    this.busy = true;
    this.wrong = null;
    try {
      await work();
      await this.app.identify();
    } catch (error) {
      // A passkey's dialog that was closed is no fault of anybody's.
      const closed = error instanceof DOMException;
      if (!closed && !(error instanceof ApiError)) throw error;
      if (!closed) this.wrong = { form, text: /** @type {Error} */ (error).message };
    } finally {
      this.busy = false;
    }
    this.onward();
  }

  /** @param {SubmitEvent} event @param {string} form @param {string} path */
  submit(event, form, path) {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const body = { name: String(data.get("name")).trim(), password: String(data.get("password")) };
    void this.send(form, async () => {
      await post(path, body);
      this.app.toast(form === "claim" ? t("The name is yours now.") : t("Welcome back."));
    });
  }

  /** @param {string} form @param {string} path @param {string} action @param {string} name */
  form(form, path, action, name) {
    const fresh = form === "claim";
    return html`<form class="stack" @submit=${(/** @type {SubmitEvent} */ event) => this.submit(event, form, path)}>
      <div class="field"><label for="${form}-name">${t("Name")}</label><input id="${form}-name" name="name" required maxlength="20" autocomplete="username" .value=${name}></div>
      <div class="field"><label for="${form}-password">${t("Password")}</label><input id="${form}-password" name="password" type="password" required minlength=${fresh ? 8 : 1} maxlength="200" autocomplete=${fresh ? "new-password" : "current-password"}></div>
      ${this.wrong?.form === form ? html`<p class="bad verdict-bad" role="alert">${this.wrong.text}</p>` : nothing}
      <button class="pri" ?disabled=${this.busy}>${action}</button></form>`;
  }

  /** Have the name by a passkey. */
  async claimByKey() {
    const input = /** @type {HTMLInputElement} */ (this.querySelector("#claim-name"));
    if (!input.reportValidity()) return;
    await this.send("claim", async () => {
      if (await register(input.value.trim())) this.app.toast(t("The name is yours now."));
    });
  }

  render() {
    const { user } = this.app;
    if (!user) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow"><h1>${t("Account")}</h1>
      <p class="lead">${t("You play as {name}.", { name: guestName(user.name) })} ${t("Nothing more is needed; with an account the name, the ratings and the history stay yours on every device.")}</p>
      <div class="columns">
        <section class="card stack"><h2>${t("Make an account")}</h2>${this.form("claim", "/account/claim", t("Make an account"), "")}
          ${supported() ? html`<button ?disabled=${this.busy} @click=${this.claimByKey}>${t("With a passkey instead of a password")}</button>` : nothing}</section>
        <section class="card stack"><h2>${t("Sign in")}</h2>${this.form("login", "/login", t("Sign in"), "")}
          ${supported() ? html`<button ?disabled=${this.busy} @click=${() => this.send("login", login)}>${t("Sign in with a passkey")}</button>` : nothing}</section>
      </div></div>`;
  }
}

customElements.define("ssb-login", Login);
