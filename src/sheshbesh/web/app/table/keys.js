/** The keys of a table: those that are not the board's are handled here; the list of all is shown for "?". */
import { latinKey } from "../../board/keys.js";
import { t } from "../../i18n/i18n.js";
import { html, ltr } from "../view.js";
import { readingDialog } from "./dialogs.js";

/**
 * Handle a key of the page: the table's own are handled here, all others are passed to the board, as if pressed on it.
 * @param {import("../views/table-view.js").TableView} view
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
  const action = plain ? view.shortcut(key) : undefined;
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
export const keysDialog = (close) => {
  const rows = list().map(
    ([keys, does]) =>
      html`<div><dt>${keys.map((key) => html`<kbd>${ltr(key)}</kbd> `)}</dt><dd>${does}</dd></div>`,
  );
  return readingDialog(t("Keys"), html`<dl class="keylist">${rows}</dl>`, close);
};
