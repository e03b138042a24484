import { carry, freeOn } from "./checkers.js";
import { Herald } from "./herald.js";
import { nextByItself } from "./forced.js";
import { lyingDice } from "./lying.js";
import { shake, tumble } from "./motion.js";
import { findPlay, parsePlay } from "./notation.js";
import { Play } from "./play.js";
import { Show } from "./show.js";
import { Touch } from "./touch.js";
import { Turn } from "./turn.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./play.js").Effect} Effect */
/** @typedef {import("./pieces.js").At} At */

/** What happens on one board: the turn in progress, what is shown of it, and what moves. */
export class Hands {
  /** @type {Play | null} */ play = null;
  /** The own number picked up or about to be. @type {number | null} */ selected = null;
  /** The place under the pointer that something can go to. @type {number | null} */ hover = null;
  /** @type {(At & { from: number }) | null} */ drag = null;
  /** @type {{ side: Side, number: number } | null} */ refusal = null;
  /** Whether the turn is on its way to the referee. */
  sent = false;
  spoken = "";
  /** When the phase last changed, so that no tap means what it did not when it was begun. */
  since = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #tumbling = false;
  #shaking = false;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.show = new Show(board);
    this.herald = new Herald(board);
    this.touch = new Touch((type, detail) => board.emit(type, detail));
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
    return this.show.flights.map(({ side, number }) => ({ side, number }));
  }

  /** Where the selected checker may go. @returns {Map<number, { far: boolean, takes: boolean }>} */
  get ends() {
    const { play, selected } = this;
    if (!play || selected === null || this.sent || !this.board.taste.targets) return new Map();
    const made = play.turn.path.length;
    return new Map(
      [...play.drags(selected)].map(([number, path]) => {
        const last = path.at(-1);
        return [number, { far: path.length - made > 1, takes: last?.target === number && last.takes }];
      }),
    );
  }

  /** The dice that lie on the board. */
  get dice() {
    return lyingDice(this.board);
  }

  /** Takes over a new state. @param {State | null} before */
  receive(before) {
    const { state, layout } = this.board;
    if (!state || !layout) return this.#drop();
    if (before?.phase !== state.phase) this.since = performance.now();
    const was = this.play;
    let begun = false;
    const mine = state.on_roll && state.you.includes(state.on_roll) && state.choices && state.board;
    if (!mine || state.phase !== "move") this.#drop();
    else if (this.play?.side === state.on_roll && this.play?.continues(state)) this.#goOn(this.play, state);
    else {
      this.#drop();
      this.play = new Play(state, layout, /** @type {Side} */ (state.on_roll));
      this.touch = new Touch((type, detail) => this.board.emit(type, detail));
      begun = true;
    }
    if (this.play !== was) {
      this.board.spots.keys.clear();
      this.#tellProgress();
    }
    const { text, thrown } = this.herald.hear(before, state);
    if (text) this.spoken = text;
    this.#tumbling ||= thrown;
    const { play } = this;
    this.#picture(before, state).then(() => begun && this.play === play && this.#afterwards());
  }

  /** The same turn, of which the referee knows more. @param {Play} play @param {State} state */
  #goOn(play, state) {
    play.refresh(state);
    if (play.touchMove) this.touch.answered(play);
  }

  /** Lets the picture follow a new state. @param {State | null} before @param {State} state */
  async #picture(before, state) {
    const { last, layout } = this.board;
    if (!state.board || !layout) return;
    const { show } = this;
    const side = state.on_roll ?? "white";
    // Of the opponent's turn only what he cannot take back is sent before its end.
    const done = (this.play ? [] : (state.turn?.done ?? [])).map(([origin, target, , takes]) => ({ origin, target, takes: takes > 0 }));
    const board = this.play?.board ?? done.reduce((b, leg) => carry(b, layout, side, leg), state.board);
    if (!show.board || !before?.board) show.jump(board);
    else if (JSON.stringify(show.board) !== JSON.stringify(board)) {
      if (done.length) await show.play(board, done.slice(-1), side);
      else await show.play(board, last?.play ? (parsePlay(last.play) ?? []) : [], last?.side ?? side);
    }
  }

  #drop() {
    clearTimeout(this.#timer);
    this.play = null;
    this.selected = this.drag = this.hover = this.refusal = null;
    this.sent = false;
  }

  /** Ends what is under way, as when the board is taken from the page. */
  stop() {
    clearTimeout(this.#timer);
    this.show.stop();
  }

  /** @param {string} text */
  say(text) {
    this.spoken = text;
    this.board.requestUpdate();
  }

  /** Called when the picture is drawn: starts what needs its elements. */
  afterDrawing() {
    const root = this.board.renderRoot;
    if (this.show.busy && this.show.busy !== this.play?.side) return;
    if (this.#tumbling) tumble(root.querySelectorAll(".tumble"));
    if (this.#shaking) shake(root.querySelector(".refusal"));
    this.#tumbling = this.#shaking = false;
  }

  // What the player does

  /** A tap on a point, the bar, the hand or the tray. @param {number} number @param {boolean} [otherFirst] */
  tap(number, otherFirst = false) {
    if (this.mover) this.#took(/** @type {Play} */ (this.play).tap(number, otherFirst));
  }

  /** The second of two clicks: the checker goes on, or else the next one follows it. @param {number} number */
  tapAgain(number) {
    if (!this.play || !this.mover) return;
    const effect = this.play.onward();
    this.#took(effect.made.length ? effect : this.play.tap(number));
  }

  /** @param {number} from @param {number} to @param {At} [at]  where the checker was let go */
  moveTo(from, to, at) {
    this.selected = this.drag = this.hover = null;
    if (!this.play || !this.mover) return;
    const effect = this.play.drop(from, to);
    this.#took(effect, at);
    this.board.requestUpdate();
  }

  /** @param {number} number */
  select(number) {
    this.selected = this.selected === number ? null : number;
    if (this.play?.touchMove && this.selected !== null) this.touch.touch(number);
    if (this.selected !== null) this.say(`${this.board.voice.place(number)}, ${this.board.t(WORDS.selected)}`);
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
    this.#took(effect);
  }

  confirm() {
    if (!this.mover || !this.play?.turn.whole) return;
    clearTimeout(this.#timer);
    this.selected = null;
    this.sent = true;
    this.board.spots.keys.clear();
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
      if (legs) this.board.emit("ssb-why", { steps: [...made, ...legs.map(({ origin, target }) => [origin, target])] });
      return false;
    }
    if (!onward) this.play.undo(true);
    this.#took(this.play.make(hops));
    return true;
  }

  /** @param {number[][]} steps @param {string} [text] */
  refuse(steps, text) {
    this.sent = false;
    const { state, layout } = this.board;
    if (this.play && state && layout && this.play.touchMove) {
      this.play = new Play(state, layout, this.play.side);
      this.touch.refused(this.play);
      this.show.jump(this.play.board);
    }
    this.#refused(steps);
    if (text) this.say(text);
    this.board.requestUpdate();
  }

  // What comes of it

  /** @param {Effect} effect @param {At} [at] @param {boolean} [alone]  whether the board did it by itself */
  #took({ made, undone, refused: tried }, at, alone = false) {
    const { board } = this;
    const play = /** @type {Play} */ (this.play);
    this.refusal = null;
    if (tried) {
      if (tried.length) {
        this.#refused(tried);
        board.emit("ssb-why", { steps: tried });
      }
      return;
    }
    if (!made.length && !undone.length) return;
    if (!alone) board.emit("ssb-acted");
    this.selected = null;
    const said = made.map((hop) => board.voice.hop(hop, play.layout.pins));
    if (play.turn.whole) said.push(board.t(WORDS.complete));
    if (said.length) this.spoken = said.join(", ");
    if (play.touchMove) this.touch.tell(play);
    if (undone.length && !made.length) this.show.recall(play.board, undone, play.side);
    else if (undone.length) this.show.jump(play.board);
    else {
      // Whatever still flies is where it was going.
      const before = play.turn.path.slice(0, -made.length);
      this.show.board = before.reduce((b, hop) => carry(b, play.layout, play.side, hop), play.base);
      this.show.play(play.board, made, play.side, at);
    }
    this.#afterwards();
  }

  /** Tells how far the turn is; without one, that there is nothing to confirm. */
  #tellProgress() {
    const { play } = this;
    const told = play ? { done: play.written.steps, whole: play.turn.whole, dance: play.turn.dance } : { done: [], whole: false, dance: false };
    this.board.emit("ssb-progress", told);
  }

  /** Tells how far the turn is, and plays what is forced. */
  #afterwards() {
    const play = /** @type {Play} */ (this.play);
    const { taste } = this.board;
    const { turn } = play;
    this.#tellProgress();
    clearTimeout(this.#timer);
    const next = nextByItself(play, taste);
    if (!next) return;
    this.#timer = setTimeout(() => {
      if (this.play !== play) return;
      if (this.drag) this.#afterwards();
      else if (next.what === "confirm") this.confirm();
      else this.#took(play.make([turn.next()[0]]), undefined, true);
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
