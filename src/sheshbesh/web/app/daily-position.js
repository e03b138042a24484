/** The puzzle of the day on the front page: a board to play one turn on, and the verdict on that turn. */

import { t, words } from "../i18n/i18n.js";
import { ApiError, get, post } from "./api.js";
import { BoardView, boardElement } from "./board-view.js";
import { playArrows, verdictLine } from "./grades.js";
import { settings } from "./settings.js";
import { diceText, html, ltr, nothing, seen, states } from "./view.js";

/**
 * @typedef {import("./drill/session.js").Question & {level: string, day: string, dice: number[], standing:
 *   import("./drill/session.js").Standing}} Daily
 * @typedef {import("../board/types.js").Board | null} Board
 * @typedef {import("./drill/session.js").Answer & {standing: import("./drill/session.js").Standing}} Answer
 */

class DailyPosition extends BoardView {
  static properties = { game: { type: String }, ...states("daily", "answer", "unsent", "progress") };

  constructor() {
    super();
    /** The game that is asked for; "" leaves it to the server. */
    this.game = "";
    /** @type {Daily | null} */
    this.daily = null;
    /** What the play that was made is worth, and the position it led to. @type {(Answer & {reached: Board}) | null} */
    this.answer = null;
    /** A play that the server has not judged, and why. @type {{play: string, why: string} | null} */
    this.unsent = null;
    this.progress = { done: 0, whole: false };
    /** Whether the arrows of the verdict are shown. */
    this.explained = true;
    /** Whether a play is on its way to the server. */
    this.busy = false;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("game") || !this.hasUpdated) void this.read(this.game);
  }

  /** @param {string} game */
  async read(game) {
    const wanted = game ? `&game=${encodeURIComponent(game)}` : "";
    const daily = await this.load(get(`/puzzles/today?lang=${words().tag}${wanted}`));
    if (game !== this.game) return;
    if (daily) {
      this.daily = daily;
      this.begin();
      this.announce();
    }
    await this.appear();
  }

  /** Say how the player stands, and what an answer did to their rating. */
  announce() {
    const { daily, answer } = this;
    this.dispatchEvent(new CustomEvent("ssb-standing", { detail: { ...daily, rating: answer?.rating } }));
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
    this.answer = this.unsent = null;
    this.explained = true;
    this.progress = { done: 0, whole: false };
    this.showTurn(/** @type {Daily} */ (this.daily));
  }

  /** Have a play judged; the first one of the day counts. @param {string} play */
  async give(play) {
    const daily = /** @type {Daily} */ (this.daily);
    if (this.busy || this.answer) return;
    this.busy = true;
    this.unsent = null;
    const reached = this.board?.position ?? null;
    const { day, variant: game, level, standing } = daily;
    try {
      await this.app.identified();
      const again = standing.answered !== null;
      const answer = await post(`/puzzles/today/answers?lang=${words().tag}`, {
        ...{ day, game, level, answer: play, again },
      });
      if (daily !== this.daily) return;
      this.daily = { ...daily, standing: answer.standing };
      this.answer = { ...answer, reached };
      this.showPlayed(reached);
      this.announce();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The checkers stay where they were moved.
      this.unsent = { play, why: error.message };
      this.board?.refuse([]);
    } finally {
      this.busy = false;
    }
  }

  /** The arrows of the best play and of the one that was made, over the position before them. */
  get advice() {
    const { daily, answer } = this;
    if (!daily || !answer || !this.explained || answer.best) return null;
    return playArrows(daily, answer.candidates[0]?.steps, answer);
  }

  /** @param {Daily} daily */
  asked(daily) {
    const dice = diceText(daily.dice);
    const { done, whole } = this.progress;
    return html`<b>${t("What would you play?")}</b>
      <span class="quiet">${
        settings.colour(daily.variant, daily.side, daily.side) === "white"
          ? t("Light to play {dice}", { dice })
          : t("Dark to play {dice}", { dice })
      }</span>
      ${
        done
          ? html`<span class="spring"></span>
            <button @click=${() => this.board?.undo(false)}>${t("Undo")}</button>
            <button class="pri" ?disabled=${!whole} @click=${() => this.board?.confirm()}>${t("Confirm")}</button>`
          : nothing
      }`;
  }

  caption() {
    const { daily, answer, unsent } = this;
    if (!daily) return nothing;
    if (unsent)
      return html`<span role="alert">${unsent.why}</span><span class="spring"></span>
        <button @click=${() => void this.give(unsent.play)}>${t("Try again")}</button>`;
    if (!answer) return this.asked(daily);
    const { grade, loss, candidates } = answer;
    const best = { play: candidates[0]?.name ?? "" };
    const verdict = { grade, loss, kind: /** @type {const} */ ("play"), best };
    return html`<span class="told">${ltr(answer.answer)} ${verdictLine(verdict)}</span><span class="spring"></span>
      <button @click=${() => this.begin()}>${t("Try again")}</button>`;
  }

  render() {
    const { daily, state } = this;
    return html`<figure class="daily">
      <div class="place">
        ${
          daily && state
            ? boardElement({
                game: daily.variant,
                layout: daily.layout,
                state,
                prefs: { forced: "off" },
                advice: this.advice,
                on: {
                  play: (event) => void this.give(event.detail.play),
                  progress: ({ detail: { done, whole } }) => {
                    this.progress = { done: done.length, whole };
                    this.unsent = null;
                  },
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
