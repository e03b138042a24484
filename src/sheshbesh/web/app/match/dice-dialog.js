/** The dice of a real board, typed in. */
import { t } from "../../i18n/i18n.js";
import { html } from "../view.js";

/** @typedef {import("./actions.js").Table} Table */

/**
 * @param {Table} table
 * @param {number[]} chosen
 * @param {(dice: number[]) => void} choose
 * @param {() => void} close
 */
export function diceDialog(table, chosen, choose, close) {
  const opening = table.state.phase === "opening";
  const names = opening ? [t("light"), t("dark")] : [t("First die"), t("Second die")];
  return html`<h2>${t("What do the dice show?")}</h2>
    <div class="stack">${[0, 1].map(
      (i) => html`<fieldset class="field"><legend>${names[i]}</legend><div class="dicepad">${[1, 2, 3, 4, 5, 6].map(
        (die) => html`<button type="button" aria-pressed=${chosen[i] === die} @click=${() => choose(chosen.map((old, j) => (i === j ? die : old)))}>${die}</button>`,
      )}</div></fieldset>`,
    )}</div>
    <div class="actions"><button @click=${close}>${t("Back")}</button>
    <button class="pri" ?disabled=${!chosen[0] || !chosen[1]} @click=${() => { close(); table.act({ type: "dice", first: chosen[0], second: chosen[1] }); }}>${t("Done")}</button></div>`;
}
