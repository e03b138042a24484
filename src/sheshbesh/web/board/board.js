import { LitElement, guard, html, nothing, svg } from "../vendor/lit.js";
import { adviceArrows } from "./advice.js";
import { emptyBoard, placeOf } from "./checkers.js";
import { furniture } from "./furniture.js";
import { Frame, shapeOf } from "./geometry.js";
import { Hands } from "./hands.js";
import { openingDice, pastDice } from "./lying.js";
import { checker, checkerShapes, cube, cubeLight, dicePair } from "./pieces.js";
import { definitions } from "./ornament.js";
import { refused } from "./marks.js";
import { parsePlay } from "./notation.js";
import { checkers, heads, heapsOpen, hits, lastMove, numbers, picked, restOf, targets, tint } from "./picture.js";
import { Spots } from "./spots.js";
import { style } from "./style.js";
import { DEFAULTS, HAND, OFF, other } from "./types.js";
import { Voice, WORDS, untranslated } from "./words.js";

/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Prefs} Prefs */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./advice.js").Advice} Advice */

/**
 * A board of any game of the family: it shows a STATE and lets the viewer play what the STATE says he
 * may. It knows no rules and no network.
 *
 * Its events (all bubble): `ssb-play` {play, steps}; with touch-move instead `ssb-touch` {point},
 * `ssb-step` {origin, target, die} and `ssb-confirm`; `ssb-roll`, `ssb-double`, `ssb-swap`, `ssb-why` {steps}, `ssb-progress`
 * {done, whole, dance}, `ssb-flip`, `ssb-acted` when the player, not the board by itself, has moved or taken back,
 * `ssb-present` when they are done with the earlier position that advice shows `alone`.
 */
export class Board extends LitElement {
  static styles = style;
  static properties = {
    state: { attribute: false },
    layout: { attribute: false },
    prefs: { attribute: false },
    last: { attribute: false },
    advice: { attribute: false },
    since: { attribute: false },
    t: { attribute: false },
    lang: { type: String },
  };

  constructor() {
    super();
    /** @type {State | null} */ this.state = null;
    /** @type {Layout | null} */ this.layout = null;
    /** @type {Partial<Prefs>} */ this.prefs = {};
    /** The play before, so that it can be shown. @type {import("./types.js").Last | null} */
    this.last = null;
    /** In which turn the captives were taken, by place. @type {ReadonlyMap<number, number>} */
    this.since = new Map();
    /** Says a msgid of `WORDS` in the reader's language. @type {import("./types.js").Translate} */
    this.t = untranslated;
    this.lang = "en";
    /** @type {import("./geometry.js").Shape} */
    this.shape = "wide";
    /** What the tutor shows, for as long as it is given. @type {Advice | null} */
    this.advice = null;
    this.forced = matchMedia("(forced-colors: active)");
    this.hands = new Hands(this);
    this.spots = new Spots(this);
    this.size = new ResizeObserver(([entry]) => this.#measure(entry.contentRect.width));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#measure(this.clientWidth || innerWidth);
    this.size.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.size.disconnect();
    this.hands.stop();
  }

  /** @param {number} width  CSS pixels */
  #measure(width) {
    const shape = shapeOf(getComputedStyle(this).getPropertyValue("--board").trim(), width);
    if (shape === this.shape) return;
    this.shape = shape;
    this.requestUpdate();
  }

  // What the panel calls

  /** Takes back the last hop, or all. @param {boolean} [all] */
  undo(all = false) {
    this.hands.undo(all);
  }

  /** Ends the turn, if it is whole. */
  confirm() {
    this.hands.confirm();
  }

  /** Lays the dice the other way round. */
  swap() {
    this.hands.swap();
  }

  /**
   * Shows that something was refused: the turn stands again as it can stand, the checker shakes.
   *
   * @param {number[][]} steps  what was tried @param {string} [text]  why not, to be said aloud
   */
  refuse(steps, text) {
    this.hands.refuse(steps, text);
  }

  /** A key pressed elsewhere on the page, as if it had been pressed here. @param {KeyboardEvent} event */
  key(event) {
    this.spots.keys.down(event);
  }

  // What the parts of it share

  /** @returns {Prefs} */
  get taste() {
    const taste = { ...DEFAULTS, ...this.prefs };
    // Whoever has his colours forced gets the board that needs none.
    return this.forced.matches ? { ...taste, material: "paper" } : taste;
  }

  /** Whose board this is: the viewer's side, or White's for those who only watch. @returns {Side} */
  get viewer() {
    return this.state?.you[0] ?? "white";
  }

  /** The light or the dark set. @param {Side} side @returns {"w" | "b"} */
  toneOf = (side) => {
    const { colours } = this.taste;
    if (colours === "given") return side === "white" ? "w" : "b";
    return (side === this.viewer) === (colours === "light") ? "w" : "b";
  };

  get voice() {
    return new Voice(this.t, this.toneOf);
  }

  /** @param {string} type @param {object} [detail] */
  emit(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    const { material } = this.taste;
    if (this.getAttribute("material") !== material) this.setAttribute("material", material);
    if (!this.layout) return;
    const { home, mine, seating } = this.taste;
    this.frame = new Frame(this.layout, this.viewer, { home, mine, seating }, this.shape);
    if (changed.has("state") || changed.has("layout")) {
      this.hands.receive(/** @type {State | null} */ (changed.get("state") ?? null));
    }
  }

  updated() {
    this.hands.afterDrawing();
  }

  render() {
    const { frame, layout } = this;
    if (!frame || !layout) return nothing;
    const { material } = this.taste;
    return html`
      <svg viewBox="0 0 ${frame.width} ${frame.height}" role="group" aria-label=${this.t(WORDS.board)}
        class=${this.hands.play ? "live" : ""} lang=${this.lang}
        @pointerdown=${this.spots.pointer.down} @pointermove=${this.spots.pointer.move}
        @pointerup=${this.spots.pointer.up} @pointercancel=${this.spots.pointer.cancel}
        @pointerleave=${this.spots.pointer.leave} @contextmenu=${this.spots.noMenu}
        @keydown=${this.spots.keys.down} @click=${this.spots.clicked} @focusin=${this.spots.focused}>
        ${guard(
          [material, this.shape, layout, this.viewer, frame.flipX, frame.flipY],
          () => svg`<defs>${definitions(frame.barX)}${checkerShapes(material, frame.m.r)}</defs>
            <g aria-hidden="true">${furniture(frame, material)}</g>`,
        )}
        <g aria-hidden="true">${this.#moving(frame)}</g>
        ${this.spots.focus.render(frame)}
      </svg>
      ${this.spots.written ? html`<output class="written" aria-hidden="true">${this.spots.written}</output>` : nothing}
      <div class="spoken" aria-live="polite" lang=${this.lang}>${this.hands.spoken}</div>`;
  }

  /** @param {Frame} frame */
  #moving(frame) {
    const { hands } = this;
    // Arrows that were asked for stand over the position they are about, and nothing else does.
    const past = this.advice?.alone ? this.advice.board : null;
    if (past && this.advice) return this.#looksBack(frame, past, this.advice);
    const board = hands.show.board ?? emptyBoard();
    const mover = hands.mover;
    const ends = hands.ends;
    const lifted = hands.selected !== null && mover ? { side: mover, number: hands.selected } : null;
    const dragging = hands.drag !== null;
    // Arrows of one kind at a time: over one another nobody could read them.
    const advice = this.#advised;
    // Two at one board each count from their own side.
    const turning = this.taste.numbers === "roll" || this.state?.you.length === 2;
    const counter = (turning && this.state?.on_roll) || this.viewer;
    return svg`
      ${hands.hover !== null ? tint(frame, hands.hover, this.taste.material === "wood") : nothing}
      <g class="last ${lifted ? "faded" : ""}">${advice ? nothing : this.#lastMove(frame, board)}</g>
      ${this.taste.numbers === "off"
        ? nothing
        : numbers(frame, counter, {
            lit: this.#lit(mover, ends),
            open: new Set(
              mover ? [...hands.open].filter((n) => n > OFF && n < HAND).map((n) => placeOf(frame.layout, mover, n)) : [],
            ),
            both: frame.layout.movement === "parallel",
          })}
      <g class="piles">${checkers(frame, board, this.toneOf, {
        held: hands.held,
        lifted: dragging ? null : lifted,
        ghost: dragging ? lifted : null,
      })}</g>
      ${heads(frame, board, mover, (number) => hands.play?.turn.mostFrom(number) ?? 0)}
      ${mover ? heapsOpen(frame, board, mover, hands.open) : nothing}
      ${lifted && !dragging ? picked(frame, board, lifted) : nothing}
      ${mover ? targets(frame, board, mover, ends) : nothing}
      ${lifted && !dragging ? hits(frame, board, lifted.side, lifted.number, ends) : nothing}
      ${hands.refusal ? this.#refusal(frame, board, hands.refusal) : nothing}
      ${advice ? svg`<g class="advice">${adviceArrows(frame, advice, board)}</g>` : nothing}
      ${this.#cubeAndDice(frame)}
      ${hands.show.flights.map(
        (flight) => svg`<g class="flight">${checker(frame, this.toneOf(flight.side), flight.to, { lifted: true })}</g>`,
      )}
      ${hands.drag && mover
        ? svg`<g class="drag" transform="translate(${hands.drag.x} ${hands.drag.y})">
            ${checker(frame, this.toneOf(mover), { x: 0, y: 0 }, { lifted: true })}</g>`
        : nothing}`;
  }

  /** An earlier position with its throw and the arrows of what was played in it. @param {Frame} frame @param {import("./types.js").Board} board @param {Advice} advice */
  #looksBack(frame, board, advice) {
    const dice = advice.dice ? [pastDice(advice.side, advice.dice)] : [];
    return svg`
      ${this.taste.numbers === "off" ? nothing : numbers(frame, this.viewer, { lit: new Map(), open: new Set(), both: frame.layout.movement === "parallel" })}
      <g class="piles past">${checkers(frame, board, this.toneOf, { held: [], lifted: null, ghost: null })}</g>
      <g class="advice">${adviceArrows(frame, advice, board)}</g>
      ${dice.map((each) => svg`<g class="dice">${dicePair(frame, frame.dice(each.side), { ...each, tone: this.toneOf(each.side) })}</g>`)}`;
  }

  /** The checker that may not go, which shakes its head. @param {Frame} frame @param {import("./types.js").Board} board @param {{ side: Side, number: number }} refusal */
  #refusal(frame, board, { side, number }) {
    const at = restOf(frame, board, side, number);
    return svg`<g class="refusal">${checker(frame, this.toneOf(side), at)}${refused(frame, at)}</g>`;
  }

  /** @param {Side | null} mover @param {Map<number, { far: boolean, takes: boolean }>} ends */
  #lit(mover, ends) {
    /** @type {Map<number, "target" | "takes">} */ const lit = new Map();
    const { layout, hands } = this;
    if (!mover || !layout) return lit;
    for (const [number, { takes }] of ends) {
      if (number > OFF && number < HAND) lit.set(placeOf(layout, mover, number), takes ? "takes" : "target");
    }
    if (hands.selected !== null && hands.selected < HAND) lit.set(placeOf(layout, mover, hands.selected), "target");
    return lit;
  }

  /** @param {Frame} frame @param {import("./types.js").Board} board */
  #lastMove(frame, board) {
    const { last, hands } = this;
    if (!last?.play || hands.show.flights.length || hands.play?.turn.path.length) return nothing;
    return lastMove(frame, board, last.side, parsePlay(last.play) ?? []);
  }

  /** The advice to be drawn now: none over a checker in hand, nor over a position it was not meant for. */
  get #advised() {
    const { advice, hands } = this;
    if (!advice || hands.selected !== null) return null;
    return advice.board || !(hands.play?.turn.path.length || hands.show.flights.length) ? advice : null;
  }

  /** @param {Frame} frame */
  #cubeAndDice(frame) {
    const { state, hands } = this;
    if (!state) return nothing;
    const offered = state.cube.offered !== null && state.cube.by !== null;
    const by = state.cube.by ?? "white";
    const cubeAt = offered ? frame.dice(other(by)) : frame.cube(state.cube.owner);
    const dice = hands.dice ? [hands.dice] : openingDice(this);
    return svg`
      ${dice.map((each) => svg`<g class="dice">${dicePair(frame, frame.dice(each.side), { ...each, tone: this.toneOf(each.side) })}</g>`)}
      ${offered ? svg`<rect class="dimmed" width=${frame.width} height=${frame.height} rx=${frame.narrow ? 0 : 26} />` : nothing}
      ${state.cube.in_play
        ? cube(frame, cubeAt, offered ? Number(state.cube.offered) : state.cube.value, offered)
        : nothing}
      ${this.spots.doubling ? cubeLight(frame, cubeAt) : nothing}`;
  }
}

customElements.define("ssb-board", Board);
