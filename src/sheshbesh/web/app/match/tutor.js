/**
 * The tutor's hint and verdict, and how long they are shown: a hint until the next decision, a verdict until
 * the player's next decision. Arrows are shown while the other side answers; later, when they could be taken
 * for advice, only over the position that they are about and on demand.
 */
/**
 * @import { Advice } from "../../board/advice.js"
 * @import { Board } from "../../board/types.js"
 * @import { Event, Hint, PlayVerdict, State, Turn, Verdict } from "../wire.js"
 */

import { drawn, gradeOf } from "../grades.js";

const PLAYS = new Set(["play", "confirm"]);
const DECISIONS = new Set([...PLAYS, "double", "take", "drop", "beaver"]);
const DICE_SHARES = new Set(["link", "anchor"]);

/**
 * The arrows of the best play.
 * @param {Hint} hint
 * @param {Pick<State, "on_roll" | "you">} state
 * @returns {Advice | null}
 */
function hintAdvice(hint, { on_roll: side, you }) {
  if (hint.kind !== "play" || !hint.candidates.length) return null;
  return { side: side ?? you[0], options: [{ grade: "best", steps: hint.candidates[0].steps }] };
}

/**
 * The arrows of what was played and of what would have been best; none where that was played.
 * @param {PlayVerdict} verdict
 * @param {Board} board  before the play
 * @param {number[] | null} dice  it was played with
 * @returns {Advice | null}
 */
function verdictAdvice(verdict, board, dice) {
  const { side, played, best } = verdict;
  if (gradeOf(verdict) === "best") return null;
  return {
    side,
    board,
    dice,
    options: [
      { grade: "best", steps: best.steps },
      { grade: drawn(verdict), steps: played.steps },
    ],
  };
}

export class Tutor {
  /** @type {Hint | null} */
  hint = null;
  /** @type {Verdict | null} */
  verdict = null;
  /** How many questions the tutor answers first, up to the player's own; 0 while none waits. */
  place = 0;
  /** Whether a hint was asked for that has not come. */
  asked = false;
  /** Grades by place in the list of turns. @type {Record<number, string>} */
  grades = {};
  /** Arrows for the board. @type {Advice | null} */
  advice = null;
  /** Whether the player wants to see them. */
  shown = true;
  /** Whether the player may try again, so that the best play is not told. */
  withheld = false;
  /** Whether the player has something new to decide. */
  #due = false;
  /** How often the player has done something. */
  #acts = 0;
  /** The same when the last verdict came. */
  #given = 0;
  /**
   * The player's last play: its event, its line in the list, the board before it.
   * @type {{n: number, line: number, board: Board | null, dice: number[] | null, acts: number} | null}
   */
  #decided = null;

  /** The arrows to be seen now. */
  get arrows() {
    return this.shown && !this.withheld ? this.advice : null;
  }

  /** The player has done something themselves; whether that takes arrows from the board. */
  acted() {
    this.#acts += 1;
    const seen = Boolean(this.advice?.board && this.shown);
    if (seen) this.point(false);
    return seen;
  }

  /** Show the arrows or hide them. Those of a verdict come with the position they are about. @param {boolean} shown */
  point(shown) {
    this.shown = shown;
    if (this.advice?.board) this.advice = { ...this.advice, alone: shown };
  }

  /**
   * A new state has come.
   * @param {State | null} before
   * @param {State} state
   * @param {readonly Event[]} events
   * @param {readonly Turn[]} turns  with those that the events added
   */
  follow(before, state, events, turns) {
    if (before && before.game !== state.game) this.grades = {};
    if (events.length) this.waits(false);
    if (events.some(({ type }) => type === "retry")) this.verdict = this.advice = null;
    if (this.hint && events.some(({ type, then }) => then?.dice || !DICE_SHARES.has(type))) {
      this.hint = this.advice = null;
    }
    const own = events.filter(
      ({ type, actor }) => DECISIONS.has(type) && state.you.some((side) => side === actor),
    );
    // A play that the board made because it was forced is no decision.
    if (own.length && this.#acts > this.#given) {
      this.verdict = null;
      if (this.advice?.board) this.advice = null;
    }
    this.#due =
      ["roll", "move", "doubled", "choose", "resigned"].includes(state.phase) &&
      (state.to_act ?? []).some((side) => state.you.includes(side));
    // There is a new roll or a cube decision: old arrows would look like advice for it.
    if (this.#due && this.advice?.board && !this.advice.alone) this.shown = false;
    const play = own.find(({ type, then }) => PLAYS.has(type) && then?.play !== "pass");
    if (!play) return;
    const known = before?.phase === "move" && before.on_roll === play.actor;
    const line = turns.findLastIndex(({ side, kind }) => kind === "play" && side === play.actor);
    this.#decided = {
      n: play.n,
      line,
      board: known ? before.board : null,
      dice: turns[line]?.dice ?? null,
      acts: this.#acts,
    };
  }

  /** Whether a hint is waited for. @param {boolean} asked */
  waits(asked) {
    this.asked = asked;
    this.place = 0;
  }

  /** @param {Hint} hint @param {State} state */
  advise(hint, state) {
    this.hint = hint;
    this.waits(false);
    this.advice = hintAdvice(hint, state);
    this.shown = true;
  }

  /** @param {Verdict} verdict */
  receiveVerdict(verdict) {
    this.verdict = verdict;
    this.#given = this.#acts;
    if (verdict.kind !== "play" || this.#decided?.n !== verdict.n) return;
    const decided = this.#decided;
    this.verdict = { ...verdict, dice: decided.dice };
    if (decided.line >= 0) this.grades = { ...this.grades, [decided.line]: gradeOf(verdict) };
    if (!decided.board || this.hint) return;
    this.advice = verdictAdvice(verdict, decided.board, decided.dice);
    // A player who has to move, or is moving, looks at the board.
    this.shown = decided.acts === this.#acts && !this.#due;
  }
}
