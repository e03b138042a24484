/**
 * What the API answers, answered in this browser: by a copy of the site that has no server, and by an installed page
 * whose line is cut. Games, lessons and puzzles are files (`server/http/copied.py`), positions are the engine's.
 */

import { findPlay, formatPlay, parsePlay, pointName } from "../board/notation.js";
import { Turn } from "../board/turn.js";
import { HAND } from "../board/types.js";
import { stripped, unpacked } from "../engine/bytes.js";
import { localEngine } from "../engine/client.js";
import { t, widen, words } from "../i18n/i18n.js";
import { STATIC } from "./api.js";
import { find } from "./router.js";

/**
 * @typedef {import("./api.js").Answer} Answer
 * @typedef {import("../board/types.js").Stage} Stage
 * @typedef {import("../engine/position.js").Problem} Problem
 * @typedef {Record<string, string | number>} Values
 * @typedef {{rule: string, text: string, source: string}} Refusal
 * @typedef {{right: boolean, said: string, refusal: Refusal | null}} Judgement
 * @typedef {{core: import("../engine/core.js").Rules, refusals: Record<string, Refusal>}} RuleSet
 * @typedef {{rules: number, row: string, dice: number[] | null, options: Judgement[], stages: number[] | null,
 *   steps: number[][]}} Judged  what is right in a lesson
 */

/** What stands for a play in what is said of many (`server/practice/view.py`). */
const OTHER = "\ufffc";

/** What is asked for, with the words in which it can be told. @param {string} name @returns {Promise<Answer>} */
async function file(name) {
  const answer = await fetch(`/copy/${words().language.code}/${name}.json`).catch(() => null);
  return answer?.ok ? answer.json() : undefined;
}

/**
 * The answer to a request; undefined where only a server has it.
 * @param {string} method @param {string} path below /api/v1 @param {any} body
 * @returns {Promise<Answer | undefined>}
 */
export async function answered(method, path, body) {
  const [address, query] = path.split("?");
  const [area, name, one, what] = address.slice(1).split("/").map(decodeURIComponent);
  const key = `${method} ${area}`;
  if ((key === "GET variants" || key === "GET puzzles") && one) return undefined;
  // A file tells of the usual rules; house rules are written name=value in the code of a card.
  if (key === "GET variants" && new URLSearchParams(query).get("card")?.includes("=")) return undefined;
  if (key === "GET variants" || key === "GET learn") return file(address.slice(1));
  if (key === "GET puzzles" && !one)
    return name ? puzzles(name, new URLSearchParams(query)) : file("puzzles");
  // An answer that the server may hear of a little later is kept for it: it counts.
  if (key === "POST puzzles" && what === "answers")
    return STATIC || !globalThis.navigator?.onLine ? solved(name, one, body.answer) : undefined;
  if (key === "POST learn") return judged(name, one, body);
  if (key === "GET analysis" && !query?.includes("match="))
    return situated(Object.fromEntries(new URLSearchParams(query)));
  if (key === "POST analysis" && name === "board") return situated(body);
  if (key === "POST analysis" && name === "text") return pasted(body);
  // A server is asked where the engine here had no answer.
  if (key === "POST analysis" && STATIC) return refused(silence());
  return undefined;
}

/** Why the engine here does not answer. */
const silence = () =>
  localEngine.canRun ? t("The engine cannot be loaded.") : t("The engine cannot be run in this browser.");

/** An answer that says why it is none. @param {string} text */
const refused = (text) => ({ error: { text } });

// Puzzles

/** @param {string} game @param {URLSearchParams} query */
async function puzzles(game, query) {
  const found = await file(`puzzles/${game}`);
  const level = query.get("level");
  const wanted = (/** @type {{level: string}} */ each) => !level || each.level === level;
  return found?.questions
    .filter(wanted)
    .map((/** @type {{judged: unknown}} */ { judged: _, ...question }) => ({
      ...question,
      layout: found.layout,
    }));
}

/** @param {string} game @param {string} id @param {string} text */
async function solved(game, id, text) {
  const found = await file(`puzzles/${game}`);
  const question = found?.questions.find((/** @type {{id: string}} */ each) => each.id === id);
  const hops = question ? findPlay(new Turn(question.choices), parsePlay(text) ?? []) : null;
  if (!hops) return undefined;
  const { answers, other, ...known } = question.judged;
  const end = hops.at(-1)?.stage ?? 0;
  const at = known.candidates.findIndex(
    (/** @type {{steps: number[][]}} */ each) => new Turn(question.choices, each.steps).stage === end,
  );
  if (at >= 0) return { ...known, ...answers[at] };
  const steps = hops.map(({ origin, target, die, takes }) => [origin, target, die, Number(takes)]);
  return { ...known, ...other, steps, answer: text, text: other.text.replace(OTHER, text) };
}

// Lessons

/**
 * What the referee says to an answer, as `sheshbesh.learn.lesson` has it.
 * @param {string} name @param {string} id @param {{steps?: number[][], whole?: boolean, option?: number}} given
 * @returns {Promise<Judgement | undefined>}
 */
async function judged(name, id, { steps = [], whole = true, option }) {
  const course = await file(`learn/${name}`);
  const lesson = course?.lessons.find((/** @type {{id: string}} */ each) => each.id === id);
  if (!lesson) return undefined;
  /** @type {Judged} */
  const right = lesson.judged;
  if (option !== undefined) return right.options[option];
  const rules = course.rules[right.rules];
  if (lesson.dice?.length === 1) return judgedDie(rules, lesson, steps);
  const ways = walked(lesson.choices, steps);
  // Where nothing can be played the board does not say it (`learn/data.py`).
  const isWhole = (/** @type {number} */ at) => lesson.choices[at].whole || !lesson.choices[at].next.length;
  const ends = ways.filter(({ stage }) => isWhole(stage));
  if (!(whole ? ends : ways).length) return refusedBy(rules, right, steps, whole);
  if (!whole)
    return { ...WRONG, said: t("{play} is allowed; the turn is not over yet.", { play: written(steps) }) };
  if (!right.stages || ends.some(({ stage }) => right.stages?.includes(stage)))
    return { ...WRONG, right: true, said: t("Right.") };
  if (!steps.length) return { ...WRONG, said: t("There is a play.") };
  const play = formatPlay(ends[0].hops);
  return { ...WRONG, said: t("{play} is allowed, but it is not what was asked for.", { play }) };
}

/** The same of a single die: one step, or none. @param {RuleSet} rules
 * @param {{judged: Judged, choices: Stage[]}} lesson @param {number[][]} steps @returns {Promise<Judgement>} */
async function judgedDie(rules, { judged: right, choices }, steps) {
  if (steps.length > 1) return { ...WRONG, said: t("A single die moves one checker, once.") };
  const isDance = !choices[0].next.length;
  const isRight = steps.length
    ? right.steps.some((/** @type {number[]} */ each) => areSame(each, steps[0]))
    : isDance;
  if (isRight) return { ...WRONG, right: true, said: t("Right.") };
  if (!steps.length) return { ...WRONG, said: t("There is a play.") };
  if (!walked(choices, steps).length) return refusedBy(rules, right, steps, false);
  const play = written(steps);
  return { ...WRONG, said: t("{play} is allowed, but it is not what was asked for.", { play }) };
}

/** @type {Judgement} */
const WRONG = { right: false, said: "", refusal: null };

/** Whether steps begin and end alike: a checker in hand and one on the bar are both outside of the board.
 * @param {number[]} a @param {number[]} b */
const areSame = (a, b) => Math.min(a[0], HAND) === Math.min(b[0], HAND) && a[1] === b[1];

/**
 * The stages to which steps lead, by whichever numbers of the dice.
 * @param {Stage[]} stages @param {number[][]} steps
 * @returns {{stage: number, hops: import("../board/turn.js").Hop[]}[]}
 */
function walked(stages, steps) {
  /** @type {ReturnType<typeof walked>} */
  const start = [{ stage: 0, hops: [] }];
  const turn = new Turn(stages);
  return steps.reduce(
    (ways, [origin, target]) =>
      ways.flatMap(({ stage, hops }) =>
        turn
          .next(stage)
          .filter((hop) => hop.origin === origin && hop.target === target)
          .map((hop) => ({ stage: hop.stage, hops: [...hops, hop] })),
      ),
    start,
  );
}

/**
 * @param {RuleSet} rules @param {Judged} lesson @param {number[][]} steps @param {boolean} whole
 * @returns {Promise<Judgement>}
 */
async function refusedBy({ core, refusals }, { row, dice }, steps, whole) {
  const asked = { rules: core, row: unpacked(row), dice: dice ?? [], steps, whole };
  const number = await localEngine.refusal(asked).catch(() => null);
  const refusal = number === null ? null : refusals[number];
  return { right: false, said: t("{play} is refused.", { play: written(steps) }), refusal };
}

/** Steps as notation, those of one checker joined; whether they hit is not known. @param {number[][]} steps */
function written(steps) {
  /** @type {number[][]} */
  const ways = [];
  for (const [origin, target] of steps) {
    if (ways.at(-1)?.at(-1) === origin) ways.at(-1)?.push(target);
    else ways.push([origin, target]);
  }
  return ways.map((way) => way.map(pointName).join("/")).join(" ") || "pass";
}

/** The words of a refusal in a game of the usual rules. @param {string} game @param {number} number
 * @returns {Promise<Refusal | undefined>} */
export const refusalIn = async (game, number) => (await file(`refusals/${game}`))?.[number];

// Positions

/** @param {Record<string, unknown>} asked */
async function situated({ lang: _, core: __, ...asked }) {
  localEngine.isAlone = true;
  const found = await localEngine.place(asked).catch(() => null);
  if (!found) return refused(silence());
  const isBoard = "board" in asked;
  if ("problems" in found) {
    const problems = found.problems.map(problemText);
    if (isBoard) return { problems };
    return refused(t("this cannot be put on a board: {why}", { why: problems.join("; ") }));
  }
  const { scene } = found;
  const { winner } = scene.over ?? {};
  const over =
    winner === undefined
      ? null
      : winner === null
        ? t("The game is over: nobody has won.")
        : winner === "white"
          ? t("The game is over: White has won.")
          : t("The game is over: Black has won.");
  return { ...scene, title: t(scene.title), can: { ...scene.can, over } };
}

/** Our ids and links are read here. @param {{text: string, card?: string}} asked */
async function pasted({ text, card = "backgammon.m" }) {
  const plain = stripped(text);
  const query = plain.includes("card=") ? plain.slice(plain.indexOf("?") + 1) : "";
  if (query) return situated(Object.fromEntries(new URLSearchParams(query)));
  const found = await localEngine.place({ card, id: plain }).catch(() => null);
  if (found && "scene" in found) return situated({ card, id: plain });
  if (!found) return refused(silence());
  const why = found.problems.map(problemText).join("; ");
  const known = t("Without a server our own ids and links are read, and no others.");
  return refused(`${t("this cannot be read as a position: {why}", { why })}. ${known}`);
}

/** What a position cannot be, in a sentence. @param {Problem} problem @returns {string} */
function problemText([name, said = {}]) {
  const { side, owner, ...values } = /** @type {Values & {side?: string, owner?: string}} */ (said);
  const named = (/** @type {string} */ each) => (each === "white" ? t("white") : t("black"));
  if (side) values.side = named(side);
  if (owner) values.owner = named(owner);
  const texts = /** @type {Record<string, (v: Values) => string>} */ ({
    card: () => t("Other house rules than the usual ones need the server of a site."),
    count: (v) => t("{side} has {n} checkers, not {most}", v),
    bar: (v) => t("{side} has {n} on the bar in a game without hitting", v),
    hand: (v) => t("{side} has {n} in hand in a game without entering", v),
    pinned: (v) => t("{side} has pinned checkers in a game without pinning", v),
    high: (v) => t("{side} has {n} checkers on White's point {point}, the most is {most}", v),
    under: (v) => t("{side} is not under an enemy on White's point {point}", v),
    shared: (v) => t("both colours on White's point {point}", v),
    name: (v) => t("both colours on White's point {point}: name the one pinned checker", v),
    several: (v) => t("{n} checkers pinned on White's point {point}, only one can be", v),
    starter: () => t("who started is not asked in this game"),
    mother: () => t("no mother is played on in this game"),
    head: (v) => t("at most {n} checkers leave the head in a roll of this game", v),
    choose: () => t("no double is named in this game"),
    owed: () => t("nothing can be owed in this game"),
    chain: () => t("no chain goes on in this game"),
    then: () => t("nothing is handed over in this game"),
    simple: () => t("no simple throw is handed over in this game"),
    dice: (v) => t("dice are two numbers from 1 to 6, not {text}", v),
    "cube.written": () => t("a cube is written like 2w: its value and its owner"),
    "score.written": () => t("a score is written like 3.1: White's points and Black's"),
    "cube.none": () => t("this is played without a cube"),
    "cube.value": (v) => t("the cube is at 1, 2, 4, 8 and so on, not {found}", v),
    "cube.limit": (v) => t("the cube is played up to {most}, so it is not at {cube}", v),
    "cube.owner": (v) =>
      t("a cube that was turned to {cube} has an owner; nobody's cube stands at {unturned}", v),
    "cube.early": (v) => t("a cube at {cube} was not turned yet, so nobody owns it, not {owner}", v),
    "score.both": (v) => t("only one side can have won {n} points", v),
    "crawford.money": () => t("there is no Crawford game in money play"),
    "crawford.score": (v) => t("in the Crawford game somebody needs exactly one point: {score}", v),
    "crawford.cube": () => t("the cube is not turned in the Crawford game"),
    "id.long": (v) => t("a position id is a text of at most {n} characters: {text}", v),
    "id.side": (v) => t("position id {id}: after the board comes :w or :b", v),
    "id.field": (v) => t("position id {id}: cannot read the field {field}", v),
    "id.order": (v) => t("position id {id}: the field {field} is out of order or doubled", v),
    "id.stack": (v) => t("position id {id}, column {n}: expected a gap or a stack A to O", v),
    "id.pin": (v) => t("position id {id}, column {n}: a pin needs both colours", v),
    "id.most": (v) => t("position id {id}, column {n}: more than 24 points", v),
    "id.turns": (v) => t("position id {id}: {side}'s turns are counted to {most} in this game", v),
    "id.few": (v) => t("position id {id}: {n} points, not 24", v),
  });
  return texts[name](values);
}

/** The words of this module are those of what a view loads later. */
export const ready = () => widen(`${find(location.pathname).view}-later`).catch(() => {});
