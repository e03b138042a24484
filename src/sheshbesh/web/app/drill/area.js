/** What belongs to reviews: the pages of the area, and the words that they share. */

import { t, tn, words } from "../../i18n/i18n.js";
import { STATIC } from "../api.js";
import { html, ltr, nothing } from "../view.js";

/** The pages of the area, one beside the other. @param {"reviews" | "practice" | "puzzles" | "search" | "week"} here */
export function areaLinks(here) {
  if (STATIC) return nothing;
  /** @type {[string, string, string][]} */
  const pages = [
    ["reviews", "/reviews", t("Reviews")],
    ["practice", "/practice", t("Practice")],
    ["puzzles", "/puzzles", t("Puzzles")],
    ["search", "/search", t("Positions")],
    ["week", "/week", t("My week")],
  ];
  return html`<nav class="area" aria-label=${t("Review")}>${pages.map(
    ([name, path, text]) =>
      html`<a href=${path} aria-current=${name === here ? "page" : nothing}>${text}</a>`,
  )}</nav>`;
}

/** What kind of position it is. @param {string} theme */
export const themeWord = (theme) =>
  /** @type {Record<string, string>} */ ({
    race: t("Race"),
    bear_off: t("Bear-off"),
    holding: t("Holding game"),
    backgame: t("Back game"),
    prime_v_prime: t("Prime against prime"),
    prime: t("Prime"),
    blitz: t("Blitz"),
    pin: t("Pinned checkers"),
  })[theme] ?? theme;

/** The checkers on a point, for the side that decides. @param {string} holding */
export const holdingWord = (holding) =>
  /** @type {Record<string, string>} */ ({
    own: t("own checkers"),
    made: t("two or more own checkers"),
    blot: t("one own checker"),
    their: t("checkers of the other side"),
    their_made: t("two or more of the other side"),
    their_blot: t("one checker of the other side"),
    empty: t("empty"),
  })[holding] ?? t("anything");

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
  const by = words().formatted(after - before, { signDisplay: "always" });
  return html`<p class="small rating-change">
    ${t("Puzzle rating")} ${ratingText({ rating: after, deviation })} ${ltr(`(${by})`)}
  </p>`;
}
