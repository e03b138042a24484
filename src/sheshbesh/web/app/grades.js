/** The one scale of losses, for tutor, hints, reviews and puzzles: names, marks, lines and arrows. */

import { t } from "../i18n/i18n.js";
import { diceText, html, ltr, nothing, thousandths } from "./view.js";

/**
 * @typedef {"best" | "fine" | "close" | "error" | "blunder"} Grade
 * @typedef {{grade: string, close?: boolean}} Graded by tutor, hint, analysis or puzzle
 * @typedef {{verdict: string | null}} Reviewed by a review, which has a finer scale; null is too close to call
 */

/** @param {Graded | Reviewed} judged @returns {Grade} */
export function gradeOf(judged) {
  const word = "verdict" in judged ? (judged.verdict ?? "close") : judged.close ? "close" : judged.grade;
  return /** @type {Grade} */ (word === "inaccuracy" ? "error" : word);
}

/** Whether something was lost for certain. @param {Graded | Reviewed} judged */
export const isWrong = (judged) => ["error", "blunder"].includes(gradeOf(judged));

/** @param {Graded | Reviewed} judged */
export const called = (judged) =>
  ({
    best: t("best"),
    fine: t("fine"),
    close: t("too close to call"),
    error: t("error"),
    blunder: t("blunder"),
  })[gradeOf(judged)];

/** @type {Record<Grade, string>} */
export const SHAPES = { best: "✓", fine: "✓", close: "≈", error: "?", blunder: "??" };

/** @param {Graded | Reviewed} judged @returns {import("../board/advice.js").Grade} */
export function drawn(judged) {
  const grade = gradeOf(judged);
  return grade === "fine" || grade === "close" ? "ok" : grade;
}

/**
 * The arrows of the best play and of the one that was made, over the position before them.
 * @param {Pick<import("../board/advice.js").Advice, "side" | "board" | "dice">} position
 * @param {number[][] | undefined} best
 * @param {(Graded | Reviewed) & {steps: number[][]} | null | undefined} made none where it was the best
 * @returns {import("../board/advice.js").Advice | null}
 */
export function playArrows({ side, board, dice }, best, made) {
  /** @type {import("../board/advice.js").Advice["options"]} */
  const options = [];
  if (best?.length) options.push({ grade: "best", steps: best });
  if (made?.steps.length) options.push({ grade: drawn(made), steps: made.steps });
  return options.length ? { side, board, dice, alone: true, options } : null;
}

/**
 * @typedef {Graded & {loss: number, dice?: number[] | null} &
 *   ({kind: "play", played?: {play: string}, best: {play: string}} | {kind: "cube", best: string})} Told
 */

/** The mark of a decision: shape first, colour second. @param {Graded | Reviewed} judged */
export function sign(judged) {
  const grade = gradeOf(judged);
  const right = grade === "best" || grade === "fine" ? "right " : "";
  return html`<span class="sign ${right}${grade}" aria-hidden="true">${SHAPES[grade]}</span>`;
}

/** @param {string} what */
export const cubeWord = (what) =>
  ({
    double: t("Double"),
    redouble: t("Double"),
    roll: t("Roll"),
    no_double: t("Roll"),
    take: t("Take"),
    drop: t("Drop"),
    pass: t("Drop"),
    beaver: t("Beaver"),
  })[what] ?? what;

/**
 * A verdict in one line: the grade, what the decision cost, the throw it was about and the best play.
 * @param {Told} verdict
 * @param {boolean} [whole]  without, only what the decision cost
 */
export function verdictLine(verdict, whole = true) {
  const { grade, loss, dice } = verdict;
  const head = html`${sign(verdict)} <b>${called(verdict)}</b>`;
  const roll = dice ? html`${ltr(diceText(dice))}: ` : nothing;
  // Alone the word does not say of what.
  if (grade === "best") {
    if (verdict.kind === "cube") return html`${head} ${cubeWord(verdict.best)}`;
    return dice ? html`${head} ${roll}${ltr((verdict.played ?? verdict.best).play)}` : head;
  }
  const cost = loss >= 0.0005 ? html` <b>${ltr(thousandths(-loss))}</b>` : nothing;
  if (!whole) return html`${head}${cost}`;
  if (verdict.kind === "cube")
    return html`${head}${cost} ${t("Better: {what}", { what: cubeWord(verdict.best) })}`;
  return html`${head}${cost} ${roll}${t("Best was")} ${ltr(verdict.best.play)}`;
}

/** The names of the builds of the engine in a browser. @param {string} build */
const buildName = (build) => (build === "relaxed" ? "relaxed SIMD" : "SIMD");

/** What judged, and where. @param {import("./analysis/results.js").Source} found */
export function source({ net, build }) {
  const name = `\u2066${net.name} ${net.sha256.slice(0, 8)}\u2069`;
  const text =
    build === undefined
      ? t("Worked out by the server, by the net {net}.", { net: name })
      : build
        ? t("Worked out in this browser ({build}), by the net {net}.", { build: buildName(build), net: name })
        : t("Being worked out in this browser, by the net {net}.", { net: name });
  return html`<p class="small quiet source">${text}</p>`;
}

/**
 * Why the engine here has no answer, in a sentence.
 * @param {import("../engine/client.js").NoAnswer} [error] none where it was not asked
 */
export const silenceText = (error) =>
  error?.unreached ? t("The engine cannot be loaded.") : t("The engine cannot be run in this browser.");
