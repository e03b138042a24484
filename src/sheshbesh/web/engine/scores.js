/**
 * What each way to end a game is worth at a score: the numbers of a question, as `sheshbesh.engines.core_question` has
 * them, for matches that no server knows. The tables of match equities are the library's, to `LONGEST` points.
 */
import { blackOnRoll, owedOf } from "./bytes.js";
import { otherSide } from "./game.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Side} Side
 * @typedef {import("./game.js").Match} Match
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("./analysis.js").Question} Question
 * @typedef {import("./analysis.js").ResultClass} ResultClass
 * @typedef {{pre: number[][], post: number[]}} Equities  the chance to win a match before the Crawford game, by the
 *   points that both sides need less one; after it, of the side that needs more than one
 * @typedef {{rules: import("./core.js").Rules, net: {name: string, sha256: string}, classMap: number[],
 *   approximate: boolean, classes: ResultClass[], counted: boolean, weights: number[], errors: number[]}} Game
 * @typedef {{efficiency: Question["efficiency"], even: number, grades: Question["grades"], turned: number,
 *   mostDoubles: number, nothing: number, evenAtScore: number, nearly: number, margin: number,
 *   cutShort: {trials: number, minimum: number, lead: number, truncate: number}}} Shared  numbers that are the same
 *   for all games
 */

/** The longest match whose equities are known here. */
export const LONGEST = 25;

export class Scores {
  #core;

  /**
   * @param {Core} core
   * @param {Card} card
   * @param {Game} game
   * @param {Shared} shared
   * @param {Equities | null} equities
   */
  constructor(core, card, game, shared, equities) {
    this.#core = core;
    this.card = card;
    this.game = game;
    this.shared = shared;
    this.equities = equities;
    /** What a class pays in a money game. */
    this.money = game.classes.map(([ending, , points]) =>
      ending === "tie" ? 0 : ending === "win" ? points : -points,
    );
  }

  /**
   * The question about a position of a match: which play, whether to double or take, or how the game stands.
   * @param {Match} state
   * @returns {Question}
   */
  question(state) {
    const { card, game, shared } = this;
    const row = /** @type {Uint8Array} */ (state.row);
    /** @type {Side} */
    const side = blackOnRoll(row) ? "black" : "white";
    const score = this.judgedAt(state);
    const { phase, turn } = state;
    const moves = phase === "move" || phase === "choose";
    const throws =
      phase === "move" && turn
        ? [[...turn.dice].sort((a, b) => b - a)]
        : phase === "choose"
          ? [6, 5, 4, 3, 2, 1].map((die) => [die, die])
          : [];
    const doubles =
      (phase === "roll" || phase === "doubled") &&
      card.cube &&
      !owedOf(row) &&
      !this.#core.cubeLaw(score, side === "black", false);
    const { rules, net, classMap, approximate, classes, counted, weights, errors } = game;
    const { efficiency, even, grades } = shared;
    return {
      ...{ rules, net, classMap, approximate, classes, counted, weights, errors, efficiency, even, grades },
      row: btoa(String.fromCharCode(...row)),
      throws,
      mine: this.#sideAt(score, side),
      theirs: this.#sideAt(score, otherSide(side)),
      doubles,
      cubeful: card.cube && !moves,
    };
  }

  /**
   * In a match of games each is won or lost, by however much: what decides a match to one point.
   * @param {Match} state
   */
  judgedAt({ score }) {
    if (this.card.contest !== "games") return score;
    const plain = { white: 0, black: 0, cube: 1, owner: null, limit: 0, crawford: false, automatic: 0 };
    return { ...plain, length: 1, jacoby: false, deadDouble: false };
  }

  /** @param {import("./core.js").Score} score @param {Side} side @returns {import("./analysis.js").SideNumbers} */
  #sideAt(score, side) {
    const { card, shared } = this;
    const at = this.valuesAt(score, side);
    const owner = score.owner === null ? null : score.owner === side ? "mine" : "theirs";
    const [here, next] = at.heights;
    const free = (here.mineFree && owner !== "theirs") || (here.theirsFree && owner !== "mine");
    const paid = this.#byClass(at, this.card.cube && free ? next : here);
    const isMoney = score.length === 0;
    // Under Jacoby's rule a side that plays for a gammon turns the cube in time.
    const values =
      isMoney && card.cube ? paid.map((now, i) => now + shared.turned * (this.money[i] - now)) : paid;
    const most = Math.max(...this.money.map(Math.abs));
    // Among plays that win as surely as each other money equity decides.
    const choosing = (/** @type {number[]} */ equities) =>
      isMoney ? equities : equities.map((each, i) => each + (shared.evenAtScore / most) * this.money[i]);
    return {
      ...{ paid, values, choosing: choosing(values), rolled: choosing(paid) },
      cube: card.cube
        ? {
            ...{ heights: at.heights, tie: at.tie, even: at.even, unit: at.unit, owner },
            may: !this.#core.cubeLaw(score, side === "black", false),
            beavers: isMoney && card.beavers && at.heights.length > 2,
            redouble: score.owner !== null,
          }
        : null,
    };
  }

  /** @param {ReturnType<Scores["valuesAt"]>} at @param {import("./analysis.js").Height} height */
  #byClass({ tie, even, unit }, { wins, losses }) {
    const all = { win: [...wins], lose: [...losses], tie: [tie] };
    return this.game.classes.map(([ending]) => (Number(all[ending].shift()) - even) / unit);
  }

  /**
   * The values of the ways to end a game at each height of the cube that matters, for a side: points in money play,
   * else chances to win the match.
   * @param {import("./core.js").Score} score @param {Side} side
   */
  valuesAt(score, side) {
    const { classes } = this.game;
    const points = (/** @type {string} */ ending) =>
      classes.filter(([each]) => each === ending).map(([, , worth]) => worth);
    const [wins, losses] = [points("win"), points("lose")];
    if (score.length === 0) {
      const now = (/** @type {string} */ ending) =>
        classes
          .filter(([each]) => each === ending)
          .map(([, kind, worth]) => this.#core.paidFor(score, kind, worth) / score.cube);
      return this.#gameValues(wins, losses, (gain) => gain, {
        ...{ cube: score.cube, limit: score.limit, away: null, otherAway: null, turnable: true },
        ...{ deadDouble: false, unturned: { wins: now("win"), losses: now("lose") } },
      });
    }
    const [away, otherAway] = [side, otherSide(side)].map((each) => Math.max(score.length - score[each], 0));
    return this.#gameValues(wins, losses, (gain) => this.#after(score, side, away, otherAway, gain), {
      ...{ cube: score.cube, limit: score.limit, away, otherAway, turnable: !score.crawford },
      ...{ deadDouble: score.deadDouble, unturned: null },
    });
  }

  /**
   * The chance of a side to win the match after a game in which it gains so many points; a loss is negative.
   * @param {import("./core.js").Score} score @param {Side} side @param {number} away @param {number} otherAway
   * @param {number} gain
   */
  #after(score, side, away, otherAway, gain) {
    const near = Math.min(away, otherAway) === 1;
    const crawford = !near || (score.crawford && gain === 0);
    const [mine, theirs] = [away - Math.max(gain, 0), otherAway + Math.min(gain, 0)];
    return side === "white" ? this.#chance(mine, theirs, crawford) : 1 - this.#chance(theirs, mine, crawford);
  }

  /** @param {number} away @param {number} otherAway @param {boolean} crawford  whether that game is still to come */
  #chance(away, otherAway, crawford) {
    if (away <= 0) return 1;
    if (otherAway <= 0) return 0;
    // The last game of a match to one point has no score of its own.
    if (!this.equities) return 0.5;
    const { pre, post } = this.equities;
    if (!crawford && otherAway === 1) return post[away - 1];
    if (!crawford && away === 1) return 1 - post[otherAway - 1];
    return pre[away - 1][otherAway - 1];
  }

  /**
   * @param {number[]} winPoints @param {number[]} lossPoints @param {(gain: number) => number} value
   * @param {{cube: number, limit: number, away: number | null, otherAway: number | null, turnable: boolean,
   *   deadDouble: boolean, unturned: {wins: number[], losses: number[]} | null}} how
   */
  #gameValues(
    winPoints,
    lossPoints,
    value,
    { cube, limit, away, otherAway, turnable, deadDouble, unturned },
  ) {
    const highest = Math.min(limit || Infinity, cube * 2 ** this.shared.mostDoubles);
    /** @type {import("./analysis.js").Height[]} */
    const heights = [];
    for (let height = cube; ; height *= 2) {
      const { wins, losses } =
        unturned && height === cube ? unturned : { wins: winPoints, losses: lossPoints };
      const mineEnough = away !== null && height >= away;
      const theirsEnough = otherAway !== null && height >= otherAway;
      const canTurn = turnable && height < highest;
      const useful = canTurn && !(mineEnough && theirsEnough);
      heights.push({
        wins: wins.map((points) => value(points * height)),
        losses: losses.map((points) => value(-points * height)),
        ...{ cash: value(height), drop: value(-height) },
        ...{ mine: useful && !mineEnough, theirs: useful && !theirsEnough },
        mineFree: useful && !mineEnough && theirsEnough,
        theirsFree: useful && !theirsEnough && mineEnough,
      });
      if (!useful && !(deadDouble && canTurn && height === cube)) break;
    }
    const [now] = heights;
    let [best, worst] = [Math.max(now.cash, ...now.wins), Math.min(now.drop, ...now.losses)];
    // A point or two may change nothing: where checkers left are counted, and every game decides a short match.
    if (now.cash - now.drop > this.shared.nothing * (best - worst)) [best, worst] = [now.cash, now.drop];
    return { heights, tie: value(0), even: (best + worst) / 2, unit: (best - worst) / 2 };
  }
}
