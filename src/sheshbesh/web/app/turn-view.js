/** One turn to be played outside of a match: its states on the board element, and the view that shows them. */

import { settings } from "./settings.js";
import { View } from "./view.js";

/**
 * @typedef {import("../board/types.js").Board} Board
 * @typedef {import("../board/types.js").Side} Side
 * @typedef {{side: Side, board: Board, dice: number[] | null, dice_steps: number, cube?:
 *   import("../board/types.js").Cube, choices: import("../board/types.js").Stage[] | null | undefined}} Turn a
 *   position, and how its turn may go on
 */

/**
 * A turn as a state of the board element.
 * @param {Turn} turn
 * @param {object} [how]
 * @param {Side} [how.decider]  the side that decides: also the one that is offered the cube
 * @param {boolean} [how.playable]  whether checkers can be moved
 */
export const turnState = (
  { side, board, dice, dice_steps, cube, choices },
  { decider = side, playable = true } = {},
) => ({
  you: [decider],
  phase: playable ? "move" : "over",
  on_roll: side,
  to_act: [],
  allowed: playable ? ["play"] : [],
  board,
  turn: dice ? { dice, done: [], touched: null } : null,
  dice_steps,
  cube: cube ?? { value: 1, owner: null, offered: null, by: null, in_play: false },
  choices: (playable && choices) || undefined,
});

/** A view that is drawn again when the settings of the board change. */
export class BoardView extends View {
  constructor() {
    super();
    this.onSettings = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.onSettings);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.onSettings);
  }
}

/** A view with a board on which one turn is played. */
export class TurnView extends BoardView {
  constructor() {
    super();
    /**
     * What the board shows; the same object until something changes, since a new one begins the turn again.
     * @type {any}
     */
    this.state = null;
  }

  get board() {
    return /** @type {import("../board/board.js").Board | null} */ (this.querySelector("ssb-board"));
  }

  /** @param {Turn} turn @param {Parameters<typeof turnState>[1]} [how] */
  showTurn(turn, how) {
    this.state = turnState(turn, how);
    this.requestUpdate();
  }

  /** Show the position that the turn led to. @param {Board | null} board */
  showPlayed(board) {
    this.state = {
      ...this.state,
      phase: "over",
      on_roll: null,
      allowed: [],
      board,
      turn: null,
      choices: undefined,
    };
    this.requestUpdate();
  }
}
