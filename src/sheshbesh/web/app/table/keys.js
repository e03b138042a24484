/** The keys of a table that are not the board's. */
import { latinKey } from "../../board/keys.js";

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
  // A button keeps its Space and Enter, except the Enter after a typed play; the board has handled its own keys. One
  // that was disabled has the keyboard until the next frame, and does nothing with it.
  const pressed = target instanceof Element && target.closest("button:enabled, a");
  const own = pressed && (event.key === " " || event.key === "Enter") && !board.writing;
  if (!own && !(target instanceof Element && target.closest("ssb-board"))) board.key(event);
}
