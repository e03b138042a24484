/** A table without a server: a match against the engine, as it is sent to a page. It runs where the core does. */
import { formatPlay } from "../board/notation.js";
import { blackOnRoll, countsOf, isSameSide, owedOf } from "./bytes.js";
import { hopsOf, MatchRules, otherSide, Refused, SIDES } from "./game.js";
import { Scores } from "./scores.js";
import { decide } from "./seat.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Side} Side
 * @typedef {import("./game.js").Match} Match
 * @typedef {import("./game.js").Action} Action
 * @typedef {import("./game.js").Card} Card
 * @typedef {import("../board/types.js").Layout} Layout
 * @typedef {Action & {n: number, at: number, actor: string, then?: object}} Event  as in a record
 * @typedef {{title: string, fingerprint: string, classes: import("./analysis.js").ResultClass[], counted: boolean,
 *   cube: boolean, limit: number, table: {touch_move: boolean, allow_dead_double: boolean, settle: Card["settle"],
 *   agreements: boolean}, opening: Card["opening"], losses: Record<string, number>, left: Card["left"],
 *   double: number, layout: Layout}} GameData
 * @typedef {{axes: string[], levels: Record<string, import("./seat.js").Level>, games: Record<string, {answers:
 *   number[],
 *   setup: number[], net: string, classMap: number[], approximate: boolean, weights: number[],
 *   errors: number[]}>}} RulesFile
 * @typedef {{shared: import("./scores.js").Shared, games: Record<string, GameData>}} GamesFile
 * @typedef {{games: Record<string, import("./scores.js").Equities>}} EquitiesFile
 * @typedef {{rules: RulesFile, games: GamesFile, equities: EquitiesFile | null}} Files
 * @typedef {{id: string, code: string, you: Side, level: string, seed: string}} Agreed  by whom a match is played, and
 *   what the errors of a weak level are drawn from
 */

/**
 * A card by its code. Undefined for one that needs a server: other options of the game, a clock, or a longer match than
 * there are equities for.
 * @param {string} code @param {GamesFile} games @param {number} longest
 * @returns {Card | undefined}
 */
export function cardOf(code, games, longest) {
  const [game, ...parts] = code.split(".");
  const about = games.games[game];
  const contest = parts.map((part) => /^(?:([pg])(\d+)|m)$/.exec(part)).find(Boolean);
  const flags = new Set(parts.filter((part) => part !== contest?.[0] && !part.startsWith("dice-")));
  const automatic = [...flags].map((part) => /^auto(\d)$/.exec(part)).find(Boolean);
  for (const known of ["nojacoby", "beavers", "raccoons", automatic?.[0] ?? ""]) flags.delete(known);
  const length = contest?.[2] ? Number(contest[2]) : null;
  if (!about || !contest || flags.size || (length ?? 0) > longest) return undefined;
  const kind = { p: "points", g: "games" }[contest[1]] ?? "money";
  const { table, opening, losses, left, layout, limit } = about;
  return {
    ...{ code, game, contest: /** @type {Card["contest"]} */ (kind), length, opening, losses, left, limit },
    ...{ cube: about.cube && kind !== "games", crawford: true, jacoby: !parts.includes("nojacoby") },
    ...{ beavers: parts.includes("beavers"), raccoons: parts.includes("raccoons") },
    ...{ automatic: Number(automatic?.[1] ?? 0), deadDouble: table.allow_dead_double },
    ...{ touchMove: table.touch_move, settle: table.settle, checkers: layout.checkers },
  };
}

export class LocalTable {
  #core;
  #rules;
  /** @type {Event[]} */
  #events = [];

  /** @param {Core} core @param {Agreed} agreed @param {Files} files */
  constructor(core, agreed, { rules: file, games, equities }) {
    const card = /** @type {Card} */ (cardOf(agreed.code, games, Infinity));
    const { answers, setup, ...own } = file.games[card.game];
    this.#core = core;
    this.agreed = agreed;
    this.about = games.games[card.game];
    this.numbers = { axes: Object.fromEntries(file.axes.map((name, i) => [name, answers[i]])), setup };
    this.#rules = core.rules(this.numbers);
    this.match = new MatchRules(core, this.#rules, card);
    this.level = file.levels[agreed.level];
    const net = { name: card.game, sha256: own.net };
    const { classes, counted } = this.about;
    const game = { ...own, rules: this.numbers, net, classes, counted };
    this.scores = new Scores(core, card, game, games.shared, equities?.games[card.game] ?? null);
    this.state = this.match.begin();
  }

  /** How many events it has seen. */
  get length() {
    return this.#events.length;
  }

  /** @param {Event[]} events */
  replay(events) {
    for (const { n: _, at: __, actor, then: ___, ...action } of events.slice(this.length))
      this.act(/** @type {Side} */ (actor), /** @type {Action} */ (action), 0);
  }

  /**
   * Take an action; throws `Refused`.
   * @param {Side | "server"} actor @param {Action} action @param {number} at
   * @returns {Event}
   */
  act(actor, action, at) {
    const { state, then } = this.match.apply(this.state, actor, action);
    this.state = state;
    const event = { n: state.events, at, actor, ...action, then };
    this.#events.push(event);
    return event;
  }

  /** What the engine's seat does. @param {import("./analysis.js").Handles} handles */
  decide(handles) {
    const { state, level, agreed } = this;
    return decide(this.#core, handles, this.match, this.scores, state, level, BigInt(agreed.seed));
  }

  /** The question whose answer is a hint; null where nothing is to be decided. */
  question() {
    const { row, phase } = this.state;
    if (!row || ["ready", "opening", "throwing", "over"].includes(phase)) return null;
    return this.scores.question(this.state);
  }

  /**
   * What is to be judged of an action that is about to be taken; null where it decides nothing.
   * @param {Side} side @param {Action} action
   */
  judgement(side, { type, ...rest }) {
    const { state, match } = this;
    if (type === "play" || type === "confirm") {
      const stages = match.stages(state);
      if (stages.filter(({ whole }) => whole).length < 2 || !state.turn) return null;
      const after = match.apply(state, side, { type, ...rest }).play;
      if (!after) return null;
      const made = btoa(String.fromCharCode(...after.row));
      return {
        done: "play",
        made,
        dice: this.scores.question(state).throws[0],
        question: this.scores.question(state),
      };
    }
    const doubling = state.phase === "roll" && (type === "roll" || type === "double");
    const answering = state.phase === "doubled" && ["take", "drop", "beaver"].includes(type);
    if (!answering && !(doubling && !match.refusal(state, side, "double"))) return null;
    const question = this.scores.question(state);
    if (!question.doubles) return null;
    return { done: doubling ? (type === "double" ? "double" : "no_double") : type, question };
  }

  /** The play of the dice in a race that bears off, as `players.settlement` has it; null where something is decided. */
  finish() {
    const { row, turn } = this.state;
    if (!row || !turn || turn.done.length || this.#core.race(this.#rules, row) === undefined) return null;
    if (countsOf(row).mine.slice(7).some(Boolean)) return null;
    const plays = this.#core.plays(this.#rules, row, turn.dice).map((play) => {
      const { mine, theirs } = countsOf(play.row);
      return { steps: play.steps, off: (isSameSide(row, play.row) ? mine : theirs)[0] };
    });
    const most = Math.max(...plays.map(({ off }) => off));
    const best = plays.filter(({ off }) => off === most);
    const isClear = plays.length === 1 || (best.length === 1 && most > countsOf(row).mine[0]);
    return isClear ? formatPlay(hopsOf(best[0].steps)) || "pass" : null;
  }

  /** What giving up at each class costs the player, at the present cube. */
  losses() {
    const { match, state, agreed } = this;
    const winner = otherSide(agreed.you);
    const all = Object.entries(match.resignations(state, agreed.you));
    return Object.fromEntries(
      all.map(([kind, points]) => [kind, match.paid(state, { winner, kind, points })]),
    );
  }

  /** Why further steps may not be made: the number of the rule as `Core.refusal` has it. @param {number[][]} steps */
  why(steps) {
    const { row, turn } = this.state;
    if (!row || !turn) return null;
    const made = turn.done.map(({ origin, target, die }) => [origin, target, die]);
    return this.#core.refusal(this.#rules, row, turn.dice, [...made, ...steps]);
  }

  /** The state as a page is sent it. */
  view() {
    const { state, match, agreed, about } = this;
    const { card } = match;
    const { phase, score, turn, row, resignation, draws, game, starter } = state;
    const { you } = agreed;
    const drawn = draws.length > 0 || phase === "opening";
    const tied = drawn && (!draws.length || draws.at(-1)?.[0] === draws.at(-1)?.[1]);
    const shown = phase === "opening" ? this.#core.start(this.#rules, false) : row;
    const owed = shown && owedOf(shown);
    const both = (/** @type {(side: Side) => any} */ of) =>
      Object.fromEntries(SIDES.map((side) => [side, of(side)]));
    const loser = match.onRoll(state) ?? you;
    const moves = phase === "move" && match.onRoll(state) === you;
    return {
      match: agreed.id,
      card: {
        ...{ code: card.code, hash: "", game: card.game, title: about.title, contest: card.contest },
        ...{ length: card.length, clock: { code: "n", kind: "none", delay: 0, bank: 0 }, dice: "local" },
        ...{ cube: card.cube, touch_move: card.touchMove, options: {}, agreements: false, one_pair: false },
        crawford: card.crawford && card.cube && card.contest === "points",
        ...Object.fromEntries(
          Object.entries({ jacoby: card.jacoby, beavers: card.beavers, raccoons: card.raccoons }).map(
            ([name, on]) => [name, on && card.cube && card.contest === "money"],
          ),
        ),
        automatic_doubles: card.contest === "money" && card.cube ? card.automatic : 0,
      },
      rules: about.fingerprint,
      you: [you],
      ...{ rated: false, tutor: true, phase, game, fallback: [] },
      opening: game
        ? { by: drawn ? "draw" : card.opening.later, throws: draws, starter: tied ? null : starter }
        : null,
      score: both((side) => score[side]),
      crawford: score.crawford,
      on_roll: match.onRoll(state),
      to_act: match.toAct(state),
      allowed: [...match.allowed(state, you), ...(match.retriable(state) === you ? ["retry"] : [])],
      board: shown && boardOf(shown, about.layout),
      turn: turn && {
        dice: turn.dice,
        done: turn.done.map(({ origin, target, die, takes }) => [origin, target, die, Number(takes)]),
        touched: turn.touched,
      },
      dice_steps:
        owed && !owed.choose ? owed.steps.length : turn && turn.dice[0] === turn.dice[1] ? about.double : 2,
      pending: owed ? { dice: owed.steps, choose: owed.choose } : null,
      cube: this.#cube(),
      resignation: resignation && {
        ...{ by: resignation.by, kind: resignation.kind, points: resignation.points },
        pays: match.paid(state, { ...resignation, winner: otherSide(resignation.by) }),
      },
      resign_kinds: row ? Object.keys(match.resignations(state, loser === you ? loser : you)) : [],
      ...{ proposal: null, clock: null, paused: false, breaks: { white: 0, black: 0, until: null } },
      pips: shown ? both((side) => pipsOf(shown, side)) : { white: null, black: null },
      race: shown ? this.#core.race(this.#rules, shown) !== undefined : undefined,
      results: state.games,
      ...{ winner: state.winner, ending: state.ending },
      dice: { source: "local", game: `${agreed.id}/${Math.max(game, 1)}` },
      ...(moves ? { choices: this.#choices() } : {}),
    };
  }

  /** Where a checker is bound by touch, nothing but it moves. */
  #choices() {
    const { state, match } = this;
    const stages = match.stages(state);
    const touched = state.turn?.touched ?? null;
    if (touched !== null) {
      const here = match.walk(state).stage;
      stages[here] = { whole: false, next: stages[here].next.filter(([origin]) => origin === touched) };
    }
    return stages;
  }

  /** The cube; that of an offer is drawn at its value before. */
  #cube() {
    const { score, phase, stake, doubler } = this.state;
    const times = { doubled: 2, beavered: 4, raccooned: 8 }[/** @type {string} */ (phase)];
    return {
      value: times ? (stake * times) / 2 : score.cube,
      owner: score.owner,
      offered: times ? stake * times : null,
      by: times && doubler ? (phase === "beavered" ? otherSide(doubler) : doubler) : null,
      in_play: this.match.card.cube,
      automatic: score.automatic,
    };
  }
}

/** The checkers of both sides by place, which is a number of White's. @param {Uint8Array} row @param {Layout} layout */
export function boardOf(row, layout) {
  const { mine, theirs, pinnedMine, pinnedTheirs } = countsOf(row);
  const isBlack = blackOnRoll(row);
  const [white, black] = isBlack ? [theirs, mine] : [mine, theirs];
  const [pinnedWhite, pinnedBlack] = isBlack ? [pinnedTheirs, pinnedMine] : [pinnedMine, pinnedTheirs];
  const places = { white: layout.numbers.white, black: layout.numbers.black };
  /** @type {{w: number, b: number, pin?: Side}[]} */
  const points = Array.from({ length: 24 }, () => ({ w: 0, b: 0 }));
  for (let number = 1; number <= 24; number++) {
    points[places.white[number - 1] - 1].w = white[number];
    points[places.black[number - 1] - 1].b = black[number];
  }
  for (const number of pinnedWhite) points[places.white[number - 1] - 1].pin = "white";
  for (const number of pinnedBlack) points[places.black[number - 1] - 1].pin = "black";
  const at = (/** @type {number} */ place) => ({ white: white[place], black: black[place] });
  return { points, bar: at(26), hand: at(25), off: at(0) };
}

/** @param {Uint8Array} row @param {Side} side */
export function pipsOf(row, side) {
  const { mine, theirs } = countsOf(row);
  const counts = blackOnRoll(row) === (side === "black") ? mine : theirs;
  return counts.reduce((sum, count, place) => sum + count * Math.min(place, 25), 0);
}

export { Refused };
