/**
 * The result sheet of a match as a form: it is filled from the score board, by hand where nothing was entered, and
 * prints on one page.
 */
import { SIDES } from "../../board/types.js";
import { t, words } from "../../i18n/i18n.js";
import { clockName } from "../clock-code.js";
import { kindName } from "../table/wording.js";
import { html, named } from "../view.js";
import { lengthName, scoreAfter, sideName, winnerOf } from "./score.js";

/**
 * @typedef {import("./score.js").Game} Game
 * @typedef {import("./store.js").Table} Table
 */

/** Lines of the form that are printed at least, for games that are entered by hand. */
const LINES = 11;
const KINDS = ["settlement", "single", "gammon", "backgammon"];

/**
 * Two scores in the order in which the line names the players, also where it runs from right to left.
 * @param {Record<import("./score.js").Side, number>} score
 * @param {string} [between]
 */
export const scores = ({ white, black }, between = "–") =>
  html`<bdi>${words().figure(white)}</bdi>${between}<bdi>${words().figure(black)}</bdi>`;

/** How a game was won, in a word. @param {Game} game */
export const howWon = ({ winner, worth, kind }) =>
  kind
    ? kindName(kind)
    : !winner
      ? t("called off")
      : worth
        ? kindName(KINDS[worth] ?? KINDS[1])
        : t("by agreement");

/** @param {Table} table @param {(heading: Partial<import("./store.js").Heading>) => void} change */
export function resultSheet(table, change) {
  const { match, heading } = table;
  const winner = winnerOf(match);
  const entry = (/** @type {keyof import("./store.js").Heading} */ name, /** @type {string} */ label) =>
    html`<div class="field">
      <label for="sheet-${name}">${label}</label>
      <input
        id="sheet-${name}"
        maxlength="60"
        .value=${heading[name]}
        @input=${(/** @type {Event} */ event) =>
          change({ [name]: /** @type {HTMLInputElement} */ (event.target).value })}
      >
    </div>`;
  const lines = Math.max(LINES, match.games.length);
  return html`<article class="result-sheet" aria-labelledby="sheet-title">
    <h2 id="sheet-title">${t("Result sheet")}</h2>
    <div class="sheet-head">
      ${entry("event", t("Tournament"))}${entry("round", t("Round"))}${entry("board", t("Table no."))}
      <div class="field">
        <span class="label">${t("Date")}</span>
        <span class="line-of">${words().moment(Date.now())}</span>
      </div>
    </div>
    <p>
      <span class="disc white"></span> ${named(sideName(match, "white"))} – <span class="disc black"></span>
      ${named(sideName(match, "black"))} · ${lengthName(match)} · ${clockName(table.clock)}
    </p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>${t("Game")}</th>
            <th>${t("Winner")}</th>
            <th>${t("How")}</th>
            <th class="num">${t("Cube")}</th>
            <th class="num">${t("Points")}</th>
            <th class="num">${t("score")}</th>
          </tr>
        </thead>
        <tbody>${Array.from({ length: lines }, (_, i) => line(table, i))}</tbody>
      </table>
    </div>
    <p class="outcome">
      ${t("Winner")}: <b>${winner ? named(sideName(match, winner)) : html`<span class="blank"></span>`}</b>
      ${match.late ? html`(${t("on time")})` : ""}
    </p>
    <div class="signatures">
      ${SIDES.map(
        (side) =>
          html`<div>
            <span class="blank wide"></span><span class="small quiet">${t("Signature")}:
              ${named(sideName(match, side))}</span>
          </div>`,
      )}
    </div>
  </article>`;
}

/** @param {Table} table @param {number} i */
function line({ match }, i) {
  const game = match.games[i];
  const figure = (/** @type {number} */ n) => words().figure(n);
  const number = html`<td>${figure(i + 1)}</td>`;
  if (!game) return html`<tr class="empty-line">${number}<td></td><td></td><td></td><td></td><td></td></tr>`;
  const score = scoreAfter(match, i + 1);
  return html`<tr>${number}<td>${game.winner ? named(sideName(match, game.winner)) : "–"}</td><td>${howWon(game)}</td>
    <td class="num">${figure(game.cube)}</td><td class="num">${figure(game.points)}</td>
    <td class="num">${scores(score)}</td></tr>`;
}
