/** The one scale of losses, for tutor, hints, reviews and puzzles: names, marks and arrows. */

import { t } from "../i18n/i18n.js";

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
