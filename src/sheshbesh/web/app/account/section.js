/** A part of the account page: it fetches its own list, confirms what cannot be undone, and reloads afterwards. */
import { t } from "../../i18n/i18n.js";
import { html, nothing, View } from "../view.js";

export class Section extends View {
  static properties = { ...View.properties, asking: { state: true } };

  constructor() {
    super();
    /** @type {{title: string, text: string, action: string, answer: (yes: boolean) => void} | null} */
    this.asking = null;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.fetch();
  }

  /** Get what is shown. */
  async fetch() {}

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

  updated() {
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
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

  /**
   * @param {string} title
   * @param {unknown} content
   */
  card(title, content) {
    return html`<section class="card stack">
      <h2 tabindex="-1">${title}</h2>
      ${this.problem ? html`<p class="verdict-bad" role="alert">${this.problem}</p>` : nothing}${content}
      ${this.question()}
    </section>`;
  }
}
