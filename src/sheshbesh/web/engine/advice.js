/**
 * The tutor's hint before a decision and its verdict after it, as `sheshbesh.players.coach` gives them, with reasons
 * as numbers: what they are called in words is the page's matter.
 */
import { answered, DecisionAnalysis, gradeOf, isMade } from "./analysis.js";

/**
 * @typedef {import("./analysis.js").Question} Question
 * @typedef {import("./analysis.js").Judged} Judged
 * @typedef {import("./core.js").Reason} Reason
 * @typedef {"play" | "double" | "no_double" | "take" | "drop" | "beaver"} Done
 * @typedef {Judged & {reasons: Reason[]}} Hint  its best plays, with `reasons` for the first against the second
 * @typedef {{kind: "play", grade: string, close: boolean, loss: number, rank: number, of: number,
 *   played: import("./analysis.js").JudgedPlay, best: import("./analysis.js").JudgedPlay, reasons: Reason[],
 *   done: true}} PlayVerdict
 * @typedef {{kind: "cube", grade: string, close: boolean, loss: number, best: string, said: Done,
 *   done: true}} CubeVerdict
 */

/** Plays that a hint lists. */
const LISTED = 5;
/** Plies that the tutor looks ahead, and those of the value of a position in which nothing is to be decided. */
export const PLIES = 2;

/**
 * The best decision.
 * @param {DecisionAnalysis} analysis @param {Question} ask
 * @returns {Generator<Hint | {done: false}>}
 */
export function* hint(analysis, ask) {
  const decides = ask.throws.length || ask.doubles;
  for (const found of analysis.analyse(decides ? PLIES : 0, { most: LISTED })) {
    const [best, second] = found.plays ?? [];
    // What is known so far is shown nowhere.
    yield found.done ? { ...found, reasons: second ? analysis.reasons(best, second) : [] } : { done: false };
  }
}

/**
 * The verdict on a decision; nothing where nothing is to be said.
 * @param {DecisionAnalysis} analysis @param {Question} ask @param {Done} said
 * @param {import("./analysis.js").Made | null} made
 * @returns {Generator<PlayVerdict | CubeVerdict | {done: false}>}
 */
export function* verdict(analysis, ask, said, made) {
  /** @type {Judged | undefined} */
  let last;
  for (const found of analysis.analyse(PLIES, { shown: 1, made })) {
    last = found;
    yield { done: false };
  }
  if (!last) return;
  if (last.cube) {
    const { grade, close, loss, best } = ofCube(last.cube, ask, said);
    // Not doubling where that is right, or as good as right, is no decision that needs words.
    if (said !== "no_double" || (grade !== "best" && grade !== "fine"))
      yield { kind: "cube", grade, close, loss, best, said, done: true };
    return;
  }
  const plays = last.plays ?? [];
  const at = plays.findIndex((play) => isMade(play, made));
  if (at < 0) return;
  const [best, played] = [plays[0], plays[at]];
  const { grade, close, loss } = played;
  const reasons = at ? analysis.reasons(best, played) : [];
  yield {
    kind: "play",
    grade,
    close,
    loss,
    rank: at + 1,
    of: plays.length,
    played,
    best,
    reasons,
    done: true,
  };
}

/**
 * What a decision about the cube lost.
 * @param {import("./analysis.js").CubeDecision} cube @param {Question} ask @param {Done} said
 */
function ofCube(cube, ask, said) {
  const right = answered(cube);
  if (said === "double" || said === "no_double") {
    const loss = Math.max(Math.max(cube.no_double, right) - (said === "double" ? right : cube.no_double), 0);
    return { ...gradeOf(ask, loss, PLIES), loss, best: cube.action === "double" ? "double" : "no_double" };
  }
  const given = { drop: cube.double_drop, beaver: cube.double_beaver ?? cube.double_take };
  const loss = Math.max((said === "drop" || said === "beaver" ? given[said] : cube.double_take) - right, 0);
  return { ...gradeOf(ask, loss, PLIES), loss, best: cube.answer };
}

/**
 * What is asked of an analysis, piece by piece.
 * @param {import("./core.js").Core} core @param {import("./analysis.js").Handles} handles
 * @param {{question: Question, said?: Done, made?: import("./analysis.js").Made | null}} asked  without `said` a hint
 */
export function advise(core, handles, { question, said, made = null }) {
  const analysis = new DecisionAnalysis(core, handles, question);
  return said ? verdict(analysis, question, said, made) : hint(analysis, question);
}
