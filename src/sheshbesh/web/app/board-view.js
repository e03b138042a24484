/** A view of one board, outside of a table: the board in the visitor's settings, one turn played on it. */

import "../board/board.js";
import { t, tn, words } from "../i18n/i18n.js";
import { settings } from "./settings.js";
import { html, View } from "./view.js";

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
 * @param {Side} [how.decider]  the side that decides, from which the board is seen: also who is offered the cube
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

/** @type {ReadonlyMap<number, number>} */
const NO_CAPTIVES = new Map();

/**
 * The board element, by the visitor's settings and in the language of the page.
 * @param {{game: string, layout: import("../board/board.js").Board["layout"], state: unknown, prefs?: object,
 *   advice?: unknown, last?: unknown, since?: unknown, inert?: boolean, on?: Partial<Record<"play" | "why" |
 *   "progress" | "present", (event: CustomEvent) => void>>}} about  `prefs`: what is otherwise than in the settings
 */
export const boardElement = ({
  game,
  layout,
  state,
  prefs,
  advice = null,
  last = null,
  since = NO_CAPTIVES,
  inert = false,
  on = {},
}) =>
  html`<ssb-board
    .state=${state}
    .layout=${layout}
    .prefs=${{ ...settings.board(game), ...prefs }}
    .lang=${words().language.code}
    .t=${t}
    .tn=${tn}
    .advice=${advice}
    .last=${last}
    .since=${since}
    ?inert=${inert}
    @ssb-flip=${() => settings.turn(game)}
    @ssb-play=${on.play}
    @ssb-why=${on.why}
    @ssb-progress=${on.progress}
    @ssb-present=${on.present}
  ></ssb-board>`;

/** For a turn that counts as soon as it is whole. */
export const AT_ONCE = { confirm: "auto", forced: "off" };

export class BoardView extends View {
  constructor() {
    super();
    /**
     * What the board shows; the same object until something changes, since a new one begins the turn again.
     * @type {any}
     */
    this.state = null;
    this.onSettings = () => this.requestUpdate();
  }

  get board() {
    return /** @type {import("../board/board.js").Board | null} */ (this.querySelector("ssb-board"));
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.onSettings);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.onSettings);
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
