/** The modal dialog of a view, over a page that is not touched by it. */
import { seen } from "./view.js";

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";

/**
 * What `showModal` does for a dialog, at the price of the dialog alone. That makes all behind it inert, which is a
 * matter of style: a browser computes anew the style of every element of the page, of a board hundreds, when the dialog
 * opens and when it closes. Here the dialog stands in a popover that covers the window, so nothing behind it can be
 * pressed; the keyboard is kept in it, and what is behind is hidden from screen readers.
 *
 * Browsers without popovers (Safari before 17, Firefox before 125) are given `showModal` itself.
 *
 * The view renders `<div class="scrim" popover><dialog aria-modal="true" open>`, without `popover` and `open` where
 * `hasPopovers` is false, and calls `follow` after each drawing and
 * `release` when it leaves the page, and gives the popover's `beforetoggle` to `toggled`. Escape and a telephone's
 * gesture for going back close a popover by themselves: the view is notified by the popover's `toggle`, or by the
 * dialog's `close`.
 */
export class Modal {
  /** What was hidden from screen readers. @type {Element[]} */
  #behind = [];
  /** @type {HTMLElement | null} */
  #scrim = null;
  #wanted = false;
  #opening = false;

  /** @param {ParentNode} view */
  constructor(view) {
    this.view = view;
    this.hasPopovers = "popover" in HTMLElement.prototype;
  }

  /** The dialog is to be shown, or not. @param {boolean} shown */
  follow(shown) {
    if (!this.hasPopovers) return this.#followDialog(shown);
    const scrim = /** @type {HTMLElement | null} */ (this.view.querySelector(".scrim"));
    const open = scrim?.matches(":popover-open");
    this.#wanted = shown;
    // Taken from the page while it was open: then no event reports it.
    if (!scrim) this.release();
    else if (open && !shown) scrim.hidePopover();
    else if (shown && !open) void this.#open(scrim);
    else if (open && !scrim.contains(document.activeElement)) this.#first();
  }

  /** The same by `showModal`, which keeps the keyboard and hides what is behind. @param {boolean} shown */
  #followDialog(shown) {
    const dialog = /** @type {HTMLDialogElement | null} */ (this.view.querySelector(".scrim > dialog"));
    if (dialog && shown !== dialog.open) dialog[shown ? "showModal" : "close"]();
  }

  /**
   * Show what was rendered just now, a frame later: writing it and laying it out are too much for one. Of a long text
   * half is laid out in one frame and half in the next, and seen then.
   * @param {HTMLElement} scrim
   */
  async #open(scrim) {
    if (this.#opening) return;
    this.#opening = true;
    await seen();
    this.#opening = false;
    if (!this.#wanted || !scrim.isConnected || scrim.matches(":popover-open")) return;
    scrim.classList.add("opening");
    scrim.showPopover();
    requestAnimationFrame(() => scrim.classList.remove("opening"));
    if (!scrim.contains(document.activeElement)) this.#first();
  }

  /** @param {ToggleEvent} event */
  toggled = (event) => {
    // Before the keyboard goes back to where it was: that must not be hidden any more.
    if (event.newState === "open") this.#keep(/** @type {HTMLElement} */ (event.currentTarget));
    else this.release();
  };

  /** @param {HTMLElement} scrim */
  #keep(scrim) {
    this.#scrim = scrim;
    for (let inner = /** @type {Element} */ (scrim); inner !== document.body; ) {
      const outer = /** @type {Element} */ (inner.parentElement);
      this.#behind.push(
        ...[...outer.children].filter((each) => each !== inner && !each.hasAttribute("aria-hidden")),
      );
      inner = outer;
    }
    for (const each of this.#behind) each.setAttribute("aria-hidden", "true");
    addEventListener("keydown", this.#keyed);
    addEventListener("focusin", this.#left);
  }

  /** Nothing is behind a dialog any more: the view leaves the page. */
  release() {
    for (const each of this.#behind) each.removeAttribute("aria-hidden");
    this.#behind = [];
    this.#scrim = null;
    removeEventListener("keydown", this.#keyed);
    removeEventListener("focusin", this.#left);
  }

  /** Where Tab stops, in order. */
  get #stops() {
    const all = /** @type {NodeListOf<HTMLElement>} */ (this.#scrim?.querySelectorAll(STOPS) ?? []);
    return [...all].filter(
      (each) => each.tabIndex >= 0 && !each.matches(":disabled") && each.getClientRects().length,
    );
  }

  #first() {
    const named = /** @type {HTMLElement | null | undefined} */ (this.#scrim?.querySelector("[autofocus]"));
    (named ?? this.#stops[0])?.focus();
  }

  /** From the last stop to the first, and back. @param {KeyboardEvent} event */
  #keyed = (event) => {
    const here = document.activeElement;
    // A dialog within this one keeps the keyboard itself.
    if (event.key !== "Tab" || here?.closest("dialog:modal")) return;
    const stops = this.#stops;
    const beyond = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const inside = here !== document.body && this.#scrim?.contains(here);
    if (inside && stops.some((each) => here && here.compareDocumentPosition(each) & beyond)) return;
    event.preventDefault();
    stops.at(event.shiftKey ? -1 : 0)?.focus();
  };

  /** The keyboard has come to something behind the dialog. @param {FocusEvent} event */
  #left = ({ target }) => {
    const inside =
      target instanceof Element && (this.#scrim?.contains(target) || target.closest("dialog:modal"));
    if (!inside) this.#first();
  };
}
