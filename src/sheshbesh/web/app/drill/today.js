/** The day's practice on the front page: one's own cards that are due, and the puzzle of the day. */

import { t, tn, words } from "../../i18n/i18n.js";
import { get } from "../api.js";
import { html, nothing, states, View } from "../view.js";
import { levelWord, ratingChange, standingLine, tick } from "./area.js";

/**
 * @typedef {{cards: number, due: number, next: number | null, today: {done: number, of: number}}} Numbers
 * @typedef {{variant: string, source: string, level: string, standing: import("./session.js").Standing,
 *   rating?: import("./session.js").Change | null}} Daily the puzzle of the board, and what an answer did to a rating
 */

class PracticeToday extends View {
  static properties = { daily: { attribute: false }, ...states("numbers") };

  constructor() {
    super();
    /** @type {Numbers | null} */
    this.numbers = null;
    /** @type {Daily | null} */
    this.daily = null;
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    // What cannot be had just now is left out: the page is for beginning a game.
    this.numbers = await get("/practice").catch(() => null);
  }

  /** @param {Numbers} numbers */
  cards({ cards, today }) {
    if (!cards) return nothing;
    const { done, of } = today;
    const left = of - done;
    return html`<section class="today" aria-labelledby="today">
      <div class="label">
        <h2 id="today">${t("Practice of the day")}</h2>
        <div
          class="marks"
          role="img"
          aria-label=${t("{done} of {total}", { done: words().figure(done), total: words().figure(of) })}
        >${Array.from({ length: of }, (_, i) => html`<i class=${i < done ? "right" : ""}></i>`)}</div>
      </div>
      ${
        left > 0
          ? html`<a class="button" href="/practice">${tn("Practise {n} card", "Practise {n} cards", left)}</a>`
          : html`<p class="quiet small">${t("Done for today.")} <a href="/practice">${t("My cards")}</a></p>`
      }
    </section>`;
  }

  /** @param {Daily} daily */
  puzzle({ variant, source, level, standing, rating }) {
    const line = standingLine(standing);
    const right = standing.answered;
    return html`<section class="today" aria-labelledby="puzzle">
      <div class="label">
        <h2 id="puzzle">${t("Puzzle of the day")}</h2>
        <span class="quiet small">${source} · ${levelWord(level)}</span>
      </div>
      <p class="small">
        ${
          right === null
            ? t("Your first play on the board counts.")
            : html`${tick(right)} <b>${right ? t("Right today") : t("Not right today")}</b>
              <a href="/puzzles/today">${t("Look at it again")}</a> ·`
        } <a href="/puzzles/${variant}">${t("More puzzles")}</a>
      </p>
      ${ratingChange(rating)}${line ? html`<p class="quiet small standing">${line}</p>` : nothing}
    </section>`;
  }

  render() {
    const { numbers, daily } = this;
    return html`${numbers ? this.cards(numbers) : nothing}${daily ? this.puzzle(daily) : nothing}`;
  }
}

customElements.define("ssb-practice-today", PracticeToday);
