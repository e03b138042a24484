/** @typedef {import("./geometry.js").Spot} Spot */

/**
 * What a board does with gestures. Coordinates are those of its picture.
 *
 * @typedef {object} Gestures
 * @property {(x: number, y: number) => Spot} spotAt
 * @property {(spot: Spot, how: { other: boolean, x: number, y: number }) => void} tapped
 * @property {(spot: Spot) => boolean} grab  whether there is a checker to drag
 * @property {(x: number, y: number) => void} dragged
 * @property {(spot: Spot, x: number, y: number) => void} dropped
 * @property {() => void} cancelled
 * @property {() => void} swiped  to the left, over nothing
 * @property {(spot: Spot | null) => void} hovered
 */

const LONG_PRESS = 450;
const SWIPE = 60;
export const STILL = { mouse: 5, pen: 8, touch: 11 };

/** Turns pointer events on an element into taps, long presses and drags. */
export class Pointer {
  /** @type {{ id: number, spot: Spot, x: number, y: number, clientX: number, clientY: number, right: boolean,
   *   grabbed: boolean, done: boolean, still: number, timer: ReturnType<typeof setTimeout> | undefined } | null} */
  #down = null;
  /** Where the element lies, while a pointer is down. @type {DOMRect | null} */
  #held = null;

  /** @param {Gestures} board @param {() => DOMRect} box @param {() => number} width  of the picture */
  constructor(board, box, width) {
    this.board = board;
    this.box = box;
    this.width = width;
  }

  /** @param {{ clientX: number, clientY: number }} event */
  #at(event) {
    // Asked for once in a gesture: with each move it would have the browser lay out what the move before has changed.
    const box = this.#held ?? this.box();
    const scale = this.width() / (box.width || 1);
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  }

  /** @param {PointerEvent} event */
  down = (event) => {
    // Let go outside of the board, where no event arrives: the gesture is over.
    if (this.#down?.id === event.pointerId) this.cancel();
    if (this.#down || event.button > 2 || event.button === 1) return;
    this.#held = this.box();
    const { x, y } = this.#at(event);
    const down = {
      id: event.pointerId,
      spot: this.board.spotAt(x, y),
      x,
      y,
      clientX: event.clientX,
      clientY: event.clientY,
      right: event.button === 2 || event.ctrlKey || event.metaKey,
      grabbed: false,
      done: false,
      still: STILL[/** @type {keyof typeof STILL} */ (event.pointerType)] ?? STILL.mouse,
      timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
    };
    this.#down = down;
    if (event.pointerType !== "mouse") {
      down.timer = setTimeout(() => {
        if (this.#down !== down || down.grabbed) return;
        down.done = true;
        this.board.tapped(down.spot, { other: true, x, y });
      }, LONG_PRESS);
    }
  };

  /** @param {PointerEvent} event */
  move = (event) => {
    const { x, y } = this.#at(event);
    const down = this.#down;
    if (!down) {
      if (event.pointerType === "mouse") this.board.hovered(this.board.spotAt(x, y));
      return;
    }
    if (event.pointerId !== down.id || down.done) return;
    if (
      !down.grabbed &&
      Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > down.still
    ) {
      clearTimeout(down.timer);
      if (down.right || !this.board.grab(down.spot)) {
        down.done = true;
        return;
      }
      down.grabbed = true;
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    if (down.grabbed) this.board.dragged(x, y);
  };

  /** @param {PointerEvent} event */
  up = (event) => {
    const down = this.#down;
    if (!down || event.pointerId !== down.id) return;
    clearTimeout(down.timer);
    this.#down = null;
    const { x, y } = this.#at(event);
    this.#held = null;
    if (down.grabbed) {
      this.board.dropped(this.board.spotAt(x, y), x, y);
      return;
    }
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (down.done && dx < -SWIPE && Math.abs(dy) < SWIPE / 2) this.board.swiped();
    if (down.done) return;
    this.board.tapped(down.spot, { other: down.right, x, y });
  };

  cancel = () => {
    if (!this.#down) return;
    clearTimeout(this.#down.timer);
    if (this.#down.grabbed) this.board.cancelled();
    this.#down = this.#held = null;
  };

  leave = () => this.board.hovered(null);
}
