/** What all views have in common: Lit in the page's own tree, so that one stylesheet serves all. */

import { t, words } from "../i18n/i18n.js";
import { html, LitElement, nothing } from "../vendor/lit.js";
import { ApiError } from "./api.js";

/**
 * @typedef {import("./router.js").Place} Place
 * @typedef {import("./app.js").App} App
 */

export class View extends LitElement {
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
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    this.app.toast(copied ? t("Copied") : text);
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

/** Settled when the browser has nothing else to do; not every one says so: then when it has done what is due. */
export const idle = () =>
  new Promise((done) => ("requestIdleCallback" in globalThis ? requestIdleCallback(done) : setTimeout(done)));

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

/**
 * Notation, which is written from left to right in every language.
 * @param {unknown} text
 */
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
 * A number with three places, as equities are written.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export const thousandths = (value, options) =>
  new Intl.NumberFormat(words().locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
    ...options,
  }).format(value);

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
 * A name chosen by a player.
 * @param {string} name
 */
export const named = (name) => html`<bdi>${name}</bdi>`;

export { html, nothing };
