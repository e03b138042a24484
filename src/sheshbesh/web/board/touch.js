/** @typedef {import("./play.js").Play} Play */

/**
 * With touch-move every hop is the referee's at once: tells him of touches and hops one at a time, each
 * when he has answered the one before.
 */
export class Touch {
  /** How many hops he has been told of. */
  #told = 0;
  /** Whether a touch waits for its answer. */
  #touching = false;
  #confirming = false;

  /** @param {(type: string, detail?: object) => void} emit */
  constructor(emit) {
    this.emit = emit;
  }

  /** A checker was touched. @param {number} point */
  touch(point) {
    this.#touching = true;
    this.emit("ssb-touch", { point });
  }

  /** The turn shall end when all of it has been told. @param {Play} play */
  confirm(play) {
    this.#confirming = true;
    this.tell(play);
  }

  /** A state came. @param {Play} play */
  answered(play) {
    this.#touching = false;
    this.tell(play);
  }

  /** Something was refused: what was not told is not going to be. @param {Play} play */
  refused(play) {
    this.#touching = this.#confirming = false;
    this.#told = play.done.length;
  }

  /** Tells the next thing, if nothing waits for its answer. @param {Play} play */
  tell(play) {
    const { path } = play.turn;
    const answered = play.done.length;
    if (this.#touching || this.#told > answered) return;
    const hop = path[answered];
    if (hop) {
      this.#told = answered + 1;
      this.emit("ssb-step", { origin: hop.origin, target: hop.target, die: hop.die });
    } else if (this.#confirming) {
      this.#confirming = false;
      this.emit("ssb-confirm");
    }
  }
}
