/** Recovery codes: how many are left, and new ones, which are shown once. */
import { t, tn } from "../../i18n/i18n.js";
import { post } from "../api.js";
import { entered, fault, passwordField } from "../fields.js";
import { html, nothing, states } from "../view.js";
import { ProvenSection } from "./section.js";

class Recovery extends ProvenSection {
  static properties = states("left", "codes");

  constructor() {
    super();
    /** @type {number | null} */
    this.left = null;
    /** The codes that were just made, shown this once. @type {string[]} */
    this.codes = [];
  }

  async fetch() {
    this.left = (await this.account())?.codes ?? this.left;
  }

  /** @param {string | null} password null with a passkey instead */
  async make(password) {
    const ask = async (/** @type {object} */ proof) =>
      (this.codes = (await post("/account/codes", proof)).codes);
    if (!(await this.proven(password, ask))) return;
    await this.fetch();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("#recovery-codes"))?.focus();
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    void this.make(String(entered(event).get("password") ?? "")).then(() => form.reset());
  }

  async copyCodes() {
    if (await this.copied(this.codes.join("\n"), t("The codes have been copied."))) return;
    getSelection()?.selectAllChildren(/** @type {HTMLElement} */ (this.querySelector("#recovery-codes")));
  }

  /** Print the codes and nothing else of the page. */
  print() {
    const done = () => document.body.classList.remove("printing-codes");
    document.body.classList.add("printing-codes");
    addEventListener("afterprint", done, { once: true });
    print();
  }

  made() {
    return html`<div class="stack codes" role="status">
      <p>
        <b>${t(
          "Your new recovery codes. They are shown this once: print them, or keep them where you keep passwords.",
        )}</b>
      </p>
      <ul id="recovery-codes" class="codelist" tabindex="-1" dir="ltr" aria-label=${t("Recovery codes")}>
        ${this.codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <div class="row">
        <button class="pri" @click=${this.copyCodes}>${t("Copy")}</button>
        <button @click=${this.print}>${t("Print")}</button>
        <button @click=${() => (this.codes = [])}>${t("Done")}</button>
      </div>
    </div>`;
  }

  form() {
    const action = this.left ? t("Make new codes") : t("Make recovery codes");
    return html`<form class="stack" @submit=${this.submit}>
      ${this.left ? html`<p class="small quiet">${t("New codes end the old ones.")}</p>` : nothing}
      ${this.password ? passwordField("codes-password") : nothing} ${fault(this.wrong?.message)}
      <div class="row">
        ${this.password || !this.keys ? html`<button>${action}</button>` : nothing}
        ${
          this.keys
            ? html`<button type="button" @click=${() => void this.make(null)}>${t("Make them with a passkey")}</button>`
            : nothing
        }
      </div>
    </form>`;
  }

  render() {
    const { left } = this;
    if (left === null) return this.card(t("Recovery codes"), nothing);
    return this.card(
      t("Recovery codes"),
      html`<p class="small quiet">
          ${t("With one of them you set a new password when you have lost the old one. Each is good once.")}
        </p>
        <p>${left ? tn("{n} code is left.", "{n} codes are left.", left) : t("You have none.")}</p>
        ${this.codes.length ? this.made() : this.form()}`,
    );
  }
}

customElements.define("ssb-recovery", Recovery);
