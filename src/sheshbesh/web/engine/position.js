/**
 * A position by itself, without a server: read from an id or put up by hand, with the question about it. What it may be
 * is the core's to say; what is wrong has the names of the core's problems (`description.h`, `score.h`), which
 * `app/without-server.js` words.
 */
import { blackOnRoll, owedOf, stripped } from "./bytes.js";
import { MatchRules, otherSide } from "./game.js";
import { LONGEST, Scores } from "./scores.js";
import { boardOf, cardOf, pipsOf } from "./table.js";

/**
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").Side} Side
 * @typedef {import("./table.js").Files} Files
 * @typedef {import("../board/types.js").Board} Board
 * @typedef {import("../board/types.js").Layout} Layout
 * @typedef {[name: string, values?: Record<string, string | number | null>]} Problem  a sentence by its name
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

/** @template T @param {(side: Side) => T} of @returns {Record<Side, T>} */
const both = (of) => ({ white: of("white"), black: of("black") });

/**
 * The position that is asked about; throws `Impossible`.
 * @param {Core} core @param {number} rules @param {Asked} asked @param {Layout} layout
 */
function placed(core, rules, { id, board, turn = "white" }, layout) {
  if (!board && !id) return core.start(rules, false);
  const text = stripped(id ?? "");
  const found = board
    ? core.putUp(
        rules,
        turn,
        both((side) => checkersOf(board, side, layout)),
      )
    : core.readId(rules, text);
  if ("row" in found) return found.row;
  const said = { id: `'${text}'`, text: `'${[...text].slice(0, 60).join("")}'` };
  throw new Impossible(
    ...found.problems.map(
      ({ name, field, ...values }) =>
        /** @type {Problem} */ ([name, { ...values, field: `'${field}'`, ...said }]),
    ),
  );
}

/**
 * The checkers of a side on a board, and its captives, in its own numbers.
 * @param {Board} board @param {Side} side @param {Layout} layout @returns {import("./core.js").Checkers}
 */
function checkersOf({ points, off, hand, bar }, side, layout) {
  const own = layout.numbers[side].map((place) => points[place - 1]);
  return {
    counts: [off[side], ...own.map((point) => point[side === "white" ? "w" : "b"]), hand[side], bar[side]],
    pinned: own.map(({ pin }) => pin === side),
  };
}

// Score and cube

/**
 * @param {Core} core @param {import("./core.js").Score} opening @param {import("./game.js").Card} card
 * @param {Asked} asked
 * @returns {import("./core.js").Score}  throws `Impossible`
 */
function scoreOf(core, opening, card, { cube = "", score = "", crawford = "" }) {
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
  const given = { ...found, cube: Math.min(value, Number.MAX_SAFE_INTEGER), crawford: crawford === "1" };
  const said = { found: value, cube: value, most: found.limit, owner, unturned: 1, n: found.length };
  const text = `${found.white}-${found.black} to ${found.length}`;
  const wrong = core.scoreFaults(given);
  if (wrong.length)
    throw new Impossible(...wrong.map((name) => /** @type {Problem} */ ([name, { ...said, score: text }])));
  return given;
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
  const rules = core.rules({ axes, setup });
  try {
    const match = new MatchRules(core, rules, card);
    const [row, score] = settled(
      () => placed(core, rules, asked, about.layout),
      () => scoreOf(core, match.begin().score, card, asked),
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
    id: core.writeId(rules, row),
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
