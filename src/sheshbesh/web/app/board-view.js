/**
 * A view of one board, outside of a table: analysis, reviews, replays, puzzles, lessons. What they have in common is
 * here: the board in the visitor's settings, the way through its places by keys and buttons, the frame around it, and
 * one turn that is played on it.
 */

import "../board/board.js";
import { t, tn, words } from "../i18n/i18n.js";
import { icon } from "./icons.js";
import { settings } from "./settings.js";
import { html, nothing, View } from "./view.js";

/** How far a key goes; the ends are further than any number of places. */
const KEYS = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowUp: -1e6,
  ArrowDown: 1e6,
  Home: -1e6,
  End: 1e6,
});

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
 * @param {object} about
 * @param {string} about.game
 * @param {import("../board/types.js").Layout | null} about.layout
 * @param {unknown} about.state
 * @param {object} [about.prefs]  what is otherwise than in the settings
 * @param {unknown} [about.advice]  arrows
 * @param {unknown} [about.last]  the play that led to the position
 * @param {unknown} [about.since]  how long each captive has been held
 * @param {boolean} [about.inert]
 * @param {Record<"play" | "why" | "progress" | "present", (event: CustomEvent) => void> | {}} [about.on]
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
}) => {
  /** @type {Partial<Record<string, (event: CustomEvent) => void>>} */
  const { play, why, progress, present } = on;
  return html`<ssb-board
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
    @ssb-play=${play}
    @ssb-why=${why}
    @ssb-progress=${progress}
    @ssb-present=${present}
  ></ssb-board>`;
};

/** A board on which one turn is entered: it counts as soon as it is whole. */
export const AT_ONCE = { confirm: "auto", forced: "off" };

export class BoardView extends View {
  static properties = { ...View.properties, at: { state: true } };

  constructor() {
    super();
    /**
     * What the board shows; the same object until something changes, since a new one begins the turn again.
     * @type {any}
     */
    this.state = null;
    /** The place that is shown, from 0. */
    this.at = 0;
    this.onSettings = () => this.requestUpdate();
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  get board() {
    return /** @type {import("../board/board.js").Board | null} */ (this.querySelector("ssb-board"));
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.onSettings);
    addEventListener("keydown", this.onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.onSettings);
    removeEventListener("keydown", this.onKey);
  }

  // The way through moments or decisions

  /** How many places there are to go through; 0 where the board has one alone, or is being played on. */
  get places() {
    return 0;
  }

  /** Show a place; before the first and after the last the nearest. @param {number} at @returns {unknown} */
  go(at) {
    this.at = Math.max(0, Math.min(this.places - 1, at));
    return this.updateComplete.then(() => this.showCurrent());
  }

  /** Scroll the list of places, and nothing else, to the one that is shown. */
  showCurrent() {
    const current = this.querySelector(".places [aria-current]");
    const list = current?.closest(".places");
    if (!list || !current) return;
    const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = KEYS[event.key];
    if (step === undefined || !this.places || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    void this.go(this.at + step);
  }

  /** Buttons to step, in the order of the board in every language. @param {boolean} [ends] to both ends too */
  stepButtons(ends = true) {
    const { at, places } = this;
    const step = (
      /** @type {"first" | "back" | "forward" | "last"} */ drawing,
      /** @type {string} */ text,
      /** @type {number} */ to,
    ) =>
      html`<button class="icon" aria-label=${text} title=${text} @click=${() => void this.go(to)}>
        ${icon(drawing)}
      </button>`;
    return html`<span class="steps" dir="ltr">
      ${ends ? step("first", t("To the beginning"), 0) : nothing}
      ${step("back", t("Back"), at - 1)}${step("forward", t("Forward"), at + 1)}
      ${ends ? step("last", t("To the end"), places - 1) : nothing}
    </span>`;
  }

  /** Turn the board of a game. @param {string} game */
  turnButton(game) {
    const text = t("Turn the board");
    return html`<button class="icon" aria-label=${text} title=${text} @click=${() => settings.turn(game)}>
      ${icon("flip")}
    </button>`;
  }

  /**
   * The board with what stands above and below it, and beside it what is to be said.
   * @param {string} kind its class
   * @param {{head?: unknown, board: unknown, below?: unknown, told: unknown, foot?: unknown}} parts
   */
  frame(kind, { head = nothing, board, below = nothing, told, foot = nothing }) {
    return html`<div class="review ${kind}">
      <div class="seen">${head}${board}${below}</div>
      <div class="told">${told}</div>
      ${foot}
    </div>`;
  }

  // One turn

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
