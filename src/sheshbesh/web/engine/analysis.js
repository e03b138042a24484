/**
 * One position judged by the core: chances, plays compared, the cube, as `sheshbesh.players.analysis` has them.
 *
 * A question holds every number that a law of the library decides (`sheshbesh.engines.core_question`); this compares,
 * and looks deeper where that is asked for. Equities are points a game, normalised to the present cube, of the side on
 * roll; of a play those of its player. Generators yield what is known so far, so that their caller can stop in between.
 */
import { blackOnRoll, isSameSide, unpacked } from "./bytes.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Step} Step
 * @typedef {import("./core.js").Owner} Owner
 * @typedef {[ending: "win" | "lose" | "tie", kind: string, points: number]} ResultClass
 * @typedef {{wins: number[], losses: number[], cash: number, drop: number, mine: boolean, theirs: boolean,
 *   mineFree: boolean, theirsFree: boolean}} Height
 * @typedef {{heights: Height[], tie: number, even: number, unit: number, owner: "mine" | "theirs" | null, may: boolean,
 *   beavers: boolean, redouble: boolean}} CubeNumbers
 * @typedef {{paid: number[], values: number[], choosing: number[], rolled: number[],
 *   cube: CubeNumbers | null}} SideNumbers
 * @typedef {{row: string, rules: import("./core.js").Rules, net: {name: string, sha256: string}, classMap: number[],
 *   approximate: boolean, classes: ResultClass[], counted: boolean, throws: number[][], mine: SideNumbers,
 *   theirs: SideNumbers, doubles: boolean, cubeful: boolean, even: number, errors: number[],
 *   grades: [name: string, limit: number][], weights: number[], efficiency: {contact: number, race_base: number,
 *   race_per_pip: number,
 *   race_least: number, race_most: number}}} Question
 * @typedef {{rules: number, engine: number}} Handles  what the core has made of the question's rules and net
 * @typedef {{row: Uint8Array, steps: Step[], dice: number[], index: number, chances: number[], plies: number,
 *   equity: number, cubeful: boolean}} Looked  a play as far as it was looked at; its chances as its player sees them
 * @typedef {{row: Uint8Array, dice: number[], steps: Step[], chances: number[], equity: number, loss: number,
 *   plies: number, grade: string, close: boolean}} JudgedPlay  `row`: the position after it
 * @typedef {{action: "no_double" | "double" | "too_good", answer: "take" | "drop" | "beaver", no_double: number,
 *   double_take: number, double_drop: number, double_beaver: number | null, redouble: boolean}} CubeDecision
 * @typedef {{plies: number, chances: number[], equity: number, cubeful: number | null, plays: JudgedPlay[] | null,
 *   of: number, cube: CubeDecision | null, done: boolean}} Judged
 * @typedef {{row: Uint8Array, dice: number[]}} Made  a play that was made, by the position after it and its dice
 */

/** Plays that are looked at as deeply as the best one. */
const DEEP = 5;
/** Which candidates a search looks at deeper, ply by ply; see `search.h`. */
const FILTERS = [
  { width: 8, margin: 0.16 },
  { width: 4, margin: 0.08 },
  { width: 2, margin: 0.02 },
];
/** From here on a decision about the cube is played through all pairs of throws. */
const CUBE_PLIES = 2;
const PAIRS_OF_THROWS = 1296;
const THROWS = Array.from({ length: 6 }, (_, i) =>
  Array.from({ length: i + 1 }, (_, j) => [i + 1, j + 1]),
).flat();

const OWNERS = /** @type {Record<string, Owner>} */ ({ mine: 1, theirs: 2 });

/** @param {number[]} a @param {number[]} b */
const product = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** @param {{plies: number, equity: number}} a @param {{plies: number, equity: number}} b  best first */
const byDepth = (a, b) => b.plies - a.plies || b.equity - a.equity;

/**
 * The equity of every class at a height of the cube, and what else a roller has to know of it.
 * @param {CubeNumbers} cube
 * @param {boolean} ties
 * @returns {import("./core.js").ClassHeight[]}
 */
function classHeights({ heights, tie, even, unit }, ties) {
  const equity = (/** @type {number} */ value) => (value - even) / unit;
  return heights.map(({ wins, losses, cash, drop, ...flags }) => ({
    ...flags,
    values: [...wins, ...losses, ...(ties ? [tie] : [])].map(equity),
    cash: equity(cash),
    drop: equity(drop),
  }));
}

export class DecisionAnalysis {
  #core;
  #handles;
  #ask;

  /** @param {Core} core @param {Handles} handles @param {Question} ask */
  constructor(core, handles, ask) {
    this.#core = core;
    this.#handles = handles;
    this.#ask = ask;
    /** The position. */
    this.row = unpacked(ask.row);
  }

  /**
   * Chances, plays and cube, at 0 plies first.
   * @param {number} plies
   * @param {{shown?: number, made?: Made | null, most?: number}} [how]  how many plays are looked at as deeply as the
   *   best one, one that is besides, and how many are told at most
   * @returns {Generator<Judged>}
   */
  *analyse(plies, { shown = DEEP, made = null, most = Infinity } = {}) {
    const { throws, doubles, cubeful } = this.#ask;
    // The static value is there at once; what follows replaces it.
    for (let depth = 0; depth <= plies; depth += Math.max(plies, 1)) {
      const chances = this.#chances(this.row, depth);
      const equity = this.#weigh(this.row, chances);
      const whole = { plies: depth, chances, equity, of: 0, plays: null, cube: null };
      const last = depth === plies;
      if (throws.length) {
        for (const { plays, done } of this.#compared(depth, shown, made))
          yield {
            ...whole,
            cubeful: null,
            plays: this.#judged(plays.slice(0, most)),
            of: plays.length,
            done: last && done,
          };
      } else if (doubles) {
        const cube = this.#decide(depth, chances);
        yield { ...whole, cubeful: Math.max(cube.no_double, answered(cube)), cube, done: last };
      } else {
        yield { ...whole, cubeful: cubeful ? this.#cubeful(this.row, chances) : null, done: last };
      }
    }
  }

  // What a level decides by

  /**
   * The plays of all throws, best first, as far as a search has looked.
   * @param {number} plies
   * @returns {Generator<Looked[]>}
   */
  *ranked(plies) {
    /** @type {Looked[]} */
    let before = [];
    const best = (/** @type {Looked[]} */ plays) => {
      const { choosing } = this.#ask.mine;
      const choice = new Map(plays.map((play) => [play, product(play.chances, choosing)]));
      return [...plays].sort((a, b) => b.plies - a.plies || Number(choice.get(b)) - Number(choice.get(a)));
    };
    for (const dice of this.#ask.throws) {
      /** @type {Looked[]} */
      let own = [];
      for (own of this.#ranked(this.row, dice, plies)) yield best([...before, ...own]);
      before = [...before, ...own];
    }
  }

  /** The best with the cube, of the plays looked at as deeply as the first. @param {Looked[]} plays */
  bestWithCube(plays) {
    const [first] = plays;
    const { choosing, values, cube } = this.#ask.mine;
    if (!cube) return first;
    const added = choosing.map((value, i) => value - values[i]); // decides among equals
    const choices = plays
      .filter(({ plies }) => plies === first.plies)
      .map((play) => ({ play, choice: this.#withCube(play).equity + product(play.chances, added) }));
    return choices.reduce((best, each) => (each.choice > best.choice ? each : best)).play;
  }

  /** The decision about the cube. @param {number} plies */
  decision(plies) {
    return this.#decide(plies, this.chances(plies));
  }

  /** How the game will end, for the side on roll. @param {number} plies */
  chances(plies) {
    return this.#chances(this.row, plies);
  }

  /** The equity of the side on roll with the cube where it lies, not turned now. @param {number} plies */
  holding(plies) {
    const { cube } = this.#ask.mine;
    const chances = this.chances(plies);
    return cube
      ? this.#model(cube, this.row, chances)(0, this.placeOf(this.row).owner)
      : this.#weigh(this.row, chances);
  }

  /** Which side's numbers count in a position. @param {Uint8Array} row */
  numbers(row) {
    return isSameSide(row, this.row) ? this.#ask.mine : this.#ask.theirs;
  }

  /** How the game will end, for the side on roll. @param {Uint8Array} row @param {number} plies @returns {number[]} */
  #chances(row, plies) {
    const { engine } = this.#handles;
    if (plies === 0) return [...this.#core.evaluate(engine, row)];
    const utility = Float32Array.from(this.numbers(row).choosing);
    return [...this.#core.value(engine, row, { utility, plies })];
  }

  /** The equity of chances that the side on roll sees. @param {Uint8Array} row @param {number[]} chances */
  #weigh(row, chances) {
    const { values } = this.numbers(row);
    // Probabilities of single precision may sum to a little more than 1.
    return Math.min(Math.max(product(chances, values), Math.min(...values)), Math.max(...values));
  }

  /** The same chances as the other side sees them. @param {number[]} chances */
  flipped(chances) {
    const half = chances.length >> 1;
    return [...chances.slice(half, 2 * half), ...chances.slice(0, half), ...chances.slice(2 * half)];
  }

  // The cube

  /** How live the cube is in a position. @param {Uint8Array} row */
  efficiency(row = this.row) {
    const { contact, race_base, race_per_pip, race_least, race_most } = this.#ask.efficiency;
    const pips = this.#core.race(this.#handles.rules, row);
    if (pips === undefined) return contact;
    return Math.min(Math.max(race_base + race_per_pip * pips, race_least), race_most);
  }

  /**
   * The model of the cube for chances that the side on roll sees: its value at a height and an owner, as equity.
   * @param {CubeNumbers} cube @param {Uint8Array} row @param {number[]} chances
   * @returns {(height: number, owner: Owner) => number}
   */
  #model({ heights, tie, even, unit }, row, chances) {
    const half = heights[0].wins.length;
    const wins = chances.slice(0, half);
    const losses = chances.slice(half, 2 * half);
    const [won, lost] = [wins, losses].map((all) => all.reduce((sum, each) => sum + each, 0));
    const share = (
      /** @type {number[]} */ all,
      /** @type {number} */ total,
      /** @type {number[]} */ values,
    ) => (total > 0 ? product(all, values) / total : values[0]);
    this.#core.cube(
      heights.map((at) => ({ ...at, win: share(wins, won, at.wins), lose: share(losses, lost, at.losses) })),
      this.efficiency(row),
    );
    const decided = won + lost;
    const chance = decided > 0 ? won / decided : 0.5;
    const ties = chances.length > 2 * half ? chances[2 * half] : 0;
    return (height, owner) => {
      const { value } = this.#core.cubeValue(chance, owner, height);
      return (value + ties * (tie - value) - even) / unit;
    };
  }

  /** The decision of a side on roll that may double, by the model. @param {Uint8Array} row @param {number[]} chances */
  #modelled(row, chances) {
    const cube = /** @type {CubeNumbers} */ (this.numbers(row).cube);
    const value = this.#model(cube, row, chances);
    const hold = value(0, this.placeOf(row).owner);
    return this.#decision(cube, [hold, value(1, 2), ...(cube.beavers ? [value(2, 2)] : [])]);
  }

  /** A decision by its ways. @param {CubeNumbers} cube @param {number[]} ways @returns {CubeDecision} */
  #decision({ heights, even, unit, redouble }, ways) {
    const [hold, take] = ways;
    const beaver = ways.length > 2 ? ways[2] : null;
    const drop = (heights[0].cash - even) / unit;
    const found = { no_double: hold, double_take: take, double_drop: drop, double_beaver: beaver, redouble };
    const turned = answered(found) >= hold - this.#ask.even;
    const beavers = beaver !== null && beaver < Math.min(take, drop);
    return {
      ...found,
      action: turned ? "double" : hold >= drop ? "too_good" : "no_double",
      answer: beavers ? "beaver" : take <= drop + this.#ask.even ? "take" : "drop",
    };
  }

  /** The decision at hand. @param {number} plies @param {number[]} chances */
  #decide(plies, chances) {
    if (plies < CUBE_PLIES) return this.#modelled(this.row, chances);
    const cube = /** @type {CubeNumbers} */ (this.#ask.mine.cube);
    const roller = this.roller(this.row, { seed: 0, truncate: 2, luck: "none", cube });
    const means = this.ways(cube).map(([height, owner]) => {
      const trials = this.#core.roll(roller, this.#handles.rules, this.row, {
        height,
        owner,
        first: 0,
        count: PAIRS_OF_THROWS,
      });
      return trials.reduce((sum, trial) => sum + trial[trial.length - 1], 0) / trials.length;
    });
    this.#core.free("roller", roller);
    return this.#decision(cube, means);
  }

  /**
   * The cube as the side on roll in a position sees it.
   * @param {Uint8Array} row @returns {{height: number, owner: Owner}}
   */
  placeOf(row) {
    return { height: 0, owner: OWNERS[String(this.numbers(row).cube?.owner)] ?? 0 };
  }

  /** The decision whose ways have these equities, as `ways` orders them. @param {number[]} ways */
  decided(ways) {
    return this.#decision(/** @type {CubeNumbers} */ (this.#ask.mine.cube), ways);
  }

  /**
   * The places of the cube that a decision compares: held, turned and taken, turned twice.
   * @param {CubeNumbers} cube
   * @returns {[height: number, owner: Owner][]}
   */
  ways({ beavers }) {
    const turned = /** @type {[number, Owner][]} */ ([[1, 2], ...(beavers ? [[2, 2]] : [])]);
    return [[0, this.placeOf(this.row).owner], ...turned];
  }

  /**
   * A roller for a position, for the best of its side.
   * @param {Uint8Array} row
   * @param {{seed: number, truncate?: number, luck: "none" | "filtered", firstDouble?: boolean,
   *   cube: CubeNumbers | null, efficiency?: number}} how
   */
  roller(row, { cube, efficiency, ...how }) {
    const { rolled, paid } = this.numbers(row);
    const added = rolled.map((value, i) => value - paid[i]);
    const ties = this.#ask.classes.length % 2 === 1;
    return this.#core.roller(this.#handles.engine, {
      ...how,
      utility: rolled,
      preference: cube && added.some(Boolean) ? added : undefined,
      heights: cube ? classHeights(cube, ties) : [],
      efficiency: efficiency ?? this.efficiency(row),
    });
  }

  /**
   * The equity of the side on roll with the cube, which it turns where that is right.
   * @param {Uint8Array} row @param {number[]} chances
   */
  #cubeful(row, chances) {
    const { cube } = this.numbers(row);
    if (!cube) return this.#weigh(row, chances);
    if (!cube.may) return this.#model(cube, row, chances)(0, this.placeOf(row).owner);
    const decision = this.#modelled(row, chances);
    return Math.max(decision.no_double, answered(decision));
  }

  // Plays

  /**
   * The plays as a search finds them, best first.
   * @param {Uint8Array} row @param {number[]} dice @param {number} plies
   * @returns {Generator<Looked[]>}
   */
  *#ranked(row, dice, plies) {
    const plays = this.#core.plays(this.#handles.rules, row, dice);
    const { choosing, values } = this.numbers(row);
    const how = { utility: Float32Array.from(choosing), plies, filters: FILTERS };
    for (const found of this.#core.rank(this.#handles.engine, row, dice, how)) {
      yield found
        .map(({ index, plies, probabilities }) => {
          const chances = [...probabilities];
          const play = { ...plays[index], dice, index, chances, plies, cubeful: false };
          return {
            play: { ...play, equity: this.#paidBy(values, chances) },
            choice: product(chances, choosing),
          };
        })
        .sort((a, b) => b.play.plies - a.play.plies || b.choice - a.choice)
        .map(({ play }) => play);
    }
  }

  /** @param {number[]} values @param {number[]} chances */
  #paidBy(values, chances) {
    return Math.min(Math.max(product(chances, values), Math.min(...values)), Math.max(...values));
  }

  /**
   * All plays, best first, those that lead looked at equally deep, and with them the one that was made.
   * @param {number} plies @param {number} shown @param {Made | null} made
   * @returns {Generator<{plays: Looked[], done: boolean}>}
   */
  *#compared(plies, shown, made) {
    /** @type {Looked[]} */
    let found = [];
    for (const dice of this.#ask.throws) {
      /** @type {Looked[]} */
      let own = [];
      for (own of this.#ranked(this.row, dice, plies))
        if (plies)
          yield { plays: [...found, ...own].map((each) => this.#withCube(each)).sort(byDepth), done: false };
      found = [...found, ...own];
    }
    found = found.map((each) => this.#deep(this.#withCube(each), plies)).sort(byDepth);
    const deepest = found[0].plies;
    const leads = found.filter((play, place) => place < shown || play.plies === deepest);
    const others = found.slice(leads.length);
    for (const [place, play] of leads.entries()) {
      if (play.plies >= plies || (place >= shown && !isMade(play, made))) continue;
      leads[place] = this.#deep(this.#lookedAt(play, plies), plies);
      yield { plays: [...leads, ...others].sort(byDepth), done: false };
    }
    const asked = others.findIndex((play) => isMade(play, made));
    if (asked >= 0) {
      const looked = this.#deep(this.#lookedAt(others[asked], plies), plies);
      // One that does not come up to those that lead keeps its place: of the others no more is known.
      if (looked.equity > Math.min(...leads.map(({ equity }) => equity)))
        leads.push(...others.splice(asked, 1).map(() => looked));
      else others[asked] = looked;
    }
    yield { plays: [...leads.sort(byDepth), ...others], done: true };
  }

  /** A play looked at as deep as that. @param {Looked} play @param {number} plies @returns {Looked} */
  #lookedAt(play, plies) {
    if (play.plies >= plies) return play;
    const seen = this.#chances(play.row, plies);
    const chances = isSameSide(play.row, this.row) ? seen : this.flipped(seen);
    return this.#withCube({ ...play, chances, plies, equity: this.#paidBy(this.#ask.mine.values, chances) });
  }

  /** A play with its equity in view of the cube, in a game that has one. @param {Looked} play @returns {Looked} */
  #withCube(play) {
    return this.#cubed(play, this.row);
  }

  /** The same of a play that is made in `before`. @param {Looked} play @param {Uint8Array} before @returns {Looked} */
  #cubed(play, before) {
    if (!this.#ask.mine.cube) return play;
    const stays = isSameSide(play.row, before);
    const equity = stays
      ? this.#cubeful(play.row, play.chances)
      : -this.#cubeful(play.row, this.flipped(play.chances));
    return { ...play, equity, cubeful: true };
  }

  /**
   * A play with the value of the cube a roll later: the model uses the chances of a position, not how much the next
   * roll may change them, so the other side's roll is played out at 0 plies, and what that differs by is added.
   * @param {Looked} play @param {number} plies @returns {Looked}
   */
  #deep(play, plies) {
    const { row } = play;
    const isOver = this.#core.result(this.#handles.rules, row).kind !== 0;
    if (plies < 1 || play.plies < plies || !play.cubeful || isOver || isSameSide(row, this.row)) return play;
    const chances = this.#chances(row, 1);
    const shallow = this.#cubeful(row, chances);
    const sum = THROWS.reduce((total, dice) => {
      const [best] = this.#ranked(row, dice, 0).next().value ?? [];
      return total + (dice[0] === dice[1] ? 1 : 2) * this.#cubed(best, row).equity;
    }, 0);
    let rolled = sum / 36;
    if (this.#ask.theirs.cube?.may) rolled = Math.max(rolled, answered(this.#modelled(row, chances)));
    return { ...play, equity: play.equity - (rolled - shallow) };
  }

  /**
   * The plays with what they lose against the best, and what that is called.
   * @param {Looked[]} plays @returns {JudgedPlay[]}
   */
  #judged(plays) {
    const { counted, mine } = this.#ask;
    const [best] = plays;
    const stake = counted ? product(best.chances, mine.values.map(Math.abs)) : 1;
    return plays.map(({ row, dice, steps, chances, equity, plies }) => {
      const loss = Math.max(best.equity - equity, 0);
      const graded = gradeOf(this.#ask, loss / Math.max(stake, 1), plies);
      return { row, dice, steps, chances, equity, loss, plies, ...graded };
    });
  }

  /**
   * In what two plays differ, the heaviest first.
   * @param {JudgedPlay} mine @param {JudgedPlay} other
   */
  reasons(mine, other) {
    const { values } = this.#ask.mine;
    const [one, two] = [mine, other].map(({ row, chances }) => ({
      row,
      probabilities: Float32Array.from(chances),
    }));
    const by = { values, weights: this.#ask.weights };
    return this.#core.reasons(this.#handles.engine, blackOnRoll(this.row), one, two, by);
  }
}

/**
 * What a loss, in points per point at stake, is called; `close` where it is within twice the engine's own error.
 * @param {Question} ask @param {number} loss @param {number} plies
 */
export function gradeOf({ grades, errors }, loss, plies) {
  const grade = grades.find(([, limit]) => loss < limit)?.[0] ?? "blunder";
  const close = grade !== "best" && loss <= 2 * errors[Math.min(plies, errors.length - 1)];
  return { grade: close ? "fine" : grade, close };
}

/** Whether a play is the one that was made. @param {Looked | JudgedPlay} play @param {Made | null} made */
export const isMade = ({ row, dice }, made) =>
  made !== null &&
  [...dice].sort().join() === [...made.dice].sort().join() &&
  row.every((byte, i) => byte === made.row[i]);

/**
 * The equity of doubling against the best answer.
 * @param {{double_take: number, double_beaver: number | null, double_drop: number}} cube
 */
export const answered = ({ double_take, double_beaver, double_drop }) =>
  Math.min(double_take, double_beaver ?? double_take, double_drop);
