/** Who begins a game, and by which dice: as lines of the list of moves. */
import { t } from "../../i18n/i18n.js";
import { html, ltr, nothing } from "../view.js";
import { nameOf } from "./wording.js";

/**
 * @typedef {import("../types.js").Side} Side
 * @typedef {Pick<import("../types.js").State, "opening" | "players">} Begun
 */

/** @param {Side} side */
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

/** Rows for the throws of the draw, ties first, and for its outcome. @param {Begun} state */
export function openingRows(state) {
  const { opening } = state;
  if (!opening) return nothing;
  const decided = opening.starter ? opening.throws.length - 1 : opening.throws.length;
  const drawn = opening.throws.map(
    (
      [white, black],
      i,
    ) => html`<tr class="opening"><td></td><td colspan="2" class="draw">${disc("white")} ${ltr(white)} ${disc("black")} ${ltr(black)}</td>
      <td colspan="2">${i < decided ? t("the same: once more") : beginning(state)}</td></tr>`,
  );
  if (opening.throws.length || !opening.starter) return drawn;
  return html`<tr class="opening"><td></td><td colspan="4">${beginning(state)}</td></tr>`;
}
