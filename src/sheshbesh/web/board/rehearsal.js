/**
 * A turn on a board that is never part of the page, while the browser has nothing to do: it has then compiled what
 * the player's first turn runs, and prepared the templates of what it draws.
 */

import { emptyBoard, placeOf } from "./checkers.js";
import { STILL } from "./pointer.js";
import { letter } from "./types.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */

/** The number from which checkers are moved. */
const FROM = 24;

/**
 * What is moved need not be legal: a board checks no rules.
 *
 * @param {Board} board  the one that is seen, which stays as it is
 * @param {() => Promise<unknown>} idle  resolves when there is time for a part
 */
export async function rehearse(board, idle) {
  const { state, layout } = board;
  const side = state?.you[0];
  if (!state || !layout || !side) return;
  const copy = /** @type {Board} */ (document.createElement(board.localName));
  copy.emit = () => {};
  copy.prefs = { ...board.prefs, confirm: "dice", forced: "off", mode: "tap", speed: 120 };
  copy.t = board.t;
  copy.lang = board.lang;
  const turn = turnFrom(state, layout, side);
  const showBoard = () => {
    copy.layout = layout;
    copy.state = { ...turn, phase: "roll", turn: null, choices: undefined };
  };
  // In the page it would be found by what looks for a board, and change where the Tab key goes on from.
  copy.connectedCallback();
  try {
    for (const part of [() => {}, showBoard, ...parts(copy, turn, layout.numbers[side])]) {
      part();
      await copy.updateComplete;
      await idle();
    }
  } finally {
    copy.disconnectedCallback();
  }
}

/**
 * A turn in which two checkers can be moved by two and by one.
 * @param {State} state
 * @param {Layout} layout
 * @param {Side} side
 * @returns {State}
 */
function turnFrom(state, layout, side) {
  const board = structuredClone(state.board ?? emptyBoard());
  board.points[placeOf(layout, side, FROM) - 1] = { w: 0, b: 0, [letter(side)]: 2 };
  return {
    ...state,
    board,
    phase: "move",
    on_roll: side,
    turn: { dice: [2, 1], done: [], touched: null },
    dice_steps: 2,
    choices: [
      {
        whole: false,
        next: [
          [FROM, FROM - 2, 2, 0, 1],
          [FROM, FROM - 1, 1, 0, 2],
        ],
      },
      { whole: false, next: [[FROM - 2, FROM - 3, 1, 0, 3]] },
      { whole: false, next: [[FROM - 1, FROM - 3, 2, 0, 3]] },
      { whole: true, next: [] },
    ],
  };
}

/**
 * Thrown, looked at, dragged about and put down, moved by taps, taken back.
 *
 * @param {Board} copy @param {State} turn @param {number[]} places  of the side's own numbers
 * @returns {(() => void)[]}
 */
function parts(copy, turn, places) {
  const { controller, hitTargets } = copy;
  const { pointer } = hitTargets;
  /**
   * What a mouse would report over a number; a picture that is not shown has no size, and counts as one pixel.
   * @param {number} number
   */
  const over = (number) => {
    const frame = /** @type {import("./geometry.js").Frame} */ (copy.frame);
    const { x, base, dir } = frame.cell(places[number - 1]);
    const at = { clientX: x / frame.width, clientY: (base + dir * 60) / frame.width };
    const target = { setPointerCapture: () => {} };
    const event = {
      pointerId: 0,
      pointerType: "mouse",
      button: 0,
      timeStamp: 0,
      currentTarget: target,
      ...at,
    };
    return /** @type {PointerEvent} */ (/** @type {unknown} */ (event));
  };
  return [
    () => {
      copy.state = turn;
    },
    () => pointer.move(over(FROM)),
    () => {
      pointer.down(over(FROM));
      pointer.move({ ...over(FROM), clientX: -2 * STILL.mouse });
    },
    () => pointer.move(over(FROM - 2)),
    () => pointer.up(over(FROM)),
    () => {
      pointer.down(over(FROM));
      pointer.up(over(FROM));
    },
    () => controller.tap(FROM - 2),
    () => controller.undo(true),
  ];
}
