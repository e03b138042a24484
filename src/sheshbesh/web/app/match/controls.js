/** What the panel's buttons, the keys and the dialogs are given: the state, what may be done in it, and how. */

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./table.js").Table} Table
 * @typedef {{table: Table, board: any, progress: {done: number, whole: boolean}, open: (dialog: string) => void, rematch: () => Promise<void>}} Seen
 */

/**
 * @param {Seen} seen
 * @returns {import("./actions.js").Table}
 */
export function controls({ table, board, progress, open, rematch }) {
  const { seat, line } = table;
  return {
    state: /** @type {State} */ (table.state),
    seat,
    allowed: seat ? table.allowed(seat) : [],
    done: progress.done,
    whole: progress.whole,
    waiting: line.busy || !line.live,
    allowedOf: (side) => table.allowed(side),
    act: (action, side) => {
      table.acted();
      if (action.type === "ready") table.readyAll();
      else table.act(action, side);
    },
    undo: (all) => board?.undo(all),
    confirm: () => board?.confirm(),
    open,
    hint: () => void line.hint(),
    finish: () => void line.finish(),
    again: () => void rematch(),
  };
}
