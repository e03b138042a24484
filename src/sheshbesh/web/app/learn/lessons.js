/** Lessons: their types, which were answered, and the text of a judgement and of an explanation. */
import { t } from "../../i18n/i18n.js";
import { answered, settings } from "../settings.js";
import { html, ltr, nothing } from "../view.js";

/**
 * Lessons as the server sends them.
 *
 * @typedef {import("../../board/types.js").Board} Board
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{rule: string, text: string, source: string}} Refusal
 * @typedef {{right: boolean, said: string, refusal: Refusal | null}} Judgement
 *
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} asks
 * @property {string} game
 * @property {string} title  of the game
 * @property {string} text
 * @property {string[]} terms  the words of the game that the text introduces
 * @property {boolean} arrow  whether the answer is shown from the start, to be followed
 * @property {string} task
 * @property {string} why  shown once it is answered
 * @property {string} source
 * @property {Side} side
 * @property {Board} board
 * @property {number[] | null} dice
 * @property {number} dice_steps
 * @property {import("../../board/types.js").Stage[] | null} choices
 * @property {string[]} options
 * @property {boolean} notation  whether the options are plays
 * @property {{play: string, steps: number[][]} | null} solution
 * @property {({play: string} & Refusal)[]} refused
 * @property {string[]} elsewhere
 * @property {{value: number, owner: string | null}} cube
 * @property {number[] | null} score
 *
 * @typedef {{name: string, game: string, title: string, about: string, start: Board, lessons: string[],
 *   first: {name: string, lessons: string[]} | null}} Summary
 * @typedef {{name: string, game: string, title: string, about: string, lessons: Lesson[],
 *   first: {name: string, lessons: string[]} | null, ends_with: {card: string, level: string} | null,
 *   layouts: Record<string, import("../../board/types.js").Layout>}} Course
 */

/** The ids of a course's lessons that were answered. @param {string} course @returns {Set<string>} */
export const learned = (course) => new Set(answered(settings.prefs.learned, course));

/** @param {string} course @param {string} lesson */
export function remember(course, lesson) {
  const done = learned(course);
  if (done.has(lesson)) return;
  settings.set({ learned: { ...settings.prefs.learned, [course]: [...done, lesson] } });
}

/** Restart a course. @param {string} course */
export const forgetCourse = (course) =>
  settings.set({ learned: { ...settings.prefs.learned, [course]: [] } });

/** How many of these lessons were answered. @param {string} course @param {readonly string[]} lessons */
export function count(course, lessons) {
  const done = learned(course);
  return lessons.filter((id) => done.has(id)).length;
}

/** A sentence in which no throw is torn apart at the end of a line. @param {string} text */
export const unbroken = (text) => text.replace(/(\d)-(?=\d)/g, "$1\u2011");

/** The text of a lesson, each term that it introduces marked once. @param {Lesson} lesson */
export function marked({ text, terms }) {
  /** @type {unknown[]} */ const parts = [];
  let rest = unbroken(text);
  for (const term of terms) {
    const [before, ...after] = rest.split(term);
    if (!after.length) continue;
    parts.push(before, html`<dfn>${term}</dfn>`);
    rest = after.join(term);
  }
  return [...parts, rest];
}

/** A source in the direction of the page: it may begin with a name in Latin letters. @param {string} source */
const cited = (source) => (source ? html`<p class="small quiet">${source}</p>` : nothing);

/** The judgement, with the rule and its source where one forbids the answer. @param {Judgement} judgement */
export function judged({ right, said, refusal }) {
  const sign = right ? "✓" : refusal ? "⊘" : "–";
  return html`<div class="said ${right ? "right" : "wrong"}">
    <p><b><span aria-hidden="true">${sign}</span> ${said}</b></p>
    ${refusal ? html`<p class="reason">${refusal.text}</p>${cited(refusal.source)}` : nothing}
  </div>`;
}

/** Why it is so: the explanation, what would be refused, what other games allow, the source. @param {Lesson} lesson */
export const explained = ({ why, refused, elsewhere, source }) => html`<div class="because">
  ${why ? html`<p>${unbroken(why)}</p>` : nothing}
  ${refused.map(
    ({ play, text, source: cites }) =>
      html`<p>
        ${t("Refused:")} ${play === "pass" ? t("There is no play") : ltr(play)}: ${text}${
          cites ? html` <span class="small quiet"><bdi>(${cites})</bdi></span>` : nothing
        }
      </p>`,
  )}
  ${elsewhere.map((each) => html`<p>${each}</p>`)} ${cited(source)}
</div>`;
