/** The bar of actions below the board, and the menu of rarer ones above it. */
import { t, tn, words } from "../../i18n/i18n.js";
import { keyed } from "../../vendor/lit.js";
import { icon } from "../icons.js";
import { html, nothing } from "../view.js";

/**
 * A button of the bar: where it leads (`href`) or what a press does (`act`). `first` is the one that stands out; `keys`
 * is its shortcut as `aria-keyshortcuts` has it; `title` explains more than the text does.
 * @typedef {{text: unknown, act?: () => void, href?: string, first?: boolean, off?: boolean, keys?: string,
 *   title?: string, pressed?: boolean}} Slot
 */

/** A text with the key that does the same. @param {string} text @param {string} key */
export const withKey = (text, key) => `${text} (${key})`;

/** What `Undo` leaves where there is nothing to take back. @returns {Slot} */
export const noSecond = () => ({ text: t("Undo"), off: true });

/** @param {Slot} slot */
const button = ({ text, act, href, first = false, off = false, keys, title, pressed }) => {
  const kind = `${first ? "pri" : "second"}${pressed === undefined ? "" : " ahead"}`;
  const shown = html`<span class="two-lines">${text}</span>`;
  const hint = title ?? (typeof text === "string" ? text : nothing);
  return href
    ? html`<a class="button ${kind}" href=${href}>${text}</a>`
    : html`<button
        class=${kind}
        title=${hint}
        aria-keyshortcuts=${keys ?? nothing}
        aria-pressed=${pressed === undefined ? nothing : String(pressed)}
        ?disabled=${off}
        @click=${act}
      >${shown}</button>`;
};

/** Throw one of the doubles that may be chosen. @param {(die: number) => void} choose */
export const doublePad = (choose) =>
  html`<div class="dicepad" role="group" aria-label=${t("Name your double")}>${[1, 2, 3, 4, 5, 6].map(
    (die) => html`<button title="${die}-${die}" @click=${() => choose(die)}>${die}</button>`,
  )}</div>`;

/**
 * The bar, always the same: the menu, a second action, the primary one. A slot without an action keeps its place. A
 * button whose action changes is made anew: a press that began on the one before does not count for it.
 * @param {{menu: boolean, toggle: () => void, unread: number, slots: Slot[] | unknown, steady: SteadyEntries,
 *   entries: () => Entry[]}} bar
 *   `slots`: the two actions, or what stands in their place; `entries`: those of the menu, as allowed now
 */
export function actionBar({ menu, toggle, unread, slots, steady, entries }) {
  const more = t("More");
  return html`<div class="actions" role="group" aria-label=${t("Actions")}>
    <button
      class="dots-button"
      aria-label=${more}
      title=${more}
      aria-expanded=${String(menu)}
      aria-controls="more"
      @click=${toggle}
    >${icon("more")}${unread ? unreadBadge(unread) : nothing}</button>
    ${Array.isArray(slots) ? slots.map((slot) => keyed(slot.title ?? slot.text, button(slot))) : slots}
    <div class="more" id="more" ?hidden=${!menu} @click=${toggle}>${menuButtons(steady.arrange(menu, entries))}</div>
  </div>`;
}

/** @param {number} unread */
const unreadBadge = (unread) =>
  html`<span class="unread" role="img" aria-label=${tn("{n} unread message", "{n} unread messages", unread)}>
    ${words().figure(unread)}
  </span>`;

/** @param {{entry: Entry, allowed: boolean}[]} entries of a menu that is open */
const menuButtons = (entries) =>
  entries.map(({ entry: { text, act, title = text, href, kind = "", download = false }, allowed }) =>
    href
      ? html`<a class=${`button ${kind}`} href=${href} ?download=${download}>${text}</a>`
      : html`<button class=${kind} title=${title} ?disabled=${!allowed} @click=${act}>${text}</button>`,
  );

/**
 * `act`: what a press does, or `href`: where it leads; `kind`: a CSS class.
 * @typedef {{text: string, act?: () => void, title?: string, href?: string, kind?: string, download?: boolean}} Entry
 */

/**
 * Entries that stay where they are while the menu is open. The position goes on meanwhile, and with it what is
 * allowed: an entry that moved would be pressed in place of another. One that is no longer allowed is disabled until
 * the menu is opened again, and new ones come last, which the style sheet puts on top of the others.
 */
export class SteadyEntries {
  constructor() {
    /** What is shown, by text, in order; null while the menu is closed. @type {Map<string, Entry> | null} */
    this.shown = null;
  }

  /**
   * @param {boolean} open
   * @param {() => Entry[]} entries what is allowed now
   * @returns {{entry: Entry, allowed: boolean}[]}
   */
  arrange(open, entries) {
    if (!open) {
      this.shown = null;
      return [];
    }
    const now = new Map(entries().map((entry) => [entry.text, entry]));
    this.shown = new Map([...(this.shown ?? []), ...now]);
    return [...this.shown].map(([text, entry]) => ({ entry, allowed: now.has(text) }));
  }
}
