/** The link by which others come to a table: to copy, to share, to scan. */
import { t } from "../i18n/i18n.js";
import { html } from "./view.js";

/** Select the link, so that it can be copied by hand. @param {Event} event */
const select = ({ currentTarget }) => /** @type {HTMLInputElement} */ (currentTarget).select();

/** @param {import("./view.js").App} app @param {MouseEvent} event */
async function share(app, event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget).parentElement;
  const url = location.href;
  try {
    if (navigator.share) await navigator.share({ url, title: t("Sheshbesh") });
    else {
      await navigator.clipboard.writeText(url);
      app.toast(t("The link has been copied."));
    }
  } catch {
    box?.querySelector("input")?.select();
  }
}

/**
 * The address of the page that is open, as a link and as a code.
 * @param {import("./view.js").App} app
 * @param {string} path of the API's code for it
 */
export const joiningLink = (app, path) =>
  html`<div class="linkbox">
      <input readonly aria-label=${t("Link")} dir="ltr" .value=${location.href} @focus=${select}>
      <button class="pri" @click=${(/** @type {MouseEvent} */ event) => void share(app, event)}>
        ${"share" in navigator ? t("Share") : t("Copy")}
      </button>
    </div>
    <img class="qr" src="/api/v1${path}/qr.svg" alt=${t("The link as a code to scan")}>`;
