/** The menu of rarer actions above the bar. */

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
