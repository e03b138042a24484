/** The keys of a match: those that are not the board's are handled here; the list of all is shown for "?". */
import { latinKey } from "../../board/keys.js";
import { t } from "../../i18n/i18n.js";
import { html, ltr } from "../view.js";

/** @typedef {import("./actions.js").Controls} Controls */

/**
 * What a key does that is not one of the board's.
 * @param {Controls} controls
 * @param {string} key in lower case
 * @returns {(() => void) | undefined}
 */
function shortcut({ allowed, act, open, hint, state, proposals, openChat }, key) {
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

/**
 * Handle a key of the page: answers to offers are handled here, all others are passed to the board, as if pressed on it.
 * @param {import("../views/match.js").Match} view
 * @param {KeyboardEvent} event
 */
export function handleKey(view, event) {
  const { target } = event;
  if (event.key === "Escape" && view.menu) return void view.toggleMenu();
  const elsewhere = target instanceof Element && target.closest("input, select, textarea, summary, dialog");
  const { board } = view;
  if (event.defaultPrevented || elsewhere || view.dialog || !view.model?.state || !board) return;
  const key = latinKey(event).toLowerCase();
  const plain = !(board.writing || board.begins(key) || event.ctrlKey || event.metaKey || event.altKey);
  const action = plain ? shortcut(view.controls, key) : undefined;
  if (action) {
    event.preventDefault();
    action();
    return;
  }
  // A button keeps its Space and Enter, except the Enter after a typed play; the board has handled its own keys.
  const pressed = target instanceof Element && target.closest("button, a");
  const own = pressed && (event.key === " " || event.key === "Enter") && !board.writing;
  if (!own && !(target instanceof Element && target.closest("ssb-board"))) board.key(event);
}

/** Keys, each with what it does. @returns {[string[], string][]} */
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
