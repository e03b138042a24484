/** The dialog in which a finished game is entered on the score board: the winner, the kind of win, the cube. */

import { SIDES } from "../../board/types.js";
import { t, words } from "../../i18n/i18n.js";
import { entered } from "../fields.js";
import { kindName } from "../table/wording.js";
import { html, named } from "../view.js";
import { sideName } from "./score.js";

/**
 * @typedef {import("./score.js").Side} Side
 * @typedef {import("./score.js").Match} Match
 * @typedef {import("./score.js").Game} Game
 */

const CUBES = Array.from({ length: 11 }, (_, n) => 2 ** n);

/** @param {FormData} form @returns {Game} */
function read(form) {
  const side = form.get("winner");
  const worth = Number(form.get("worth"));
  const cube = Number(form.get("cube"));
  const points = worth ? worth * cube : Number(form.get("points"));
  const winner = side === "none" ? null : /** @type {Side} */ (side);
  return { winner, worth, cube, points: winner ? points : 0 };
}

/** @param {Match} match @param {(game: Game) => void} done @param {() => void} close */
export function gameDialog(match, done, close) {
  const submit = (/** @type {SubmitEvent} */ event) => done(read(entered(event)));
  const pick = (
    /** @type {string} */ name,
    /** @type {unknown} */ value,
    /** @type {unknown} */ text,
    /** @type {boolean} */ first,
  ) =>
    html`<label><input type="radio" name=${name} value=${String(value)} required ?checked=${first}>${text}</label>`;
  const worths = /** @type {[number, string][]} */ ([
    [1, kindName("single")],
    [2, kindName("gammon")],
    [3, kindName("backgammon")],
    [0, t("by agreement")],
  ]);
  return html`<dialog @close=${close}>
    <h2 tabindex="-1" autofocus>${t("The game is over")}</h2>
    <form class="stack" @submit=${submit}>
      <fieldset class="field">
        <legend>${t("Winner")}</legend>
        <div class="segments two">
          ${SIDES.map((side) =>
            pick(
              "winner",
              side,
              html`<span><span class="disc ${side}"></span> ${named(sideName(match, side))}</span>`,
              false,
            ),
          )}
          ${pick("winner", "none", t("nobody: called off"), false)}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>${t("How")}</legend>
        <div class="segments two">${worths.map(([worth, text], i) => pick("worth", worth, text, i === 0))}</div>
      </fieldset>
      <fieldset class="field">
        <legend>${t("Cube")}</legend>
        <div class="segments">${CUBES.map((cube, i) => pick("cube", cube, words().figure(cube), i === 0))}</div>
      </fieldset>
      <div class="field agreed-points">
        <label for="agreed-points">${t("Points agreed on")}</label>
        <input
          id="agreed-points"
          name="points"
          type="number"
          inputmode="numeric"
          min="1"
          max=${3 * (CUBES.at(-1) ?? 1)}
          value="1"
          required
        >
      </div>
      <div class="actions row">
        <button type="button" @click=${close}>${t("Back")}</button>
        <button class="pri">${t("Enter")}</button>
      </div>
    </form>
  </dialog>`;
}
