/** The list of moves of the game under way. */
import { t, words } from "../../i18n/i18n.js";
import { called, sign } from "../grades.js";
import { numbered } from "../history.js";
import { diceText, html, ltr, nothing } from "../view.js";
import { nameOf } from "./wording.js";

/** That a decision was none of the computer's thinking. */
export const guessedNote = () => t("The computer had no time to think: played by heuristics");

/**
 * @param {import("../wire.js").State} state
 * @param {readonly import("../wire.js").Turn[]} turns
 * @param {Record<number, string>} grades verdicts of the tutor by place in the list
 * @param {(side: Side) => Side} look of a side's checkers, as they are drawn
 */
export function moves(state, turns, grades, look) {
  if (!turns.length && !state.opening?.throws.length && !state.opening?.starter)
    return html`<p class="quiet small empty">${t("No move has been made yet.")}</p>`;
  return html`<table class="moves">
    <thead class="sr">
      <tr><th>${t("Move")}</th><th>${t("Side")}</th><th>${t("Dice")}</th><th>${t("Play")}</th></tr>
    </thead>
    <tbody>
      ${openingRows(state, look)}
      ${numbered(turns).map((turn, i) => {
        const grade = grades[i];
        return html`<tr>
            <td>${words().figure(turn.number)}</td>
            <td class="who">${disc(look(/** @type {Side} */ (turn.side)))}</td>
            <td class="roll">${turn.dice ? ltr(diceText(turn.dice)) : nothing}</td>
            <td>${what(turn)}</td>
            <td class="grade">${grade ? html`${sign({ grade })}<span>${called({ grade })}</span>` : nothing}</td>
          </tr>
          ${
            turn.guessed
              ? html`<tr class="opening"><td></td><td colspan="4">${guessedNote()}</td></tr>`
              : nothing
          }`;
      })}
    </tbody>
  </table>`;
}

/** @param {{kind: string, play: string | null, cube?: unknown}} turn */
export function what(turn) {
  switch (turn.kind) {
    case "double":
      return typeof turn.cube === "number" ? t("doubles to {n}", { n: turn.cube }) : t("doubles");
    case "take":
      return t("takes");
    case "drop":
      return t("drops");
    case "beaver":
      return t("beavers");
    case "roll":
      return t("does not double");
    case "choose":
      return t("names a double");
    case "accept":
      return t("accepts");
    case "refuse":
      return t("declines");
    case "retry":
      return html`${t("taken back")} <s>${ltr(turn.play ?? "")}</s>`;
    case "end":
      return t("end of the game");
    default:
      return turn.play && turn.play !== "pass" ? ltr(turn.play) : t("no move");
  }
}

/**
 * @typedef {import("../wire.js").Side} Side
 * @typedef {Pick<import("../wire.js").State, "opening" | "players">} Begun
 */

/** A checker as small as a letter. @param {Side} side in whose look */
export const disc = (side) =>
  html`<i class="disc ${side}" role="img" aria-label=${side === "white" ? t("light") : t("dark")}></i>`;

/** Whether the last throw for the first move decided nothing. @param {Begun} state */
export const isTied = ({ opening }) => Boolean(opening && !opening.starter && opening.throws.length);

/** Who begins, and why. @param {Begun} state */
export function beginning(state) {
  const { opening } = state;
  if (!opening?.starter) return "";
  const name = nameOf(state, opening.starter);
  if (opening.by === "winner") return t("{name} won the last game and begins", { name });
  if (opening.by === "alternate") return t("It is the turn of {name} to begin", { name });
  return t("{name} begins", { name });
}

/**
 * Rows for the throws of the draw, ties first, and for its outcome.
 * @param {Begun} state
 * @param {(side: Side) => Side} [look] of a side's checkers, as they are drawn
 */
export function openingRows(state, look = (side) => side) {
  const { opening } = state;
  if (!opening) return nothing;
  const decided = opening.starter ? opening.throws.length - 1 : opening.throws.length;
  const drawn = opening.throws.map(
    ([white, black], i) => html`<tr class="opening">
      <td></td>
      <td colspan="2" class="draw">
        ${disc(look("white"))} ${words().figure(white)} ${disc(look("black"))} ${words().figure(black)}
      </td>
      <td colspan="2">${i < decided ? t("the same: once more") : beginning(state)}</td>
    </tr>`,
  );
  if (opening.throws.length || !opening.starter) return drawn;
  return html`<tr class="opening"><td></td><td colspan="4">${beginning(state)}</td></tr>`;
}
