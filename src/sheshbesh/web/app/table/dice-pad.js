/** The dialog in which the dice of a real board are typed in. */
import { t } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";

const DICE = [1, 2, 3, 4, 5, 6];

/**
 * Which throw of a match is asked for: after equal dice at the start it is another one.
 * @param {import("./model.js").TableModel} model
 */
export const throwOf = ({ state, turns }) =>
  JSON.stringify([state?.game, state?.phase, state?.opening?.throws.length, turns.length]);

/**
 * Two rows of buttons, one for each die.
 * @param {object} pad
 * @param {unknown[]} pad.names of the dice
 * @param {unknown} [pad.note] above them
 * @param {number[]} pad.chosen 0 where none is
 * @param {(dice: number[]) => void} pad.choose
 * @param {(first: number, second: number) => void} pad.done
 * @param {() => void} pad.close
 */
export function diceDialog({ names, note = nothing, chosen, choose, done, close }) {
  const [first, second] = chosen;
  const button = (/** @type {number} */ i, /** @type {number} */ die) => {
    const press = () => choose(chosen.map((old, j) => (i === j ? die : old)));
    return html`<button type="button" aria-pressed=${chosen[i] === die} @click=${press}>${die}</button>`;
  };
  return html`<h2 id="dialog-title">${t("What do the dice show?")}</h2>
    ${note}
    <div class="stack">${names.map(
      (name, i) => html`<fieldset class="field">
        <legend>${name}</legend>
        <div class="dicepad">${DICE.map((die) => button(i, die))}</div>
      </fieldset>`,
    )}</div>
    <div class="actions">
      <button @click=${close}>${t("Back")}</button>
      <button class="pri" ?disabled=${!first || !second} @click=${() => done(first, second)}>${t("Done")}</button>
    </div>`;
}
