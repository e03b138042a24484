/** The tutor in this browser: what the server sends to be worked out here, answered in the shape of its own frames. */

import { unpacked } from "../../engine/bytes.js";
import { localEngine, NoAnswer } from "../../engine/client.js";
import { playText, stepsOf, winChance } from "../analysis/here.js";
import { reasonText } from "./reasons.js";

/**
 * @typedef {import("../../engine/analysis.js").Question} Question
 * @typedef {import("../../engine/analysis.js").JudgedPlay} JudgedPlay
 * @typedef {{question: Question, n?: number, side?: import("../wire.js").Side,
 *   done?: import("../../engine/advice.js").Done, made?: string, dice?: number[]}} Asked  what the server asks: a hint,
 *   or with `n`, the number of an event, the verdict on it
 * @typedef {{t: "hint" | "verdict", d: any}} Told
 */

/** A play as frames have it. @param {Question} question @param {JudgedPlay} play */
function candidate(question, { steps, chances, dice, equity, loss, grade, close, plies }) {
  const shown = { play: playText(steps), dice, steps: stepsOf(steps), win: winChance(question, chances) };
  return { ...shown, equity, loss, grade, close, plies };
}

/** Plays that a hint lists. */
const SHOWN = 5;

/**
 * The frame that answers; null where there is nothing to say. Rejects with NoAnswer where the server is to be asked.
 * @param {Asked} asked @param {boolean} [isAlone]  there is no server to ask instead
 * @returns {Promise<Told | null>}
 */
export async function answerHere({ question, n, side, done, made, dice }, isAlone = false) {
  const play = made && dice ? { row: unpacked(made), dice } : undefined;
  const { found, build } = await localEngine.advise(question, { said: done, made: play }, isAlone);
  const by = { net: question.net, build };
  const { approximate } = question;
  if (done) {
    if (!found.done) return null;
    const { reasons = [], ...verdict } = found;
    const about = { ...verdict, n, side, approximate, by };
    if (found.kind === "cube") return { t: "verdict", d: { ...about, done } };
    const [best, played] = [found.best, found.played].map((each) => candidate(question, each));
    return { t: "verdict", d: { ...about, best, played, reason: await reason(reasons, found.loss) } };
  }
  const { plays, cube, chances, of, reasons } = found;
  if (plays) {
    const lead = plays.length > 1 ? Math.max(plays[0].equity - plays[1].equity, 0) : 0;
    const candidates = plays
      .slice(0, SHOWN)
      .map((/** @type {JudgedPlay} */ each) => candidate(question, each));
    const said = { kind: "play", candidates, of, reason: await reason(reasons, lead), approximate, by };
    return { t: "hint", d: said };
  }
  if (cube) return { t: "hint", d: { kind: "cube", ...cube, approximate, by } };
  return { t: "hint", d: { kind: "outlook", win: winChance(question, chances), approximate, by } };
}

/**
 * The words of a reason; none where they cannot be had.
 * @param {import("../../engine/core.js").Reason[]} reasons
 * @param {number} loss
 */
const reason = (reasons, loss) => reasonText(reasons, loss).catch(() => null);

export { NoAnswer };
