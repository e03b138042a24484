/**
 * A match against the engine without a server: its turns, offers and games, as `sheshbesh.session` has them without
 * clocks, events and chains of dice. The core says what is legal, what a result pays and who may double; the dice are
 * put in by the caller, as those of a real board are. States are plain values, never changed.
 */
import { formatPlay, parsePlay } from "../board/notation.js";
import { Turn } from "../board/turn.js";
import { blackOnRoll, countsOf, owedOf } from "./bytes.js";
import { KINDS } from "./core.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Score} Score
 * @typedef {import("./core.js").Side} Side
 * @typedef {"ready" | "opening" | "roll" | "throwing" | "choose" | "move" | "doubled" | "beavered" | "raccooned"
 *   | "resigned" | "over"} Phase
 * @typedef {{dice: "played" | "reroll", starter: "higher" | "lower", later: "roll" | "winner" | "alternate"}} Opening
 * @typedef {{code: string, game: string, contest: "points" | "games" | "money", length: number | null, cube: boolean,
 *   crawford: boolean, jacoby: boolean, beavers: boolean, raccoons: boolean, automatic: number, limit: number,
 *   deadDouble: boolean, touchMove: boolean, settle: "points" | "per_checker" | "per_checker_home", opening: Opening,
 *   losses: Record<string, number>, left: "off" | "count" | "difference", checkers: number}} Card  what a table has
 *   agreed on; `losses` are the points of the classes at which a game can be given up
 * @typedef {{winner: Side | null, kind: string, points: number}} Result
 * @typedef {{winner: Side | null, kind: string, points: number, cube: number, reason: string}} FinishedGame
 * @typedef {{dice: number[], done: import("../board/turn.js").Hop[], touched: number | null}} Playing
 * @typedef {{by: Side, kind: string, points: number, phase: Phase}} Resignation
 * @typedef {{phase: Phase, score: Score, events: number, game: number, ready: Side[], row: Uint8Array | null,
 *   turn: Playing | null, rolled: boolean, draws: number[][], starter: Side | null, doubler: Side | null,
 *   stake: number, resignation: Resignation | null, lastWinner: Side | null, crawfordPlayed: boolean,
 *   games: FinishedGame[], winner: Side | null, ending: string | null,
 *   played: {side: Side, play: string, n: number, before: Match} | null, tried: string | null}} Match  `played` is the
 *   last play, where it may be taken back; `tried` the one that was taken back in this turn
 * @typedef {{type: string, [field: string]: any}} Action
 * @typedef {{play?: string, taken_back?: string, dice?: number[], cube?: number, starter?: Side, game?: object,
 *   match?: object}} Then
 * @typedef {{state: Match, then: Then, play?: import("./core.js").Play}} Outcome  `play`: the one that was made
 */

/** @type {readonly Side[]} */
export const SIDES = ["white", "black"];
/** The laws of the cube, by the number that the core has for them (`score.h`). */
const LAWS = ["", "match_over", "after_roll", "crawford", "owner", "limit", "dead"];
/** The stake of an open offer, in multiples of the cube before the double. @type {Partial<Record<Phase, number>>} */
const OFFERED = { doubled: 2, beavered: 4, raccooned: 8 };
/** @type {readonly Phase[]} */
const PLAYING = ["roll", "choose", "move"];

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/**
 * An action that may not be taken now, by the rule of `sheshbesh.session.refusals`, or one that only the core knows.
 */
export class Refused extends Error {}

export class MatchRules {
  #core;
  #rules;

  /** @param {Core} core @param {number} rules  of the card's game @param {Card} card */
  constructor(core, rules, card) {
    this.#core = core;
    this.#rules = rules;
    this.card = card;
  }

  /** A match before its first game. @returns {Match} */
  begin() {
    const { contest, length, jacoby, deadDouble, limit, cube } = this.card;
    const needed = length === null ? 0 : contest === "games" ? (length >> 1) + 1 : length;
    const money = contest === "money";
    return {
      phase: "ready",
      score: {
        ...{ length: money ? 0 : needed, white: 0, black: 0, cube: 1, owner: null, limit },
        ...{ crawford: false, jacoby: jacoby && money && cube, deadDouble, automatic: 0 },
      },
      ...{ events: 0, game: 0, ready: [], row: null, turn: null, rolled: false, draws: [], starter: null },
      ...{ doubler: null, stake: 1, resignation: null, lastWinner: null, crawfordPlayed: false, games: [] },
      ...{ winner: null, ending: null, played: null, tried: null },
    };
  }

  /**
   * The state after an action of a side, or of "server", who throws.
   * @param {Match} state @param {Side | "server"} actor @param {Action} action
   * @returns {Outcome}
   */
  apply(state, actor, action) {
    const rule = this.refusal(state, actor, action.type);
    if (rule) throw new Refused(rule);
    const outcome = this.#follow(state, /** @type {Side} */ (actor), action);
    return { ...outcome, state: { ...outcome.state, events: state.events + 1 } };
  }

  // Who may do what

  /** The side on roll. @param {Match} state @returns {Side | null} */
  onRoll({ row, phase }) {
    if (!row || ["ready", "opening", "over"].includes(phase)) return null;
    return blackOnRoll(row) ? "black" : "white";
  }

  /** Whom the match waits for. @param {Match} state @returns {Side[]} */
  toAct(state) {
    const { phase, ready, resignation, doubler } = state;
    if (phase === "over") return [];
    if (phase === "ready") return SIDES.filter((side) => !ready.includes(side));
    if (phase === "opening") return [...SIDES];
    if (resignation) return [otherSide(resignation.by)];
    if (doubler) return [phase === "beavered" ? doubler : otherSide(doubler)];
    return [/** @type {Side} */ (this.onRoll(state))];
  }

  /** The actions of a side that are allowed now. @param {Match} state @param {Side} side */
  allowed(state, side) {
    return Object.keys(this.#guards).filter((kind) => !this.refusal(state, side, kind));
  }

  /** The side whose play may be taken back, since nothing has happened after it. @param {Match} state */
  retriable = ({ played, events }) => (played?.n === events ? played.side : null);

  /** The rule against an action of this kind; undefined where it may be taken. @param {Match} state
   * @param {Side | "server"} actor @param {string} kind @returns {string | undefined} */
  refusal(state, actor, kind) {
    if (state.phase === "over") return "match.over";
    const guard = this.#guards[kind];
    if (!guard) return "actor.unknown";
    if ((actor === "server") !== ["dice", "retry"].includes(kind))
      return actor === "server" ? "actor.player" : "actor.server";
    return guard(state, actor === "server" ? "white" : actor);
  }

  /** @type {Record<string, (state: Match, side: Side) => string | undefined>} */
  #guards = {
    ready: ({ phase, ready }, side) =>
      ready.includes(side) ? "ready.already" : phase === "ready" ? undefined : "turn.not_now",
    roll: (state, side) => this.#turn(state, side) ?? (state.phase === "roll" ? undefined : "turn.not_now"),
    double: (state, side) => {
      if (state.phase === "ready") return "turn.not_now";
      const rule = this.#turn(state, side);
      if (rule) return rule;
      if (!this.card.cube) return "cube.none";
      if (!PLAYING.includes(state.phase)) return "turn.not_now";
      const rolled = state.rolled || state.phase !== "roll";
      const law = this.#core.cubeLaw(state.score, side === "black", rolled);
      return law ? `cube.${LAWS[law]}` : undefined;
    },
    choose: (state, side) =>
      this.#turn(state, side) ?? (state.phase === "choose" ? undefined : "turn.not_now"),
    step: (state, side) => this.#move(state, side),
    touch: (state, side) => this.#move(state, side) ?? this.#free(state),
    swap: (state, side) => this.#move(state, side),
    play: (state, side) =>
      this.#move(state, side) ??
      this.#free(state) ??
      (this.card.touchMove && state.turn?.done.length ? "turn.touch_move" : undefined),
    confirm: (state, side) => this.#move(state, side) ?? this.#free(state),
    undo: (state, side) =>
      this.#move(state, side) ??
      (this.card.touchMove ? "turn.touch_move" : state.turn?.done.length ? undefined : "turn.nothing_done"),
    take: (state, side) => this.#answer(state, side),
    drop: (state, side) => this.#answer(state, side),
    beaver: (state, side) => {
      const { beavers, raccoons, contest } = this.card;
      const rule = this.#answer(state, side);
      if (rule) return rule;
      const plays = (beavers && state.phase === "doubled") || (raccoons && state.phase === "beavered");
      if (contest !== "money" || !plays) return "cube.beavers";
      const raised = state.stake * (OFFERED[state.phase] ?? 1) * 2;
      return this.#core.allowsCube(state.score, raised) ? undefined : "cube.limit";
    },
    dice: ({ phase }) => (phase === "opening" || phase === "throwing" ? undefined : "turn.not_now"),
    retry: (state) => (this.retriable(state) ? undefined : "turn.no_retry"),
    resign: (state) => this.#open(state) ?? (PLAYING.includes(state.phase) ? undefined : "turn.not_now"),
    accept: ({ resignation }, side) =>
      !resignation ? "offer.none" : resignation.by === side ? "offer.own" : undefined,
    refuse: ({ resignation }, side) =>
      !resignation ? "offer.none" : resignation.by === side ? "offer.own" : undefined,
  };

  /** An offer is answered before anything else. @param {Match} state */
  #open = ({ phase }) => (OFFERED[phase] || phase === "resigned" ? "offer.open" : undefined);

  /** @param {Match} state @param {Side} side */
  #turn(state, side) {
    const isOther = PLAYING.includes(state.phase) && this.onRoll(state) !== side;
    return this.#open(state) ?? (isOther ? "turn.other" : undefined);
  }

  /** @param {Match} state @param {Side} side */
  #move = (state, side) => this.#turn(state, side) ?? (state.turn ? undefined : "turn.not_now");

  /** No checker is touched that has to move first. @param {Match} state */
  #free = ({ turn }) => (turn?.touched != null ? "turn.touched" : undefined);

  /** @param {Match} state @param {Side} side */
  #answer(state, side) {
    if (state.phase === "resigned") return "offer.open";
    if (!OFFERED[state.phase]) return "turn.not_now";
    return this.toAct(state).includes(side) ? undefined : "turn.other";
  }

  // What follows

  /** @param {Match} state @param {Side} side @param {Action} action @returns {Outcome} */
  #follow(state, side, action) {
    const { turn, score, stake, phase } = state;
    switch (action.type) {
      case "ready": {
        const ready = [...state.ready, side];
        return ready.length < 2 ? { state: { ...state, ready }, then: {} } : this.#beginGame(state);
      }
      case "roll":
        return { state: { ...state, phase: "throwing" }, then: {} };
      case "dice":
        return this.#thrown(state, [action.first, action.second]);
      case "choose":
        if (!(action.die >= 1 && action.die <= 6)) throw new Refused("dice.choose");
        return { state: this.#shown(state, [action.die, action.die]), then: {} };
      case "touch": {
        const binds =
          this.card.touchMove &&
          this.walk(state)
            .next()
            .some(({ origin }) => origin === action.point);
        return { state: binds ? this.#turned(state, { touched: action.point }) : state, then: {} };
      }
      case "step":
        return { state: this.#stepped(state, action), then: {} };
      case "undo":
        return {
          state: this.#turned(state, { done: action.all ? [] : (turn?.done ?? []).slice(0, -1) }),
          then: {},
        };
      case "swap":
        return { state: this.#turned(state, { dice: [...(turn?.dice ?? [])].reverse() }), then: {} };
      case "confirm":
        return this.#played(state, side, this.walk(state));
      case "play":
        return this.#played(state, side, this.#read(state, action.play));
      case "retry": {
        const { played } = /** @type {Match & {played: NonNullable<Match["played"]>}} */ (state);
        if (action.side !== played.side) throw new Refused("turn.no_retry");
        const again = this.#turned(played.before, { done: [], touched: null });
        return { state: { ...again, tried: played.play }, then: { taken_back: played.play } };
      }
      case "double":
        return {
          state: { ...state, phase: "doubled", doubler: side, stake: score.cube },
          then: { cube: 2 * score.cube },
        };
      case "take": {
        const cube = stake * (OFFERED[phase] ?? 1);
        const owner = otherSide(/** @type {Side} */ (state.doubler));
        const taken = { ...state, phase: /** @type {Phase} */ ("roll"), doubler: null };
        return { state: { ...taken, score: { ...score, cube, owner } }, then: { cube } };
      }
      case "drop": {
        const points = (stake * (OFFERED[phase] ?? 1)) / 2;
        const result = { winner: otherSide(side), kind: "single", points };
        return this.#ended(state, result, { points, cube: points, reason: "drop" });
      }
      case "beaver": {
        /** @type {Phase} */
        const next = phase === "doubled" ? "beavered" : "raccooned";
        return { state: { ...state, phase: next }, then: { cube: stake * (OFFERED[next] ?? 1) } };
      }
      case "resign": {
        const points = this.resignations(state, side)[action.kind ?? "single"];
        if (points === undefined) throw new Refused("resign.kind");
        const resignation = { by: side, kind: action.kind ?? "single", points, phase };
        return { state: { ...state, phase: "resigned", resignation }, then: {} };
      }
      case "accept": {
        const { by, kind, points } = /** @type {Resignation} */ (state.resignation);
        return this.#ended(state, { winner: otherSide(by), kind, points }, { reason: "resignation" });
      }
      default: {
        const { phase: before } = /** @type {Resignation} */ (state.resignation);
        return { state: { ...state, phase: before, resignation: null }, then: {} };
      }
    }
  }

  // Games

  /** @param {Match} state @returns {Outcome} */
  #beginGame(state) {
    const crawford = this.#isCrawfordNext(state);
    /** @type {Match} */
    const begun = {
      ...state,
      ...{ game: state.game + 1, draws: [], ready: [] },
      score: { ...state.score, cube: 1, owner: null, crawford, automatic: 0 },
      crawfordPlayed: state.crawfordPlayed || crawford,
    };
    const later = begun.game > 1 ? this.card.opening.later : "roll";
    const { lastWinner, starter } = state;
    const known =
      later === "winner" ? lastWinner : later === "alternate" && starter ? otherSide(starter) : null;
    if (known) return this.#started(begun, known);
    return { state: { ...begun, phase: "opening" }, then: {} };
  }

  /** The game after a side came within one point; in a match to one point there is none. @param {Match} state */
  #isCrawfordNext({ score, crawfordPlayed }) {
    const { crawford, cube, contest, length } = this.card;
    if (!crawford || !cube || contest !== "points" || crawfordPlayed || length === 1) return false;
    return SIDES.some((side) => score.length - score[side] === 1);
  }

  /** @param {Match} state @param {Side} starter @returns {Match} */
  #placed(state, starter) {
    const row = this.#core.start(this.#rules, starter === "black");
    return { ...state, starter, row, turn: null, rolled: false };
  }

  /** @param {Match} state @param {Side} starter @returns {Outcome} */
  #started(state, starter) {
    return { state: { ...this.#placed(state, starter), phase: "roll" }, then: { starter } };
  }

  /** @param {Match} state @param {number[]} dice @returns {Outcome} */
  #thrown(state, dice) {
    if (!dice.every((die) => Number.isInteger(die) && die >= 1 && die <= 6))
      throw new Refused("dice.impossible");
    if (state.phase === "throwing") return { state: this.#shown(state, dice), then: { dice } };
    const drawn = { ...state, draws: [...state.draws, dice] };
    const [white, black] = dice;
    if (white === black) return { state: this.#doubledAutomatically(drawn), then: { dice } };
    const { dice: play, starter: which } = this.card.opening;
    /** @type {Side} */
    const starter = white > black === (which === "higher") ? "white" : "black";
    if (play === "played")
      return { state: this.#shown(this.#placed(drawn, starter), dice), then: { starter, dice } };
    const { state: after, then } = this.#started(drawn, starter);
    return { state: after, then: { ...then, dice } };
  }

  /** In money play equal opening dice may double the cube, which stays in the middle. @param {Match} state */
  #doubledAutomatically(state) {
    const { score } = state;
    const { contest, cube, automatic } = this.card;
    const doubles = contest === "money" && cube && score.automatic < automatic;
    if (!doubles || !this.#core.allowsCube(score, 2 * score.cube)) return state;
    return { ...state, score: { ...score, cube: 2 * score.cube, automatic: score.automatic + 1 } };
  }

  /** Dice on the board, the larger first. @param {Match} state @param {number[]} dice @returns {Match} */
  #shown(state, dice) {
    const turn = { dice: [...dice].sort((a, b) => b - a), done: [], touched: null };
    return { ...state, phase: "move", turn, rolled: true };
  }

  // Turns

  /**
   * The stages of the turn, as a board reads them.
   * @param {Match} state
   * @returns {import("../board/types.js").Stage[]}
   */
  stages(state) {
    const { row, turn } = state;
    if (!row || !turn) return [];
    return this.#core.stages(this.#rules, row, turn.dice).map(({ isWhole, onward }) => ({
      whole: isWhole,
      next: onward.map(({ origin, landing, die, takes, stage }) => [
        origin,
        landing,
        die,
        Number(takes),
        stage,
      ]),
    }));
  }

  /** The turn as far as it has been played. @param {Match} state */
  walk(state) {
    const done = (state.turn?.done ?? []).map(({ origin, target, die }) => [origin, target, die]);
    return new Turn(this.stages(state), done);
  }

  /** @param {Match} state @param {Partial<Playing>} change @returns {Match} */
  #turned = (state, change) => ({ ...state, turn: { .../** @type {Playing} */ (state.turn), ...change } });

  /** @param {Match} state @param {Action} action @returns {Match} */
  #stepped(state, { origin, target, die = null }) {
    const { dice, done, touched } = /** @type {Playing} */ (state.turn);
    if (touched !== null && origin !== touched) throw new Refused("turn.touched");
    const fitting = this.walk(state)
      .next()
      .filter((hop) => hop.origin === origin && hop.target === target && (die === null || hop.die === die));
    if (!fitting.length) throw new Refused("turn.not_now");
    const hop = fitting.find((each) => each.die === dice[0]) ?? fitting[0];
    return this.#turned(state, { done: [...done, hop], touched: null });
  }

  /** A whole play given as text, in place of what was done. @param {Match} state @param {string} text */
  #read(state, text) {
    const stages = this.stages(state);
    const turn = new Turn(stages);
    const legs = parsePlay(text);
    const hops = legs && walked(turn, legs, (stage) => stages[stage].whole);
    if (!hops) throw new Refused("notation");
    turn.play(hops);
    return turn;
  }

  /** @param {Match} state @param {Side} side @param {Turn} turn @returns {Outcome} */
  #played(state, side, turn) {
    if (!turn.whole) throw new Refused("turn.incomplete");
    const play = this.playOf(state, turn.path);
    const passed = !play.steps.length;
    const gone = { ...state, row: play.row, played: null, tried: null };
    const { state: after, then } = this.#afterPlay(gone, side, passed);
    const written = formatPlay(hopsOf(play.steps)) || "pass";
    if (state.tried === null && !passed && this.onRoll(after) === otherSide(side))
      after.played = { side, play: written, n: state.events + 1, before: { ...state, played: null } };
    return { state: after, play, then: { ...then, play: written } };
  }

  /**
   * The legal play that hops make: what counts is where the checkers come to stand, and what they take.
   * @param {Match} state @param {readonly import("../board/turn.js").Hop[]} hops
   */
  playOf({ row: before, turn }, hops) {
    const row = /** @type {Uint8Array} */ (before);
    const { dice } = /** @type {Playing} */ (turn);
    const { mine } = countsOf(row);
    for (const { origin, target } of hops) {
      mine[origin] -= 1;
      mine[target] += 1;
    }
    const taken = (/** @type {readonly {takes: boolean, target: number}[]} */ steps) =>
      steps
        .flatMap(({ takes, target }) => (takes ? [target] : []))
        .sort((a, b) => a - b)
        .join();
    const wanted = [mine.join(), taken(hops)].join();
    const used = [...hops]
      .map(({ die }) => die)
      .sort()
      .join();
    const plays = this.#core.plays(this.#rules, row, dice);
    const same = plays.filter((play) => {
      const after = countsOf(play.row);
      const own = blackOnRoll(play.row) === blackOnRoll(row) ? after.mine : after.theirs;
      return [own.join(), taken(hopsOf(play.steps))].join() === wanted;
    });
    const found =
      same.find(
        ({ steps }) =>
          steps
            .map(({ die }) => die)
            .sort()
            .join() === used,
      ) ?? same[0];
    if (!found) throw new Refused("turn.incomplete");
    return found;
  }

  /**
   * What is owed, the next player, or the end of the game; one in which nobody can ever move again ends without a
   * winner.
   * @param {Match} state
   * @param {Side} mover
   * @param {boolean} passed
   * @returns {Outcome}
   */
  #afterPlay(state, mover, passed) {
    const row = /** @type {Uint8Array} */ (state.row);
    const { kind, winner, points } = this.#core.result(this.#rules, row);
    if (kind) {
      const turn = blackOnRoll(row) ? "black" : "white";
      const by = winner === 0 ? null : winner === 1 ? turn : otherSide(turn);
      return this.#ended(state, { winner: by, kind: KINDS[kind], points });
    }
    if (passed && this.#isLocked(row))
      return this.#ended(state, { winner: null, kind: "tie", points: 0 }, { reason: "locked" });
    const goesOn = blackOnRoll(row) === (mover === "black");
    /** @type {Match} */
    const after = { ...state, phase: "roll", turn: null, rolled: state.rolled && goesOn };
    const owed = owedOf(row);
    if (owed?.choose) return { state: { ...after, phase: "choose" }, then: {} };
    return { state: owed ? this.#shown(after, owed.dice) : after, then: {} };
  }

  // Ends

  /**
   * Whether neither side can move, now or later, whatever is thrown; see `Position.is_locked`.
   * @param {Uint8Array} row
   */
  #isLocked(row) {
    let here = row;
    for (const _ of SIDES) {
      if (this.#core.result(this.#rules, here).kind || owedOf(here)) return false;
      for (let first = 1; first <= 6; first++)
        for (let second = 1; second <= first; second++) {
          const [play, other] = this.#core.plays(this.#rules, here, [first, second]);
          if (other || play.steps.length) return false;
        }
      here = this.#core.plays(this.#rules, here, [2, 1])[0].row;
    }
    // Where passing is still remembered, as on a first turn, more may be allowed later.
    return here.every((byte, i) => byte === row[i]);
  }

  /** The classes at which a side can give up, with their points. @param {Match} state @param {Side} side */
  resignations({ row }, side) {
    if (!row) return {};
    const { mine, theirs } = countsOf(row);
    const [off] = blackOnRoll(row) === (side === "black") ? mine : theirs;
    const { left, checkers, losses } = this.card;
    if (left !== "off") return { [left]: checkers - off };
    return Object.fromEntries(Object.entries(losses).filter(([kind]) => kind === "single" || off === 0));
  }

  /**
   * What a game pays that was played out or given up, at the cube of the state.
   * @param {Match} state
   * @param {Result} result
   */
  paid(state, { winner, kind, points }) {
    const { score, row } = state;
    const { settle, contest, checkers } = this.card;
    if (settle !== "points" && contest === "money" && winner && row) {
      const { mine, theirs } = countsOf(row);
      const counts = blackOnRoll(row) === (winner === "black") ? theirs : mine;
      const home = counts.slice(1, 7).reduce((sum, each) => sum + each, 0);
      return (settle === "per_checker_home" ? Math.max(home, 1) : checkers - counts[0]) * score.cube;
    }
    return this.#core.paid(score, KINDS.indexOf(kind), points);
  }

  /**
   * The game on the score sheet, and whether it decides the match.
   * @param {Match} state @param {Result} result
   * @param {{points?: number, cube?: number, reason?: string}} [how]
   * @returns {Outcome}
   */
  #ended(state, result, { points, cube, reason = "played" } = {}) {
    const { winner, kind } = result;
    const games = this.card.contest === "games";
    const paid = games ? Number(winner !== null) : (points ?? this.paid(state, result));
    const game = { winner, kind, points: paid, cube: cube ?? state.score.cube, reason };
    const score = { ...state.score, cube: 1, owner: null, automatic: 0, crawford: false };
    if (winner) score[winner] += paid;
    /** @type {Match} */
    const over = {
      ...state,
      ...{ phase: "ready", score, turn: null, rolled: false, doubler: null, resignation: null },
      tried: null,
      lastWinner: winner ?? state.lastWinner,
      games: [...state.games, game],
    };
    const then = { game: { winner, kind, points: paid, reason } };
    const won = this.#core.winner(score);
    if (!won) return { state: over, then };
    return {
      state: { ...over, phase: "over", winner: won, ending: "points" },
      then: { ...then, match: { winner: won, reason: "points" } },
    };
  }
}

/**
 * The hops by which a written play is made: one that is not marked takes nothing on its way.
 * @param {Turn} turn @param {import("../board/notation.js").Leg[]} legs  those that are still to be walked
 * @param {(stage: number) => boolean} isWhole  whether the turn may end on a stage
 * @param {number} [stage]
 * @returns {import("../board/turn.js").Hop[] | null}
 */
function walked(turn, legs, isWhole, stage = 0) {
  if (!legs.length) return isWhole(stage) ? [] : null;
  for (const hop of turn.next(stage)) {
    for (const [i, leg] of legs.entries()) {
      if (leg.origin !== hop.origin || hop.target < leg.target) continue;
      const arrives = hop.target === leg.target;
      if (hop.takes !== (arrives && leg.takes)) continue;
      const others = legs.filter((_, at) => at !== i);
      const left = arrives ? others : [{ ...leg, origin: hop.target }, ...others];
      const onward = walked(turn, left, isWhole, hop.stage);
      if (onward) return [hop, ...onward];
    }
  }
  return null;
}

/** Steps of the core as a board has them. @param {import("./core.js").Step[]} steps */
export const hopsOf = (steps) =>
  steps.map(({ origin, landing, die, takes }) => ({ origin, target: landing, die, takes, stage: 0 }));
