/** What belongs to reviews: the pages of the area, and the words that they share. */

import { t } from "../../i18n/i18n.js";
import { STATIC } from "../api.js";
import { html, nothing } from "../view.js";

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
