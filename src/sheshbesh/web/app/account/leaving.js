/** Deleting the account: asked twice, the second time for a proof of who one is. */
import { t, tn } from "../../i18n/i18n.js";
import { post } from "../api.js";
import { entered, fault, passwordField } from "../fields.js";
import { html, nothing, states } from "../view.js";
import { ProvenSection } from "./section.js";

class Leaving extends ProvenSection {
  static properties = states("step");

  constructor() {
    super();
    /** Days for which nobody else can take the name. */
    this.days = 0;
    /** 0: nothing is asked, 1: whether it is meant, 2: who it is. */
    this.step = 0;
  }

  async begin() {
    const account = await this.account();
    if (!account) return;
    this.days = account.name_kept_days;
    this.wrong = null;
    this.step = 1;
  }

  /** @param {string | null} password null with a passkey instead */
  async finish(password) {
    if (await this.proven(password, (proof) => post("/account/delete", proof)))
      await this.app.signedOut(t("Your account has been deleted."));
  }

  /** What goes, and what stays. */
  meaning() {
    return html`<p>
        ${t(
          "Your name, password, passkeys, devices, tokens, bots, ratings, notes, messages and blocks " +
            "go for ever, and your matches against the computer with them.",
        )}
      </p>
      <p>
        ${t(
          "Matches with others stay for them, with “Deleted player” in your place. A match that is " +
            "under way must be ended first.",
        )}
      </p>
      ${
        this.app.user?.kind === "guest"
          ? nothing
          : html`<p>
            ${tn("Nobody can take your name for {n} day.", "Nobody can take your name for {n} days.", this.days)}
          </p>`
      }`;
  }

  dialog() {
    const { step, wrong, password, keys } = this;
    if (!step) return nothing;
    const close = () => (this.step = 0);
    const cancel = html`<button type="button" @click=${close}>${t("Keep the account")}</button>`;
    if (step === 1) {
      return html`<dialog aria-labelledby="leaving" @close=${close}>
        <h2 id="leaving">${t("Delete the account?")}</h2>
        <div class="stack">
          ${this.meaning()}
          <div class="row end">
            ${cancel}
            <button class="danger" @click=${() => (this.step = 2)}>${t("Go on")}</button>
          </div>
        </div>
      </dialog>`;
    }
    return html`<dialog aria-labelledby="leaving" @close=${close}>
      <h2 id="leaving">${t("Delete it for ever?")}</h2>
      <form
        class="stack"
        @submit=${(/** @type {Event} */ event) =>
          void this.finish(String(entered(event).get("password") ?? ""))}
      >
        <p>
          ${t("This cannot be undone.")} ${password || keys ? t("Show once more that it is you.") : nothing}
        </p>
        ${password ? passwordField("leaving-password") : nothing}
        ${fault(
          wrong &&
            html`${wrong.message}
              ${
                wrong.code === "still_playing" && wrong.where
                  ? html`<a href="/m/${wrong.where}">${t("To the match")}</a>`
                  : nothing
              }`,
        )}
        <div class="row end">
          ${cancel}
          ${
            keys
              ? html`<button
                type="button"
                class="danger"
                ?disabled=${this.busy}
                @click=${() => void this.finish(null)}
              >${t("Delete with a passkey")}</button>`
              : nothing
          }
          ${
            password || !keys
              ? html`<button class="danger" ?disabled=${this.busy}>${t("Delete for ever")}</button>`
              : nothing
          }
        </div>
      </form>
    </dialog>`;
  }

  render() {
    return this.card(
      t("Delete the account"),
      html`<p class="small quiet">${t("Your data is deleted; your opponents keep their games.")}</p>
        <div class="row"><button class="danger" @click=${this.begin}>${t("Delete the account")}</button></div>
        ${this.dialog()}`,
    );
  }
}

customElements.define("ssb-leaving", Leaving);
