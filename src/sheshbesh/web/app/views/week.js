/** One's last seven days: games, performance rating against the week before, the worst error, and puzzles. */

import { thumbnail } from "../../board/thumbnail.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { gameTitles, get } from "../api.js";
import { areaLinks } from "../drill/area.js";
import { roll } from "../review/detail.js";
import { html, ltr, nothing, states, table, tenths, thousandths, View } from "../view.js";

/**
 * @typedef {{pr: number, error: number}} Rating
 * @typedef {{since: number, until: number, games: {game: string, matches: number, won: number}[],
 *   rating: Rating | null, before: Rating | null, worst: (import("./search.js").Found & {variant: string}) | null,
 *   puzzles: {answered: number, right: number}}} Week
 */

/** A performance rating with two of its standard errors, as elsewhere on the site. @param {Rating} rating */
const ratingText = ({ pr, error }) =>
  html`<b>${tenths(pr)}</b> <span class="quiet">±${tenths(2 * error)}</span>`;

class WeekView extends View {
  static properties = states("week");

  constructor() {
    super();
    /** @type {Week | null} */
    this.week = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  get heading() {
    return t("My week");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.week = await this.load(get("/me/week"));
  }

  /** @param {Week} week */
  games({ games }) {
    return html`<section class="card stack" aria-labelledby="games">
      <h2 id="games">${t("Matches")}</h2>
      ${
        games.length
          ? table(
              [t("Game"), t("Matches"), t("Wins")],
              games.map(({ game, matches, won }) => [
                this.titles.get(game) ?? game,
                words().figure(matches),
                words().figure(won),
              ]),
              { numbers: [1, 2] },
            )
          : html`<p class="empty">${t("No match yet.")}</p>`
      }
    </section>`;
  }

  /** Better is less; a difference within its error says nothing. @param {Rating} now @param {Rating} before */
  compared(now, before) {
    const change = now.pr - before.pr;
    const sure = Math.abs(change) > 2 * Math.hypot(now.error, before.error);
    const said = !sure ? t("no sure difference") : change < 0 ? t("better") : t("worse");
    return html`<p class="small">${t("The week before")}: ${ratingText(before)} · ${said}</p>`;
  }

  /** @param {Week} week */
  errors({ rating, before, worst }) {
    return html`<section class="card stack" aria-labelledby="errors">
      <h2 id="errors">${t("Performance rating")}</h2>
      ${
        rating
          ? html`<p>${ratingText(rating)}</p>
            ${before ? this.compared(rating, before) : nothing}`
          : html`<p class="empty">
            ${t("No match of this week was reviewed.")} <a href="/reviews">${t("Reviews")}</a>
          </p>`
      }
      ${
        worst
          ? html`<h3>${t("The worst error")}</h3>
            <a class="worst" href="/review/${worst.review}?n=${worst.n}">
              ${worst.board ? thumbnail(worst.board) : nothing}
              <span><i class="disc ${worst.side}"></i>
                ${worst.dice ? roll(worst.dice) : t("Cube action")} <b>${ltr(thousandths(-worst.loss))}</b>
                <small class="quiet">${this.titles.get(worst.variant) ?? worst.variant}</small></span>
            </a>`
          : nothing
      }
    </section>`;
  }

  /** @param {Week} week */
  puzzles({ puzzles: { answered, right } }) {
    return html`<section class="card stack" aria-labelledby="solved">
      <h2 id="solved">${t("Puzzles")}</h2>
      <p>
        ${tn("{n} puzzle answered", "{n} puzzles answered", answered)}${
          answered
            ? html` · ${t("{right} of {total} right", {
                right: words().figure(right),
                total: words().figure(answered),
              })}`
            : nothing
        } · <a href="/puzzles/today">${t("Puzzle of the day")}</a>
      </p>
    </section>`;
  }

  render() {
    const { week } = this;
    if (!week) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow stack">
      <h1>${t("My week")}</h1>
      ${areaLinks("week")}
      <p class="quiet">${words().moment(week.since)} – ${words().moment(week.until)}</p>
      ${this.games(week)}${this.errors(week)}${this.puzzles(week)}
    </div>`;
  }
}

customElements.define("ssb-week", WeekView);
