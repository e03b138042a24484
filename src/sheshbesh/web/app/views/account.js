/**
 * One's account: password, passkeys, recovery codes, mail address, devices, programs, other players, one's data, and
 * leaving.
 */
import { t } from "../../i18n/i18n.js";
import { Section } from "../account/section.js";
import { post } from "../api.js";
import { guestName } from "../names.js";
import { html, nothing, personLink, View } from "../view.js";
import "../account/devices.js";
import "../account/other-players.js";
import "../account/leaving.js";
import "../account/mail.js";
import "../account/password.js";
import "../account/programs.js";
import "../account/recovery.js";

/** The archive of everything that the site keeps of a user. */
class Export extends Section {
  render() {
    return this.card(
      t("My data"),
      html`<p class="small quiet">
          ${t(
            "Everything that is kept of you, as a ZIP file: account, matches with their records, " +
              "ratings, notes, messages, reviews.",
          )}
        </p>
        <div class="row">
          <a class="button" href="/api/v1/account/export" download="sheshbesh.zip">${t("Download my data")}</a>
        </div>`,
    );
  }
}

customElements.define("ssb-export", Export);

class Account extends View {
  get heading() {
    return t("Account");
  }

  async fetch() {
    await this.load(this.app.identity);
    this.requestUpdate();
  }

  async leave() {
    if (await this.attempt(() => post("/logout"))) await this.app.signedOut(t("You have signed out."));
  }

  render() {
    const { user } = this.app;
    if (!user) return html`<div class="page">${this.waiting()}</div>`;
    if (user.kind === "guest") {
      return html`<div class="page narrow">
        <h1>${t("Account")}</h1>
        <p class="lead">
          ${t("You play as {name}.", { name: guestName(user.name) })}
          ${t(
            "Nothing more is needed; with an account the name, the ratings and the history stay yours on every device.",
          )}
        </p>
        <div class="stack">
          <div class="row"><a class="button pri" href="/login">${t("Make an account or sign in")}</a></div>
          <ssb-other-players></ssb-other-players>
          <ssb-export></ssb-export>
          <ssb-leaving></ssb-leaving>
        </div>
      </div>`;
    }
    return html`<div class="page narrow account">
      <h1>${t("Account")}</h1>
      <div class="row lead">
        <p>
          ${t("You are signed in as")} ${personLink(user.name)}.
        </p>
        ${user.moderator ? html`<a class="button" href="/moderation">${t("Moderation")}</a>` : nothing}
        <button @click=${this.leave}>${t("Sign out")}</button>
      </div>
      <div
        class="columns"
        @signed-out=${() =>
          /** @type {import("../account/section.js").Section | null} */ (
            this.querySelector("ssb-devices")
          )?.fetch()}
      >
        <div class="stack">
          <ssb-passkeys></ssb-passkeys>
          <ssb-password></ssb-password>
          <ssb-recovery></ssb-recovery>
          <ssb-mail-address></ssb-mail-address>
          <ssb-devices></ssb-devices>
        </div>
        <div class="stack">
          <ssb-programs></ssb-programs>
          <ssb-other-players></ssb-other-players>
          <ssb-export></ssb-export>
          <ssb-leaving></ssb-leaving>
        </div>
      </div>
    </div>`;
  }
}

customElements.define("ssb-account", Account);
