/** Sign in, or turn a guest into an account with a password or a passkey. */

import { t } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { entered, fault, field, passwordField } from "../fields.js";
import { guestName } from "../names.js";
import { login, register, supported } from "../passkeys.js";
import { wayBack } from "../router.js";
import { html, nothing, states, View } from "../view.js";

class Login extends View {
  static properties = states("wrong", "busy", "mails", "asked");

  constructor() {
    super();
    /** @type {{form: string, text: string} | null} */
    this.wrong = null;
    this.busy = false;
    /** Whether the site sends mail. */
    this.mails = false;
    /** Whether a link was asked for. */
    this.asked = false;
  }

  get heading() {
    return t("Account");
  }

  async fetch() {
    void this.load(this.app.identity).then(() => this.onward());
    this.mails = Boolean((await this.load(get("/account/mail")))?.sends);
  }

  /** Players with an account are sent elsewhere. */
  onward() {
    if (this.isConnected && this.app.user && this.app.user.kind !== "guest")
      this.app.router.go(wayBack(this.place), { replace: true });
    else this.requestUpdate();
  }

  /** @param {string} form @param {() => Promise<unknown>} work */
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
    const data = entered(event);
    const body = { name: String(data.get("name")).trim(), password: String(data.get("password")) };
    void this.send(form, async () => {
      await post(path, body);
      this.app.toast(form === "claim" ? t("The name is yours now.") : t("Welcome back."));
    });
  }

  /** Why the server has refused a form. @param {string} form */
  refusal(form) {
    return fault(this.wrong?.form === form && this.wrong.text);
  }

  /** @param {string} form @param {string} path @param {string} action @param {string} name */
  form(form, path, action, name) {
    return html`<form class="stack" @submit=${(/** @type {SubmitEvent} */ event) => this.submit(event, form, path)}>
      ${field(
        `${form}-name`,
        t("Name"),
        html`<input id="${form}-name" name="name" required maxlength="20" autocomplete="username" .value=${name}>`,
      )}
      ${passwordField(`${form}-password`, { isNew: form === "claim" })}${this.refusal(form)}
      <button class="pri" ?disabled=${this.busy}>${action}</button>
    </form>`;
  }

  /** Have the name by a passkey. */
  async claimByKey() {
    const input = /** @type {HTMLInputElement} */ (this.querySelector("#claim-name"));
    if (!input.reportValidity()) return;
    await this.send("claim", async () => {
      if (await register(input.value.trim())) this.app.toast(t("The name is yours now."));
    });
  }

  /** Having a link sent by which one sets a new password. Whether there is such an account is shown to nobody. */
  byMail() {
    const send = (/** @type {SubmitEvent} */ event) => {
      const data = entered(event);
      void this.send("mail", async () => {
        await post("/account/mail/lost", { name: String(data.get("name")).trim() });
        this.asked = true;
      });
    };
    return html`<form class="stack by-mail" @submit=${send}>
      <p class="small quiet">${t("If the account has a mail address, a link can be sent there.")}</p>
      ${field(
        "mail-name",
        t("Name or mail address"),
        html`<input id="mail-name" name="name" required maxlength="254" autocomplete="username">`,
      )}
      ${
        this.asked
          ? html`<p role="status">
            ${t("If there is such an account and it has a mail address, a link is on its way. It is good for an hour.")}
          </p>`
          : nothing
      }
      ${this.refusal("mail")}
      <div class="row"><button ?disabled=${this.busy}>${t("Send me a link")}</button></div>
    </form>`;
  }

  /** Setting a new password by a recovery code. */
  lost() {
    const send = (/** @type {SubmitEvent} */ event) => {
      const data = entered(event);
      const field = (/** @type {string} */ name) => String(data.get(name));
      const body = { name: field("name").trim(), code: field("code"), password: field("password") };
      void this.send("lost", async () => {
        await post("/account/recover", body);
        this.app.toast(t("The password has been changed. Other devices have been signed out."));
      });
    };
    return html`<details class="lost">
      <summary>${t("Lost your password?")}</summary>
      <form class="stack" @submit=${send}>
        <p class="small quiet">
          ${t("Set a new one with one of the recovery codes that your account page has made.")}
        </p>
        ${field(
          "lost-name",
          t("Name"),
          html`<input id="lost-name" name="name" required maxlength="20" autocomplete="username">`,
        )}
        ${field(
          "lost-code",
          t("Recovery code"),
          html`<input
            id="lost-code"
            name="code"
            required
            maxlength="40"
            dir="ltr"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
          >`,
        )}
        ${passwordField("lost-password", { label: t("New password"), isNew: true })}${this.refusal("lost")}
        <div class="row"><button ?disabled=${this.busy}>${t("Set the password and sign in")}</button></div>
      </form>
      ${this.mails ? this.byMail() : nothing}
    </details>`;
  }

  render() {
    const { user } = this.app;
    if (!user) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${t("Account")}</h1>
      <p class="lead">
        ${t("You play as {name}.", { name: guestName(user.name) })}
        ${t(
          "Nothing more is needed; with an account the name, the ratings and the history stay yours on every device.",
        )}
      </p>
      <div class="columns">
        <section class="card stack">
          <h2>${t("Make an account")}</h2>
          ${this.form("claim", "/account/claim", t("Make an account"), "")}
          ${
            supported()
              ? html`<button ?disabled=${this.busy} @click=${this.claimByKey}>
                ${t("With a passkey instead of a password")}
              </button>`
              : nothing
          }
        </section>
        <section class="card stack">
          <h2>${t("Sign in")}</h2>
          ${this.form("login", "/login", t("Sign in"), "")}
          ${
            supported()
              ? html`<button ?disabled=${this.busy} @click=${() => this.send("login", login)}>
                ${t("Sign in with a passkey")}
              </button>`
              : nothing
          }
          ${this.lost()}
        </section>
      </div>
    </div>`;
  }
}

customElements.define("ssb-login", Login);
