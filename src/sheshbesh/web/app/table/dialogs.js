/** The dialogs of a table: the one that is open, over the page, and those that are the same for both kinds. */
import { t } from "../../i18n/i18n.js";
import { contestName } from "../names.js";
import { ruleLine } from "../rule-text.js";
import { html, nothing } from "../view.js";

/** Dialogs of long texts and tables. */
const WIDE = new Set(["rules", "numbers", "keys", "sheet"]);

/**
 * The open dialog, in a popover where there are any (`modal.js`).
 * @param {import("../views/table-view.js").TableView} view
 */
export function openDialog(view) {
  const { modal, dialog: name } = view;
  return html`<div
    class="scrim"
    popover=${modal.hasPopovers ? "auto" : nothing}
    @beforetoggle=${modal.toggled}
    @toggle=${view.toggled}
  ><dialog
    ?open=${modal.hasPopovers && name !== ""}
    @close=${view.closed}
    aria-modal="true"
    aria-labelledby="dialog-title"
    aria-describedby="dialog-told dialog-ending"
    class=${WIDE.has(name) ? "wide" : ""}
  >${name ? view.dialogOf(name) : nothing}</dialog></div>`;
}

/** The way out of a dialog. @param {() => void} close */
export const back = (close) => html`<button class="pri" @click=${close}>${t("Back")}</button>`;

/**
 * A dialog that has only to be read.
 * @param {string} title
 * @param {unknown} content
 * @param {() => void} close
 * @param {unknown} [more]
 */
export const readingDialog = (title, content, close, more = nothing) =>
  html`<h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
    ${content}
    <div class="actions">${more}${back(close)}</div>`;

/**
 * What a form for a settlement says: points to the one who offers, negative where they pay.
 * @param {SubmitEvent} event
 */
export function settled(event) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  return Number(form.get("points")) * (form.get("who") === "theirs" ? 1 : -1) || 0;
}

/**
 * @param {import("../wire.js").State} state
 * @param {string} name of the game, in the language of the page
 * @param {import("../rule-text.js").RuleLine[]} rules
 * @param {() => void} close
 */
export function rulesDialog(state, name, rules, close) {
  const { card, clock } = state;
  const clocks = t("Should the server be interrupted, the clocks stand still until it is back.");
  const content = html`<p class="small quiet">
      ${t("The rules of this table")} · ${contestName({ card })}
    </p>
    ${clock ? html`<p class="small quiet">${clocks}</p>` : nothing}
    ${rules.map(ruleLine)}`;
  const all = html`<a class="button" href="/rules/${card.game}">${t("All rules of the game")}</a>`;
  return readingDialog(name, content, close, all);
}
