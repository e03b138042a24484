/**
 * The chains of dice of one player at one match. The secrets stay in this browser: the tips of the
 * chain in use and of the one that waits are kept in localStorage, so that a reload goes on.
 */
import { bytesToHex, Chain, hexToBytes } from "./chain.js";

/**
 * What the server sends about the dice: the game, how many sets of chains it has had (`serial`), the
 * link that belongs to the next throw (`index`), and what each side owes.
 * @typedef {{source: string, game: string, index: number, serial: number, length: number,
 *   owe?: Record<string, "link" | "anchor" | null>}} ChainState
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{game: string, serial: number, tip: string | null, next: string | null}} Kept
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

const CHAINS = new Set(["chains", "strict"]);

/** @param {number} size */
const randomBytes = (size) => crypto.getRandomValues(new Uint8Array(size));

export class DiceKeeper {
  /**
   * @param {string} match
   * @param {string} side
   * @param {Store} store
   * @param {(size: number) => Uint8Array} [entropy]
   */
  constructor(match, side, store, entropy = randomBytes) {
    this.name = `sheshbesh.dice.${match}.${side}`;
    this.side = side;
    this.store = store;
    this.entropy = entropy;
    /** @type {Map<string, Chain>} */
    this.built = new Map();
  }

  /** @returns {Kept} */
  read() {
    try {
      const kept = JSON.parse(this.store.getItem(this.name) ?? "null");
      if (kept && typeof kept.game === "string") return kept;
    } catch {
      // Corrupt storage counts as a lost device.
    }
    return { game: "", serial: 0, tip: null, next: null };
  }

  /** @param {Kept} kept */
  write(kept) {
    this.store.setItem(this.name, JSON.stringify(kept));
  }

  /** Forget the chains: the match is over, and every link that mattered is in its record. */
  forget() {
    this.store.removeItem(this.name);
  }

  /**
   * Put an announced chain into use once the match has opened it.
   * @param {ChainState} dice
   */
  sync(dice) {
    const kept = this.read();
    if (kept.game === dice.game && kept.serial === dice.serial) return kept;
    const opened = dice.serial > 0;
    /** @type {Kept} */
    const now = {
      game: dice.game,
      serial: dice.serial,
      tip: opened ? kept.next : null,
      next: opened ? null : kept.next,
    };
    this.write(now);
    return now;
  }

  /**
   * @param {string} tip
   * @param {number} length
   */
  chain(tip, length) {
    let chain = this.built.get(tip);
    if (!chain) {
      chain = new Chain(hexToBytes(tip), length);
      this.built.set(tip, chain);
    }
    return chain;
  }

  /**
   * The anchor of the chain that waits; drawn and stored before it is announced.
   * @param {ChainState} dice
   * @param {boolean} [anew] whether to draw a new chain in place of one on a lost device
   */
  anchor(dice, anew = false) {
    const kept = this.sync(dice);
    const next = !anew && kept.next ? kept.next : bytesToHex(this.entropy(32));
    if (next !== kept.next) this.write({ ...kept, next });
    return this.chain(next, dice.length).anchor;
  }

  /**
   * The link for the next throw; null if its chain is not on this device or is used up.
   * @param {ChainState} dice
   */
  link(dice) {
    const { tip } = this.sync(dice);
    if (!tip || dice.index < 1 || dice.index > dice.length) return null;
    return this.chain(tip, dice.length).link(dice.index);
  }

  /**
   * A player's action with their anchor or link put in, where it can carry one.
   * @param {Action} action
   * @param {ChainState} dice
   * @returns {Action}
   */
  withShare(action, dice) {
    if (!CHAINS.has(dice.source)) return action;
    if (action.type === "ready") {
      return dice.owe?.[this.side] === "anchor" ? { ...action, anchor: this.anchor(dice) } : action;
    }
    // The share of the opponent's throw rides on one's own play; strict dice ask for it later.
    const carries =
      action.type === "roll" || (dice.source === "chains" && ["play", "confirm"].includes(action.type));
    const link = carries ? this.link(dice) : null;
    return link ? { ...action, link } : action;
  }

  /**
   * The link or anchor that this player has to send now, as an action; null if none is due.
   * `lost` says that the chain is not on this device, so that a new one has to be started.
   * @param {ChainState} dice
   * @param {readonly string[]} allowed
   * @returns {{action: Action, lost: boolean} | null}
   */
  dueAction(dice, allowed) {
    if (!CHAINS.has(dice.source)) return null;
    const owed = dice.owe?.[this.side];
    if (owed === "link") {
      const link = this.link(dice);
      if (link && allowed.includes("link")) return { action: { type: "link", link }, lost: false };
      if (!link && allowed.includes("anchor")) return this.lost(dice);
    }
    if (owed === "anchor" && allowed.includes("anchor") && !allowed.includes("ready")) {
      return { action: { type: "anchor", anchor: this.anchor(dice) }, lost: false };
    }
    return null;
  }

  /**
   * The announcement of a new chain in place of a lost one.
   * @param {ChainState} dice
   */
  lost(dice) {
    return { action: { type: "anchor", anchor: this.anchor(dice, true), lost: true }, lost: true };
  }
}
