/** A verdict in one line, as the front page shows it too, and what grades and cube actions are called. */

import { t } from "../../i18n/i18n.js";
import { diceText, html, ltr, nothing, thousandths } from "../view.js";

/**
 * @typedef {{grade: string, close?: boolean, loss: number, dice?: number[] | null} &
 *   ({kind: "play", played?: {play: string}, best: {play: string}} | {kind: "cube", best: string})} Told
 */

/** @param {string} grade */
export function gradeName(grade) {
  const known = { best: t("best"), fine: t("fine"), error: t("error"), blunder: t("blunder") };
  return known[/** @type {keyof typeof known} */ (grade)] ?? grade;
}

/**
 * What a play is called: its grade, or that it is too close for the engine.
 * @param {{grade: string, close?: boolean}} judged
 */
export const called = ({ grade, close }) => (close ? t("too close to call") : gradeName(grade));

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
 */
export function verdictLine(verdict) {
  const { grade, loss, dice } = verdict;
  const head = html`<b>${called(verdict)}</b>`;
  const roll = dice ? html`${ltr(diceText(dice))}: ` : nothing;
  // Alone the word does not say of what.
  if (grade === "best") {
    if (verdict.kind === "cube") return html`${head} ${cubeWord(verdict.best)}`;
    return dice ? html`${head} ${roll}${ltr((verdict.played ?? verdict.best).play)}` : head;
  }
  const cost = loss >= 0.0005 ? html` <b>${ltr(thousandths(-loss))}</b>` : nothing;
  if (verdict.kind === "cube")
    return html`${head}${cost} ${t("Better: {what}", { what: cubeWord(verdict.best) })}`;
  return html`${head}${cost} ${roll}${t("Best was")} ${ltr(verdict.best.play)}`;
}
