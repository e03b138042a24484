/** The panel beside the board of a table: its head, tabs, what they show; and the line of what is to be done. */
import { t, words } from "../../i18n/i18n.js";
import { icon } from "../icons.js";
import { html, nothing } from "../view.js";
import { withKey } from "./actions.js";

/**
 * A button that is a picture.
 * @param {Parameters<typeof icon>[0]} drawing
 * @param {string} text
 * @param {() => void} act
 * @param {{keys?: string, title?: string, pressed?: boolean}} how `keys` that do the same; another `title`
 */
export const pictured = (drawing, text, act, { keys, title = keys ? withKey(text, keys) : text, pressed }) =>
  html`<button
    class="icon"
    aria-label=${text}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    title=${title}
    @click=${act}
  >${icon(drawing)}</button>`;

/** @param {{title: string, meta: string, badges?: unknown, buttons?: unknown}} head */
const headOf = ({ title, meta, badges = nothing, buttons = nothing }) => {
  const home = t("Home");
  return html`<div class="head">
    <a class="icon button way-home" href="/" aria-label=${home} title=${home}>${icon("home")}</a>
    <div class="titles"><h1>${title}</h1><p class="meta">${meta}</p>${badges}</div>
    ${buttons}
  </div>`;
};

/**
 * What stands in the panel, or the chat.
 * @param {string} open
 * @param {number} unread
 * @param {(tab: string) => void} turn
 * @param {[string, string]} first the other tab and its label
 */
function tabs(open, unread, turn, [first, label]) {
  const news = open !== "chat" && unread ? ` (${words().figure(unread)})` : "";
  const tab = (/** @type {string} */ name, /** @type {string} */ text) =>
    html`<button role="tab" aria-selected=${open === name} @click=${() => turn(name)}>${text}</button>`;
  return html`<div class="tabs" role="tablist">${tab(first, label)}${tab("chat", `${t("Chat")}${news}`)}</div>`;
}

/**
 * @param {object} what
 * @param {Parameters<typeof headOf>[0]} what.head
 * @param {string} what.tab the open one
 * @param {[string, string]} what.first the tab beside the chat and its label
 * @param {boolean} what.chats whether there is a chat
 * @param {number} what.unread
 * @param {(tab: string) => void} what.turn
 * @param {unknown} what.content of the open tab
 * @param {unknown} [what.details] the words behind the line, where they are shown
 */
export function panel({ head, tab, first, chats, unread, turn, content, details }) {
  const label = tab === "chat" ? t("Chat") : first[1];
  return html`<section class="sheet" aria-label=${t("Game")}>
    ${headOf(head)}
    ${chats ? tabs(tab, unread, turn, first) : nothing}
    <div class="turns">
      <div class="scroll ${tab === "sheet" ? "" : tab}" tabindex="0" role="region" aria-label=${label}>${content}</div>
    </div>
    <div class="detail" id="detail" ?hidden=${!details} tabindex="0" role="region" aria-label=${t("Details")}>
      ${details ?? nothing}
    </div>
  </section>`;
}

/**
 * What is to be done, and below it why something is not, or what the tutor says: two lines that keep their place.
 * @param {object} what
 * @param {unknown} what.title
 * @param {unknown} [what.below]
 * @param {string} [what.reason] why something was refused
 * @param {unknown} [what.notice] what is said where nothing was
 * @param {boolean} [what.quiet] whether a screen reader hears it from the board
 * @param {{opened: boolean, toggle: () => void} | null} [what.unfold] the words behind it
 */
export function saying({ title, below, reason, notice, quiet = false, unfold = null }) {
  const line = reason
    ? html`<p class="reason" role="alert">${reason}</p>`
    : notice
      ? html`<p class="told" title=${typeof notice === "string" ? notice : nothing}>${notice}</p>`
      : null;
  return html`<div class="say ${line ? "two" : ""}">
    <div class="words" aria-live="polite">
      <div class="status" aria-live=${quiet ? "off" : nothing}>
        <b>${title}</b>${below ? html` <p>${below}</p>` : nothing}
      </div>
      ${line ?? nothing}
    </div>
    ${unfold ? unfolding(unfold) : nothing}
  </div>`;
}

/** @param {{opened: boolean, toggle: () => void}} what */
const unfolding = ({ opened, toggle }) =>
  html`<button
    class="unfold"
    aria-expanded=${String(opened)}
    aria-controls="detail"
    aria-label=${t("Details")}
    title=${t("Details")}
    @click=${toggle}
  >${icon("open")}</button>`;

/** Gives the keyboard that a button of the bar has lost to the board, and back to the primary action after keys. */
export class BarFocus {
  #held = false;
  #byKeys = false;
  /** Whether the button is not in a dialog. */
  #below = false;

  /** @param {ParentNode & { board: import("../../board/board.js").Board | null }} view */
  constructor(view) {
    this.view = view;
  }

  /** Something has got the keyboard, or was pressed with a pointer. @param {Event} event */
  notice = ({ type, target }) => {
    const { board } = this.view;
    if (type === "focusin" && target === board && board?.rests) return;
    const button = target instanceof Element ? target.closest(".actions > button") : null;
    this.#held = button !== null;
    this.#below = button?.closest("dialog") === null;
    this.#byKeys = type === "focusin" && Boolean(button?.matches(":focus-visible"));
  };

  /** The bar was drawn anew. */
  follow() {
    const { activeElement: at, body } = document;
    const { board } = this.view;
    if (!this.#held || !(at === body || at?.matches(":disabled") || board?.rests)) return;
    const primary = this.view.querySelector(".actions > .pri:not([disabled])");
    if (primary instanceof HTMLElement && this.#byKeys) primary.focus({ preventScroll: true });
    else if (this.#below && !board?.rests) board?.takeKeys();
  }
}

/** Keeps lists scrolled to their newest row. */
export class StickToBottom {
  /** How long each list was when it was last looked at. @type {Record<string, number>} */
  #lengths = {};

  /** @param {ParentNode} view */
  constructor(view) {
    this.view = view;
  }

  /** Every list is to be followed anew. */
  forget() {
    this.#lengths = {};
  }

  /** Scroll a list to its end if it has grown. @param {string} list  its selector @param {number} length */
  follow(list, length) {
    if (this.#lengths[list] === length) return;
    this.#lengths[list] = length;
    // Just before the frame is laid out: here it would be laid out once more, since the board is not drawn yet.
    requestAnimationFrame(() => {
      const element = this.view.querySelector(list);
      if (element) element.scrollTop = element.scrollHeight;
    });
  }
}
