/** Beside what a review or a puzzle says: another play tried, a deeper look, a rollout, by this browser's engine. */

import { Turn } from "../board/turn.js";
import { localEngine, NoAnswer } from "../engine/client.js";
import { t } from "../i18n/i18n.js";
import { judgeHere, rollOutHere, sceneOf } from "./analysis/here.js";
import { analysisText, rolledOut } from "./analysis/results.js";
import { ApiError } from "./api.js";
import { AT_ONCE, BoardView, boardElement } from "./board-view.js";
import { silenceText } from "./grades.js";
import { judgeTried, triedText } from "./match/trial.js";
import { html, nothing, states } from "./view.js";

/**
 * @typedef {import("./board-view.js").Turn} Turned
 * @typedef {import("../engine/analysis.js").Question} Question
 * @typedef {{query: Record<string, string>, game: string, layout: import("../board/types.js").Layout, turn: Turned}} Of
 *   a decision: the situation as `players/situation.py` has it, and the turn as a board plays it
 */

const [PLIES, TRIALS, SEED] = [2, 324, 1];

export class Deeper extends BoardView {
  static properties = { of: { attribute: false }, ...states("found", "rollout", "told", "chosen", "silent") };

  constructor() {
    super();
    /** @type {Of | null} */
    this.of = null;
    /** What is being worked out, by the button that asked for it. @type {Map<string, AbortController>} */
    this.working = new Map();
    /** The look that is under way, or has been. @type {Promise<unknown> | null} */
    this.looked = null;
    /** @type {import("./analysis/results.js").Analysis | null} */
    this.found = null;
    /** @type {import("./analysis/results.js").Rollout | null} */
    this.rollout = null;
    /** What is said of the play that was tried. @type {import("./wire.js").PlayVerdict | null} */
    this.told = null;
    this.chosen = 0;
    /** Why there is no answer. */
    this.silent = "";
    /** Plays to be rolled out. @type {Set<string>} */
    this.picked = new Set();
    /** @type {Promise<Question | null> | null} */
    this.asked = null;
    /** Whether a rollout is under way. */
    this.rolls = false;
  }

  /** Of another decision nothing is known yet. */
  reset() {
    this.stop();
    this.found = this.rollout = this.told = this.state = this.asked = this.looked = null;
    this.chosen = 0;
    this.silent = "";
    this.picked = new Set();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    const before = /** @type {Of | null | undefined} */ (changed.get("of"));
    if (changed.has("of") && JSON.stringify(before?.query) !== JSON.stringify(this.of?.query)) this.reset();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  stop() {
    for (const each of this.working.values()) each.abort();
    this.rolls = false;
  }

  /** The numbers by which the engine here judges; null where it is not to. */
  question() {
    this.asked ??= sceneOf(this.of?.query ?? {}).then(({ core }) => core ?? null);
    return this.asked;
  }

  /**
   * Something that the engine is asked; what comes to nothing is said. A second press begins it anew.
   * @param {string} what
   * @param {(question: Question, signal: AbortSignal) => Promise<unknown>} work
   * @returns {Promise<AbortSignal>}  aborted where it was begun anew, or what it was asked about is left
   */
  async ask(what, work) {
    this.working.get(what)?.abort();
    const working = new AbortController();
    const { signal } = working;
    this.working.set(what, working);
    this.silent = "";
    try {
      const question = await this.question();
      if (signal.aborted) return signal;
      const answer = question && (await work(question, signal));
      if (!answer && !signal.aborted) this.silent = silenceText();
    } catch (error) {
      if (signal.aborted) return signal;
      if (!(error instanceof ApiError || error instanceof NoAnswer)) throw error;
      this.asked = null;
      this.silent = error instanceof NoAnswer ? silenceText(error) : error.message;
    }
    return signal;
  }

  /** @param {Question} question @param {AbortSignal} signal */
  judge = (question, signal) => {
    const { side } = /** @type {Of} */ (this.of).turn;
    const report = (/** @type {import("./analysis/results.js").Analysis} */ found) => {
      if (!this.picked.size) this.picked = new Set(found.plays?.slice(0, 3).map(({ play }) => play));
      this.found = found;
    };
    return judgeHere(question, side, PLIES, { signal, report, isAlone: true });
  };

  look() {
    this.looked = this.ask("look", this.judge);
    return this.looked;
  }

  /** @param {Question} question @param {AbortSignal} signal */
  roll = async (question, signal) => {
    this.rolls = true;
    try {
      // A look that is begun anew meanwhile is waited for too.
      for (let looked = null; looked !== this.looked; ) await (looked = this.looked);
      signal.throwIfAborted();
      if (!this.found) await this.look();
      signal.throwIfAborted();
      if (!this.found) return false;
      const plays = this.chosenPlays(this.found);
      const report = (/** @type {import("./analysis/results.js").Rollout} */ found) => (this.rollout = found);
      const how = { signal, report, isAlone: true };
      return await rollOutHere(question, { trials: TRIALS, seed: SEED, plays }, how);
    } finally {
      if (!signal.aborted) this.rolls = false;
    }
  };

  /**
   * The plays to be rolled out, the best where none is picked.
   * @param {import("./analysis/results.js").Analysis} found
   */
  chosenPlays({ plays }) {
    const all = plays?.filter(({ row }) => row) ?? [];
    const picked = all.filter(({ play }) => this.picked.has(play));
    const chosen = (picked.length ? picked : all).slice(0, 4);
    return chosen.map(({ play, row }) => ({ play, row: /** @type {Uint8Array} */ (row) }));
  }

  /** The board before the turn, to be played on. */
  begin() {
    this.told = null;
    this.showTurn(/** @type {Of} */ (this.of).turn);
  }

  /** A play was made on the board. @param {CustomEvent} event */
  async tried({ detail }) {
    this.showPlayed(this.board?.position ?? null);
    const choices = this.of?.turn.choices ?? [];
    const made = new Turn(choices, detail.steps).stage;
    // A rollout takes long: it begins again, with the same games, once the play is judged.
    const { rolls } = this;
    if (rolls) this.working.get("roll")?.abort();
    const signal = await this.ask("try", async (question, signal) => {
      const told = await judgeTried(question, choices, made, signal);
      if (!signal.aborted) this.told = told;
      return told;
    });
    if (rolls && !signal.aborted) void this.ask("roll", this.roll);
  }

  /** The board on which a play is tried. */
  trial() {
    const { of, state } = this;
    if (!of || !state) return nothing;
    return html`<div class="place">
        ${boardElement({
          game: of.game,
          layout: of.layout,
          state,
          prefs: AT_ONCE,
          on: { play: (event) => void this.tried(event) },
        })}
      </div>
      ${this.told ? triedText(this.told) : nothing}`;
  }

  render() {
    const { of, found, rollout, chosen, picked, silent } = this;
    if (!of || !localEngine.isHere) return nothing;
    const pick = (/** @type {string} */ play, /** @type {boolean} */ on) => {
      this.picked = new Set([...picked].filter((each) => each !== play));
      if (on) this.picked.add(play);
      this.requestUpdate();
    };
    return html`<div class="row">
        ${
          of.turn.choices?.length
            ? html`<button class="try" @click=${() => this.begin()}>${t("Let me try")}</button>`
            : nothing
        }
        <button class="look" @click=${() => void this.look()}>${t("Look deeper here")}</button>
        <button class="roll" @click=${() => void this.ask("roll", this.roll)}>${t("Roll out")}</button>
      </div>
      ${silent ? html`<p role="alert">${silent}</p>` : nothing} ${this.trial()}
      ${found ? analysisText(found, { chosen, choose: (index) => (this.chosen = index), picked, pick }) : nothing}
      ${rollout ? rolledOut(rollout) : nothing}`;
  }
}

customElements.define("ssb-deeper", Deeper);
