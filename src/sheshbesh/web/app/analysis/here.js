/** Positions judged by the engine in this browser, as the server's answers have them. */

import { formatPlay } from "../../board/notation.js";
import { unpacked } from "../../engine/bytes.js";
import { localEngine, NoAnswer } from "../../engine/client.js";
import { words } from "../../i18n/i18n.js";
import { get, post } from "../api.js";
import { reasonText } from "../match/reasons.js";

/**
 * @typedef {import("../../engine/analysis.js").Question} Question
 * @typedef {import("../../engine/analysis.js").Judged} Judged
 * @typedef {import("../../engine/rollout.js").Portion} Portion
 * @typedef {import("./results.js").Analysis} Analysis
 * @typedef {import("./results.js").Play} Play
 * @typedef {import("./results.js").Rollout} Rollout
 * @typedef {import("../../board/types.js").Side} Side
 */

/**
 * A situation by the fields of its query, with the numbers by which it is judged here.
 * @param {Record<string, string>} query
 */
export const sceneOf = (query) =>
  get(`/analysis?${new URLSearchParams({ ...query, lang: words().tag, core: String(localEngine.isHere) })}`);

/** The same by a text; `card` says of which game. @param {string} text @param {string} [card] */
export const sceneOfText = (text, card) =>
  post("/analysis/text", { text, card, lang: words().tag, core: localEngine.isHere });

/** Plays that are shown, as the server has it. */
const SHOWN = 12;

/** @param {import("../../engine/core.js").Step[]} steps */
const playText = (steps) => formatPlay(hops(steps)) || "pass";

/** @param {import("../../engine/core.js").Step[]} steps @returns {import("../../board/turn.js").Hop[]} */
const hops = (steps) =>
  steps.map(({ origin, landing, die, takes }) => ({ origin, target: landing, die, takes, stage: 0 }));

/** Steps as frames of the server have them. @param {import("../../engine/core.js").Step[]} steps */
export const stepsOf = (steps) =>
  steps.map(({ origin, landing, die, takes }) => [origin, landing, die, Number(takes)]);

/** The chance to win. @param {Question} question @param {number[]} chances */
const winChance = ({ classes }, chances) =>
  chances.reduce((sum, chance, i) => sum + (classes[i][0] === "win" ? chance : 0), 0);

/** @param {Question} question @param {Judged["plays"]} plays @returns {Play[] | null} */
const played = (question, plays) =>
  plays?.map(({ row, steps, chances, ...rest }) => ({
    ...rest,
    row,
    play: playText(steps),
    steps: stepsOf(steps),
    win: winChance(question, chances),
    reason: null,
  })) ?? null;

/** @param {Question} question @param {Side} side @param {Judged} found @returns {Analysis} */
function analysis(question, side, { plies, chances, equity, cubeful, plays, of, cube }) {
  const shares = question.classes.map(([ending, kind, points], i) => ({
    ending,
    kind,
    points,
    p: chances[i],
  }));
  return {
    ...{ side, plies, equity, cubeful, of, cube, net: question.net, chances: shares },
    approximate: question.approximate,
    exact: false,
    plays: played(question, plays),
  };
}

/**
 * A position judged in this browser: `report` is told what is known so far, the last with `build`.
 * @param {Question} question @param {Side} side @param {number} plies
 * @param {{signal: AbortSignal, report: (found: Analysis) => void, isAlone?: boolean}} how  `isAlone`: there is no
 *   server to ask instead, so that a net is waited for
 * @returns {Promise<boolean>}  false where it has no answer, and the server is to be asked
 */
export async function judgeHere(question, side, plies, { signal, report, isAlone }) {
  return answered(async () => {
    const { found, build } = await localEngine.analyse(question, plies, {
      most: SHOWN,
      signal,
      isAlone,
      report: (found) => report({ ...analysis(question, side, found), build: "" }),
    });
    report({ ...analysis(question, side, found), build });
  }, signal);
}

/**
 * @param {Question} question
 * @param {{play: string, row: Uint8Array}[]} plays
 * @param {Portion} found
 * @returns {Rollout}
 */
function rolled({ classes }, plays, { entries, behind, cube, ...how }) {
  const all = entries.map(({ equity, win, chances }) => ({
    equity,
    win,
    chances: classes.map(([ending, kind, points], i) => ({ ending, kind, points, ...chances[i] })),
  }));
  const order = plays.map((_, i) => i).sort((a, b) => all[b].equity.mean - all[a].equity.mean);
  return {
    ...how,
    plays: plays.length
      ? order.map((i) => ({ ...all[i], play: plays[i].play, behind: behind[order[0]][i] }))
      : null,
    cube: cube && { ...cube, ways: all, difference: behind[1][0] },
    position: plays.length || cube ? null : all[0],
  };
}

/**
 * A rollout in this browser; `report` is told what is known after each portion.
 * @param {Question} question
 * @param {{trials: number, seed: number, plays: {play: string, row: Uint8Array}[]}} how
 * @param {{signal: AbortSignal, report: (found: Rollout) => void, isAlone?: boolean}} then
 * @returns {Promise<boolean>}  as of `judgeHere`
 */
export async function rollOutHere(question, { plays, ...how }, { signal, report, isAlone }) {
  return answered(async () => {
    const rows = plays.map(({ row }) => row);
    /** @type {Portion | undefined} */
    let last;
    const { build } = await localEngine.rollOut(
      question,
      { ...how, plays: rows },
      {
        signal,
        isAlone,
        report: (found) => report({ ...rolled(question, plays, (last = found)), build: "" }),
      },
    );
    if (last) report({ ...rolled(question, plays, last), build });
  }, signal);
}

/** @param {() => Promise<void>} work @param {AbortSignal} signal */
async function answered(work, signal) {
  try {
    await work();
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    if (!(error instanceof NoAnswer)) throw error;
    return false;
  }
}

// The tutor: what the server sends to be worked out here, answered in the shape of its own frames

/**
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
    const candidates = plays.map((/** @type {JudgedPlay} */ each) => candidate(question, each));
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
