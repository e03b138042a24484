/** Positions judged by the engine in this browser, as the server's answers have them. */

import { formatPlay } from "../../board/notation.js";
import { localEngine, NoAnswer } from "../../engine/client.js";
import { words } from "../../i18n/i18n.js";
import { get, post } from "../api.js";

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
export const playText = (steps) => formatPlay(hops(steps)) || "pass";

/** @param {import("../../engine/core.js").Step[]} steps @returns {import("../../board/turn.js").Hop[]} */
const hops = (steps) =>
  steps.map(({ origin, landing, die, takes }) => ({ origin, target: landing, die, takes, stage: 0 }));

/** Steps as frames of the server have them. @param {import("../../engine/core.js").Step[]} steps */
export const stepsOf = (steps) =>
  steps.map(({ origin, landing, die, takes }) => [origin, landing, die, Number(takes)]);

/** The chance to win. @param {Question} question @param {number[]} chances */
export const winChance = ({ classes }, chances) =>
  chances.reduce((sum, chance, i) => sum + (classes[i][0] === "win" ? chance : 0), 0);

/** @param {Question} question @param {Judged["plays"]} plays @returns {Play[] | null} */
const played = (question, plays) =>
  plays?.slice(0, SHOWN).map(({ row, steps, chances, ...rest }) => ({
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
 * @param {{signal: AbortSignal, report: (found: Analysis) => void}} how
 * @returns {Promise<boolean>}  false where it has no answer, and the server is to be asked
 */
export async function judgeHere(question, side, plies, { signal, report }) {
  return answered(async () => {
    const { found, build } = await localEngine.analyse(question, plies, {
      signal,
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
 * @param {{signal: AbortSignal, report: (found: Rollout) => void}} then
 * @returns {Promise<boolean>}  as of `judgeHere`
 */
export async function rollOutHere(question, { plays, ...how }, { signal, report }) {
  return answered(async () => {
    const rows = plays.map(({ row }) => row);
    /** @type {Portion | undefined} */
    let last;
    const { build } = await localEngine.rollOut(
      question,
      { ...how, plays: rows },
      { signal, report: (found) => report({ ...rolled(question, plays, (last = found)), build: "" }) },
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
