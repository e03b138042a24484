/** What is heard and drawn when something happens at the table. */
import { play as sound } from "../sounds.js";
import { hintArrows, verdictArrows } from "./advice.js";

/**
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
    case "take":
    case "beaver":
      return sound("cube");
    case "chat":
      return detail.id === user ? undefined : sound("chat");
    case "ended":
      return sound(state.you.includes(detail.winner) ? "won" : "lost");
  }
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
    case "hint":
      return board?.showArrows(hintArrows(detail));
    case "verdict":
      return board?.showArrows(verdictArrows(detail));
  }
}
