/**
 * Sends this page's shares of the fair dice, and rolls automatically where there is nothing to decide or it was asked
 * for.
 */
import { DiceKeeper } from "../../fairdice/dice-keeper.js";
import { settings, store } from "../settings.js";

/** @import { Side } from "../wire.js" */

const LOST_AFTER = 3000;
const ROLL_AFTER = 450;
/** In which phases of the other side's turn one's own throw can be asked for, and stays asked for. */
const TURN = new Set(["roll", "throwing", "choose", "move"]);

export class DiceShares {
  /** @type {Map<string, DiceKeeper>} */
  #keepers = new Map();
  /** Due actions that were sent already. @type {Set<string>} */
  #done = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rolling = undefined;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #losing = undefined;

  /** Whether to throw at once when it is the player's turn, with or without a cube to think of. */
  ahead = false;

  /** @param {import("./model.js").TableModel} model */
  constructor(model) {
    this.model = model;
  }

  /** Whether the throw can be asked for ahead: in the other side's turn, while nothing else waits for an answer. */
  get mayAsk() {
    const { state } = this.model;
    if (!state?.on_roll || state.you.length !== 1 || state.you.includes(state.on_roll)) return false;
    return TURN.has(state.phase) && !state.proposal && !state.paused;
  }

  /** Cancels the automatic roll: the player acts themselves. */
  hold() {
    clearTimeout(this.#rolling);
  }

  /** Cancel all pending automatic actions. */
  rest() {
    this.hold();
    clearTimeout(this.#losing);
  }

  /** The match is over: its chains are of no use any more. */
  forget() {
    this.rest();
    for (const keeper of this.#keepers.values()) keeper.forget();
  }

  /** Sends owed links and anchors, and rolls where there is nothing to decide. */
  serve() {
    const { model } = this;
    const { state } = model;
    if (!state) return;
    this.rest();
    for (const side of state.you) {
      const allowed = model.allowed(side);
      const keeper = this.keeper(side);
      keeper.sync(state.dice);
      const due = keeper.dueAction(state.dice, allowed);
      const name = due
        ? `${side} ${due.action.type} ${state.dice.game} ${state.dice.serial} ${state.dice.index}`
        : "";
      if (due && !this.#done.has(name)) {
        if (due.lost) {
          // Another device of the same player may hold the chain and be about to answer.
          this.#losing = setTimeout(() => this.#lose(side, name), LOST_AFTER);
        } else {
          this.#done.add(name);
          model.send(due.action, side);
        }
      }
      if (state.game === 0 && allowed.includes("ready")) model.act({ type: "ready" }, side);
    }
    const side = model.seat;
    // After a double, an offer or the end of the game the player decides again.
    const goesOn = TURN.has(state.phase) && !state.proposal && !state.paused;
    const now = this.ahead && goesOn && side && model.allowed(side).includes("roll");
    if (now || !goesOn) this.ahead = false;
    if (now) model.act({ type: "roll" }, side);
    else if (side && settings.prefs.autoroll && this.#rollsAlone(side)) {
      this.#rolling = setTimeout(() => model.act({ type: "roll" }, side), ROLL_AFTER);
    }
  }

  /** @param {Side} side */
  #rollsAlone(side) {
    const allowed = this.model.allowed(side);
    return allowed.includes("roll") && !allowed.includes("double");
  }

  /** @param {Side} side @param {string} name */
  #lose(side, name) {
    const { model } = this;
    const { state } = model;
    const due = state && this.keeper(side).dueAction(state.dice, model.allowed(side));
    if (!due || this.#done.has(name)) return;
    this.#done.add(name);
    model.send(due.lost && state ? this.keeper(side).lost(state.dice).action : due.action, side);
  }

  /** Whether this is the link that belongs to the next throw. @param {Side} side @param {unknown} link */
  isDue(side, link) {
    const { state } = this.model;
    return state !== null && this.keeper(side).link(state.dice) === link;
  }

  /** The chain kept here is not the one that was announced. @param {Side} side */
  drop(side) {
    const keeper = this.keeper(side);
    keeper.write({ ...keeper.read(), tip: null });
    this.serve();
  }

  /** @param {Side} side */
  keeper(side) {
    let keeper = this.#keepers.get(side);
    if (!keeper) {
      keeper = new DiceKeeper(this.model.match, side, store);
      this.#keepers.set(side, keeper);
    }
    return keeper;
  }
}
