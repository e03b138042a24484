/** A position to try: a board for one turn, with the reasons of refusals, and the result of the play. */

import { t, tn, words } from "../i18n/i18n.js";
import { get } from "./api.js";
import { AT_ONCE, BoardView, boardElement } from "./board-view.js";
import { kindName } from "./table/wording.js";
import { diceText, html, ltr, nothing, states } from "./view.js";

/**
 * @typedef {{play: string, steps: number[][], result: {points: number, kind: string} | null}} TriedPlay
 * @typedef {{game: string, title: string, task: string, side: import("../board/types.js").Side,
 *   board: import("../board/types.js").Board, layout: import("../board/types.js").Layout, dice: number[],
 *   dice_steps: number, choices: import("../board/types.js").Stage[], plays: TriedPlay[]}} Trial
 */

class TrialBoard extends BoardView {
  static properties = { path: { type: String }, ...states("trial", "refusal", "done") };

  constructor() {
    super();
    /** The address below the API that gives the position; `/why` below it gives a refusal. */
    this.path = "";
    /** @type {Trial | null} */
    this.trial = null;
    /** Why the last step was refused. @type {{text: string, source: string | null} | null} */
    this.refusal = null;
    /** The play that was made. @type {TriedPlay | null} */
    this.done = null;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("path") && this.path) void this.read(this.path);
  }

  /** @param {string} path */
  async read(path) {
    this.trial = null;
    const found = await this.load(get(`${path}?lang=${words().tag}`));
    if (!found || path !== this.path) return;
    this.trial = found;
    this.begin();
  }

  /** The position before the turn. */
  begin() {
    this.refusal = null;
    this.done = null;
    this.showTurn(/** @type {Trial} */ (this.trial));
  }

  /** @param {CustomEvent} event */
  onPlay(event) {
    const trial = /** @type {Trial} */ (this.trial);
    const board = /** @type {import("../board/board.js").Board} */ (event.target).position;
    this.refusal = null;
    this.done = trial.plays.find(({ play }) => play === event.detail.play) ?? {
      play: String(event.detail.play),
      steps: [],
      result: null,
    };
    this.showPlayed(board);
  }

  /** @param {CustomEvent} event */
  async onWhy(event) {
    /** @type {number[][]} */
    const steps = event.detail.steps;
    const board = /** @type {import("../board/board.js").Board} */ (event.target);
    const query = steps.map(([origin, target]) => `${origin}-${target}`).join(",");
    await this.attempt(async () => {
      const reply = await get(`${this.path}/why?steps=${query}&lang=${words().tag}`);
      if (!reply.text) return;
      this.refusal = reply;
      board.refuse(steps, reply.text);
    });
  }

  feedback() {
    const { trial, refusal, done } = this;
    if (!trial) return nothing;
    if (refusal)
      return html`<p class="refused"><strong>${t("Not allowed:")}</strong> ${refusal.text}
        ${refusal.source ? html`<span class="small quiet"><bdi>${refusal.source}</bdi></span>` : nothing}</p>`;
    if (!done) return html`<p>${trial.task}</p>`;
    const { result } = done;
    return html`<p>${ltr(done.play)} ${
      result ? html`· ${tn("{n} point", "{n} points", result.points)} (${kindName(result.kind)})` : nothing
    }</p>`;
  }

  render() {
    const { trial, state, done } = this;
    if (!trial || !state) return html`<div class="trial">${this.waiting()}</div>`;
    const dice = diceText(trial.dice);
    return html`<figure class="daily trial">
      <div class="place">
        ${boardElement({
          game: trial.game,
          layout: trial.layout,
          state,
          prefs: AT_ONCE,
          on: { play: (event) => this.onPlay(event), why: (event) => void this.onWhy(event) },
        })}
      </div>
      <figcaption>
        <b>${trial.title}, ${ltr(dice)}</b>
        <div aria-live="polite">${this.feedback()}</div>
        ${done ? html`<button @click=${() => this.begin()}>${t("Try again")}</button>` : nothing}
      </figcaption>
    </figure>`;
  }
}

customElements.define("ssb-trial", TrialBoard);
