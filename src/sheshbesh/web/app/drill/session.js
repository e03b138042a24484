/** Questions one after the other: a board to answer on, the loss of the answer with the reason, and the next one. */

import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { ApiError } from "../api.js";
import { BoardView, boardElement } from "../board-view.js";
import { ranking, standing } from "../review/detail.js";
import "../deeper.js";
import { playArrows, sign } from "../grades.js";
import { boardFrame } from "../step-view.js";
import { html, ltr, nothing, states, thousandths } from "../view.js";
import { ratingChange } from "./area.js";

/**
 * Cards and puzzles as the server sends them (docs/dev/site.md).
 *
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{id: string, variant: string, kind: "play" | "double" | "take", text: string, source: string,
 *   layout: import("../../board/types.js").Layout, pips: Record<Side, number>, tolerance: number, side: Side,
 *   decider: Side, board: import("../../board/types.js").Board, dice: number[] | null, dice_steps: number, cube: any,
 *   choices: any[], position: string, level?: string, review?: string, n?: number,
 *   score?: import("../review/detail.js").Score | null}} Question
 * @typedef {{right: boolean, best: boolean, grade: string, loss: number, text: string, answer: string,
 *   again: boolean, steps: number[][], candidates: import("../review/detail.js").Candidate[], reason: string,
 *   due?: number, rating?: Change | null}} Answer
 * @typedef {{before: number, after: number, deviation: number}} Change of a rating
 * @typedef {{id: string, variant: string, source: string, loss: number, state: "active" | "suspended", due: number,
 *   asked: number, right: number, review: string, n: number}} Entry
 * @typedef {{answered: boolean | null, answer: string | null, streak: number, longest: number, right: number,
 *   total: number}} Standing with the puzzles of the days
 * @typedef {(question: Question, text: string, again: boolean) => Promise<Answer>} Send an answer to the server;
 *   `again` where it is not the first one to this question
 */

const DAY = 24 * 3600 * 1000;

class Drill extends BoardView {
  static properties = {
    questions: { attribute: false },
    judge: { attribute: false },
    more: { attribute: false },
    ...states("at", "answer", "busy", "unsent", "progress"),
  };

  constructor() {
    super();
    this.at = 0;
    /** @type {Question[]} */
    this.questions = [];
    /** @type {Send} */
    this.judge = () => Promise.reject();
    /** What else may be done with a question, as buttons. @type {((question: Question) => unknown) | null} */
    this.more = null;
    /** @type {Answer | null} */
    this.answer = null;
    this.busy = false;
    /** An answer that the server has not judged, and why. @type {{text: string, why: string} | null} */
    this.unsent = null;
    /** Whether the first answer to each question was right: null where there is none yet. @type {(boolean | null)[]} */
    this.results = [];
    this.progress = { done: 0, whole: false };
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("questions")) return;
    this.at = 0;
    this.results = this.questions.map(() => null);
    this.begin();
  }

  /** @returns {Question | undefined} */
  get question() {
    return this.questions[this.at];
  }

  /** Shows the question, from the beginning of its turn. */
  begin() {
    this.answer = this.unsent = null;
    this.progress = { done: 0, whole: false };
    this.showPosition();
  }

  /** Shows the position: to be played on, or as it was once it is answered. */
  showPosition() {
    const { question, answer } = this;
    if (!question) return;
    this.showTurn(question, { decider: question.decider, playable: !answer && question.kind === "play" });
  }

  /** @param {string} text */
  async give(text) {
    const { question } = this;
    if (!question || this.busy || this.answer) return;
    this.busy = true;
    this.unsent = null;
    const first = this.results[this.at] === null;
    const done = await this.attempt(async () => {
      const answer = await this.judge(question, text, !first).catch((error) => this.keep(text, error));
      if (!answer || question !== this.question) return;
      if (first) this.results = this.results.map((old, i) => (i === this.at ? answer.right : old));
      this.answer = answer;
    });
    this.busy = false;
    if (this.unsent) return;
    if (!done) return this.begin();
    this.showPosition();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(".drill .pri"))?.focus({ preventScroll: true });
    if (first) this.dispatchEvent(new CustomEvent("answered", { detail: { question, answer: this.answer } }));
  }

  /**
   * Keep an answer that the server could not judge for now: its checkers stay where they were moved.
   * @param {string} text @param {unknown} error
   */
  keep(text, error) {
    if (!(error instanceof ApiError) || !error.passing) throw error;
    this.unsent = { text, why: error.message };
    this.board?.refuse([]);
  }

  next() {
    this.at += 1;
    this.begin();
    if (!this.question) this.dispatchEvent(new CustomEvent("finished"));
  }

  /** Leave out a question whose card was removed: the next one takes its place. @param {string} id */
  drop(id) {
    const place = this.questions.findIndex((each) => each.id === id);
    if (place < 0) return;
    const at = place < this.at ? this.at - 1 : this.at;
    const results = this.results.filter((_, i) => i !== place);
    this.questions = this.questions.filter((each) => each.id !== id);
    void this.updateComplete.then(() => {
      this.at = at;
      this.results = results;
      this.begin();
      if (!this.question) this.dispatchEvent(new CustomEvent("finished"));
    });
  }

  /** Arrows of the best play and of the one that was answered. */
  get advice() {
    const { question, answer } = this;
    if (!question?.dice || !answer) return null;
    return playArrows(question, answer.candidates[0]?.steps, answer.best ? null : answer);
  }

  /**
   * Another play is made: the one before is not to be sent any more.
   * @param {{done: unknown[], whole: boolean}} progress
   */
  follow({ done, whole }) {
    this.progress = { done: done.length, whole };
    this.unsent = null;
  }

  /** When a card is asked again. @param {number} due */
  again(due) {
    const days = Math.round((due - Date.now()) / DAY);
    if (days < 1) return t("This card comes back today.");
    return tn("This card comes back in {n} day.", "This card comes back in {n} days.", days);
  }

  /** The question, or the verdict on its answer. */
  questionOrVerdict() {
    const { question, answer } = this;
    if (!question) return nothing;
    const level = question.pips;
    const cube = question.cube.in_play
      ? html` <span>${t("cube {n}", { n: words().figure(question.cube.value) })}</span>`
      : nothing;
    const asked = html`<h2>${question.text}</h2>
      <p class="quiet">${question.source}</p>
      ${standing(question, (side) => (side === "white" ? t("White") : t("Black")))}
      <p class="facts">
        <span>${t("{own} to {their} pips", {
          own: words().figure(level[question.decider]),
          their: words().figure(level[other(question.decider)]),
        })}</span>
        ${cube}
      </p>`;
    const { unsent } = this;
    if (!answer && unsent)
      return html`${asked}
        <div role="alert" class="unsent">
          <p>${unsent.why}</p>
          <button @click=${() => void this.give(unsent.text)}>${t("Try again")}</button>
        </div>`;
    if (!answer)
      return html`${asked}
        <p class="quiet">
          ${
            question.kind === "play"
              ? t("Move as in a match. Any play within {limit} of the best is right.", {
                  limit: thousandths(question.tolerance),
                })
              : nothing
          }
        </p>`;
    const verdict = answer.right ? t("Right") : t("Not this time");
    const cost = answer.loss >= 0.0005 ? html` <b>${ltr(thousandths(-answer.loss))}</b>` : nothing;
    return html`<div class="judged" role="status">
        <p class="verdict">
          ${sign(answer)}<b>${verdict}</b>${cost}
        </p>
        ${answer.right ? html`<p>${answer.text}</p>` : nothing}${
          answer.again && !answer.right
            ? html`<p class="quiet small">
              ${question.review ? t("Again the play of your match.") : t("Many play this.")}
            </p>`
            : nothing
        }
      </div>
      ${this.ranking(question, answer)} ${answer.reason ? html`<p>${answer.reason}</p>` : nothing}
      ${answer.due ? html`<p class="quiet">${this.again(answer.due)}</p>` : nothing}${ratingChange(answer.rating)}
      ${question.review ? nothing : html`<ssb-deeper .of=${this.decision(question)}></ssb-deeper>`}
      ${this.more?.(question) ?? nothing}`;
  }

  /**
   * A puzzle as the engine in this browser is asked about it: for money, as the puzzles are.
   * @param {Question} question
   */
  decision({ variant, position, dice, layout, ...turn }) {
    const query = { card: `${variant}.m`, id: position, dice: dice?.join("") ?? "" };
    return { query, game: variant, layout, turn: { ...turn, dice } };
  }

  /** @param {Question} question @param {Answer} answer */
  ranking(question, answer) {
    const yours = (/** @type {{action?: string | null, name?: string}} */ each) =>
      (each.action ?? each.name) === answer.answer;
    return ranking({ dice: question.dice, candidates: answer.candidates }, yours, (each) => [
      yours(each) && t("your answer"),
    ]);
  }

  /** Two slots, always the same: a second action and the primary one. */
  bar() {
    const { question, answer, busy, progress } = this;
    if (!question) return nothing;
    const slot = (
      /** @type {string} */ text,
      /** @type {() => void} */ act,
      { first = false, off = false } = {},
    ) =>
      html`<button class=${first ? "pri" : "second"} ?disabled=${off || busy} @click=${act}>${text}</button>`;
    if (answer) {
      const last = this.at + 1 >= this.questions.length;
      return html`${slot(t("Try again"), () => this.begin())}${slot(
        last ? t("Finish") : t("Next one"),
        () => this.next(),
        { first: true },
      )}`;
    }
    if (question.kind === "double")
      return html`${slot(t("Roll"), () => void this.give("roll"))}${slot(t("Double"), () => void this.give("double"))}`;
    if (question.kind === "take")
      return html`${slot(t("Drop"), () => void this.give("drop"))}${slot(t("Take"), () => void this.give("take"))}`;
    return html`${slot(t("Undo"), () => this.board?.undo(false), { off: !progress.done })}${slot(
      t("Confirm"),
      () => this.board?.confirm(),
      { first: true, off: !progress.whole },
    )}`;
  }

  /** The progress: a mark for each question. */
  marks() {
    const { results, at } = this;
    const label = t("Question {n} of {total}", {
      n: words().figure(Math.min(at + 1, results.length)),
      total: words().figure(results.length),
    });
    const kind = (/** @type {boolean | null} */ result, /** @type {number} */ i) =>
      i === at ? "now" : result === null ? "" : result ? "right" : "wrong";
    return html`<div class="marks" role="img" aria-label=${label}>
      ${results.map((result, i) => html`<i class=${kind(result, i)}></i>`)}
    </div>`;
  }

  render() {
    const { question, state } = this;
    if (!question || !state) return nothing;
    return boardFrame("drill", {
      head: this.marks(),
      board: boardElement({
        game: question.variant,
        layout: question.layout,
        state,
        prefs: { forced: "off" },
        advice: this.advice,
        on: {
          play: (event) => void this.give(event.detail.play),
          progress: (event) => this.follow(event.detail),
        },
      }),
      told: html`<section>${this.questionOrVerdict()}</section>`,
      foot: html`<div class="slots" role="group" aria-label=${t("Actions")}>${this.bar()}</div>`,
    });
  }
}

customElements.define("ssb-drill", Drill);

export { Drill };
