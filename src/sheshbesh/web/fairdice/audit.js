/**
 * The auditor in the browser: checks every throw of a record or transcript straight from
 * docs/guide/fair-dice.md. It reads untrusted text: what is wrong becomes a problem, never an error.
 */
import { bytesToHex, diceFromLinks, diceFromSeed, hexToBytes, linkBefore } from "./chain.js";

const PARTIES = /** @type {const} */ (["server", "white", "black"]);
const FORMATS = new Set(["sheshbesh-record", "sheshbesh-dice", "sheshbesh-chouette"]);
const RESERVE = 16;
const NOTHING = new Uint8Array();

/**
 * @typedef {Record<string, any>} Entry a line of a record, of which nothing is known yet
 * @typedef {{line: number, game: string, number: number, code: string, values: Record<string, string | number>}}
 *   Problem
 * @typedef {{game: string, number: number, source: string, roller: string | null, dice: [number, number],
 *   missing: string[], good: boolean}} Throw
 * @typedef {{source: string, next: number, seed: Uint8Array, mode: string, length: number, epoch: number, first:
 *   number, known: Record<string, {depth: number, link: string}>}} Game
 */

class Wrong extends Error {
  /** @param {string} code @param {Record<string, string | number>} [values] */
  constructor(code, values = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

/** @param {unknown} value @returns {string} */
function link(value) {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) throw new Wrong("malformed");
  return value;
}

/** @param {unknown} value @returns {[number, number]} */
function pair(value) {
  const good =
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((die) => Number.isInteger(die) && die >= 1 && die <= 6);
  if (!good) throw new Wrong("no_dice");
  return /** @type {[number, number]} */ (value);
}

class Audit {
  constructor() {
    /** @type {Throw[]} */
    this.throws = [];
    /** @type {Problem[]} */
    this.problems = [];
    /** @type {Map<string, Game>} */
    this.games = new Map();
    /** @type {Set<string>} */
    this.seen = new Set();
    this.renewed = 0;
    this.voided = 0;
  }

  /** @param {number} line @param {Entry} event */
  take(line, event) {
    const game = typeof event.game === "string" ? event.game : "";
    const number = Number.isInteger(event.number) ? event.number : 0;
    try {
      if (!/^[A-Za-z0-9\-_.:/+]{1,64}$/.test(game)) throw new Wrong("no_game");
      if (event.type === "anchors") this.anchors(game, event);
      else if (event.type === "seed") this.seed(game, event);
      else this.thrown(game, number, event);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      this.problems.push({ line, game, number, code: error.code, values: error.values });
    }
  }

  /** @param {string} name @param {Entry} event */
  seed(name, event) {
    if (this.games.has(name)) throw new Wrong("late_seed");
    if (typeof event.seed !== "string" || !/^([0-9a-f]{2}){1,64}$/.test(event.seed))
      throw new Wrong("malformed");
    const chains = { mode: "", length: 0, epoch: 0, first: 1, known: {} };
    this.games.set(name, { source: "seeded", next: 1, seed: hexToBytes(event.seed), ...chains });
  }

  /** @param {string} name @param {Entry} event */
  anchors(name, event) {
    /** @type {Game} */
    const game = this.games.get(name) ?? {
      source: "chains",
      next: 1,
      seed: NOTHING,
      mode: "",
      length: 0,
      epoch: 0,
      first: 1,
      known: {},
    };
    if (game.source !== "chains") throw new Wrong("other_source");
    if (event.epoch !== game.epoch + 1 || event.first !== game.next) throw new Wrong("wrong_epoch");
    const sound =
      ["normal", "strict"].includes(event.mode) &&
      Number.isInteger(event.length) &&
      event.length > RESERVE &&
      event.length <= 4096;
    if (!sound || (game.epoch && (event.mode !== game.mode || event.length !== game.length)))
      throw new Wrong("wrong_kind");
    const lost = Array.isArray(event.lost) && event.lost.length > 0;
    const early = game.epoch > 0 && !lost && game.length - (game.next - game.first) > RESERVE;
    if (early || (event.reason === "start") !== (game.epoch === 0)) throw new Wrong("no_reason");
    const found = PARTIES.map((party) => link(event[party]));
    if (new Set(found).size < 3) throw new Wrong("same_anchor");
    if (this.seen.has(found[0])) throw new Wrong("used_before");
    if (event.voided) this.voidThrow(game, event.voided);
    for (const anchor of found) this.seen.add(anchor);
    if (game.epoch) this.renewed += 1;
    Object.assign(game, { mode: event.mode, length: event.length, epoch: event.epoch, first: game.next });
    game.known = Object.fromEntries(PARTIES.map((party, i) => [party, { depth: 0, link: found[i] }]));
    this.games.set(name, game);
  }

  /** A throw begun again: the links already given must have been good. @param {Game} game @param {Entry} voided */
  voidThrow(game, voided) {
    if (voided.number !== game.next || game.mode !== "strict") throw new Wrong("void");
    for (const party of ["white", "black"])
      if (voided[party] !== null) this.belongs(game, party, link(voided[party]), game.next);
    this.voided += 1;
  }

  /** @param {Game} game @param {string} party @param {string} value @param {number} number */
  belongs(game, party, value, number) {
    const index = number - game.first + 1;
    if (index > game.length) throw new Wrong("used_up");
    const { depth, link: known } = game.known[party];
    if (bytesToHex(linkBefore(hexToBytes(value), index - depth)) !== known)
      throw new Wrong("wrong_link", { party });
    return index;
  }

  /** @param {string} name @param {number} number @param {Entry} event */
  thrown(name, number, event) {
    let game = this.games.get(name);
    if (!game) {
      if (event.source !== "typed") throw new Wrong("no_anchors");
      game = { source: "typed", next: 1, seed: NOTHING, mode: "", length: 0, epoch: 0, first: 1, known: {} };
      this.games.set(name, game);
    }
    const dice = pair(event.dice);
    const missing =
      event.source === "chains" ? ["white", "black"].filter((side) => event[side] === null) : [];
    const report = {
      game: name,
      number,
      source: String(event.source),
      roller: event.roller ?? null,
      dice,
      missing,
      good: false,
    };
    this.throws.push(report);
    const expected = game.next;
    game.next = Math.max(expected, number) + 1;
    if (number !== expected) throw new Wrong("wrong_number", { expected });
    if (event.source !== game.source) throw new Wrong("other_source");
    if (game.source === "seeded") this.compare(dice, diceFromSeed(game.seed, name, number));
    if (game.source === "chains") this.links(game, name, number, event, dice, missing);
    report.good = true;
  }

  /**
   * @param {Game} game
   * @param {string} name
   * @param {number} number
   * @param {Entry} event
   * @param {[number, number]} dice
   * @param {string[]} missing
   */
  links(game, name, number, event, dice, missing) {
    if (missing.length && game.mode === "strict") throw new Wrong("left_out");
    if (JSON.stringify(event.missing ?? []) !== JSON.stringify(missing)) throw new Wrong("marks");
    /** @type {Record<string, Uint8Array>} */
    const links = {};
    for (const party of PARTIES) {
      if (missing.includes(party)) {
        links[party] = NOTHING;
        continue;
      }
      const value = link(event[party]);
      const depth = this.belongs(game, party, value, number);
      if (party === "server" && this.seen.has(value)) throw new Wrong("used_before");
      this.seen.add(value);
      game.known[party] = { depth, link: value };
      links[party] = hexToBytes(value);
    }
    this.compare(
      dice,
      diceFromLinks(name, number, { server: links.server, white: links.white, black: links.black }),
    );
  }

  /** @param {[number, number]} stated @param {[number, number]} follows */
  compare(stated, follows) {
    if (stated[0] !== follows[0] || stated[1] !== follows[1])
      throw new Wrong("other_dice", { dice: follows.join("-") });
  }
}

/** @param {Entry} value @returns {Generator<Entry>} */
function* diceEvents(value) {
  const kinds = ["anchors", "seed", "throw"];
  if (kinds.includes(value.type)) return yield value;
  const then = value.then && typeof value.then === "object" ? Object.values(value.then) : [];
  for (const part of then) {
    for (const event of Array.isArray(part) ? part : [part])
      if (event && kinds.includes(event.type)) yield event;
  }
}

/**
 * Check the dice of a record or transcript, the text of a file of JSON lines.
 * @param {string} text
 */
export function verify(text) {
  const audit = new Audit();
  const complain = (/** @type {number} */ line, /** @type {string} */ code) =>
    audit.problems.push({ line, game: "", number: 0, code, values: {} });
  let headed = false;
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (!line.trim()) continue;
    /** @type {Entry} */
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      // A last line that was never ended is the rest of an interrupted write.
      if (!headed || i < lines.length - 1) complain(i + 1, "no_json");
      continue;
    }
    if (!headed) {
      headed = true;
      if (!FORMATS.has(value?.format) || value.version !== 1) complain(i + 1, "no_header");
    } else if (value && typeof value === "object") {
      for (const event of diceEvents(value)) audit.take(i + 1, event);
    }
  }
  if (!headed) complain(1, "no_header");
  const { throws, problems, renewed, voided } = audit;
  return { throws, problems, renewed, voided, good: problems.length === 0 };
}
