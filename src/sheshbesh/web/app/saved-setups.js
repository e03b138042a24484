/** Set-ups as last chosen on this device, by game, with a default for games not yet played. */
import { readKept, store, writeKept } from "./settings.js";

/**
 * @typedef {{contest: "points" | "games" | "money", points: number, clock: string, typed: boolean, onePair: boolean,
 *   side: string, tutor: boolean, rated: boolean, private: boolean, jacoby: boolean, beavers: boolean, crawford:
 *   boolean, options: Record<string, string>}} Setup
 */

/** @typedef {{name: string, lengths: number[], options?: {name: string, values: string[]}[]}} Game */

/** @type {Setup} */
export const USUAL = {
  contest: "points",
  points: 3,
  clock: "n",
  typed: false,
  onePair: false,
  side: "random",
  tutor: true,
  rated: false,
  private: false,
  jacoby: true,
  beavers: false,
  crawford: true,
  options: {},
};

const NAME = "sheshbesh.setups";

/** What a game not yet played here takes over from the last one that was: nothing that depends on the game. */
const COMMON = /** @type {const} */ (["contest", "clock", "typed", "side", "tutor", "rated"]);

export class Setups {
  /** @param {Pick<Storage, "getItem" | "setItem">} kept */
  constructor(kept) {
    this.kept = kept;
  }

  /** @returns {{games: Record<string, Partial<Setup>>, last: string}} */
  read() {
    const found = readKept(this.kept, NAME);
    return { games: { ...found?.games }, last: String(found?.last ?? "") };
  }

  /**
   * The set-up to offer for a game; what is no longer offered is left out.
   * @param {Game} variant
   * @returns {Setup}
   */
  recall(variant) {
    const { games, last } = this.read();
    const common = Object.fromEntries(COMMON.map((each) => [each, games[last]?.[each]]));
    return this.sound(variant, games[variant.name] ?? common);
  }

  /**
   * A set-up of which only what is offered for a game is left; all else is as usual.
   * @param {Game} variant
   * @param {Partial<Setup>} own
   * @returns {Setup}
   */
  sound({ lengths, options = [] }, own) {
    /** @type {Record<string, unknown>} */
    const setup = { ...USUAL, points: lengths[0] };
    for (const [key, value] of Object.entries(own)) {
      if (key in USUAL && typeof value === typeof USUAL[/** @type {keyof Setup} */ (key)]) setup[key] = value;
    }
    const found = /** @type {Setup} */ (setup);
    if (!Number.isInteger(found.points) || found.points < 1 || found.points > 99) found.points = lengths[0];
    if (!["points", "games", "money"].includes(found.contest)) found.contest = USUAL.contest;
    const offered = new Map(options.map((option) => [option.name, option.values]));
    found.options = Object.fromEntries(
      Object.entries(found.options ?? {}).filter(([option, value]) => offered.get(option)?.includes(value)),
    );
    return found;
  }

  /** Keep a set-up that was played by. @param {string} game @param {Setup} setup */
  keep(game, setup) {
    const { games } = this.read();
    /** @type {Record<string, unknown>} */
    const kept = {};
    for (const key of /** @type {(keyof Setup)[]} */ (Object.keys(USUAL))) kept[key] = setup[key];
    writeKept(this.kept, NAME, { games: { ...games, [game]: kept }, last: game });
  }
}

export const setups = new Setups(store);
