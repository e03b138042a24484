/** Sounds and effects when something happens in the match. */
import { t } from "../../i18n/i18n.js";
import { play as sound } from "../sounds.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {{name: string, detail: any}} Happened
 */

/**
 * @param {Happened} event
 * @param {import("../types.js").State} state
 * @param {string | undefined} user who looks
 */
export function sounds({ name, detail }, state, user) {
  if (detail?.then?.dice) sound("dice");
  switch (name) {
    case "play":
    case "confirm":
      return sound(detail.then?.play?.includes("*") ? "hit" : "checker");
    case "double":
    case "double_one":
    case "take":
    case "answer":
    case "beaver":
      return sound("cube");
    case "chat":
      return detail.id === user ? undefined : sound("chat");
    case "ended":
      return sound(state.you.includes(detail.winner) ? "won" : "lost");
  }
}

/**
 * What a new state brings that must not be overlooked.
 * @param {State | null} before
 * @param {State} state
 * @returns {string[]}
 */
export function announcements(before, state) {
  if (!before) return [];
  const list = [];
  if (state.crawford && before.game !== state.game)
    list.push(t("This is the Crawford game: nobody may double."));
  if (state.cube.automatic > before.cube.automatic)
    list.push(t("Equal dice: the cube goes to {n}.", { n: state.cube.value }));
  return list;
}

/**
 * @param {Happened} event
 * @param {any} board the board element
 */
export function drawings({ name, detail }, board) {
  switch (name) {
    case "refused":
      return board?.refuse([], detail.d?.text ?? "");
    case "because":
      return board?.refuse(detail.sent?.d?.steps ?? [], detail.d?.text ?? "");
  }
}
