/** How a player stands with the puzzles, in words: levels, streaks, ratings. */

import { t, tn, words } from "../../i18n/i18n.js";
import { html, ltr, nothing } from "../view.js";

/** How hard a puzzle is. @param {string} level */
export const levelWord = (level) =>
  /** @type {Record<string, string>} */ ({ easy: t("Easy"), medium: t("Medium"), hard: t("Hard") })[level] ??
  level;

/** Whether an answer was right: the shape says it, the words stand beside it. @param {boolean} right */
export const tick = (right) =>
  html`<span class="sign ${right ? "right best" : "error"}" aria-hidden="true">${right ? "✓" : "✗"}</span>`;

/** Results of the puzzles of the days, as one line. @param {import("./session.js").Standing} standing */
export function standingLine({ streak, longest, right, total }) {
  if (!total) return "";
  const parts = [];
  if (streak) parts.push(tn("streak: {n} day", "streak: {n} days", streak));
  if (longest > streak) parts.push(tn("at most {n} day", "at most {n} days", longest));
  parts.push(t("{right} of {total} right", { right: words().figure(right), total: words().figure(total) }));
  return parts.join(" · ");
}

/** A rating with the range in which it lies by 95 %. @param {{rating: number, deviation: number}} rated */
export const ratingText = ({ rating, deviation }) =>
  html`<b>${words().figure(rating)}</b> <span class="quiet">±${words().figure(2 * deviation)}</span>`;

/** What the first answer to a puzzle did. @param {import("./session.js").Change | null | undefined} change */
export function ratingChange(change) {
  if (!change) return nothing;
  const { before, after, deviation } = change;
  const by = new Intl.NumberFormat(words().locale, { signDisplay: "always" }).format(after - before);
  return html`<p class="small rating-change">
    ${t("Puzzle rating")} ${ratingText({ rating: after, deviation })} ${ltr(`(${by})`)}
  </p>`;
}
