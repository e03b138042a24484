/** The board of the analysis: shown as everywhere, with a layer over it by which checkers are put up by hand. */

import { Pointer } from "../../board/pointer.js";
import { other, SIDES } from "../../board/types.js";
import { Describer } from "../../board/words.js";
import { t, words } from "../../i18n/i18n.js";
import { html, LitElement, nothing, svg } from "../../vendor/lit.js";
import { boardElement } from "../board-view.js";
import { settings } from "../settings.js";
import { states } from "../view.js";
import { carried, countOn, holder, placed, tapped } from "./editing.js";

/**
 * @typedef {import("./editing.js").Board} Board
 * @typedef {import("./editing.js").Side} Side
 * @typedef {import("./editing.js").Spot} Spot
 */

/** Says `ssb-edited` {board} when a hand has changed something. */
class BoardEditor extends LitElement {
  static properties = {
    state: { attribute: false },
    layout: { attribute: false },
    advice: { attribute: false },
    tool: { attribute: false },
    editing: { type: Boolean },
    ...states("at", "held"),
  };

  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {import("../../board/types.js").Layout | null} */
    this.layout = null;
    /** @type {import("../../board/board.js").Advice | null} */
    this.advice = null;
    /** @type {import("./editing.js").Tool} */
    this.tool = "white";
    this.editing = true;
    /** The point that the Tab key comes to. */
    this.at = 24;
    /** The checker in hand. @type {{ side: Side, from: Spot, x: number, y: number } | null} */
    this.held = null;
    /** The measures that the layer was drawn by. */
    this.shape = "";
    this.sizes = new ResizeObserver(() => setTimeout(() => this.measure()));
    this.pointer = new Pointer(
      {
        spotAt: (x, y) => this.frame?.spot(x, y) ?? { kind: "none" },
        tapped: (spot, how) => this.tap(spot, how.other),
        grab: (spot) => this.grab(spot),
        dragged: (x, y) => {
          if (this.held) this.held = { ...this.held, x, y };
        },
        dropped: (spot) => this.drop(spot),
        cancelled: () => {
          this.held = null;
        },
        swiped: () => {},
        hovered: () => {},
      },
      () => /** @type {Element} */ (this.querySelector(".layer")).getBoundingClientRect(),
      () => this.frame?.width ?? 1,
    );
  }

  createRenderRoot() {
    return this;
  }

  /** The element that draws. @returns {import("../../board/board.js").Board | null} */
  get board() {
    return this.querySelector("ssb-board");
  }

  get frame() {
    return this.board?.frame ?? null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  updated() {
    // The layer covers the drawing, whose size is available only after it was drawn.
    void this.board?.updateComplete.then(() => this.measure());
  }

  /** Draw the layer again when the size of the board has changed. */
  measure() {
    const { frame, board } = this;
    if (!frame || !board) return;
    const shape = [frame.width, frame.height, frame.flipX, frame.flipY, board.viewer].join();
    if (shape === this.shape) return;
    this.shape = shape;
    this.requestUpdate();
  }

  /** @param {Board} board */
  changed(board) {
    if (board !== this.state.board)
      this.dispatchEvent(new CustomEvent("ssb-edited", { detail: { board }, bubbles: true }));
  }

  /** @param {Spot} spot @param {boolean} [second]  the other side's checker is meant */
  tap(spot, second = false) {
    if (!this.layout) return;
    const tool = second && this.tool !== "pin" && this.tool !== "none" ? other(this.tool) : this.tool;
    this.changed(tapped(this.state.board, this.layout, spot, tool));
  }

  /** @param {Spot} spot */
  grab(spot) {
    const { board } = this.state;
    /** @type {Side | undefined} */
    const side =
      spot.kind === "point"
        ? (holder(board, spot.place) ?? undefined)
        : SIDES.find((each) => countOn(board, spot, each) > 0);
    if (!side) return false;
    this.held = { side, from: spot, x: -100, y: -100 };
    return true;
  }

  /** @param {Spot} spot */
  drop(spot) {
    const { held, layout } = this;
    this.held = null;
    if (held && layout) this.changed(carried(this.state.board, layout, held.from, spot, held.side));
  }

  /** @param {KeyboardEvent} event @param {Spot} spot */
  key(event, spot) {
    const { layout, frame } = this;
    if (!layout || !frame || event.altKey || event.ctrlKey || event.metaKey) return;
    const { board } = this.state;
    const side =
      this.tool === "black" || this.tool === "white"
        ? this.tool
        : spot.kind === "point"
          ? (holder(board, spot.place) ?? "white")
          : "white";
    const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    if (event.key === "Enter" || event.key === " ") this.tap(spot);
    else if (event.key === "+")
      this.changed(placed(board, layout, spot, side, countOn(board, spot, side) + 1));
    else if (event.key === "-" || event.key === "Delete" || event.key === "Backspace")
      this.changed(tapped(board, layout, spot, "none"));
    else if (digit !== null) this.changed(placed(board, layout, spot, side, digit));
    else if (spot.kind !== "point" || !this.walk(event.key, spot.place)) return;
    event.preventDefault();
  }

  /** @param {string} key @param {number} place */
  walk(key, place) {
    const { frame } = this;
    if (!frame) return false;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
    if (!step && key !== "ArrowUp" && key !== "ArrowDown") return false;
    const here = frame.cell(place);
    const dir = step ? here.dir : key === "ArrowUp" ? 1 : -1;
    const next = Array.from({ length: 24 }, (_, i) => i + 1).find((each) => {
      const cell = frame.cell(each);
      return cell.dir === dir && cell.column === here.column + step;
    });
    /** @type {SVGElement | null} */ (this.querySelector(`[data-place="${next}"]`))?.focus();
    return true;
  }

  keys() {
    const { frame, layout, board } = this;
    if (!frame || !layout || !board) return nothing;
    const describe = new Describer(t, board.toneOf);
    const { viewer } = board;
    const shown = this.state.board;
    /** @type {(label: string, spot: Spot, box: number[], place?: number) => unknown} */
    const key = (label, spot, [x, y, w, h], place) =>
      svg`<rect
        class="key"
        role="button"
        aria-label=${label}
        data-place=${place ?? nothing}
        tabindex=${place === undefined || place === this.at ? 0 : -1}
        x=${x}
        y=${y}
        width=${w}
        height=${h}
        rx="8"
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.key(event, spot)}
        @focus=${() => {
          if (place !== undefined) this.at = place;
        }}
      ></rect>`;
    const { m } = frame;
    const points = shown.points.map((/** @type {unknown} */ _, /** @type {number} */ i) => {
      const { x, base, dir } = frame.cell(i + 1);
      const label = describe.point(shown, layout, viewer, i + 1);
      const box = [x - 48, dir > 0 ? base : base - m.length, 96, m.length];
      return key(label, { kind: "point", place: i + 1 }, box, i + 1);
    });
    const onBar = (/** @type {Side} */ side) => `${describe.colour(side)} ${words().figure(shown.bar[side])}`;
    const bar = layout.bar
      ? key(`${t("bar")}: ${SIDES.map(onBar).join(", ")}`, { kind: "bar" }, [
          frame.barX - m.bar / 2,
          m.rimY,
          m.bar,
          2 * m.half,
        ])
      : nothing;
    const hands = layout.hand
      ? SIDES.map((side) => {
          const { x, y, width, height } = frame.tray(side, "hand");
          return key(
            `${t("hand")}: ${describe.colour(side)} ${words().figure(shown.hand[side])}`,
            { kind: "hand", side },
            [x, y, width, height],
          );
        })
      : nothing;
    const held = this.held;
    return svg`${points}${bar}${hands}${
      held && held.x > 0
        ? svg`<circle
          cx=${held.x}
          cy=${held.y}
          r=${m.r}
          fill="var(--${board.toneOf(held.side)}-1)"
          stroke="var(--${board.toneOf(held.side)}-edge)"
          stroke-width="4"
        ></circle>`
        : nothing
    }`;
  }

  render() {
    const { state, layout, frame, pointer } = this;
    if (!state || !layout) return nothing;
    const game = state.card?.game ?? "";
    return html`${boardElement({
      game,
      layout,
      state,
      prefs: { numbers: "viewer" },
      advice: this.advice,
      inert: this.editing,
    })}
      ${
        frame && this.editing
          ? html`<svg
            class="layer"
            viewBox="0 0 ${frame.width} ${frame.height}"
            role="group"
            aria-label=${t("Checkers, to be changed")}
            data-material=${settings.prefs.material}
            @pointerdown=${pointer.down}
            @pointermove=${pointer.move}
            @pointerup=${pointer.up}
            @pointercancel=${pointer.cancel}
            @contextmenu=${(/** @type {Event} */ event) => event.preventDefault()}
          >${this.keys()}</svg>`
          : nothing
      }`;
  }
}

customElements.define("ssb-board-editor", BoardEditor);

/**
 * What a tap puts down.
 *
 * @param {import("../../board/types.js").Layout} layout @param {import("./editing.js").Tool} chosen
 * @param {(tool: import("./editing.js").Tool) => void} choose
 */
export function toolField({ pins }, chosen, choose) {
  /** @type {[import("./editing.js").Tool, string][]} */
  const tools = [
    ["white", t("White")],
    ["black", t("Black")],
    ...(pins ? [/** @type {["pin", string]} */ (["pin", t("Captive")])] : []),
    ["none", t("Remove")],
  ];
  return html`<div class="segments" role="radiogroup" aria-label=${t("A tap puts down")}>
    ${tools.map(
      ([tool, name]) =>
        html`<label><input type="radio" name="tool" .checked=${chosen === tool} @change=${() => choose(tool)}><span>${
          tool === "white" || tool === "black" ? html`<i class="disc ${tool}"></i> ` : nothing
        }${name}</span></label>`,
    )}
  </div>`;
}
