/** The frame around a board, and the way through its places, moments or decisions, by keys, buttons and list. */

import { t } from "../i18n/i18n.js";
import { BoardView } from "./board-view.js";
import { icon } from "./icons.js";
import { settings } from "./settings.js";
import { html, nothing, states } from "./view.js";

/**
 * The board with what stands above and below it, and beside it what is to be said.
 * @param {string} kind its class
 * @param {{head?: unknown, board: unknown, below?: unknown, told: unknown, foot?: unknown}} parts
 */
export const boardFrame = (kind, { head = nothing, board, below = nothing, told, foot = nothing }) =>
  html`<div class="review ${kind}">
    <div class="seen">${head}${board}${below}</div>
    <div class="told">${told}</div>
    ${foot}
  </div>`;

/** How far a key goes; the ends are further than any number of places. */
const KEYS = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowUp: -1e6,
  ArrowDown: 1e6,
  Home: -1e6,
  End: 1e6,
});

export class StepView extends BoardView {
  static properties = states("at");

  constructor() {
    super();
    /** The place that is shown, from 0. */
    this.at = 0;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onKey);
  }

  /** How many places there are to go through; 0 where the board has one alone, or is being played on. */
  get places() {
    return 0;
  }

  /** Show a place; before the first and after the last the nearest. @param {number} at @returns {unknown} */
  go(at) {
    this.at = Math.max(0, Math.min(this.places - 1, at));
    return this.updateComplete.then(() => this.showCurrent());
  }

  /** Scroll the list of places, and nothing else, to the one that is shown. */
  showCurrent() {
    const current = this.querySelector(".places [aria-current]");
    const list = current?.closest(".places");
    if (!list || !current) return;
    const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = KEYS[event.key];
    if (step === undefined || !this.places || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    void this.go(this.at + step);
  }

  /** Buttons to step, in the order of the board in every language. @param {boolean} [ends] to both ends too */
  stepButtons(ends = true) {
    const { at, places } = this;
    const step = (
      /** @type {"first" | "back" | "forward" | "last"} */ drawing,
      /** @type {string} */ text,
      /** @type {number} */ to,
    ) =>
      html`<button class="icon" aria-label=${text} title=${text} @click=${() => void this.go(to)}>
        ${icon(drawing)}
      </button>`;
    return html`<span class="steps" dir="ltr">
      ${ends ? step("first", t("To the beginning"), 0) : nothing}
      ${step("back", t("Back"), at - 1)}${step("forward", t("Forward"), at + 1)}
      ${ends ? step("last", t("To the end"), places - 1) : nothing}
    </span>`;
  }

  /** Turn the board of a game. @param {string} game */
  turnButton(game) {
    const text = t("Turn the board");
    return html`<button class="icon" aria-label=${text} title=${text} @click=${() => settings.turn(game)}>
      ${icon("flip")}
    </button>`;
  }
}
