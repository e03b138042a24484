/**
 * A rollout in portions of 36 trials, one for each first throw: its means and their standard errors.
 *
 * The trials are those of the library, by their numbers; they are added up as `sheshbesh.engines.rollout.tally` does,
 * so that a seed gives the same numbers here. What the first throw explains is no error.
 */
import { isSameSide } from "./bytes.js";

/** Trials played and added together. */
export const CHUNK = 36;

/**
 * @typedef {import("./analysis.js").DecisionAnalysis} DecisionAnalysis
 * @typedef {import("./analysis.js").Question} Question
 * @typedef {import("./core.js").Owner} Owner
 * @typedef {{mean: number, error: number}} Estimate
 * @typedef {{row: Uint8Array, height: number, owner: Owner, firstDouble?: boolean}} Entry  a position to be rolled out,
 *   and where the cube is, as the side on roll there sees it
 * @typedef {{equity: Estimate, chances: Estimate[], win: Estimate}} RolledOut
 * @typedef {{trials: number, total: number, done: boolean, seed: number, entries: RolledOut[], behind: Estimate[][],
 *   cube: import("./analysis.js").CubeDecision | null}} Portion  `behind[a][b]`: by how much entry a is better than b
 */

/** The sums over trials of some columns and of their products, by the first throw. */
class Tally {
  /** @param {number} columns  @param {[number, number][]} pairs  of columns whose difference will be asked for */
  constructor(columns, pairs) {
    const empty = (/** @type {number} */ width) =>
      Array.from({ length: CHUNK }, () => new Float64Array(width));
    this.pairs = pairs;
    this.chunks = 0;
    this.sums = empty(columns);
    this.squares = empty(columns);
    this.products = empty(pairs.length);
  }

  get trials() {
    return CHUNK * this.chunks;
  }

  /** Add a chunk: a row for each first throw. @param {number[][]} rows */
  add(rows) {
    this.chunks += 1;
    for (const [first, row] of rows.entries()) {
      for (const [column, value] of row.entries()) {
        this.sums[first][column] += value;
        this.squares[first][column] += value * value;
      }
      for (const [pair, [a, b]] of this.pairs.entries()) this.products[first][pair] += row[a] * row[b];
    }
  }

  /** @param {number} column */
  mean(column) {
    return this.sums.reduce((sum, each) => sum + each[column], 0) / this.trials;
  }

  /** A column's mean with its standard error. @param {number} column @returns {Estimate} */
  estimate(column) {
    return { mean: this.mean(column), error: root(this.#variance(this.squares, column, column, column)) };
  }

  /** By how much the first column of a pair is more than the second. @param {number} pair @returns {Estimate} */
  difference(pair) {
    const [a, b] = this.pairs[pair];
    const own = this.#variance(this.squares, a, a, a) + this.#variance(this.squares, b, b, b);
    return {
      mean: this.mean(a) - this.mean(b),
      error: root(own - 2 * this.#variance(this.products, pair, a, b)),
    };
  }

  /**
   * The covariance of the means of two columns, by the sums of their products.
   * @param {Float64Array[]} products @param {number} place @param {number} a @param {number} b
   */
  #variance(products, place, a, b) {
    const n = this.chunks;
    const all = products.reduce((sum, each) => sum + each[place], 0);
    // Nothing is known within a first throw yet; what the first throw explains is left in.
    if (n === 1) return (all - CHUNK * this.mean(a) * this.mean(b)) / ((CHUNK - 1) * CHUNK);
    const within = products.reduce(
      (sum, each, first) => sum + each[place] - (this.sums[first][a] * this.sums[first][b]) / n,
      0,
    );
    return within / ((n - 1) * n * CHUNK * CHUNK);
  }
}

/** @param {number} variance */
const root = (variance) => Math.sqrt(Math.max(variance, 0));

/**
 * Rolls out the plays chosen, else the decision about the cube where there is one, else the position.
 * @param {import("./core.js").Core} core
 * @param {import("./analysis.js").Handles} handles
 * @param {DecisionAnalysis} analysis
 * @param {Question} ask
 * @param {{trials: number, seed: number, plays: Uint8Array[], truncate?: number, cube?: boolean}} how  `plays`: the
 *   positions after them; throws after which the static value counts; whether the cube is in play
 * @returns {Generator<Portion>}
 */
export function* rollOut(
  core,
  handles,
  analysis,
  ask,
  { trials, seed, plays, truncate = 0, cube: hasCube = true },
) {
  const { classes } = ask;
  const cube = hasCube ? ask.mine.cube : null;
  const start = analysis.row;
  const isDecision = !plays.length && ask.doubles && cube !== null;
  /** @type {Entry[]} */
  let entries;
  if (plays.length)
    entries = plays.map((row) => ({ row, ...analysis.placeOf(row), firstDouble: !isSameSide(row, start) }));
  else if (isDecision)
    entries = analysis.ways(cube).map(([height, owner]) => ({ row: start, height, owner }));
  else entries = [{ row: start, ...analysis.placeOf(start) }];

  const phases = new Set(entries.map(({ row }) => analysis.efficiency(row)));
  const efficiency = phases.size === 1 ? [...phases][0] : ask.efficiency.contact;
  const rollers = entries.map(({ row, firstDouble }) =>
    analysis.roller(row, {
      seed,
      truncate,
      luck: "filtered",
      firstDouble,
      cube: hasCube ? analysis.numbers(row).cube : null,
      efficiency,
    }),
  );
  // Of each entry the chance of every class, that of winning, the equity without a cube and with it.
  const size = classes.length;
  const wins = classes.filter(([ending]) => ending === "win").length;
  const width = size + 2 + Number(cube !== null);
  const pairs = entries.flatMap((_, a) =>
    entries.map((_, b) => /** @type {[number, number]} */ ([(a + 1) * width - 1, (b + 1) * width - 1])),
  );
  const tally = new Tally(width * entries.length, pairs);
  const total = Math.ceil(trials / CHUNK);
  try {
    while (tally.chunks < total) {
      const rolled = entries.map(({ row, height, owner }, i) => {
        const which = { height, owner, first: tally.trials, count: CHUNK };
        const own = isSameSide(row, start);
        return core.roll(rollers[i], handles.rules, row, which).map((trial) => {
          const seen = [...trial.subarray(0, size)];
          const chances = own ? seen : analysis.flipped(seen);
          const won = chances.slice(0, wins).reduce((sum, each) => sum + each, 0);
          const paid = chances.reduce((sum, each, n) => sum + each * ask.mine.paid[n], 0);
          const cubeful = [...trial.subarray(size)].map((value) => (own ? value : -value));
          return [...chances, won, paid, ...cubeful];
        });
      });
      tally.add(rolled[0].map((_, first) => rolled.flatMap((rows) => rows[first])));
      const of = entries.map((_, i) => ({
        equity: tally.estimate((i + 1) * width - 1),
        chances: classes.map((_, n) => tally.estimate(i * width + n)),
        win: tally.estimate(i * width + size),
      }));
      yield {
        trials: tally.trials,
        total: total * CHUNK,
        done: tally.chunks === total,
        seed,
        entries: of,
        behind: entries.map((_, a) => entries.map((_, b) => tally.difference(a * entries.length + b))),
        cube: isDecision ? analysis.decided(of.map(({ equity }) => equity.mean)) : null,
      };
    }
  } finally {
    if (!core.dead) for (const roller of rollers) core.free("roller", roller);
  }
}
