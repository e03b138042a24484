/** The tutor's hints before a decision and verdicts after it, in words. */

import { arrowSample } from "../../board/advice.js";
import { t, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { icon } from "../icons.js";
import { settings } from "../settings.js";
import { html, ltr, nothing, thousandths } from "../view.js";
import { drawn } from "./tutor.js";
import { called, cubeWord } from "./verdict-line.js";

/** @typedef {import("../../board/advice.js").Grade} Grade */

/** Points of equity, with sign. @param {number} equity */
const signed = (equity) => ltr(thousandths(equity, { signDisplay: "always" }));

/** How the arrows of a grade look. @param {Grade} grade */
const sample = (grade) =>
  html`<svg class="arrow" viewBox="0 0 144 60" aria-hidden="true" data-material=${settings.prefs.material}>${svg`${arrowSample(grade)}`}</svg>`;

/** The button that explains the numbers. @param {() => void} explain */
const asked = (explain) => {
  const text = t("What do these numbers mean?");
  return html`<button class="what" aria-label=${text} title=${text} @click=${explain}>${icon("help")}</button>`;
};

/** @param {any} verdict */
const guessed = (verdict) =>
  verdict.approximate
    ? html`<p class="small">${t("An estimate: no net was trained for these rules; the nearest game's net is used.")}</p>`
    : nothing;

/** @param {string} answer */
const answerName = (answer) => ({ take: t("Take"), drop: t("Drop"), beaver: t("Beaver") })[answer] ?? answer;

/**
 * @typedef {{explain: () => void, shown: boolean, show: ((shown: boolean) => void) | null}} How
 * `show` turns the arrows on the board on and off, where there are any
 */

/** @param {How} how */
const arrowsSwitch = ({ shown, show }) =>
  show
    ? html`<button class="what" aria-pressed=${shown} aria-label=${t("Arrows on the board")} title=${t("Arrows on the board")} @click=${() => show(!shown)}>${icon("arrows")}</button>`
    : nothing;

/** @param {any} hint @param {How} how */
export function hintText(hint, how) {
  if (hint.kind === "cube") {
    const doubles = hint.action === "double" || hint.action === "redouble";
    return html`<div class="advice"><div class="verdict"><b>${doubles ? t("Double.") : t("Do not double.")}</b>${asked(how.explain)}</div>
      <p>${t("The answer to a double:")} ${answerName(hint.answer)}.</p>
      <table class="ranking"><thead><tr><th></th><th class="num">${t("points a game")}</th></tr></thead><tbody>
        <tr><td>${t("No double")}</td><td class="num">${signed(hint.no_double)}</td></tr>
        <tr><td>${t("Double, take")}</td><td class="num">${signed(hint.double_take)}</td></tr>
        <tr><td>${t("Double, drop")}</td><td class="num">${signed(hint.double_drop)}</td></tr></tbody></table>${guessed(hint)}</div>`;
  }
  if (hint.kind === "outlook") {
    return html`<div class="advice"><p>${t("The side on roll wins {share}.", { share: words().percent(hint.win) })}</p>${guessed(hint)}</div>`;
  }
  return html`<div class="advice">
    <div class="verdict">${sample("best")}<b>${ltr(hint.candidates[0].play)}</b>${arrowsSwitch(how)}${asked(how.explain)}</div>
    ${hint.reason ? html`<p>${hint.reason.text}</p>` : nothing}
    <table class="ranking"><thead><tr><th>${t("Play")}</th><th class="num">${t("points a game")}</th><th class="num">${t("wins")}</th><th></th></tr></thead><tbody>${hint.candidates
      .slice(0, 3)
      .map(
        (/** @type {any} */ each) =>
          html`<tr><td>${ltr(each.play)}</td><td class="num">${signed(each.equity)}</td><td class="num">${words().percent(each.win)}</td><td>${called(each)}</td></tr>`,
      )}</tbody></table>${guessed(hint)}</div>`;
}

/** A hint in one line. @param {any} hint */
export function hintLine(hint) {
  if (hint.kind === "cube")
    return ["double", "redouble"].includes(hint.action) ? t("Double.") : t("Do not double.");
  if (hint.kind === "outlook")
    return t("The side on roll wins {share}.", { share: words().percent(hint.win) });
  return html`<b>${t("Hint")}</b> ${ltr(hint.candidates[0].play)}`;
}

/** What a decision cost, as a sentence. @param {number} loss points of equity */
export const costText = (loss) => t("It costs {n} points a game on average.", { n: thousandths(loss) });

/** At length; null for the best play, about which its line says everything. @param {any} verdict @param {How} how */
export function verdictText(verdict, how) {
  if (verdict.grade === "best") return null;
  const head = html`<div class="verdict"><b>${called(verdict)}</b>${arrowsSwitch(how)}${asked(how.explain)}</div>`;
  const cost = verdict.loss >= 0.0005 ? html`<p>${costText(verdict.loss)}</p>` : nothing;
  if (verdict.kind === "cube") {
    return html`<div class="advice">${head}${cost}<p>${t("Better: {what}", { what: cubeWord(verdict.best) })}</p></div>`;
  }
  return html`<div class="advice">${head}${cost}
    <p class="key">${sample(drawn(verdict.grade))}<span>${t("Your play:")} ${ltr(verdict.played.play)}</span></p>
    <p class="key">${sample("best")}<span>${t("Best was")} ${ltr(verdict.best.play)}${verdict.reason ? html`: ${verdict.reason.text}` : nothing}</span></p>${guessed(verdict)}</div>`;
}

/** What the tutor's numbers mean, for newcomers. @param {() => void} close */
export const numbersDialog = (
  close,
) => html`<h2 id="dialog-title" tabindex="-1" autofocus>${t("The tutor's numbers")}</h2>
  <dl class="glossary">
    <dt>${t("points a game")}</dt>
    <dd>${t("The value of a position, called its equity: the points that the side on roll wins on average if both play well from here. With +0.300 it is thirty points ahead after a hundred such games.")}</dd>
    <dt>${t("What a play costs")}</dt>
    <dd>${t("By how much it leaves you worse off than the best play, on average. A good player gives away less than 0.010 points with a decision.")}</dd>
    <dt>${words().joined([t("best"), t("fine"), t("error"), t("blunder")])}</dt>
    <dd>${t("The four grades of a play, by what it costs. An error is worth learning from, a blunder often decides the game.")}</dd>
    <dt>${t("wins")}</dt>
    <dd>${t("The share of games that the side on roll wins, plain wins and higher ones together.")}</dd>
    <dt>${t("In a match")}</dt>
    <dd>${t("The score decides what a point is worth: points that no longer help to win the match count for nothing.")}</dd>
  </dl>
  <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
