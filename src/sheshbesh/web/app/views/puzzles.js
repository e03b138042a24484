/** Public puzzles: a game and a level are chosen, and its positions solved one after the other. */

import { t, words } from "../../i18n/i18n.js";
import { gameTitles, get, once, post } from "../api.js";
import { areaLinks } from "../drill/area.js";
import { options, textOf } from "../fields.js";
import "../drill/ladder.js";
import "../drill/session.js";
import { levelWord } from "../drill/area.js";
import { readKept, settings, store, writeKept } from "../settings.js";
import { html, nothing, states, View } from "../view.js";

/** @typedef {import("../drill/session.js").Question} Question */

/** The key in the local storage for the solved puzzles, which no account has. */
const KEPT = "sheshbesh-puzzles";

/** @returns {Record<string, boolean>} ids with whether the first answer was right */
const solved = () => readKept(store, KEPT) ?? {};

class PuzzlesView extends View {
  static properties = states("index", "level", "questions", "done", "finished", "answers");

  constructor() {
    super();
    /** @type {{levels: string[], games: Record<string, Record<string, number>>} | null} */
    this.index = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    this.level = "easy";
    /** The level of the puzzles that are there. */
    this.begun = this.level;
    /** @type {Question[] | null} */
    this.questions = null;
    this.done = solved();
    this.finished = false;
    /** The number of answers given since the page was opened. */
    this.answers = 0;
  }

  get heading() {
    return t("Puzzles");
  }

  get game() {
    const last = String(settings.prefs.last.game);
    return this.place.params.game ?? (this.index && last in this.index.games ? last : "backgammon");
  }

  connectedCallback() {
    this.level = this.place.query.get("level") ?? this.level;
    this.begun = this.level;
    super.connectedCallback();
  }

  async fetch() {
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.index = await this.load(once("/puzzles"));
    if (this.index) await this.load(this.begin());
  }

  /** The puzzles of the level: first those that were not solved yet. @param {boolean} [all] solved ones too */
  async begin(all = false) {
    const { game, level } = this;
    /** @type {Question[]} */
    const found = await get(`/puzzles/${encodeURIComponent(game)}?level=${level}&lang=${words().tag}`);
    if (game !== this.game || level !== this.level) return;
    this.begun = level;
    const open = found.filter(({ id }) => !(id in this.done));
    this.questions = all ? found : open;
    this.finished = this.questions.length === 0;
  }

  /** @param {Question} question @param {string} answer */
  judge = (question, answer) =>
    post(`/puzzles/${encodeURIComponent(question.variant)}/${question.id}/answers?lang=${words().tag}`, {
      answer,
    });

  /** @param {Event} event */
  onAnswered(event) {
    const { question, answer } = /** @type {CustomEvent} */ (event).detail;
    this.answers += 1;
    this.done = { ...solved(), [question.id]: answer.right };
    writeKept(store, KEPT, this.done);
  }

  /** @param {HTMLSelectElement} choice */
  async choose(choice) {
    const level = (this.level = choice.value);
    if (await this.attempt(() => this.begin())) return;
    // The puzzles that stay are those of the level that was got last.
    if (this.level === level) choice.value = this.level = this.begun;
  }

  chooser() {
    const { index, game, titles } = this;
    const count = index?.games[game];
    if (!index || !count) return nothing;
    return html`<div class="row choose">
      <label class="field">
        <span class="label">${t("Game")}</span>
        <select @change=${(/** @type {Event} */ event) => this.app.go(`/puzzles/${textOf(event)}`)}>
          ${options(
            Object.keys(index.games).map((name) => [name, titles.get(name) ?? name]),
            game,
          )}
        </select>
      </label>
      <label class="field">
        <span class="label">${t("Level")}</span>
        <select @change=${(/** @type {Event} */ event) =>
          void this.choose(/** @type {HTMLSelectElement} */ (event.target))}>
          ${options(
            index.levels.map((level) => [
              level,
              `${levelWord(level)} (${words().figure(count[level] ?? 0)})`,
            ]),
            this.level,
          )}
        </select>
      </label>
    </div>`;
  }

  render() {
    if (!(this.game in (this.index?.games ?? {}))) return html`<div class="page">${this.waiting()}</div>`;
    const missing = this.problem && !this.questions;
    const end = html`<section class="card stack">
      <p>${t("You have answered all puzzles of this level.")}</p>
      <div class="row">
        <button class="pri" @click=${() => void this.attempt(() => this.begin(true))}>${t("Once more")}</button>
      </div>
    </section>`;
    return html`<div class="page narrow practice-head">
        <h1>${t("Puzzles")}</h1>
        ${areaLinks("puzzles")}
        <p class="quiet small about-puzzles">
          ${t(
            "From games of the engine with itself: the best play was looked for two plies deep, and " +
              "the second best lies well behind.",
          )}
        </p>
        ${this.chooser()}${missing ? this.waiting() : this.finished ? end : nothing}
      </div>
      ${
        this.questions?.length && !this.finished
          ? html`<ssb-drill
            .questions=${this.questions}
            .judge=${this.judge}
            @answered=${(/** @type {Event} */ event) => this.onAnswered(event)}
            @finished=${() => (this.finished = true)}
          ></ssb-drill>`
          : nothing
      }
      <div class="page narrow">
        <ssb-puzzle-ladder game=${this.game} answers=${this.answers}></ssb-puzzle-ladder>
      </div>`;
  }
}

customElements.define("ssb-puzzles", PuzzlesView);
