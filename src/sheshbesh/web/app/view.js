/** What all views have in common: Lit in the page's own tree, so that one stylesheet serves all. */

import { t, widen, words } from "../i18n/i18n.js";
import { html, LitElement, nothing, repeat } from "../vendor/lit.js";
import { ApiError } from "./api.js";
import { guestName } from "./names.js";

/**
 * @typedef {import("./router.js").Place} Place
 * @typedef {import("./app.js").App} App
 */

/** Properties of an element that only the element sets, beside those of its parents. @param {...string} names */
export const states = (...names) => Object.fromEntries(names.map((name) => [name, { state: true }]));

export class View extends LitElement {
  /** @type {import("../vendor/lit.js").PropertyDeclarations} */
  static properties = { place: { attribute: false }, problem: { attribute: false } };

  constructor() {
    super();
    /** @type {Place} */
    this.place = { view: "", params: {}, query: new URLSearchParams() };
    /** @type {string} */
    this.problem = "";
    /** @type {App} */
    this.app = /** @type {App} */ (document.querySelector("ssb-app"));
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.fetch();
  }

  /** Get what is shown; called when the view comes to the page. */
  async fetch() {}

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  /**
   * Do something in a while, while the view is on the page, and nothing else that was to be done then.
   * @param {() => unknown} work
   * @param {number} ms
   */
  later(work, ms) {
    clearTimeout(this.#timer);
    if (this.isConnected) this.#timer = setTimeout(work, ms);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Settled when this view can be used: what can wait is fetched then. @returns {Promise<unknown>} */
  get usable() {
    return Promise.resolve();
  }

  /** The title of the document while this view is shown. */
  get heading() {
    return "";
  }

  /**
   * The language has changed. False where the view is to be made anew, which loses what it has not sent yet.
   * @returns {Promise<boolean>}
   */
  async languageChanged() {
    return false;
  }

  /**
   * Runs something that may fail; an error is shown to the player and false is returned.
   * @param {() => Promise<unknown>} work
   */
  async attempt(work) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.app.toast(error.message);
      return false;
    }
  }

  /**
   * A module of the view that is wanted only now, with the texts of such modules. Null where it cannot be loaded, which
   * is said; without their texts they speak English.
   * @template T
   * @param {Promise<T>} module
   * @returns {Promise<T | null>}
   */
  async loadPart(module) {
    try {
      const [found] = await Promise.all([module, widen(`${this.place.view}-later`).catch(() => {})]);
      return found;
    } catch {
      this.app.toast(t("This part of the page could not be loaded. Are you offline?"));
      return null;
    }
  }

  /**
   * Load what the view needs; what went wrong stands in `problem`.
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T | null>}
   */
  async load(promise) {
    try {
      const found = await promise;
      this.problem = "";
      return found;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
      return null;
    }
  }

  /** Copy a text; where that is not possible, show it. @param {string} text */
  async copy(text) {
    if (!(await this.copied(text, t("Copied")))) this.app.toast(text);
  }

  /** Copy a text and say so; false where that is not possible. @param {string} text @param {string} said */
  async copied(text, said) {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) this.app.toast(said);
    return Boolean(done);
  }

  /** A dialog that was drawn is opened. */
  updated() {
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  /** What stands where the content is not there yet, or will not come. */
  waiting() {
    if (!this.problem)
      return html`<div class="wait" aria-busy="true"><p>${t("One moment")}<span class="dots"></span></p></div>`;
    return failed(this.problem, () => this.app.again());
  }
}

/** What stands where the content did not come. @param {string} problem @param {() => void} again */
const failed = (problem, again) => html`<div class="wait" role="alert">
    <p>${problem}</p>
    <p><button @click=${again}>${t("Try again")}</button> <a class="button" href="/">${t("Home")}</a></p>
  </div>`;

/** The same where a connection cannot be opened. @param {() => void} again */
export const unreachable = (again) => failed(t("The server cannot be reached."), again);

/** The longest wait in ms for an idle browser: a page that moves all the time never is one. */
const LONGEST = 5000;

/** Settled when the browser has nothing else to do; not every one says so: then when it has done what is due. */
export const idle = () =>
  new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(done, { timeout: LONGEST });
    else setTimeout(done);
  });

/**
 * Something that can wait until what is shown now is there, on a slow connection too.
 * @param {() => void} work
 * @param {number} ms after everything has been loaded
 */
export function afterLoading(work, ms) {
  const later = () => setTimeout(() => void idle().then(work), ms);
  if (document.readyState === "complete") later();
  else addEventListener("load", later, { once: true });
}

/** Settled when what was drawn just now has been seen; at once on a page that is not in view. */
export const seen = () =>
  new Promise((done) => {
    if (document.hidden) setTimeout(done);
    else requestAnimationFrame(() => requestAnimationFrame(done));
  });

/** Notation, which is written from left to right in every language. @param {unknown} text */
export const ltr = (text) => html`<bdi dir="ltr">${text}</bdi>`;

/**
 * A choice between a few values: radio buttons in a row, or two in one where the `kind` says so.
 * @template {string | number | boolean | null} V
 * @param {string} name of the group
 * @param {string} legend
 * @param {V} chosen
 * @param {[V, unknown][]} values with their texts
 * @param {(value: V) => void} set
 * @param {{kind?: string, off?: boolean}} [how]
 */
export const radios = (name, legend, chosen, values, set, { kind = "", off = false } = {}) =>
  html`<fieldset class="field" ?disabled=${off}>
    <legend>${legend}</legend>
    <div class="segments ${kind}">
      ${values.map(
        ([value, text]) =>
          html`<label><input
            type="radio"
            name=${name}
            .checked=${value === chosen}
            @change=${() => set(value)}
          >${text}</label>`,
      )}
    </div>
  </fieldset>`;

/**
 * A table with a row of headings.
 * @param {unknown[]} heads
 * @param {unknown[][]} rows
 * @param {object} [how]
 * @param {string} [how.kind] its class
 * @param {number[]} [how.numbers] the columns of numbers
 * @param {boolean} [how.named] whether the first cell of a row says what the others are about
 * @param {(row: number) => string | undefined} [how.marked] the class of a row
 * @param {number} [how.current] the row that is shown elsewhere, or is the reader's own
 */
export function table(heads, rows, { kind, numbers = [], named = false, marked, current } = {}) {
  const num = (/** @type {number} */ i) => (numbers.includes(i) ? "num" : nothing);
  const cell = (/** @type {unknown} */ content, /** @type {number} */ i) =>
    named && !i ? html`<th scope="row">${content}</th>` : html`<td class=${num(i)}>${content}</td>`;
  return html`<table class=${kind ?? nothing}>
    <thead><tr>${heads.map((text, i) => html`<th scope="col" class=${num(i)}>${text}</th>`)}</tr></thead>
    <tbody>
      ${rows.map(
        (row, i) =>
          html`<tr class=${marked?.(i) ?? nothing} aria-current=${i === current ? "true" : nothing}>
            ${row.map(cell)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {number} value @param {number} places @param {Intl.NumberFormatOptions} [options] */
const rounded = (value, places, options) =>
  words().formatted(value, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    ...options,
  });

/** A number with one place, as error rates are written. @param {number} value */
export const tenths = (value) => rounded(value, 1);

/** A number with three places, as equities are written. @param {number} value */
export const thousandths = (value) => rounded(value, 3);

/** An equity with its sign, as text within a sentence. @param {number} equity */
export const signedText = (equity) => rounded(equity, 3, { signDisplay: "always" });

/** An equity with its sign. @param {number} equity */
export const signed = (equity) => ltr(signedText(equity));

/** A person by name, with the way to their page. @param {string} name */
export const personLink = (name) =>
  html`<a href="/u/${encodeURIComponent(name)}">${named(guestName(name))}</a>`;

/**
 * Dice, the larger first, in the digits of the page; a line does not break between them.
 * @param {readonly number[]} dice
 */
export const diceText = (dice) =>
  [...dice]
    .sort((a, b) => b - a)
    .map((die) => words().figure(die))
    .join("\u2011");

/**
 * What stands where a list has nothing yet: why, and where it goes on.
 * @param {string} text @param {...[string, string]} links  addresses with their words
 */
export const nothingYet = (text, ...links) => html`<div class="nothing-yet">
    <p>${text}</p>
    ${
      links.length
        ? html`<p class="row">${links.map(([href, words]) => html`<a class="button" href=${href}>${words}</a>`)}</p>`
        : nothing
    }
  </div>`;

/**
 * What is drawn of each in a list, which is the same element while its `id` is the same.
 * @template {{id: string}} T
 * @param {readonly T[]} list
 * @param {(each: T, i: number) => unknown} draw
 */
export const byId = (list, draw) => repeat(list, ({ id }) => id, draw);

/** What a fired event says. @param {EventTarget} from @param {string} name @param {(detail: any) => void} hear */
export const on = (from, name, hear) =>
  from.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));

/** A name chosen by a player. @param {string} name */
export const named = (name) => html`<bdi>${name}</bdi>`;

export { html, nothing };
