/**
 * What a board does with keys. Points are named by the mover's own numbers.
 *
 * @typedef {object} Keyed
 * @property {() => void} go  roll or confirm
 * @property {(all: boolean) => void} undo
 * @property {(die: number) => void} pickDie
 * @property {() => void} swap
 * @property {() => void} double
 * @property {() => void} flip
 * @property {(by: { dx: number, dy: number }) => void} walk
 * @property {(backwards: boolean) => void} next  to the next place from which something can move
 * @property {(other: boolean) => void} press  the focused point, or what `go` does if none has the keyboard
 * @property {(key: string) => boolean} begins  whether a play may begin with this digit or letter now
 * @property {(text: string) => boolean} typed  a whole play; whether it could be read
 * @property {(text: string) => void} typing
 * @property {() => void} escape
 */

const ARROWS = /** @type {Record<string, { dx: number, dy: number }>} */ ({
  ArrowLeft: { dx: -1, dy: 0 },
  ArrowRight: { dx: 1, dy: 0 },
  ArrowUp: { dx: 0, dy: -1 },
  ArrowDown: { dx: 0, dy: 1 },
});

/**
 * The key as a Latin keyboard has it: Cyrillic, Persian and Arabic ones have letters of their own where
 * T, X or D are expected, digits of their own, and no slash beside the right shift.
 *
 * @param {Pick<KeyboardEvent, "key" | "code">} event
 */
export function latinKey({ key, code = "" }) {
  const native = "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩".indexOf(key);
  if (native >= 0) return String(native % 10);
  if (key === "؟") return "?";
  if (code === "Slash" && key === ".") return "/";
  const foreign = key.length <= 2 && !/[\u0020-\u007e]/.test(key);
  if (!foreign) return key;
  if (code === "Slash") return "/";
  return /^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? key;
}

/** How long a text that names no move yet waits for its next key, in milliseconds. */
const IDLE = 5000;

/** How long a lone digit may wait for a second key before it picks a die, in milliseconds. */
const DIGIT_WAIT = 550;

/** The keyboard of a board: single keys, and plays typed as they are written. */
export class Keys {
  /** What was typed of a play so far. */
  #text = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {Keyed} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {KeyboardEvent} event */
  down = (event) => {
    if (event.altKey || event.metaKey || (event.ctrlKey && event.key !== "Enter")) return;
    if (this.#handle(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  /** @param {KeyboardEvent} event @returns {boolean} */
  #handle(event) {
    const key = latinKey(event);
    if (this.#text) return this.#continue(key);
    if (ARROWS[key]) this.board.walk(ARROWS[key]);
    else if (key === " ") this.board.go();
    else if (key === "Enter") this.board.press(event.ctrlKey);
    else if (key === "Backspace" || key === "u" || key === "U") this.board.undo(event.shiftKey);
    else if (key === "s" || key === "S") this.board.swap();
    else if (key === "d" || key === "D") this.board.double();
    else if (key === "f" || key === "F") this.board.flip();
    else if (key === "n" || key === "N") this.board.next(event.shiftKey);
    else if (key === "Escape") this.board.escape();
    else if (this.board.begins(key.toLowerCase())) this.#begin(key.toLowerCase());
    else return false;
    return true;
  }

  /** @param {string} key */
  #begin(key) {
    this.#set(key);
    if (!/^[1-6]$/.test(key)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#set("");
      this.board.pickDie(Number(key));
    }, DIGIT_WAIT);
  }

  /** Forgets what was typed, as when the checkers are moved otherwise. */
  clear() {
    if (this.#text) this.#set("");
  }

  /** @param {string} key */
  #continue(key) {
    const named = this.#text.includes("/");
    if (key === "Escape") this.#set("");
    // Only behind a move does a space go on with the next one.
    else if (key === " " && !named) {
      this.#set("");
      this.board.go();
    } else if (key === "Backspace") this.#set(this.#text.slice(0, -1));
    else if (key === "Enter") {
      if (this.board.typed(this.#text)) this.#set("");
    } else if (/^[0-9a-z/()*, ]$/i.test(key)) this.#set(this.#text + key.toLowerCase());
    else return false;
    return true;
  }

  /** @param {string} text */
  #set(text) {
    clearTimeout(this.#timer);
    this.#text = text;
    this.board.typing(text);
    // A key that was pressed by accident is dropped after a while; a move being typed stays.
    if (text && !text.includes("/")) this.#timer = setTimeout(() => this.#set(""), IDLE);
  }
}
