/** What the panel's buttons, the keys and the dialogs are given: the state, what may be done in it, and how. */

import { requestReview } from "../review/request-review.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./match-model.js").MatchModel} MatchModel
 * @typedef {import("../views/match.js").Match} Match
 */

/**
 * @param {Match} view
 * @returns {import("./actions.js").Controls}
 */
export function controls(view) {
  const model = /** @type {MatchModel} */ (view.model);
  const { seat, connection } = model;
  const state = /** @type {State} */ (model.state);
  const people = state.you.length < 2 && Object.values(state.players).every(({ kind }) => kind !== "engine");
  /** What concerns the checkers of the present is done when they are seen. @param {() => void} act */
  const seen = (act) => (model.tutor.arrows?.alone ? model.point(false) : act());
  return {
    state,
    seat,
    allowed: seat ? model.allowed(seat) : [],
    done: view.progress.done,
    whole: view.progress.whole,
    waiting: connection.busy || !connection.live,
    allowedOf: (side) => model.allowed(side),
    act: (action, side) => {
      model.acted();
      if (action.type === "ready") model.readyAll();
      else model.act(action, side);
    },
    undo: (all) => seen(() => view.board?.undo(all)),
    confirm: () => seen(() => view.board?.confirm()),
    open: (dialog) => view.open(dialog),
    hint: () => view.hint(),
    finish: () => void connection.finish(),
    again: () => void view.rematch(),
    review: () => void requestReview(view, state.match),
    flip: () => view.flip(),
    menu: view.menu,
    entries: view.entries,
    toggleMenu: () => view.toggleMenu(),
    ahead: model.shares.mayAsk ? model.shares.ahead : null,
    rollAhead: (ahead) => view.rollAhead(ahead),
    armed: view.armed > 0,
    arm: (armed) => view.arm(armed),
    double: () => view.double(),
    people,
    proposals: view.proposals,
    openChat: people ? () => view.openChat() : null,
    unread: view.tab === "chat" ? 0 : model.unread,
  };
}

/**
 * @param {string} type of the board's event
 * @param {any} detail
 * @returns {{type: string, [field: string]: unknown} | null}
 */
export function boardAction(type, detail) {
  switch (type) {
    case "ssb-play":
      return { type: "play", play: detail.play };
    case "ssb-step":
      return {
        type: "step",
        origin: detail.origin,
        target: detail.target,
        ...(detail.die ? { die: detail.die } : {}),
      };
    case "ssb-touch":
      return { type: "touch", point: detail.point };
    case "ssb-roll":
    case "ssb-double":
    case "ssb-confirm":
    case "ssb-swap":
      return { type: type.slice("ssb-".length) };
    default:
      return null;
  }
}
