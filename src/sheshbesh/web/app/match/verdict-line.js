/** A verdict in one line, and the mark of a grade. */

import { t } from "../../i18n/i18n.js";
import { called, gradeOf, SHAPES } from "../grades.js";
import { diceText, html, ltr, nothing, thousandths } from "../view.js";

/**
 * @import { Graded, Reviewed } from "../grades.js"
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
