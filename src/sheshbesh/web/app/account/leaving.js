/** Deleting the account: asked twice, the second time for a proof of who one is. */
import { t, tn } from "../../i18n/i18n.js";
import { ApiError, get, post } from "../api.js";
import { prove, supported } from "../passkeys.js";
import { html, nothing } from "../view.js";
import { Section } from "./section.js";

class Leaving extends Section {
  static properties = {
    ...Section.properties,
    about: { state: true },
    step: { state: true },
    wrong: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    /** @type {{password: boolean, keys: boolean, days: number} | null} */
    this.about = null;
    /** 0: nothing is asked, 1: whether it is meant, 2: who it is. */
    this.step = 0;
    /** @type {{text: string, match?: string} | null} */
    this.wrong = null;
    this.busy = false;
  }

  async begin() {
    const account = await this.load(get("/account"));
    const keys = account && (await this.load(get("/me/passkeys")));
    if (!keys) return;
    this.about = {
      password: account.password,
      keys: keys.length > 0 && supported(),
      days: account.name_kept_days,
    };
    this.wrong = null;
    this.step = 1;
  }

  /** @param {() => Promise<object | null>} proof */
  async finish(proof) {
    this.busy = true;
    this.wrong = null;
    try {
      const body = await proof();
      if (body) {
        await post("/account/delete", body);
        return this.app.signedOut(t("Your account has been deleted."));
      }
    } catch (error) {
      // A dialog of the browser that was closed is no fault of anybody's.
      if (!(error instanceof ApiError || error instanceof DOMException)) throw error;
      if (error instanceof ApiError)
        this.wrong = { text: error.message, match: error.code === "still_playing" ? error.where : undefined };
    } finally {
      this.busy = false;
    }
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    event.preventDefault();
    const password = String(
      new FormData(/** @type {HTMLFormElement} */ (event.target)).get("password") ?? "",
    );
    void this.finish(async () => ({ password }));
  }

  async byKey() {
    await this.finish(async () => {
      const passkey = await prove();
      return passkey && { passkey };
    });
  }

  /** What goes, and what stays. @param {number} days */
  meaning(days) {
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
            ${tn("Nobody can take your name for {n} day.", "Nobody can take your name for {n} days.", days)}
          </p>`
      }`;
  }

  dialog() {
    const { about, step, wrong } = this;
    if (!about || !step) return nothing;
    const close = () => (this.step = 0);
    const cancel = html`<button type="button" @click=${close}>${t("Keep the account")}</button>`;
    if (step === 1) {
      return html`<dialog aria-labelledby="leaving" @close=${close}>
        <h2 id="leaving">${t("Delete the account?")}</h2>
        <div class="stack">
          ${this.meaning(about.days)}
          <div class="row end">
            ${cancel}
            <button class="danger" @click=${() => (this.step = 2)}>${t("Go on")}</button>
          </div>
        </div>
      </dialog>`;
    }
    return html`<dialog aria-labelledby="leaving" @close=${close}>
      <h2 id="leaving">${t("Delete it for ever?")}</h2>
      <form class="stack" @submit=${this.submit}>
        <p>
          ${t("This cannot be undone.")}
          ${about.password || about.keys ? t("Show once more that it is you.") : nothing}
        </p>
        ${
          about.password
            ? html`<div class="field">
              <label for="leaving-password">${t("Password")}</label>
              <input
                id="leaving-password"
                name="password"
                type="password"
                required
                maxlength="200"
                autocomplete="current-password"
              >
            </div>`
            : nothing
        }
        ${
          wrong
            ? html`<p class="verdict-bad" role="alert">
              ${wrong.text}
              ${wrong.match ? html`<a href="/m/${wrong.match}">${t("To the match")}</a>` : nothing}
            </p>`
            : nothing
        }
        <div class="row end">
          ${cancel}
          ${
            about.keys
              ? html`<button type="button" class="danger" ?disabled=${this.busy} @click=${this.byKey}>
                ${t("Delete with a passkey")}
              </button>`
              : nothing
          }
          ${
            about.password || !about.keys
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
