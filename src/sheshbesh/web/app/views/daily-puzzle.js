/** The puzzle of the day, that of the front page, with what the answer teaches; answered once. */

import { t, words } from "../../i18n/i18n.js";
import { get, post } from "../api.js";
import { areaLinks } from "../drill/area.js";
import "../drill/session.js";
import { levelWord, standingLine, tick } from "../drill/area.js";
import { html, ltr, nothing, states, View } from "../view.js";

/**
 * @typedef {import("../drill/session.js").Question & {level: string, day: string, standing:
 *   import("../drill/session.js").Standing}} Daily
 */

class DailyPuzzle extends View {
  static properties = states("daily", "asking");

  constructor() {
    super();
    /** @type {Daily | null} */
    this.daily = null;
    /** What is asked now; the same list until something else is asked. @type {Daily[]} */
    this.asking = [];
  }

  get heading() {
    return t("Puzzle of the day");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    const daily = await this.load(get(`/puzzles/today?lang=${words().tag}`));
    if (!daily || !this.isConnected) return;
    this.daily = daily;
    this.asking = daily.standing.answered === null ? [daily] : [];
  }

  /** @param {import("../drill/session.js").Question} _question @param {string} answer @param {boolean} again */
  judge = async (_question, answer, again) => {
    const { daily } = this;
    if (!daily) throw new Error("nothing is asked");
    await this.app.identified();
    const result = await post(`/puzzles/today/answers?lang=${words().tag}`, {
      ...{ day: daily.day, game: daily.variant, level: daily.level },
      answer,
      again: again || daily.standing.answered !== null,
    });
    this.daily = { ...daily, standing: result.standing };
    return result;
  };

  /** The content once the puzzle has been answered. @param {Daily} daily */
  rest({ standing }) {
    const was = standing.answered ? t("Right today") : t("Not right today");
    return html`<section class="card stack">
      <p>
        ${tick(Boolean(standing.answered))} <b>${was}</b>
        ${standing.answer ? html`<span class="quiet">${ltr(standing.answer)}</span>` : nothing}
      </p>
      <p class="quiet small">
        ${t("The next one comes at midnight, Greenwich time.")}
        ${t("A streak counts the days with a right answer; one day between two of them may be missed.")}
      </p>
      <div class="row">
        <button class="pri" @click=${() => (this.asking = this.daily ? [this.daily] : [])}>
          ${t("Look at it again")}
        </button>
        <a class="button" href="/puzzles/${this.daily?.variant}">${t("More puzzles")}</a>
      </div>
    </section>`;
  }

  render() {
    const { daily, asking } = this;
    if (!daily) return html`<div class="page">${this.waiting()}</div>`;
    const about = `${daily.source} · ${levelWord(daily.level)}`;
    return html`<div class="page narrow practice-head">
        <h1>${t("Puzzle of the day")}</h1>
        ${areaLinks("puzzles")}
        <p class="of-today">
          <b>${t("Puzzle of the day")}</b> <span class="quiet">${about}</span>
          <span class="small quiet" role="status">${standingLine(daily.standing)}</span>
        </p>
        ${asking.length ? nothing : this.rest(daily)}
      </div>
      ${
        asking.length
          ? html`<ssb-drill
                .questions=${asking}
                .judge=${this.judge}
                @finished=${() => (this.asking = [])}
              ></ssb-drill>`
          : nothing
      }`;
  }
}

customElements.define("ssb-daily-puzzle", DailyPuzzle);
