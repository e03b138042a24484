/** The position of the day on the front page: a board to play one turn on, and the verdict on that turn. */

import { carry } from "../board/checkers.js";
import { t } from "../i18n/i18n.js";
import { once } from "./api.js";
import { AT_ONCE, BoardView, boardElement } from "./board-view.js";
import { playArrows } from "./grades.js";
import { verdictLine } from "./match/verdict-line.js";
import { settings } from "./settings.js";
import { diceText, html, ltr, nothing, seen } from "./view.js";

/**
 * @typedef {import("../board/types.js").Board} Board
 * @typedef {import("../board/types.js").Side} Side
 * @typedef {{play: string, steps: number[][], loss: number, grade: string, close: boolean}} RankedPlay
 * @typedef {{game: string, day: string, side: Side, board: Board, dice: number[], dice_steps: number,
 *   choices: import("../board/types.js").Stage[], layout: import("../board/types.js").Layout,
 *   plays: RankedPlay[]}} Daily
 */

/** The board after a play. @param {Daily} daily @param {number[][]} steps */
const reached = ({ board, layout, side }, steps) =>
  steps.reduce(
    (before, [origin, target, , takes]) => carry(before, layout, side, { origin, target, takes: takes > 0 }),
    board,
  );

/**
 * The ranked play that leads to the same position as the one that was made, in whatever order.
 * @param {Daily} daily
 * @param {Board} board the position reached
 */
export function rankedPlay(daily, board) {
  const key = positionKey(board);
  return daily.plays.find(({ steps }) => positionKey(reached(daily, steps)) === key) ?? null;
}

/** A position as text, whatever the order of its properties. @param {Board} board */
const positionKey = ({ points, bar, hand, off }) =>
  [
    ...points.map(({ w, b, pin }) => `${w},${b},${pin ?? ""}`),
    ...[bar, hand, off].map((each) => `${each.white},${each.black}`),
  ].join(" ");

class DailyPosition extends BoardView {
  static properties = {
    ...BoardView.properties,
    game: { type: String },
    daily: { state: true },
    answer: { state: true },
  };

  constructor() {
    super();
    this.game = "backgammon";
    /** @type {Daily | null} */
    this.daily = null;
    /** The play that was made, and the position it led to. @type {{play: RankedPlay, board: Board} | null} */
    this.answer = null;
    /** Whether the arrows of the verdict are shown. */
    this.explained = true;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("game")) void this.fetch(this.game);
  }

  /** @param {string} game */
  async fetch(game) {
    const daily = await this.load(once(`/variants/${encodeURIComponent(game)}/daily`));
    if (game !== this.game) return;
    if (daily) {
      this.daily = daily;
      this.begin();
    }
    await this.appear();
  }

  /** Say that the board can be played on, or that there will be none. */
  async appear() {
    await this.updateComplete;
    await this.board?.updateComplete;
    await seen();
    this.dispatchEvent(new Event("ssb-shown"));
  }

  /** The decision as a state of the board element, to be played. */
  begin() {
    this.answer = null;
    this.explained = true;
    this.showTurn(/** @type {Daily} */ (this.daily));
  }

  /** @param {Event} event */
  onPlay(event) {
    const daily = /** @type {Daily} */ (this.daily);
    const board = /** @type {import("../board/board.js").Board} */ (event.target).position;
    const play = board && rankedPlay(daily, board);
    if (!play) return this.begin();
    this.answer = { play, board };
    this.showPlayed(board);
  }

  /** The arrows of the best play and of the one that was made, over the position before them. */
  get advice() {
    const { daily, answer } = this;
    if (!daily || !answer || !this.explained || answer.play === daily.plays[0]) return null;
    const { side, board, dice, plays } = daily;
    return playArrows({ side, board, dice }, plays[0].steps, answer.play);
  }

  caption() {
    const { daily, answer } = this;
    if (!daily) return nothing;
    const dice = diceText(daily.dice);
    if (!answer)
      return html`<b>${t("What would you play?")}</b>
        <span class="quiet">${
          settings.colour(daily.game, daily.side, daily.side) === "white"
            ? t("Light to play {dice}", { dice })
            : t("Dark to play {dice}", { dice })
        }</span>`;
    const { grade, close, loss } = answer.play;
    const verdict = { grade, close, loss, kind: /** @type {const} */ ("play"), best: daily.plays[0] };
    return html`<span class="told">${ltr(answer.play.play)} ${verdictLine(verdict)}</span><span class="spring"></span>
      <button @click=${() => this.begin()}>${t("Try again")}</button>`;
  }

  render() {
    const { daily, state, game } = this;
    return html`<figure class="daily">
      <div class="place">
        ${
          daily && state
            ? boardElement({
                game,
                layout: daily.layout,
                state,
                prefs: AT_ONCE,
                advice: this.advice,
                on: {
                  play: (event) => this.onPlay(event),
                  present: () => {
                    this.explained = false;
                    this.requestUpdate();
                  },
                },
              })
            : nothing
        }
      </div>
      <figcaption aria-live="polite">${this.caption()}</figcaption>
    </figure>`;
  }
}

customElements.define("ssb-daily-position", DailyPosition);
