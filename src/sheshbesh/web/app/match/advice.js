/** The tutor's hints before a decision and verdicts after it, in words. */

import { arrowSample } from "../../board/advice.js";
import { t, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { called, cubeWord, drawn, gradeOf, sign, source } from "../grades.js";
import { icon } from "../icons.js";
import { settings } from "../settings.js";
import { html, ltr, nothing, signed, table, thousandths } from "../view.js";

/**
 * @import { Grade } from "../../board/advice.js"
 * @import { Hint, Judged, Verdict } from "../wire.js"
 */

/** How the arrows of a grade look. @param {Grade} grade */
const sample = (grade) =>
  html`<svg class="arrow" viewBox="0 0 144 60" aria-hidden="true" data-material=${settings.prefs.material}>
    ${svg`${arrowSample(grade)}`}
  </svg>`;

/** The button that explains the numbers. @param {() => void} explain */
const asked = (explain) => {
  const text = t("What do these numbers mean?");
  return html`<button class="what" aria-label=${text} title=${text} @click=${explain}>${icon("help")}</button>`;
};

/** @param {{approximate?: boolean}} judged */
const guessed = ({ approximate }) =>
  approximate
    ? html`<p class="small">
        ${t("An estimate: no net was trained for these rules; the nearest game's net is used.")}
      </p>`
    : nothing;

/** What judged, and where. @param {{by?: import("../wire.js").JudgedBy}} judged */
const judgedBy = ({ by }) =>
  by ? source(by) : html`<p class="small quiet source">${t("Worked out by the server.")}</p>`;

/**
 * @typedef {{explain: () => void, shown: boolean, show: ((shown: boolean) => void) | null}} How
 * `show` turns the arrows on the board on and off, where there are any
 */

/** @param {How} how */
const arrowsSwitch = ({ shown, show }) => {
  const label = t("Arrows on the board");
  return show
    ? html`<button
        class="what"
        aria-pressed=${shown}
        aria-label=${label}
        title=${label}
        @click=${() => show(!shown)}
      >${icon("arrows")}</button>`
    : nothing;
};

/** Values of plays or of cube actions. */
const RANKING = { kind: "ranking", numbers: [1, 2] };

/** The chances of the side on roll. @param {number} win */
const outlook = (win) => t("The side on roll wins {share}.", { share: words().percent(win) });

/** @param {{action: string}} hint */
const cubeAdvice = ({ action }) =>
  action === "double" || action === "redouble" ? t("Double.") : t("Do not double.");

/** @param {Hint} hint @param {How} how */
export function hintText(hint, how) {
  if (hint.kind === "cube") {
    return html`<div class="advice">
      <div class="verdict"><b>${cubeAdvice(hint)}</b>${asked(how.explain)}</div>
      <p>${t("The answer to a double:")} ${cubeWord(hint.answer)}.</p>
      ${table(
        ["", t("points a game")],
        [
          [t("No double"), signed(hint.no_double)],
          [t("Double, take"), signed(hint.double_take)],
          [t("Double, drop"), signed(hint.double_drop)],
        ],
        RANKING,
      )}${guessed(hint)}${judgedBy(hint)}
    </div>`;
  }
  if (hint.kind === "outlook")
    return html`<div class="advice"><p>${outlook(hint.win)}</p>${guessed(hint)}${judgedBy(hint)}</div>`;
  const row = (/** @type {Judged} */ each) => [
    ltr(each.play),
    signed(each.equity),
    words().percent(each.win),
    called(each),
  ];
  return html`<div class="advice">
    <div class="verdict">
      ${sample("best")}<b>${ltr(hint.candidates[0].play)}</b>${arrowsSwitch(how)}${asked(how.explain)}
    </div>
    ${hint.reason ? html`<p>${hint.reason.text}</p>` : nothing}
    ${table([t("Play"), t("points a game"), t("wins"), ""], hint.candidates.slice(0, 3).map(row), RANKING)}
    ${guessed(hint)}${judgedBy(hint)}
  </div>`;
}

/** A hint in one line. @param {Hint} hint */
export function hintLine(hint) {
  if (hint.kind === "cube") return cubeAdvice(hint);
  if (hint.kind === "outlook") return outlook(hint.win);
  return html`<b>${t("Hint")}</b> ${ltr(hint.candidates[0].play)}`;
}

/** What a decision cost, as a sentence. @param {number} loss points of equity */
const costText = (loss) => t("It costs {n} points a game on average.", { n: thousandths(loss) });

/**
 * At length; null for the best play, about which its line says everything.
 * @param {Verdict} verdict
 * @param {How} how
 */
export function verdictText(verdict, how) {
  if (gradeOf(verdict) === "best") return null;
  const cost = verdict.loss >= 0.0005 ? html`<p>${costText(verdict.loss)}</p>` : nothing;
  return html`<div class="advice">
    <div class="verdict">${sign(verdict)}<b>${called(verdict)}</b>${arrowsSwitch(how)}${asked(how.explain)}</div>
    ${cost}${
      verdict.kind === "cube"
        ? html`<p>${t("Better: {what}", { what: cubeWord(verdict.best) })}</p>`
        : compared(verdict)
    }${judgedBy(verdict)}
  </div>`;
}

/** What was played and what would have been best. @param {import("../wire.js").PlayVerdict} verdict */
const compared = (verdict) => {
  const { played, best, reason } = verdict;
  const why = reason ? html`: ${reason.text}` : nothing;
  return html`<p class="key">${sample(drawn(verdict))}<span>${t("Your play:")} ${ltr(played.play)}</span></p>
    <p class="key">${sample("best")}<span>${t("Best was")} ${ltr(best.play)}${why}</span></p>
    ${guessed(verdict)}`;
};
