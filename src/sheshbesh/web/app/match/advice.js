/** What the tutor says: hints before a decision, verdicts after it. */
import { t, words } from "../../i18n/i18n.js";
import { html, ltr, nothing } from "../view.js";
import { gradeName } from "./moves.js";

/** Points of equity, with sign. @param {number} equity */
const equity = (equity) => {
  const text = new Intl.NumberFormat(words().locale, { minimumFractionDigits: 3, maximumFractionDigits: 3, signDisplay: "always" });
  return html`<bdi dir="ltr">${text.format(equity)}</bdi>`;
};

/** @param {string} answer */
const answerName = (answer) => ({ take: t("Take"), drop: t("Drop"), beaver: t("Beaver") })[answer] ?? answer;

/**
 * The grade of a candidate by what it gives away, for its arrow.
 * @param {number} loss points of equity
 */
const gradeOf = (loss) => (loss < 0.005 ? "best" : loss < 0.02 ? "fine" : loss < 0.08 ? "error" : "blunder");

/**
 * Arrows of a play for the board, in the numbers of the side that makes it.
 * @param {number[][]} steps
 * @param {string} grade
 * @param {string | undefined} side
 */
const arrows = (steps, grade, side) => steps.map(([from, to]) => ({ side, from, to, grade: grade === "fine" ? "ok" : grade }));

/** @param {any} hint */
export function hintArrows(hint) {
  return hint.kind === "play" && hint.candidates.length ? arrows(hint.candidates[0].steps, "best", hint.side) : [];
}

/** @param {any} verdict */
export function verdictArrows(verdict) {
  if (verdict.kind !== "play" || verdict.grade === "best") return [];
  return [...arrows(verdict.played.steps, verdict.grade, verdict.side), ...arrows(verdict.best.steps, "best", verdict.side)];
}

/** @param {any} hint */
export function hintText(hint) {
  if (hint.kind === "cube") {
    const doubles = hint.action === "double" || hint.action === "redouble";
    return html`<div class="advice"><b>${doubles ? t("Double.") : t("Do not double.")}</b>
      <p>${t("The answer to a double:")} ${answerName(hint.answer)}.</p>
      <p class="small">${t("No double")} ${equity(hint.no_double)} · ${t("Double, take")} ${equity(hint.double_take)} · ${t("Double, drop")} ${equity(hint.double_drop)}</p></div>`;
  }
  if (hint.kind === "outlook") {
    return html`<div class="advice"><p>${t("The side on roll wins {share}.", { share: words().percent(hint.win) })}</p></div>`;
  }
  return html`<div class="advice">
    ${hint.reason ? html`<p>${hint.reason.text}</p>` : nothing}
    <table>${hint.candidates.slice(0, 3).map(
      (/** @type {any} */ each) => html`<tr><td>${ltr(each.play)}</td><td class="num">${equity(each.equity)}</td><td class="num">${words().percent(each.win)}</td><td>${gradeName(gradeOf(each.loss))}</td></tr>`,
    )}</table></div>`;
}

/** @param {any} verdict */
export function verdictText(verdict) {
  const lost = verdict.loss > 0 ? html` <span class="small">${equity(-verdict.loss)}</span>` : nothing;
  if (verdict.kind === "cube") {
    if (verdict.grade === "best") return html`<div class="advice"><b>${gradeName("best")}</b></div>`;
    return html`<div class="advice"><b>${gradeName(verdict.grade)}</b>${lost} <p>${t("Better: {what}", { what: cubeWord(verdict.best) })}</p></div>`;
  }
  if (verdict.grade === "best") return html`<div class="advice"><b>${gradeName("best")}</b></div>`;
  return html`<div class="advice"><b>${gradeName(verdict.grade)}</b>${lost}
    <p>${t("Best was")} ${ltr(verdict.best.play)}${verdict.reason ? html`: ${verdict.reason.text}` : nothing}</p></div>`;
}

/** @param {string} what */
const cubeWord = (what) =>
  ({ double: t("Double"), redouble: t("Double"), roll: t("Roll"), no_double: t("Roll"), take: t("Take"), drop: t("Drop"), pass: t("Drop"), beaver: t("Beaver") })[what] ?? what;
