/** Reporting a player to the moderators: a button that opens a form. */

import { t } from "../i18n/i18n.js";
import { ApiError, post } from "./api.js";
import { entered, fault, field, options } from "./fields.js";
import { html, nothing, states, View } from "./view.js";

/** @typedef {"talk" | "cheating" | "leaving" | "name" | "other"} Kind */

/** @returns {Record<Kind, string>} what a report may be about, by its name on the wire */
export const reportKinds = () => ({
  talk: t("what they said"),
  cheating: t("cheating"),
  leaving: t("leaving matches"),
  name: t("their name"),
  other: t("something else"),
});

class Report extends View {
  static properties = {
    name: { attribute: false },
    match: { attribute: false },
    ...states("open", "wrong", "busy"),
  };

  constructor() {
    super();
    this.name = "";
    /** The match that it is about. @type {string | null} */
    this.match = null;
    this.open = false;
    this.wrong = "";
    this.busy = false;
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    const data = entered(event);
    const body = { kind: String(data.get("kind")), text: String(data.get("text")), match: this.match };
    this.wrong = "";
    this.busy = true;
    try {
      await post(`/users/${encodeURIComponent(this.name)}/report`, body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.wrong = error.message;
      return;
    } finally {
      this.busy = false;
    }
    this.open = false;
    this.app.toast(t("Thank you. The moderators have been told."));
  }

  dialog() {
    const close = () => (this.open = false);
    return html`<dialog aria-labelledby="reporting" @close=${close}>
      <h2 id="reporting">${t("Report {name}", { name: this.name })}</h2>
      <form class="stack" @submit=${this.submit}>
        ${field(
          "report-kind",
          t("What is it about?"),
          html`<select id="report-kind" name="kind">${options(Object.entries(reportKinds()))}</select>`,
        )}
        ${field(
          "report-text",
          t("What has happened?"),
          html`<textarea id="report-text" name="text" rows="4" maxlength="1000"></textarea>`,
        )}
        <p class="small quiet">
          ${t("Moderators read it; the other player does not learn who has reported them.")}
        </p>
        ${fault(this.wrong)}
        <div class="row end">
          <button type="button" @click=${close}>${t("Cancel")}</button>
          <button class="pri" ?disabled=${this.busy}>${t("Send")}</button>
        </div>
      </form>
    </dialog>`;
  }

  render() {
    return html`<button @click=${() => {
      this.wrong = "";
      this.open = true;
    }}>${t("Report")}</button>${this.open ? this.dialog() : nothing}`;
  }
}

customElements.define("ssb-report", Report);
