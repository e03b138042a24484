/** What the panel's buttons, the keys and the dialogs are given: the state, what may be done in it, and how. */

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("../views/match.js").Match} Match
 */

/**
 * @param {Match} view
 * @returns {import("./actions.js").Table}
 */
export function controls(view) {
  const table = /** @type {Table} */ (view.table);
  const { seat, line } = table;
  const state = /** @type {State} */ (table.state);
  /** What concerns the checkers of the present is done when they are seen. @param {() => void} act */
  const seen = (act) => (table.tutor.arrows?.alone ? table.point(false) : act());
  return {
    state,
    seat,
    allowed: seat ? table.allowed(seat) : [],
    done: view.progress.done,
    whole: view.progress.whole,
    waiting: line.busy || !line.live,
    allowedOf: (side) => table.allowed(side),
    act: (action, side) => {
      table.acted();
      if (action.type === "ready") table.readyAll();
      else table.act(action, side);
    },
    undo: (all) => seen(() => view.board?.undo(all)),
    confirm: () => seen(() => view.board?.confirm()),
    open: (dialog) => view.open(dialog),
    hint: () => view.hint(),
    finish: () => void line.finish(),
    again: () => void view.rematch(),
    flip: () => view.flip(),
    menu: view.menu,
    toggleMenu: () => view.toggleMenu(),
    armed: view.armed > 0,
    arm: (armed) => view.arm(armed),
    double: () => view.double(),
    people: state.you.length < 2 && Object.values(state.players).every(({ kind }) => kind !== "engine"),
    proposals: view.proposals,
    unread: view.tab === "chat" ? 0 : table.unread,
  };
}
