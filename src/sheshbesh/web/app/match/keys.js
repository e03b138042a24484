/** The keys of a match: what each does beside the board, and the list of all that is shown for "?". */
import { t } from "../../i18n/i18n.js";
import { html, ltr } from "../view.js";

/** @typedef {import("./actions.js").Controls} Controls */

/**
 * What a key means that is no matter of the board.
 * @param {Controls} controls
 * @param {string} key in lower case
 * @returns {(() => void) | undefined}
 */
export function shortcut({ allowed, act, open, hint, state, proposals, openChat }, key) {
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  if (key === "t" && may("take")) return () => act({ type: "take" });
  if (key === "x" && may("drop")) return () => act({ type: "drop" });
  if (key === "b" && may("beaver")) return () => act({ type: "beaver" });
  if (key === "r" && may("resign") && state.resign_kinds.length) return () => open("resign");
  if (key === "p" && may("propose") && proposals.length) return () => open("propose");
  if (key === "h" && state.tutor) return hint;
  if (key === "c" && openChat) return openChat;
  if (key === "g") return () => open("rules");
  if (key === "?") return () => open("keys");
  return undefined;
}

/** What is pressed, and what it does. @returns {[string[], string][]} */
const list = () => [
  [[t("Space")], t("throws the dice; confirms a complete play")],
  [["8/5 6/5", "Enter"], t("plays what is typed")],
  [["N", "Shift+N"], t("goes to the next, or the last, place from which a checker can move")],
  [["←", "→", "↑", "↓"], t("go from point to point")],
  [["Enter"], t("moves the checker there by the first die")],
  [["Ctrl+Enter"], t("moves it by the other die")],
  [["1–6"], t("choose the die that is played first")],
  [["S"], t("swaps the dice")],
  [["U", "Backspace"], t("takes back a step")],
  [["Shift+U"], t("takes back the whole play")],
  [["D"], t("offers the cube; once more to double")],
  [["T", "X", "B"], t("take a double, drop it, beaver")],
  [["R"], t("resigns: asks first")],
  [["P"], t("proposes a settlement, a draw or a pause")],
  [["H"], t("asks for a hint")],
  [["C"], t("opens the chat")],
  [["F"], t("turns the board")],
  [["G"], t("shows the rules of this table")],
  [["Esc"], t("deselects a checker, closes menus")],
  [["?"], t("shows this list")],
];

/** @param {() => void} close */
export const keysDialog = (close) => html`<h2 id="dialog-title" tabindex="-1" autofocus>${t("Keys")}</h2>
  <dl class="keylist">${list().map(
    ([keys, does]) =>
      html`<div><dt>${keys.map((key) => html`<kbd>${ltr(key)}</kbd> `)}</dt><dd>${does}</dd></div>`,
  )}</dl>
  <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
