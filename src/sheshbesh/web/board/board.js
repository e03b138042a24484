import { guard, html, LitElement, nothing, svg } from "../vendor/lit.js";
import { adviceArrows } from "./advice.js";
import { emptyBoard, placeOf } from "./checkers.js";
import { openingDice, pastDice } from "./dice-state.js";
import { boardFrame } from "./frame.js";
import { Frame, shapeOf } from "./geometry.js";
import { HitTargets } from "./hit-targets.js";
import { refused } from "./marks.js";
import { parsePlay } from "./notation.js";
import { definitions } from "./ornament.js";
import {
  checkers,
  heads,
  heapsOpen,
  hits,
  lastMove,
  numbers,
  picked,
  restOf,
  targets,
  tint,
} from "./picture.js";
import { checker, checkerShapes, cube, cubeLight, dicePair } from "./pieces.js";
import { style } from "./style.js";
import { TurnController } from "./turn-controller.js";
import { DEFAULTS, HAND, OFF, other, SIDES } from "./types.js";
import { Describer, untranslated, WORDS } from "./words.js";

/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Prefs} Prefs */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./advice.js").Advice} Advice */

/**
 * A board of any game of the family: it shows a STATE and lets the viewer play what the STATE
 * allows. It is independent of rules and network.
 *
 * Its events (all bubble): `ssb-play` {play, steps}; with touch-move instead `ssb-touch` {point},
 * `ssb-step` {origin, target, die} and `ssb-confirm`; `ssb-roll`, `ssb-double`, `ssb-swap`, `ssb-why` {steps},
 * `ssb-progress` {done, whole, dance}, `ssb-flip`, `ssb-acted` when the player, not the board by itself, has moved or
 * taken back, `ssb-present` when they are done with the earlier position that advice shows `alone`.
 */
export class Board extends LitElement {
  static styles = style;
  static properties = {
    state: { attribute: false },
    layout: { attribute: false },
    prefs: { attribute: false },
    last: { attribute: false },
    retried: { attribute: false },
    advice: { attribute: false },
    since: { attribute: false },
    t: { attribute: false },
    lang: { type: String },
  };

  /** What `frame` was made of. @type {unknown[]} */ #measures = [];

  constructor() {
    super();
    /** @type {State | null} */ this.state = null;
    /** @type {Layout | null} */ this.layout = null;
    /** @type {Partial<Prefs>} */ this.prefs = {};
    /** The play before, so that it can be shown. @type {import("./types.js").Last | null} */
    this.last = null;
    /** Whether the dice that lie are played once more, since a play was taken back. */
    this.retried = false;
    /** In which turn the captives were taken, by place. @type {ReadonlyMap<number, number>} */
    this.since = new Map();
    /** Says a msgid of `WORDS` in the reader's language. @type {import("./types.js").Translate} */
    this.t = untranslated;
    this.lang = "en";
    /** Milliseconds in which a place keeps its meaning: a tap meant for a move must not roll. */
    this.guard = 400;
    /** @type {import("./geometry.js").Shape} */
    this.shape = "wide";
    /** What the tutor shows, for as long as it is given. @type {Advice | null} */
    this.advice = null;
    this.forced = matchMedia("(forced-colors: active)");
    /** What `preferences` says until the board is drawn anew: each checker asks for it. @type {Prefs | null} */
    this.chosen = null;
    this.onForced = () => this.requestUpdate();
    /** Whether one of the board's buttons had the keyboard before it was drawn anew. */
    this.focused = false;
    this.controller = new TurnController(this);
    this.hitTargets = new HitTargets(this);
    this.size = new ResizeObserver(([entry]) => this.#measure(entry.contentRect.width));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#measure(this.clientWidth || innerWidth);
    this.size.observe(this);
    this.forced.addEventListener("change", this.onForced);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.size.disconnect();
    this.forced.removeEventListener("change", this.onForced);
    this.controller.stop();
  }

  /** @param {number} width  CSS pixels */
  #measure(width) {
    const shape = shapeOf(getComputedStyle(this).getPropertyValue("--board").trim(), width);
    if (shape === this.shape) return;
    this.shape = shape;
    this.requestUpdate();
  }

  // Called by the page

  /** The position with the hops of the turn in progress. @returns {import("./types.js").Board | null} */
  get position() {
    return this.controller.play?.board ?? this.state?.board ?? null;
  }

  /** Takes back the last hop, or all. @param {boolean} [all] */
  undo(all = false) {
    this.controller.undo(all);
  }

  /** Ends the turn, if it is whole. */
  confirm() {
    this.controller.confirm();
  }

  /** Lays the dice the other way round. */
  swap() {
    this.controller.swap();
  }

  /**
   * Shows that something was refused: the turn stands again as it can stand, the checker shakes.
   *
   * @param {number[][]} steps  what was tried @param {string} [text]  why not, to be announced
   */
  refuse(steps, text) {
    this.controller.refuse(steps, text);
  }

  /** Whether a play is being typed: then every key belongs to it. */
  get writing() {
    return this.hitTargets.written !== "";
  }

  /**
   * Whether a play that is typed may begin with this key now.
   * @param {string} key in lower case, as a Latin keyboard has it
   */
  begins(key) {
    return this.hitTargets.begins(key);
  }

  /** A key pressed elsewhere on the page, as if it had been pressed here. @param {KeyboardEvent} event */
  key(event) {
    this.hitTargets.keys.down(event);
  }

  /** Gives the keyboard to the board, and to none of its places. */
  takeKeys() {
    this.renderRoot.querySelector("svg")?.focus({ preventScroll: true });
  }

  /** Whether the board has the keyboard, and none of its places. */
  get rests() {
    return this.shadowRoot?.activeElement?.localName === "svg";
  }

  // Shared by the board's parts

  /** @returns {Prefs} */
  get preferences() {
    // With forced colours the black-and-white board is shown.
    const forced = /** @type {const} */ ({ material: "paper" });
    this.chosen ??= { ...DEFAULTS, ...this.prefs, ...(this.forced.matches ? forced : {}) };
    return this.chosen;
  }

  /** Whose board this is: the viewer's side, or White's for those who only watch. @returns {Side} */
  get viewer() {
    return this.state?.you[0] ?? "white";
  }

  /** The light or the dark set. @param {Side} side @returns {"w" | "b"} */
  toneOf = (side) => {
    const { colours } = this.preferences;
    if (colours === "given") return side === "white" ? "w" : "b";
    return (side === this.viewer) === (colours === "light") ? "w" : "b";
  };

  /**
   * The set that a side's dice are of: with one pair for both they are the light ones.
   * @param {Side} side
   * @returns {import("./pieces.js").Tone}
   */
  diceTone(side) {
    return this.state?.card?.one_pair ? "w" : this.toneOf(side);
  }

  get describe() {
    return new Describer(this.t, this.toneOf);
  }

  /** @param {string} type @param {object} [detail] */
  emit(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    this.chosen = null;
    this.focused = this.hitTargets.focus.here;
    const { material } = this.preferences;
    if (this.getAttribute("material") !== material) this.setAttribute("material", material);
    if (!this.layout) return;
    const { home, mine, seating } = this.preferences;
    const measures = [this.layout, this.viewer, home, mine, seating, this.shape];
    // The same one while nothing of it changes: what is drawn for it need not be drawn again.
    if (!measures.every((each, i) => each === this.#measures[i])) {
      this.#measures = measures;
      this.frame = new Frame(this.layout, this.viewer, { home, mine, seating }, this.shape);
    }
    if (changed.has("state") || changed.has("layout")) {
      this.controller.receive(/** @type {State | null} */ (changed.get("state") ?? null));
    }
  }

  firstUpdated() {
    // Not on the picture: one that listens for it becomes a stop of the Tab key itself.
    this.renderRoot.addEventListener("focusin", this.hitTargets.focused);
  }

  updated() {
    if (this.focused) this.hitTargets.focus.keep();
    this.controller.afterDrawing();
  }

  render() {
    const { frame, layout } = this;
    if (!frame || !layout) return nothing;
    const { material } = this.preferences;
    return html` <svg
        viewBox="0 0 ${frame.width} ${frame.height}"
        role="group"
        tabindex="-1"
        aria-label=${this.t(WORDS.board)}
        class=${this.controller.play ? "live" : ""}
        lang=${this.lang}
        @pointerdown=${this.hitTargets.pointer.down}
        @pointermove=${this.hitTargets.pointer.move}
        @pointerup=${this.hitTargets.pointer.up}
        @pointercancel=${this.hitTargets.pointer.cancel}
        @pointerleave=${this.hitTargets.pointer.leave}
        @contextmenu=${this.hitTargets.noMenu}
        @keydown=${this.hitTargets.keys.down}
        @click=${this.hitTargets.clicked}
      >
        ${guard(
          [material, this.shape, layout, this.viewer, frame.flipX, frame.flipY],
          () => svg`<defs>${definitions(frame.barX)}${checkerShapes(material, frame.m.r)}</defs>
            <g aria-hidden="true">${boardFrame(frame, material)}</g>`,
        )}
        <g aria-hidden="true">${this.#moving(frame)}</g>
        <rect class="surface" aria-hidden="true" width=${frame.width} height=${frame.height} />
        ${this.hitTargets.focus.render(frame)}
      </svg>
      ${
        this.hitTargets.written
          ? html`<output class="written" aria-hidden="true">${this.hitTargets.written}</output>`
          : nothing
      }
      <div class="spoken" aria-live="polite" lang=${this.lang}>${this.controller.spoken}</div>`;
  }

  /** @param {Frame} frame */
  #moving(frame) {
    const { controller } = this;
    // Arrows that were asked for stand over the position they are about, and nothing else does.
    const past = this.advice?.alone ? this.advice.board : null;
    if (past && this.advice) return this.#pastPosition(frame, past, this.advice);
    const board = controller.animator.board ?? emptyBoard();
    const mover = controller.mover;
    const destinations = controller.destinations;
    const lifted =
      controller.selected !== null && mover ? { side: mover, number: controller.selected } : null;
    const dragging = controller.drag !== null;
    // Arrows of one kind at a time: overlapping ones are unreadable.
    const advice = this.#advised;
    // Two at one board each count from their own side.
    const turning = this.preferences.numbers === "roll" || this.state?.you.length === 2;
    const counter = (turning && this.state?.on_roll) || this.viewer;
    const counters = turning ? SIDES : [counter];
    return svg`
      ${controller.hover !== null ? tint(frame, controller.hover, this.preferences.material === "wood") : nothing}
      <g class="last ${lifted ? "faded" : ""}">${advice ? nothing : this.#lastMove(frame, board)}</g>
      ${
        this.preferences.numbers === "off"
          ? nothing
          : numbers(frame, counters, counter, {
              lit: this.#lit(mover, destinations),
              open: new Set(
                mover
                  ? [...controller.open]
                      .filter((n) => n > OFF && n < HAND)
                      .map((n) => placeOf(frame.layout, mover, n))
                  : [],
              ),
              both: frame.layout.movement === "parallel",
            })
      }
      <g class="piles">${checkers(frame, board, this.toneOf, {
        held: controller.held,
        lifted: dragging ? null : lifted,
        ghost: dragging ? lifted : null,
      })}</g>
      ${heads(frame, board, mover, (number) => controller.play?.turn.mostFrom(number) ?? 0)}
      ${mover ? heapsOpen(frame, board, mover, controller.open) : nothing}
      ${lifted && !dragging ? picked(frame, board, lifted) : nothing}
      ${mover ? targets(frame, board, mover, destinations) : nothing}
      ${lifted && !dragging ? hits(frame, board, lifted.side, lifted.number, destinations) : nothing}
      ${controller.refusal ? this.#refusal(frame, board, controller.refusal) : nothing}
      ${advice ? svg`<g class="advice">${adviceArrows(frame, advice, board)}</g>` : nothing}
      ${this.#cubeAndDice(frame)}
      ${controller.animator.flights.map(
        (flight) =>
          svg`<g class="flight">${checker(frame, this.toneOf(flight.side), flight.to, { lifted: true })}</g>`,
      )}
      ${
        controller.drag && mover
          ? svg`<g class="drag" transform="translate(${controller.drag.x} ${controller.drag.y})">
            ${checker(frame, this.toneOf(mover), { x: 0, y: 0 }, { lifted: true })}</g>`
          : nothing
      }`;
  }

  /**
   * An earlier position with its throw and the arrows of what was played in it.
   * @param {Frame} frame
   * @param {import("./types.js").Board} board
   * @param {Advice} advice
   */
  #pastPosition(frame, board, advice) {
    const dice = advice.dice ? [pastDice(advice.side, advice.dice)] : [];
    return svg` ${
      this.preferences.numbers === "off"
        ? nothing
        : numbers(frame, [this.viewer], this.viewer, {
            lit: new Map(),
            open: new Set(),
            both: frame.layout.movement === "parallel",
          })
    }
      <g class="piles past">${checkers(frame, board, this.toneOf, { held: [], lifted: null, ghost: null })}</g>
      <g class="advice">${adviceArrows(frame, advice, board)}</g>
      ${dice.map(
        (each) =>
          svg`<g class="dice">
            ${dicePair(frame, frame.dice(each.side), { ...each, tone: this.diceTone(each.side) })}
          </g>`,
      )}`;
  }

  /**
   * The checker that may not go, which shakes its head.
   * @param {Frame} frame
   * @param {import("./types.js").Board} board
   * @param {{ side: Side, number: number }} refusal
   */
  #refusal(frame, board, { side, number }) {
    const at = restOf(frame, board, side, number);
    return svg`<g class="refusal">${checker(frame, this.toneOf(side), at)}${refused(frame, at)}</g>`;
  }

  /** @param {Side | null} mover @param {Map<number, { far: boolean, takes: boolean }>} destinations */
  #lit(mover, destinations) {
    /** @type {Map<number, "target" | "takes">} */ const lit = new Map();
    const { layout, controller } = this;
    if (!mover || !layout) return lit;
    for (const [number, { takes }] of destinations) {
      if (number > OFF && number < HAND) lit.set(placeOf(layout, mover, number), takes ? "takes" : "target");
    }
    if (controller.selected !== null && controller.selected < HAND)
      lit.set(placeOf(layout, mover, controller.selected), "target");
    return lit;
  }

  /** @param {Frame} frame @param {import("./types.js").Board} board */
  #lastMove(frame, board) {
    const { last, controller } = this;
    if (!last?.play || controller.animator.flights.length || controller.play?.turn.path.length)
      return nothing;
    return lastMove(frame, board, last.side, parsePlay(last.play) ?? []);
  }

  /** The advice to be drawn now: none over a checker in hand, nor over a position it was not meant for. */
  get #advised() {
    const { advice, controller } = this;
    if (!advice || controller.selected !== null) return null;
    return advice.board || !(controller.play?.turn.path.length || controller.animator.flights.length)
      ? advice
      : null;
  }

  /** @param {Frame} frame */
  #cubeAndDice(frame) {
    const { state, controller } = this;
    if (!state) return nothing;
    const offered = state.cube.offered !== null && state.cube.by !== null;
    const by = state.cube.by ?? "white";
    const cubeAt = offered ? frame.dice(other(by)) : frame.cube(state.cube.owner);
    const dice = controller.dice ? [controller.dice] : openingDice(this);
    return svg` ${dice.map(
      (each) =>
        svg`<g class="dice">${dicePair(frame, frame.dice(each.side), { ...each, tone: this.diceTone(each.side) })}</g>`,
    )}
      ${
        offered
          ? svg`<rect class="dimmed" width=${frame.width} height=${frame.height} rx=${frame.narrow ? 0 : 26} />`
          : nothing
      }
      ${
        state.cube.in_play
          ? cube(frame, cubeAt, offered ? Number(state.cube.offered) : state.cube.value, offered)
          : nothing
      }
      ${this.hitTargets.doubling ? cubeLight(frame, cubeAt) : nothing}`;
  }
}

customElements.define("ssb-board", Board);
