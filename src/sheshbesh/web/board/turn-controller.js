import { Animator } from "./animator.js";
import { Announcer } from "./announcer.js";
import { carry, freeOn } from "./checkers.js";
import { diceState } from "./dice-state.js";
import { shake, tumble, turnCube } from "./motion.js";
import { findPlay, isStep, parsePlay } from "./notation.js";
import { automaticStep, Play, TouchMove } from "./play.js";
import { Turn } from "./turn.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./play.js").Effect} Effect */
/** @typedef {import("./pieces.js").At} At */

/** Steps that a server is asked about at once. */
const MOST_ASKED = 40;

/** Controls the turn in progress on one board: input, automatic steps, animation and announcements. */
export class TurnController {
  /** @type {Play | null} */ play = null;
  /** The own number picked up or about to be. @type {number | null} */ selected = null;
  /** The place under the pointer, if the selected checker can go there. @type {number | null} */ hover =
    null;
  /** @type {(At & { from: number }) | null} */ drag = null;
  /** @type {{ side: Side, number: number } | null} */ refusal = null;
  /** Whether the turn was sent and its answer is pending. */
  sent = false;
  spoken = "";
  /** When the phase last changed: taps shortly after it are ignored, because they were meant for the phase before. */
  since = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #tumbling = false;
  #shaking = false;
  #turning = false;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.animator = new Animator(board);
    this.announcer = new Announcer(board);
    this.touch = new TouchMove((type, detail) => board.emit(type, detail));
  }

  /** The viewer's side that may move now. @returns {Side | null} */
  get mover() {
    return this.play && !this.sent ? this.play.side : null;
  }

  /** Numbers something may leave now. */
  get open() {
    return this.play && !this.sent && this.selected === null ? this.play.origins : new Set();
  }

  get held() {
    return this.animator.flights.map(({ side, number }) => ({ side, number }));
  }

  /** Where the selected checker may go. @returns {Map<number, { far: boolean, takes: boolean }>} */
  get destinations() {
    const { play, selected } = this;
    if (!play || selected === null || this.sent || !this.board.preferences.targets) return new Map();
    const made = play.turn.path.length;
    return new Map(
      [...play.drags(selected)].map(([number, path]) => {
        const last = path.at(-1);
        return [number, { far: path.length - made > 1, takes: last?.target === number && last.takes }];
      }),
    );
  }

  /** The dice shown on the board. */
  get dice() {
    return diceState(this.board);
  }

  /** Takes over a new state. @param {State | null} before */
  receive(before) {
    const { state, layout } = this.board;
    if (!state || !layout) return this.#clear();
    if (before?.phase !== state.phase) this.since = performance.now();
    const was = this.play;
    let begun = false;
    const mine = state.on_roll && state.you.includes(state.on_roll) && state.choices && state.board;
    if (!mine || state.phase !== "move") this.#clear();
    else if (this.play?.side === state.on_roll && this.play?.continues(state)) this.#goOn(this.play, state);
    else {
      this.#clear();
      this.play = new Play(state, layout, /** @type {Side} */ (state.on_roll));
      this.touch = new TouchMove((type, detail) => this.board.emit(type, detail));
      begun = true;
    }
    if (this.play !== was) {
      this.board.hitTargets.keys.clear();
      this.#emitProgress();
    }
    const { text, thrown } = this.announcer.announce(before, state);
    if (text) this.spoken = text;
    this.#tumbling ||= thrown;
    const { offered } = state.cube;
    this.#turning ||= Boolean(before && offered && offered !== before.cube.offered);
    const { play } = this;
    this.#animate(before, state).then(() => begun && this.play === play && this.#continueTurn());
  }

  /** The same turn, with more hops accepted by the server. @param {Play} play @param {State} state */
  #goOn(play, state) {
    play.refresh(state);
    if (play.touchMove) this.touch.answered(play);
  }

  /** Animates the board towards a new state. @param {State | null} before @param {State} state */
  async #animate(before, state) {
    const { last, layout } = this.board;
    if (!state.board || !layout) return;
    const { animator } = this;
    const side = state.on_roll ?? "white";
    // Of an opponent's turn in progress only irrevocable hops are sent (touch-move).
    const done = (this.play ? [] : (state.turn?.done ?? [])).map(([origin, target, , takes]) => ({
      origin,
      target,
      takes: takes > 0,
    }));
    const board = this.play?.board ?? done.reduce((b, leg) => carry(b, layout, side, leg), state.board);
    if (!animator.board || !before?.board) animator.jump(board);
    else if (JSON.stringify(animator.board) !== JSON.stringify(board)) {
      if (done.length) await animator.play(board, done.slice(-1), side);
      else await animator.play(board, last?.play ? (parsePlay(last.play) ?? []) : [], last?.side ?? side);
    }
  }

  #clear() {
    clearTimeout(this.#timer);
    this.play = null;
    this.selected = this.drag = this.hover = this.refusal = null;
    this.sent = false;
  }

  /** Ends what is under way, as when the board is taken from the page. */
  stop() {
    clearTimeout(this.#timer);
    this.animator.stop();
  }

  /** @param {string} text */
  say(text) {
    this.spoken = text;
    this.board.requestUpdate();
  }

  /** Called after rendering: starts animations that need the rendered elements. */
  afterDrawing() {
    const root = this.board.renderRoot;
    if (this.animator.busy && this.animator.busy !== this.play?.side) return;
    if (this.#tumbling) tumble(root.querySelectorAll(".tumble"));
    if (this.#shaking) shake(root.querySelector(".refusal"));
    if (this.#turning) turnCube(root.querySelector(".offered-cube"));
    this.#tumbling = this.#shaking = this.#turning = false;
  }

  // What the player does

  /** A tap on a point, the bar, the hand or the tray. @param {number} number @param {boolean} [otherFirst] */
  tap(number, otherFirst = false) {
    if (this.mover) this.#apply(/** @type {Play} */ (this.play).tap(number, otherFirst));
  }

  /** @param {number} from @param {number} to @param {At} [at]  where the checker was let go */
  moveTo(from, to, at) {
    this.selected = this.drag = this.hover = null;
    if (!this.play || !this.mover) return;
    const effect = this.play.drop(from, to);
    this.#apply(effect, at);
    this.board.requestUpdate();
  }

  /** @param {number} number */
  select(number) {
    this.selected = this.selected === number ? null : number;
    if (this.play?.touchMove && this.selected !== null) this.touch.touch(number);
    if (this.selected !== null)
      this.say(`${this.board.describe.place(number)}, ${this.board.t(WORDS.selected)}`);
    this.board.requestUpdate();
  }

  swap() {
    if (!this.mover || !this.play?.swap()) return;
    this.board.emit("ssb-swap");
    this.board.requestUpdate();
  }

  /** @param {boolean} [all] */
  undo(all = false) {
    clearTimeout(this.#timer);
    if (!this.mover) return;
    const effect = /** @type {Play} */ (this.play).undo(all);
    if (effect.undone.length) this.say(this.board.t(WORDS.undone));
    this.#apply(effect);
  }

  confirm() {
    if (!this.mover || !this.play?.turn.whole) return;
    clearTimeout(this.#timer);
    this.selected = null;
    this.sent = true;
    this.board.hitTargets.keys.clear();
    if (this.play.touchMove) this.touch.confirm(this.play);
    else this.board.emit("ssb-play", this.play.written);
    this.board.requestUpdate();
  }

  /** A play as typed. @param {string} text @returns {boolean} whether it could be played */
  typed(text) {
    const { state, layout, t } = this.board;
    if (!this.play || !this.mover || !state || !layout) return false;
    const legs = parsePlay(text);
    // What goes on from here comes first: the rest of a turn whose first checkers were moved by hand.
    const onward = legs && findPlay(this.play.turn, legs);
    const hops = onward ?? (legs && findPlay(new Turn(state.choices ?? [], this.play.done), legs));
    if (!hops) {
      this.say(t(legs ? WORDS.refused : WORDS.unread, { text }));
      const made = this.play.written.steps;
      if (legs) this.#ask([...made, ...legs.map(({ origin, target }) => [origin, target])]);
      return false;
    }
    if (!onward) this.play.undo(true);
    this.#apply(this.play.make(hops));
    return true;
  }

  /** @param {number[][]} steps @param {string} [text] */
  refuse(steps, text) {
    this.sent = false;
    const { state, layout } = this.board;
    if (this.play && state && layout && this.play.touchMove) {
      this.play = new Play(state, layout, this.play.side);
      this.touch.refused(this.play);
      this.animator.jump(this.play.board);
    }
    this.#refused(steps);
    if (text) this.say(text);
    this.board.requestUpdate();
  }

  // What comes of it

  /** @param {Effect} effect @param {At} [at] @param {boolean} [alone]  whether the board did it by itself */
  #apply({ made, undone, refused: tried }, at, alone = false) {
    const { board } = this;
    const play = /** @type {Play} */ (this.play);
    this.refusal = null;
    if (tried) {
      if (tried.length) {
        this.#refused(tried);
        this.#ask(tried);
      }
      return;
    }
    if (!made.length && !undone.length) return;
    if (!alone) board.emit("ssb-acted");
    this.selected = null;
    const sentences = made.map((hop) => board.describe.hop(hop, play.layout.pins));
    if (play.turn.whole) sentences.push(board.t(WORDS.complete));
    if (sentences.length) this.spoken = sentences.join(", ");
    if (play.touchMove) this.touch.tell(play);
    if (undone.length && !made.length) this.animator.recall(play.board, undone, play.side);
    else if (undone.length) this.animator.jump(play.board);
    else {
      // Checkers still moving are at their destination already.
      const before = play.turn.path.slice(0, -made.length);
      this.animator.board = before.reduce((b, hop) => carry(b, play.layout, play.side, hop), play.base);
      this.animator.play(play.board, made, play.side, at);
    }
    this.#continueTurn();
  }

  /** Asks why steps may not be made; what is no step, as one to the bar, needs no reason. @param {number[][]} steps */
  #ask(steps) {
    if (steps.every(([origin, target]) => isStep(origin, target)))
      this.board.emit("ssb-why", { steps: steps.slice(0, MOST_ASKED) });
  }

  /** Reports how much of the turn is played; without a turn, that there is nothing to confirm. */
  #emitProgress() {
    const { play } = this;
    const progress = play
      ? { done: play.written.steps, whole: play.turn.whole, dance: play.turn.dance }
      : { done: [], whole: false, dance: false };
    this.board.emit("ssb-progress", progress);
  }

  /** Reports how much of the turn is played, and schedules the automatic step. */
  #continueTurn() {
    const play = /** @type {Play} */ (this.play);
    const { preferences } = this.board;
    const { turn } = play;
    this.#emitProgress();
    clearTimeout(this.#timer);
    const next = automaticStep(play, preferences);
    if (!next) return;
    this.#timer = setTimeout(() => {
      if (this.play !== play) return;
      if (this.drag) this.#continueTurn();
      else if (next.what === "confirm") this.confirm();
      else this.#apply(play.make([turn.next()[0]]), undefined, true);
    }, next.after);
  }

  /** @param {number[][]} steps */
  #refused(steps) {
    const step = steps.at(-1);
    if (!step || !this.play) return;
    const refusal = { side: this.play.side, number: step[0] };
    if (freeOn(this.play.board, this.play.layout, refusal.side, step[0]) < 1) return;
    this.refusal = refusal;
    this.#shaking = true;
    setTimeout(() => {
      if (this.refusal === refusal) this.refusal = null;
      this.board.requestUpdate();
    }, 1200);
    this.board.requestUpdate();
  }
}
