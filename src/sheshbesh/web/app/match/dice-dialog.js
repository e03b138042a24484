/** The dice of a real board, typed in. */
import { t } from "../../i18n/i18n.js";
import { html, named, nothing } from "../view.js";
import { disc, isTied } from "./opening.js";
import { nameOf } from "./wording.js";

/** @typedef {import("./actions.js").Table} Table */

/**
 * Which throw of a match is asked for: after equal dice at the start it is another one.
 * @param {import("./table.js").Table} table
 */
export const throwOf = ({ state, turns }) =>
  JSON.stringify([state?.game, state?.phase, state?.opening?.throws.length, turns.length]);

/**
 * @param {Table} table
 * @param {number[]} chosen
 * @param {(dice: number[]) => void} choose
 * @param {() => void} close
 */
export function diceDialog(table, chosen, choose, close) {
  const { state } = table;
  const opening = state.phase === "opening";
  const thrower = (/** @type {import("../types.js").Side} */ side) =>
    html`${disc(side)} ${named(nameOf(state, side))}`;
  const names = opening ? [thrower("white"), thrower("black")] : [t("First die"), t("Second die")];
  return html`<h2>${t("What do the dice show?")}</h2>
    ${isTied(state) ? html`<p role="status">${t("Equal dice: throw once more.")}</p>` : nothing}
    ${!opening && state.on_roll ? html`<p class="quiet">${thrower(state.on_roll)}</p>` : nothing}
    <div class="stack">${[0, 1].map(
      (i) =>
        html`<fieldset class="field"><legend>${names[i]}</legend><div class="dicepad">${[
          1, 2, 3, 4, 5, 6,
        ].map(
          (die) =>
            html`<button type="button" aria-pressed=${chosen[i] === die} @click=${() => choose(chosen.map((old, j) => (i === j ? die : old)))}>${die}</button>`,
        )}</div></fieldset>`,
    )}</div>
    <div class="actions"><button @click=${close}>${t("Back")}</button>
    <button class="pri" ?disabled=${!chosen[0] || !chosen[1]} @click=${() => {
      close();
      table.act({ type: "dice", first: chosen[0], second: chosen[1] });
    }}>${t("Done")}</button></div>`;
}
