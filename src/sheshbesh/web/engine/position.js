/**
 * A position by itself, without a server: its id, a board put up by hand, and the question about it. Ids are those of
 * `sheshbesh.rules.ids`; what cannot be is said as `sheshbesh.rules.setup` and `sheshbesh.match` say it, by the names
 * of its sentences (`app/without-server.js`).
 */
import { BAR, HAND, OFF } from "../board/types.js";
import { blackOnRoll, countsOf, owedOf } from "./bytes.js";
import { ROW } from "./core.js";
import { MatchRules, otherSide, SIDES } from "./game.js";
import { LONGEST, Scores } from "./scores.js";
import { boardOf, cardOf, pipsOf } from "./table.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Side} Side
 * @typedef {import("./table.js").Files} Files
 * @typedef {import("../board/types.js").Board} Board
 * @typedef {import("../board/types.js").Layout} Layout
 * @typedef {[name: string, values?: Record<string, string | number>]} Problem  a sentence by its name
 * @typedef {{checkers: Record<Side, {counts: number[], pinned: Set<number>}>, turn: Side, turns: Record<Side, number>,
 *   starter: Side | null, motherLost: Side | null, owed: number[]}} Description  counts in own numbers; `owed` as in a
 *   row: die, second, steps, rest, then, choose, head
 * @typedef {{layout: Layout, axes: Record<string, number>, setup: number[]}} Game
 * @typedef {{card?: string, id?: string, dice?: string, cube?: string, score?: string, crawford?: string,
 *   board?: Board, turn?: Side}} Asked  the fields of a query (`players/situation.py`), or a board put up by hand
 */

/** What a position cannot be, all of it. */
export class Impossible extends Error {
  /** @param {Problem[]} problems */
  constructor(...problems) {
    super(problems.map(([name]) => name).join());
    this.problems = problems;
  }
}

const POINTS = Array.from({ length: 24 }, (_, i) => i + 1);
const LETTERS = " ABCDEFGHIJKLMNO";
const [TURNS, STARTED, MOTHER_LOST, PENDING] = [103, 105, 107, 109];
const TOKEN = /(?<gap>[1-9][0-9]?)|\((?<pin>[A-Oa-o]{2})\)|(?<stack>[A-Oa-o])/y;
const PAIR = /^([xht])(\d{1,2})\.(\d{1,2})$/;
const WHO = /^([sm])([wb])$/;
const OWED = /^p(?:(\?)|([1-6]{1,4})(\+?)(!?))(?:h([1-9]\d?))?$/;
const FIELDS = "xhtsmp";
const LONGEST_ID = 200;

/** @template T @param {(side: Side) => T} of @returns {Record<Side, T>} */
const both = (of) => ({ white: of("white"), black: of("black") });

/** A point of White's in a side's own numbers, and back. @param {Layout} layout @param {Side} side @param {number} n */
const own = (layout, side, n) => layout.numbers[side].indexOf(n) + 1;

/** Turns that the rules of a game count. @param {Game} game */
const remembered = ({ axes }) =>
  Math.max(Number(axes["head.exception"] > 0), axes["throw.progression_from"] - 1, 0);

/** @returns {Description} */
const nothing = () => ({
  checkers: both(() => ({ counts: Array(27).fill(0), pinned: new Set() })),
  ...{ turn: "white", turns: { white: 0, black: 0 }, starter: null, motherLost: null },
  owed: Array(7).fill(0),
});

// Ids

/** @param {string} text @param {Game} game @returns {Description} */
export function parseId(text, game) {
  const { layout } = game;
  if (text.length > LONGEST_ID)
    throw new Impossible(["id.long", { n: LONGEST_ID, text: `'${text.slice(0, 60)}'` }]);
  const said = `'${text}'`;
  const found = nothing();
  const [board, side, ...fields] = text.trim().split(":");
  if (side !== "w" && side !== "b") throw new Impossible(["id.side", { id: said }]);
  found.turn = side === "w" ? "white" : "black";
  readBoard(board, said, layout, found);
  let last = -1;
  for (const field of fields) {
    const letter = readField(field, found);
    if (!letter) throw new Impossible(["id.field", { id: said, field: `'${field}'` }]);
    if (FIELDS.indexOf(letter) <= last) throw new Impossible(["id.order", { id: said, field: `'${field}'` }]);
    last = FIELDS.indexOf(letter);
  }
  const [late] = SIDES.filter((each) => found.turns[each] > remembered(game));
  if (late) throw new Impossible(["id.turns", { id: said, side: late, most: remembered(game) }]);
  for (const { counts } of Object.values(found.checkers))
    counts[OFF] = Math.max(layout.checkers - counts.reduce((sum, n) => sum + n, 0), 0);
  return found;
}

/** @param {string} text @param {string} id @param {Layout} layout @param {Description} found */
function readBoard(text, id, layout, { checkers }) {
  let point = 24;
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match?.groups) throw new Impossible(["id.stack", { id, n: at + 1 }]);
    const { gap, pin, stack } = match.groups;
    const isUpper = (/** @type {string} */ letter) => letter < "a";
    if (pin && isUpper(pin[0]) === isUpper(pin[1])) throw new Impossible(["id.pin", { id, n: at + 1 }]);
    if (gap) point -= Number(gap);
    else if (point >= 1) {
      [...(pin ?? stack)].forEach((letter, i) => {
        const side = isUpper(letter) ? "white" : "black";
        const number = own(layout, side, point);
        checkers[side].counts[number] = LETTERS.indexOf(letter.toUpperCase());
        if (pin && i) checkers[side].pinned.add(number);
      });
      point -= 1;
    } else point = -1;
    at = TOKEN.lastIndex;
    if (point < 0) throw new Impossible(["id.most", { id, n: at }]);
  }
  if (point) throw new Impossible(["id.few", { id, n: 24 - point }]);
}

/** The letter of a field that was read; undefined for none. @param {string} text @param {Description} found */
function readField(text, found) {
  const pair = PAIR.exec(text);
  const who = WHO.exec(text);
  const owed = OWED.exec(text);
  if (pair) {
    SIDES.forEach((side, i) => {
      const n = Number(pair[2 + i]);
      if (pair[1] === "t") found.turns[side] = n;
      else found.checkers[side].counts[pair[1] === "x" ? BAR : HAND] = n;
    });
  } else if (who) found[who[1] === "s" ? "starter" : "motherLost"] = who[2] === "w" ? "white" : "black";
  else if (owed) {
    const [, choose, steps = "", rest, then, head] = owed;
    const dice = [...steps].map(Number);
    const isPlain = new Set(dice).size > 1;
    // The steps of an element are equal, or the two of a simple throw that nothing follows.
    if (isPlain && (dice.length !== 2 || rest)) return undefined;
    const [high, low] = [Math.max(...dice, 0), isPlain ? Math.min(...dice) : 0];
    const flags = [rest, then, choose].map((flag) => Number(Boolean(flag)));
    found.owed = [high, low, dice.length, ...flags, Number(head ?? 0)];
  }
  return (pair ?? who ?? owed)?.[0][0];
}

/** The id of a row. @param {Uint8Array} row @param {Layout} layout */
export function formatId(row, layout) {
  const { mine, theirs, pinnedMine, pinnedTheirs } = countsOf(row);
  const isBlack = blackOnRoll(row);
  const [white, black] = isBlack ? [theirs, mine] : [mine, theirs];
  const pinned = { white: isBlack ? pinnedTheirs : pinnedMine, black: isBlack ? pinnedMine : pinnedTheirs };
  let board = "";
  let gap = 0;
  for (let point = 24; point >= 1; point--) {
    const at = both((side) => own(layout, side, point));
    const stacks = /** @type {[boolean, string][]} */ ([
      [pinned.white.includes(at.white), LETTERS[white[at.white]]],
      [pinned.black.includes(at.black), LETTERS[black[at.black]].toLowerCase()],
    ]);
    const here = stacks.filter(([, letter]) => letter !== " ");
    if (!here.length) {
      gap += 1;
      continue;
    }
    const text = here
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, letter]) => letter)
      .join("");
    board += (gap || "") + (here.length > 1 ? `(${text})` : text);
    gap = 0;
  }
  board += gap || "";
  const flags = (/** @type {number} */ at) => (isBlack ? [row[at + 1], row[at]] : [row[at], row[at + 1]]);
  const who = (/** @type {number} */ at) => "wb"[flags(at).indexOf(1)];
  const pair = (/** @type {string} */ letter, /** @type {number[]} */ [a, b]) =>
    a || b ? [`${letter}${a}.${b}`] : [];
  const fields = [board, isBlack ? "b" : "w"];
  fields.push(...pair("x", [white[BAR], black[BAR]]), ...pair("h", [white[HAND], black[HAND]]));
  fields.push(...pair("t", flags(TURNS)));
  if (who(STARTED)) fields.push(`s${who(STARTED)}`);
  if (who(MOTHER_LOST)) fields.push(`m${who(MOTHER_LOST)}`);
  const owed = owedOf(row);
  const [, , , rest, then, , head] = row.subarray(PENDING);
  if (owed) {
    const what = owed.choose ? "?" : `${owed.steps.join("")}${rest ? "+" : ""}${then ? "!" : ""}`;
    fields.push(`p${what}${head ? `h${head}` : ""}`);
  }
  return fields.join(":");
}

// Boards

/** A board put up by hand, with a history as its checkers let suppose. @param {Board} board @param {Side} turn
 * @param {Game} game @returns {Description} */
export function described(board, turn, game) {
  const { layout, setup } = game;
  const found = nothing();
  found.turn = turn;
  for (const side of SIDES) {
    const { counts, pinned } = found.checkers[side];
    board.points.forEach((point, i) => {
      const number = own(layout, side, i + 1);
      counts[number] = point[side === "white" ? "w" : "b"];
      if (point.pin === side) pinned.add(number);
    });
    [counts[BAR], counts[HAND], counts[OFF]] = [board.bar[side], board.hand[side], board.off[side]];
    const isStart =
      counts[HAND] === layout.hand && POINTS.every((point) => counts[point] === setup[point - 1]);
    found.turns[side] = isStart ? 0 : remembered(game);
  }
  return found;
}

/** Everything that makes a position impossible; pins that leave no choice are filled in.
 * @param {Description} found @param {Game} game @returns {Problem[]} */
export function problemsOf({ checkers }, { layout, axes }) {
  const places = POINTS.map((point) => both((side) => own(layout, side, point)));
  if (layout.pins) places.forEach((at) => inferPin(checkers, at));
  /** @type {Problem[]} */
  const problems = [];
  const cap = axes["occupancy.stack_cap"];
  for (const side of SIDES) {
    const { counts, pinned } = checkers[side];
    const total = counts.reduce((sum, n) => sum + n, 0);
    if (total !== layout.checkers) problems.push(["count", { side, n: total, most: layout.checkers }]);
    if (counts[BAR] && !layout.bar) problems.push(["bar", { side, n: counts[BAR] }]);
    if (counts[HAND] && !layout.hand) problems.push(["hand", { side, n: counts[HAND] }]);
    if (pinned.size && !layout.pins) problems.push(["pinned", { side }]);
    for (const number of POINTS) {
      const point = layout.numbers[side][number - 1];
      if (cap && counts[number] > cap) problems.push(["high", { side, n: counts[number], point, most: cap }]);
    }
  }
  return [...problems, ...places.flatMap((at, i) => shared(checkers, at, i + 1, layout.pins))];
}

/** @param {Description["checkers"]} checkers @param {Record<Side, number>} at */
function inferPin(checkers, at) {
  const counts = both((side) => checkers[side].counts[at[side]]);
  const { white, black } = counts;
  if (Math.min(white, black) !== 1 || Math.max(white, black) < 2) return;
  if (SIDES.some((side) => checkers[side].pinned.has(at[side]))) return;
  const side = white === 1 ? "white" : "black";
  checkers[side].pinned.add(at[side]);
}

/** @param {Description["checkers"]} checkers @param {Record<Side, number>} at @param {number} point
 * @param {boolean} pins @returns {Problem[]} */
function shared(checkers, at, point, pins) {
  const counts = both((side) => checkers[side].counts[at[side]]);
  const listed = SIDES.filter((side) => checkers[side].pinned.has(at[side]));
  const isShared = counts.white > 0 && counts.black > 0;
  if (!pins) return isShared ? [["shared", { point }]] : [];
  if (!isShared) return listed.map((side) => ["under", { side, point }]);
  if (listed.length !== 1) return [["name", { point }]];
  return counts[listed[0]] === 1 ? [] : [["several", { n: counts[listed[0]], point }]];
}

/** The parts of a history that the rules never ask. @param {Description} found @param {Game} game
 * @returns {Problem[]} */
function foreign({ starter, motherLost, owed }, { axes }) {
  const [die, second, steps, rest, then, choose, head] = owed;
  const limit = axes["head.limit"];
  const most = limit && limit + Number(axes["head.exception"] > 0);
  /** @type {Problem[]} */
  const problems = [];
  if (starter && !axes["ending.last_roll_tie"]) problems.push(["starter"]);
  if (motherLost && axes["ending.mother"] !== PLAYS_ON) problems.push(["mother"]);
  if (head > most) problems.push(["head", { n: most }]);
  if (choose) return axes["throw.one_two_bonus"] ? problems : [...problems, ["choose"]];
  if (!die && !steps) return problems;
  const chains = axes["throw.progression_from"];
  if (!chains && !axes["throw.forfeit_simple"]) return [...problems, ["owed"]];
  if (rest && !chains) problems.push(["chain"]);
  if (then && !axes["throw.unused_to_opponent"]) problems.push(["then"]);
  if (second && !axes["throw.forfeit_simple"]) problems.push(["simple"]);
  return problems;
}
/** The answer on the axis of the mother at which the game goes on without her. */
const PLAYS_ON = 2;

/** A position as the core has it; throws `Impossible`. @param {Description} found @param {Game} game */
export function rowOf(found, game) {
  const wrong = [...problemsOf(found, game), ...foreign(found, game)];
  if (wrong.length) throw new Impossible(...wrong);
  const { checkers, turn, turns, starter, motherLost, owed } = found;
  const order = [turn, otherSide(turn)];
  const first = starter ?? (game.axes["ending.last_roll_tie"] ? "white" : null);
  const row = new Uint8Array(ROW);
  order.forEach((side, i) => {
    const { counts, pinned } = checkers[side];
    row.set(counts, 27 * i);
    for (const number of pinned) row[54 + 24 * i + number - 1] = 1;
    row[TURNS + i] = turns[side];
    row[STARTED + i] = Number(first === side);
    row[MOTHER_LOST + i] = Number(motherLost === side);
  });
  row[102] = Number(turn === "black");
  row.set(owed, PENDING);
  return row;
}

// Score and cube

/**
 * @param {import("./core.js").Score} opening @param {import("./game.js").Card} card @param {Asked} asked
 * @returns {import("./core.js").Score}  throws `Impossible`
 */
function scoreOf(opening, card, { cube = "", score = "", crawford = "" }) {
  const turned = /^([1-9]\d{0,18})([wb]?)$/.exec(cube || "1");
  const points = /^(\d{1,4})\.(\d{1,4})$/.exec(score || "0.0");
  /** @type {Problem[]} */
  const problems = [];
  if (!turned) problems.push(["cube.written"]);
  if (!points) problems.push(["score.written"]);
  if (!turned || !points) throw new Impossible(...problems);
  if (!card.cube && turned[0] !== "1") throw new Impossible(["cube.none"]);
  const value = Number(turned[1]);
  const owner = /** @type {Record<string, Side>} */ ({ w: "white", b: "black" })[turned[2]] ?? null;
  const found = { ...opening, white: Number(points[1]), black: Number(points[2]), cube: value, owner };
  const isCrawford = crawford === "1";
  const { length, limit, white, black } = found;
  const needed = length - Math.max(white, black);
  const text = `${white}-${black} to ${length}`;
  if (!Number.isInteger(Math.log2(value))) problems.push(["cube.value", { found: value }]);
  else if (limit && value > limit) problems.push(["cube.limit", { most: limit, cube: value }]);
  if (length && Math.min(white, black) >= length) problems.push(["score.both", { n: length }]);
  if (isCrawford && !length) problems.push(["crawford.money"]);
  if (problems.length) throw new Impossible(...problems);
  // What does not go together, each possible alone.
  if (!owner && value !== 1) problems.push(["cube.owner", { cube: value, unturned: 1 }]);
  if (owner && value === 1) problems.push(["cube.early", { cube: value, owner }]);
  if (isCrawford && needed !== 1) problems.push(["crawford.score", { score: text }]);
  if (isCrawford && owner) problems.push(["crawford.cube"]);
  if (problems.length) throw new Impossible(...problems);
  return { ...found, crawford: isCrawford };
}

/**
 * All that an analysis board shows of a position, with the question by which it is judged.
 * @param {Core} core @param {Asked} asked @param {Files} files
 * @returns {{scene: any} | {problems: Problem[]}}
 */
export function situation(core, asked, files) {
  const card = cardOf(asked.card || "backgammon.m", files.games, LONGEST);
  if (!card) return { problems: [["card"]] };
  const about = files.games.games[card.game];
  const { answers, setup, ...rest } = files.rules.games[card.game];
  const axes = Object.fromEntries(files.rules.axes.map((name, i) => [name, answers[i]]));
  const game = { layout: about.layout, axes, setup };
  const rules = core.rules({ axes, setup });
  try {
    const match = new MatchRules(core, rules, card);
    const [row, score] = settled(
      () => placed(core, rules, asked, game),
      () => scoreOf(match.begin().score, card, asked),
    );
    const net = { name: card.game, sha256: rest.net };
    const { classes, counted } = about;
    const judged = { ...rest, rules: { axes, setup }, net, classes, counted };
    const equities = files.equities?.games[card.game] ?? null;
    const scores = new Scores(core, card, judged, files.games.shared, equities);
    const dice = diceOf(asked.dice ?? "", row, core.result(rules, row).kind > 0);
    return { scene: sceneOf(core, { rules, card, about, match, scores, row, score, dice }) };
  } catch (error) {
    if (!(error instanceof Impossible)) throw error;
    return { problems: error.problems };
  } finally {
    core.free("rules", rules);
  }
}

/** The results of some works; what is wrong in any of them is thrown together. @param {(() => any)[]} works */
function settled(...works) {
  /** @type {Problem[]} */
  const problems = [];
  const found = works.map((work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      problems.push(...error.problems);
      return null;
    }
  });
  if (problems.length) throw new Impossible(...problems);
  return found;
}

/** @param {Core} core @param {number} rules @param {Asked} asked @param {Game} game */
function placed(core, rules, { id, board, turn = "white" }, game) {
  if (board) return rowOf(described(board, turn, game), game);
  return id ? rowOf(parseId(id, game), game) : core.start(rules, false);
}

/**
 * The throw that a text says; where a game is over there is none, and what is owed before a throw is played first.
 * @param {string} text @param {Uint8Array} row @param {boolean} isOver @returns {number[] | null}
 */
function diceOf(text, row, isOver) {
  if (!text) return null;
  if (!/^[1-6]{2}$/.test(text)) throw new Impossible(["dice", { text: `'${text.slice(0, 20)}'` }]);
  const owed = owedOf(row);
  return isOver || (owed && !owed.choose) ? null : [...text].map(Number);
}

/**
 * @param {Core} core
 * @param {{rules: number, card: import("./game.js").Card, about: import("./table.js").GameData, match: MatchRules,
 *   scores: Scores, row: Uint8Array, score: import("./core.js").Score, dice: number[] | null}} of
 */
function sceneOf(core, { rules, card, about, match, scores, row, score, dice }) {
  const { layout } = about;
  const result = core.result(rules, row);
  const owed = owedOf(row);
  const played = dice ?? (owed && !owed.choose ? owed.dice : null);
  const isOver = result.kind > 0;
  const side = blackOnRoll(row) ? "black" : "white";
  const isTurn = !isOver && played !== null;
  const turn = isTurn ? { dice: /** @type {number[]} */ (played), done: [], touched: null } : null;
  /** @type {import("./game.js").Match} */
  const state = { ...match.begin(), score, row, turn, phase: isTurn ? "move" : "roll" };
  const question = isOver ? null : scores.question(state);
  const query = {
    card: card.code,
    id: formatId(row, layout),
    ...(dice ? { dice: dice.join("") } : {}),
    ...(score.cube !== 1 || score.owner ? { cube: `${score.cube}${score.owner?.[0] ?? ""}` } : {}),
    ...(score.white || score.black ? { score: `${score.white}.${score.black}` } : {}),
    ...(score.crawford ? { crawford: "1" } : {}),
  };
  return {
    ...{ query, address: new URLSearchParams(query).toString(), game: card.game, title: about.title },
    ...{ card: card.code, contest: card.contest, length: card.length, jacoby: card.jacoby },
    ...{ beavers: card.beavers, options: {}, layout: { ...layout, cube: card.cube } },
    ...{ board: boardOf(row, layout), side, dice },
    dice_steps: dice && dice[0] === dice[1] ? about.double : 2,
    owed: owed && !owed.choose ? owed.steps : null,
    pips: both((each) => pipsOf(row, each)),
    cube: { value: score.cube, owner: score.owner, in_play: card.cube },
    score: both((each) => score[each]),
    crawford: score.crawford,
    ids: { own: query.id },
    can: { play: isTurn, cube: Boolean(question?.doubles) && !isTurn, over: null },
    over: isOver ? { winner: [null, side, otherSide(side)][result.winner] } : null,
    problems: [],
    core: question,
  };
}
