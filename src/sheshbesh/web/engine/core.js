/**
 * The core as a WebAssembly module: rules, values, rankings, rollouts, levels, reasons and the cube, over the functions
 * of `cpp/wasm/api.cpp`.
 *
 * Positions are rows of `ROW` bytes, as in `rows.h`. Plain objects go in and out; nothing here knows a rule.
 */

import { isStep } from "../board/notation.js";
import { instantiated } from "./builds.js";
import { classHeightBytes, cubeHeightBytes, drawing, REASON, reasonAt, STEP, stepAt } from "./bytes.js";

/** The bytes of a position. */
export const ROW = 116;
const MOST_STEPS = 4;
const CACHE = 1 << 14;

/** What the core refused, in its own words, or what made it fail. The core that threw it cannot be asked again. */
export class CoreError extends Error {}

/**
 * @typedef {{axes: Record<string, number>, setup: number[]}} Rules  answers by the names of the axes; checkers on 1-24
 * @typedef {{origin: number, landing: number, die: number, takes: boolean}} Step
 * @typedef {{row: Uint8Array, steps: Step[]}} Play
 * @typedef {{isWhole: boolean, onward: (Step & {stage: number})[]}} Stage
 * @typedef {{index: number, plies: number, equity: number, probabilities: Float32Array}} Candidate
 * @typedef {{width: number, margin: number}} Filter
 * @typedef {{counts: number[], pinned: boolean[]}} Checkers  of a side, in its own numbers: 27 counts as in a row, and
 *   of the points 1 to 24 where it is pinned
 * @typedef {{name: string, side: Side | null, n: number, most: number, point: number, field: string}} Problem  what is
 *   wrong with a position (`description.h`)
 * @typedef {{values: number[], weakness: number[], seed: bigint}} Player  the equity of each class to the side on roll;
 *   what the level lacks, in the order of `weakness.h`; what its errors are drawn from
 * @typedef {{row: Uint8Array, probabilities: Float32Array}} AfterPlay  the position after a play, and its
 *   classes for the player who made it
 * @typedef {{id: string, mine: number, other: number, weight: number, gained: number[], lost: number[]}} Reason
 * @typedef {{win: number, lose: number, cash: number, drop: number, mine: boolean, theirs: boolean,
 *   mineFree: boolean, theirsFree: boolean}} CubeHeight
 * @typedef {"white" | "black"} Side
 * @typedef {{length: number, white: number, black: number, cube: number, owner: Side | null, limit: number,
 *   crawford: boolean, jacoby: boolean, deadDouble: boolean, automatic: number}} Score  a length of 0 is money play, a
 *   limit of 0 none; `automatic` are doublings of a centred cube, which do not count as turning it
 * @typedef {0 | 1 | 2} Owner  of the cube: nobody, the side on roll, the other side
 * @typedef {{values: number[], cash: number, drop: number, mine: boolean, theirs: boolean, mineFree: boolean,
 *   theirsFree: boolean}} ClassHeight  a height of the cube with the equity of each class of results
 */

/** The classes of results, by the number that the core has for them (`state.h`). */
export const KINDS = [
  ...["none", "single", "gammon", "backgammon", "home_mars", "koks"],
  ...["count", "difference", "closed_area", "mother", "tie"],
];
/** The core's verdicts on steps (`explain.h`); the others have their reason in their number. */
const [LEGAL, BROKEN_RULE, NOT_THROWN] = [0, 1, 3];
/** Who owns the cube, by the number that the core has for it. @type {(Side | null)[]} */
const OWNING = [null, "white", "black"];

/** One instance of the module. Rule sets, nets and engines are numbers that it knows. */
export class Core {
  #exports;
  #dead = false;
  #classes = new Map();
  /** @type {string[]} */
  #reasonNames = [];

  /**
   * Makes an instance.
   * @param {WebAssembly.Module} module
   */
  static async start(module) {
    return new Core(await instantiated(module));
  }

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#exports = /** @type {any} */ (instance.exports);
    this.#call("_initialize");
  }

  /** Whether it has failed; then a fresh one is needed. */
  get dead() {
    return this.#dead;
  }

  /** The instruction set that nets run on: "wasm_relaxed", "wasm_simd", or "baseline" if the proof failed. */
  get isa() {
    return this.#text(this.#call("ssb_isa"));
  }

  /** Whether the build's kernel gives the same numbers as plain code in all sizes. */
  prove() {
    return this.#call("ssb_prove") === 1;
  }

  /**
   * Compiles a rule set.
   * @param {Rules} rules
   * @returns {number} the rule set; `free` ends it
   */
  rules({ axes, setup }) {
    const names = this.#names("ssb_axes");
    const missing = names.find((name) => !(name in axes));
    if (missing || Object.keys(axes).length !== names.length)
      throw new CoreError(`these are other axes than the core's${missing ? `: ${missing} is missing` : ""}`);
    this.#write(Uint8Array.from([...names.map((name) => axes[name]), ...setup]));
    return this.#call("ssb_rules");
  }

  /**
   * Ends a handle.
   * @param {"rules" | "net" | "engine" | "roller"} kind
   * @param {number} handle
   */
  free(kind, handle) {
    this.#classes.delete(handle);
    this.#call(`ssb_free_${kind}`, handle);
  }

  /**
   * The position at the start of a game.
   * @param {number} rules
   * @param {boolean} blackStarts
   */
  start(rules, blackStarts) {
    this.#call("ssb_start", rules, Number(blackStarts));
    return this.#bytes(ROW);
  }

  /**
   * The result of a position as numbers, see `state.h`; kind 0: the game goes on.
   * @param {number} rules
   * @param {Uint8Array} row
   */
  result(rules, row) {
    this.#write(row);
    this.#call("ssb_result", rules);
    const [kind, winner, points] = new Int32Array(this.#bytes(12).buffer);
    return { kind, winner, points };
  }

  /**
   * The legal plays of a throw, in the order of the core.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number[]} dice
   * @returns {Play[]}
   */
  plays(rules, row, [first, second]) {
    this.#write(row);
    const count = this.#call("ssb_plays", rules, first, second);
    const width = ROW + 1 + MOST_STEPS * STEP;
    const found = this.#bytes(count * width);
    return Array.from({ length: count }, (_, i) => {
      const play = found.subarray(i * width, (i + 1) * width);
      return {
        row: play.slice(0, ROW),
        steps: Array.from({ length: play[ROW] }, (_, step) => stepAt(play, ROW + 1 + step * STEP)),
      };
    });
  }

  /**
   * The stages of a turn as a board needs them: the first is its beginning.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number[]} dice
   * @returns {Stage[]}
   */
  stages(rules, row, [first, second]) {
    this.#write(row);
    const count = this.#call("ssb_stages", rules, first, second);
    const view = this.#view();
    let at = this.#call("ssb_output");
    const next = () => view.getUint32((at += 4) - 4, true);
    return Array.from({ length: count }, () => {
      const isWhole = next() === 1;
      const onward = Array.from({ length: next() }, () => {
        const step = stepAt(new Uint8Array(view.buffer), at);
        at += STEP;
        return { ...step, stage: next() };
      });
      return { isWhole, onward };
    });
  }

  /**
   * The verdict on steps, and the rule they break, as numbered in `explain.h` and `ruleset.h`.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number[]} dice
   * @param {number[][]} steps  origin, target, and the die where it is known
   * @param {boolean} whole  as a whole play, not as the beginning of one
   */
  judge(rules, row, [first, second], steps, whole) {
    this.#write(row, Uint8Array.from(steps.flatMap(([origin, target, die = 0]) => [origin, target, die])));
    const verdict = this.#call("ssb_judge", rules, first, second, steps.length, Number(whole));
    return { verdict, rule: new Int32Array(this.#bytes(4).buffer)[0] };
  }

  /**
   * Why such steps may not be made: the number of the rule, or of another verdict below 0, as `rule_ids` has them; null
   * where they may. The core reads nothing but steps from 1 to 26 to 0 to 24: no dice show others.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number[]} dice
   * @param {number[][]} steps
   * @param {boolean} [whole]
   * @returns {number | null}
   */
  refusal(rules, row, dice, steps, whole = false) {
    if (!steps.every(([origin, target]) => isStep(origin, target))) return -NOT_THROWN;
    const { verdict, rule } = this.judge(rules, row, dice, steps, whole);
    return verdict === LEGAL ? null : verdict === BROKEN_RULE ? rule : -verdict;
  }

  /**
   * The position of an id, or all that is wrong with it.
   * @param {number} rules
   * @param {string} text
   * @returns {{row: Uint8Array} | {problems: Problem[]}}
   */
  readId(rules, text) {
    this.#write(new TextEncoder().encode(text));
    return this.#position(this.#call("ssb_read_id", rules));
  }

  /**
   * The position of checkers that were put up, with a history as they let suppose, or all that is wrong with them.
   * @param {number} rules
   * @param {Side} turn
   * @param {Record<Side, Checkers>} checkers
   * @returns {{row: Uint8Array} | {problems: Problem[]}}
   */
  putUp(rules, turn, { white, black }) {
    this.#write(
      ...[white, black].map(({ counts, pinned }) =>
        Uint8ClampedArray.from([...counts, ...pinned.map(Number)]),
      ),
    );
    return this.#position(this.#call("ssb_put_up", rules, Number(turn === "black")));
  }

  /**
   * The id of a position.
   * @param {number} rules
   * @param {Uint8Array} row
   */
  writeId(rules, row) {
    this.#write(row);
    this.#call("ssb_write_id", rules);
    return this.#text(this.#call("ssb_output"));
  }

  /**
   * The number of the law of `score.h` that a double by a side would break; 0: none.
   * @param {Score} score
   * @param {boolean} black  whether Black would double
   * @param {boolean} rolled  whether that side has thrown in this turn
   * @returns {number}
   */
  cubeLaw({ length, white, black: won, cube, owner, limit, crawford, deadDouble }, black, rolled) {
    const numbers = [length, white, won, cube, OWNING.indexOf(owner), limit];
    return this.#call("ssb_cube_law", ...numbers, ...[crawford, deadDouble, black, rolled].map(Number));
  }

  /** The names of what makes a score impossible (`score.h`). @param {Score} score @returns {string[]} */
  scoreFaults({ length, white, black, cube, owner, limit, crawford }) {
    const numbers = [length, white, black, cube, OWNING.indexOf(owner), limit, Number(crawford)];
    return this.#names("ssb_score_faults", ...numbers);
  }

  /**
   * What a result pays that is worth `points` at a cube of 1; `kind` as `result` has it.
   * @param {Score} score
   * @param {number} kind
   * @param {number} points
   * @returns {number}
   */
  paid({ length, cube, owner, jacoby, automatic }, kind, points) {
    return this.#call(
      "ssb_paid",
      length,
      cube,
      OWNING.indexOf(owner),
      Number(jacoby),
      automatic,
      kind,
      points,
    );
  }

  /** The same by the name of the kind. @param {Score} score @param {string} kind @param {number} points */
  paidFor(score, kind, points) {
    return this.paid(score, KINDS.indexOf(kind), points);
  }

  /** The winner of a match; null while nobody is. @param {Score} score @returns {Side | null} */
  winner({ length, white, black }) {
    return OWNING[this.#call("ssb_winner", length, white, black)];
  }

  /** Whether the cube may be turned to a value. @param {Score} score @param {number} value */
  allowsCube({ limit }, value) {
    return this.#call("ssb_allows_cube", limit, value) === 1;
  }

  /**
   * The pips of the side on roll where the two sides can no longer meet; undefined while they can.
   * @param {number} rules
   * @param {Uint8Array} row
   * @returns {number | undefined}
   */
  race(rules, row) {
    this.#write(row);
    const pips = this.#call("ssb_race", rules);
    return pips < 0 ? undefined : pips;
  }

  /**
   * The number of positions `depth` plays away.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number} depth
   * @returns {number}
   */
  perft(rules, row, depth) {
    this.#write(row);
    return this.#call("ssb_perft", rules, depth);
  }

  /**
   * Reads a net.
   * @param {Uint8Array} file
   * @returns {number}
   */
  net(file) {
    this.#write(file);
    return this.#call("ssb_net");
  }

  /**
   * Makes an engine of a net for a rule set.
   * @param {number} rules
   * @param {number} net
   * @param {number[]} classMap  the class of the rules that each class of the net counts for
   * @returns {number}
   */
  engine(rules, net, classMap) {
    this.#write(Int32Array.from(classMap));
    const engine = this.#call("ssb_engine", rules, net, CACHE);
    this.#classes.set(engine, this.#call("ssb_classes", engine));
    return engine;
  }

  /**
   * The ways to win, and what each class pays the side on roll in a money game.
   * @param {number} engine
   */
  classes(engine) {
    const count = this.#call("ssb_classes", engine);
    const wins = count >> 1;
    const found = this.#bytes(wins * 8 + count * 4).buffer;
    const numbers = new Int32Array(found, 0, 2 * wins);
    return {
      wins: Array.from({ length: wins }, (_, i) => ({ kind: numbers[2 * i], points: numbers[2 * i + 1] })),
      money: new Float32Array(found, wins * 8),
    };
  }

  /**
   * The static value of each position: the probability of each class for its side on roll, row after row.
   * @param {number} engine
   * @param {Uint8Array} rows
   */
  evaluate(engine, rows) {
    const count = rows.length / ROW;
    this.#write(rows);
    this.#call("ssb_evaluate", engine, count);
    return this.#floats(count * this.#classes.get(engine));
  }

  /**
   * Ranks the plays of a throw in pieces: the first candidates it yields have static values, then one candidate after
   * the other is looked at one ply deeper, up to `plies`. What was yielded last stands when the caller stops. Nothing
   * else may be ranked with this engine meanwhile.
   * @param {number} engine
   * @param {Uint8Array} row
   * @param {number[]} dice
   * @param {{utility: Float32Array, plies: number, filters: Filter[], most?: number}} how  the equity of each class to
   *   the side on roll; how deep; which candidates are looked at deeper; how many plays are answered
   * @returns {Generator<Candidate[]>}
   */
  *rank(engine, row, [first, second], { utility, plies, filters, most }) {
    const chosen = filters.map(({ width, margin }) => {
      const filter = new DataView(new ArrayBuffer(8));
      filter.setInt32(0, width, true);
      filter.setFloat32(4, margin, true);
      return filter;
    });
    this.#write(row, utility, ...chosen);
    const count = this.#call("ssb_rank", engine, first, second, plies, filters.length);
    do yield this.#ranked(engine, Math.min(most ?? count, count));
    while (this.#call("ssb_deepen", engine));
  }

  /**
   * The probability of each class for the side on roll before it throws, some plies ahead.
   * @param {number} engine
   * @param {Uint8Array} row
   * @param {{utility: Float32Array, plies: number}} how
   */
  value(engine, row, { utility, plies }) {
    this.#write(row, utility);
    this.#call("ssb_value", engine, plies);
    return this.#floats(this.#classes.get(engine));
  }

  /**
   * Makes a roller, which plays trials of a rollout by an engine's net; see `rollout.h`.
   * @param {number} engine
   * @param {{utility: number[], preference?: number[], heights?: ClassHeight[], efficiency?: number, seed: number,
   *   truncate?: number, luck: "none" | "full" | "filtered", firstDouble?: boolean}} how  the equity of each class to
   *   the side on roll, and what is added to it where plays are compared; the cube, if it is in play; throws after
   *   which the static value counts; how luck is measured; whether the side on roll may double before it throws
   * @returns {number}
   */
  roller(engine, how) {
    const { utility, preference, heights = [], efficiency = 0, seed, truncate = 0, luck, firstDouble } = how;
    this.#write(Float32Array.from([...utility, ...(preference ?? [])]), ...heights.flatMap(classHeightBytes));
    const way = ["none", "full", "filtered"].indexOf(luck);
    const flags = [firstDouble, preference].map((each) => Number(Boolean(each)));
    return this.#call("ssb_roller", engine, seed, truncate, way, ...flags, heights.length, efficiency);
  }

  /**
   * Plays trials: of each the probability of every class and, with a cube, the equity, to the side on roll.
   * @param {number} roller
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {{height: number, owner: Owner, first: number, count: number}} which  the cube, and the trials by number
   * @returns {Float64Array[]}
   */
  roll(roller, rules, row, { height, owner, first, count }) {
    this.#write(row);
    const width = this.#call("ssb_roll", roller, rules, height, owner, first, count);
    const found = new Float64Array(this.#bytes(8 * width * count).buffer);
    return Array.from({ length: count }, (_, i) => found.subarray(i * width, (i + 1) * width));
  }

  /**
   * The place of the play that a player of a level makes among candidates, which stand best first. The same seed makes
   * the same mistakes.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {{dice: number[], index: number, probabilities: Float32Array}[]} candidates  `index` as `rank` has it
   * @param {Player} player
   * @returns {number}
   */
  pick(rules, row, candidates, player) {
    const all = candidates.flatMap(({ dice, index, probabilities }) => [
      Int32Array.of(...dice, index),
      Float32Array.from(probabilities),
    ]);
    this.#write(row, ...drawing(player), ...all);
    return this.#call("ssb_pick", rules, player.values.length, candidates.length);
  }

  /**
   * Whether such a player, on roll, turns the cube where that gains so much.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {number} gain
   * @param {Float32Array} probabilities
   * @param {Player} player
   */
  doubles(rules, row, gain, probabilities, player) {
    this.#write(row, ...drawing(player), Float32Array.from(probabilities));
    return this.#call("ssb_doubles", rules, player.values.length, gain) === 1;
  }

  /**
   * What such a player answers to a double of the side on roll, whose equities these are.
   * @param {number} rules
   * @param {Uint8Array} row
   * @param {{take: number, drop: number, beaver: boolean}} worth  `beaver`: whether one is right
   * @param {Float32Array} probabilities
   * @param {Player} player
   * @returns {"drop" | "take" | "beaver"}
   */
  answer(rules, row, { take, drop, beaver }, probabilities, player) {
    this.#write(row, ...drawing(player), Float32Array.from(probabilities));
    const said = this.#call("ssb_answer", rules, player.values.length, take, drop, Number(beaver));
    return /** @type {const} */ (["drop", "take", "beaver"])[said];
  }

  /**
   * In what two plays of one throw differ, the heaviest first. Points are lowest first.
   * @param {number} engine
   * @param {boolean} blackPlays
   * @param {AfterPlay} mine
   * @param {AfterPlay} other
   * @param {{values: number[], weights: number[]}} by  the equity of each class to the player, the
   *   weight of each feature
   * @returns {Reason[]}
   */
  reasons(engine, blackPlays, mine, other, { values, weights }) {
    if (!this.#reasonNames.length) this.#reasonNames = this.#names("ssb_reason_names");
    const shares = [mine.probabilities, other.probabilities].map((each) => Float32Array.from(each));
    this.#write(mine.row, other.row, Float64Array.from(values), Float64Array.from(weights), ...shares);
    const count = this.#call("ssb_reasons", engine, Number(blackPlays));
    const view = new DataView(this.#bytes(count * REASON).buffer);
    return Array.from({ length: count }, (_, i) => reasonAt(view, i * REASON, this.#reasonNames));
  }

  /**
   * Makes the cube model that `cubeValue` asks, see `cube_model.h`.
   * @param {CubeHeight[]} heights
   * @param {number} efficiency
   */
  cube(heights, efficiency) {
    this.#write(...heights.map(cubeHeightBytes));
    this.#call("ssb_cube", heights.length, efficiency);
    const points = new Float64Array(this.#bytes(16 * heights.length).buffer);
    return { takePoints: points.slice(0, heights.length), cashPoints: points.slice(heights.length) };
  }

  /**
   * What a chance of winning is worth with the cube: dead, live, and in between as the model says.
   * @param {number} chance
   * @param {Owner} owner
   * @param {number} height
   */
  cubeValue(chance, owner, height) {
    this.#call("ssb_cube_value", chance, owner, height);
    const [dead, live, value] = new Float64Array(this.#bytes(24).buffer);
    return { dead, live, value };
  }

  /**
   * @param {number} engine
   * @param {number} most
   * @returns {Candidate[]}
   */
  #ranked(engine, most) {
    const classes = this.#classes.get(engine);
    const count = this.#call("ssb_ranked", engine, most);
    const width = 12 + 4 * classes;
    const found = this.#bytes(count * width).buffer;
    const view = new DataView(found);
    return Array.from({ length: count }, (_, i) => ({
      index: view.getInt32(i * width, true),
      plies: view.getInt32(i * width + 4, true),
      equity: view.getFloat32(i * width + 8, true),
      probabilities: new Float32Array(found, i * width + 12, classes),
    }));
  }

  /**
   * @param {string} name
   * @param {...number} values
   * @returns {any}
   */
  #call(name, ...values) {
    if (this.#dead) throw new CoreError("this core has failed before: a fresh one is needed");
    try {
      return this.#exports[name](...values);
    } catch (error) {
      this.#dead = true;
      const said = this.#text(this.#exports.ssb_error());
      throw new CoreError(said || `the core failed: ${error}`, { cause: error });
    }
  }

  #view() {
    return new DataView(this.#exports.memory.buffer);
  }

  /**
   * A copy of what was found, from its beginning.
   * @param {number} size
   */
  #bytes(size) {
    const at = this.#call("ssb_output");
    return new Uint8Array(this.#exports.memory.buffer).slice(at, at + size);
  }

  /** @param {number} count */
  #floats(count) {
    return new Float32Array(this.#bytes(4 * count).buffer);
  }

  /** @param {...ArrayBufferView} parts */
  #write(...parts) {
    let at = this.#call(
      "ssb_input",
      parts.reduce((size, part) => size + part.byteLength, 0),
    );
    const memory = new Uint8Array(this.#exports.memory.buffer);
    for (const part of parts) {
      memory.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
      at += part.byteLength;
    }
  }

  /**
   * The names that a function answers, each ended by a zero.
   * @param {string} name
   * @param {...number} values
   */
  #names(name, ...values) {
    const count = this.#call(name, ...values);
    const read = this.#texts(this.#call("ssb_output"));
    return Array.from({ length: count }, () => read.next());
  }

  /**
   * A position that was made, or as many problems.
   * @param {number} count
   * @returns {{row: Uint8Array} | {problems: Problem[]}}
   */
  #position(count) {
    if (!count) return { row: this.#bytes(ROW) };
    const view = this.#view();
    const read = this.#texts(this.#call("ssb_output"));
    const problems = Array.from({ length: count }, () => {
      const at = read.at;
      const [side, n, most, point] = [0, 4, 8, 12].map((place) => view.getInt32(at + place, true));
      read.at += 16;
      return { name: read.next(), side: OWNING[side], n, most, point, field: read.next() };
    });
    return { problems };
  }

  /**
   * Reads texts one behind the other, each ended by a zero.
   * @param {number} at
   */
  #texts(at) {
    const memory = new Uint8Array(this.#exports.memory.buffer);
    return {
      at,
      next() {
        const end = memory.indexOf(0, this.at);
        const text = new TextDecoder().decode(memory.subarray(this.at, end));
        this.at = end + 1;
        return text;
      },
    };
  }

  /** @param {number} at */
  #text(at) {
    return this.#texts(at).next();
  }
}
