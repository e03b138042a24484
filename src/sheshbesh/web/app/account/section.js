/** A part of the account page: it fetches its own list, confirms what cannot be undone, and reloads afterwards. */
import { t } from "../../i18n/i18n.js";
import { ApiError, get } from "../api.js";
import { fault } from "../fields.js";
import { prove, supported } from "../passkeys.js";
import { html, nothing, states, View } from "../view.js";

export class Section extends View {
  static properties = states("asking");

  constructor() {
    super();
    /** @type {{title: string, text: string, action: string, answer: (yes: boolean) => void} | null} */
    this.asking = null;
  }

  /**
   * Run a change, show that it is done, and reload.
   * @param {() => Promise<unknown>} work
   * @param {string} [message]
   */
  async change(work, message) {
    if (!(await this.attempt(work))) return false;
    if (message) this.app.toast(message);
    await this.fetch();
    await this.updateComplete;
    // The button that was pressed may be gone with its row: keyboard focus stays in this section.
    if (document.activeElement === document.body) this.querySelector("h2")?.focus();
    return true;
  }

  /**
   * Ask before what cannot be undone.
   * @param {string} title
   * @param {string} text
   * @param {string} action the label of the button
   * @returns {Promise<boolean>}
   */
  ask(title, text, action) {
    return new Promise((answer) => (this.asking = { title, text, action, answer }));
  }

  /** @param {Event} event */
  onAnswer(event) {
    const yes = /** @type {HTMLDialogElement} */ (event.target).returnValue === "yes";
    this.asking?.answer(yes);
    this.asking = null;
  }

  /** The question that is being asked. */
  question() {
    if (!this.asking) return nothing;
    const { title, text, action } = this.asking;
    return html`<dialog aria-labelledby="asked" @close=${this.onAnswer}>
      <h2 id="asked">${title}</h2>
      <form class="stack" method="dialog">
        <p>${text}</p>
        <div class="row end">
          <button value="">${t("Cancel")}</button>
          <button class="pri" value="yes">${action}</button>
        </div>
      </form>
    </dialog>`;
  }

  /** @param {string} title @param {unknown} content */
  card(title, content) {
    const again = html`<div class="row"><button @click=${() => void this.fetch()}>${t("Try again")}</button></div>`;
    return html`<section class="card stack">
      <h2 tabindex="-1">${title}</h2>
      ${fault(this.problem)}${this.problem ? again : nothing}${content}
      ${this.question()}
    </section>`;
  }
}

/** A section whose changes need a proof of who one is: the password, or a passkey. */
export class ProvenSection extends Section {
  static properties = states("wrong", "busy");

  constructor() {
    super();
    /** Whether the account has a password, and passkeys that this browser can use. */
    this.password = false;
    this.keys = false;
    /** Why the last change was refused. @type {ApiError | null} */
    this.wrong = null;
    this.busy = false;
  }

  /** Get the account, and what it can be proved by; null where that cannot be had. */
  async account() {
    const account = await this.load(get("/account"));
    const keys = account && (await this.load(get("/me/passkeys")));
    if (!keys) return null;
    this.password = account.password;
    this.keys = keys.length > 0 && supported();
    return account;
  }

  /**
   * Change something with a proof; false where it was not done.
   * @param {string | null} password null to be asked for a passkey
   * @param {(proof: object) => Promise<unknown>} work
   */
  async proven(password, work) {
    this.wrong = null;
    this.busy = true;
    try {
      const passkey = password === null ? await prove() : null;
      if (password === null && !passkey) return false;
      await work(passkey ? { passkey } : { password });
      return true;
    } catch (error) {
      // A dialog of the browser that was closed is no fault of anybody's.
      if (!(error instanceof ApiError || error instanceof DOMException)) throw error;
      this.wrong = error instanceof ApiError ? error : null;
      return false;
    } finally {
      this.busy = false;
    }
  }
}
