/** The dialogs of a table: the one that is open, over the page, and those that are the same for both kinds. */

import { t } from "../../i18n/i18n.js";
import { entered } from "../fields.js";
import { html, named, nothing } from "../view.js";
import { disc, isTied } from "./moves.js";

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
  const form = entered(event);
  return Number(form.get("points")) * (form.get("who") === "theirs" ? 1 : -1) || 0;
}

const DICE = [1, 2, 3, 4, 5, 6];

/**
 * Which throw of a match is asked for: after equal dice at the start it is another one.
 * @param {import("./model.js").TableModel} model
 */
export const throwOf = ({ state, turns }) =>
  JSON.stringify([state?.game, state?.phase, state?.opening?.throws.length, turns.length]);

/**
 * The dice of a real board are typed in: two rows of buttons, one for each die.
 *
 * @param {import("../views/table-view.js").TableView} view
 */
export function diceDialog(view) {
  const { state, typed, close } = view;
  const [first, second] = typed;
  const opening = state.phase === "opening";
  const thrower = (/** @type {import("../wire.js").Side} */ side) =>
    html`${disc(side)} ${named(view.nameOf(side))}`;
  const names = opening ? [thrower("white"), thrower("black")] : [t("First die"), t("Second die")];
  const button = (/** @type {number} */ i, /** @type {number} */ die) => {
    const press = () => (view.typed = typed.map((old, j) => (i === j ? die : old)));
    return html`<button type="button" aria-pressed=${typed[i] === die} @click=${press}>${die}</button>`;
  };
  const done = () => view.closeAnd({ type: "dice", first, second });
  return html`<h2 id="dialog-title">${t("What do the dice show?")}</h2>
    ${isTied(state) ? html`<p role="status">${t("Equal dice: throw once more.")}</p>` : nothing}
    ${!opening && state.on_roll ? html`<p class="quiet">${thrower(state.on_roll)}</p>` : nothing}
    <div class="stack">${names.map(
      (name, i) => html`<fieldset class="field">
        <legend>${name}</legend>
        <div class="dicepad">${DICE.map((die) => button(i, die))}</div>
      </fieldset>`,
    )}</div>
    <div class="actions">
      <button @click=${close}>${t("Back")}</button>
      <button class="pri" ?disabled=${!first || !second} @click=${done}>${t("Done")}</button>
    </div>`;
}
