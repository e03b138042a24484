/** How somebody stands with the puzzles of the days, as one line. */

import { t, tn, words } from "../../i18n/i18n.js";

/** @param {import("./types.js").Standing} standing */
export function standingLine({ streak, longest, right, total }) {
  if (!total) return "";
  const parts = [];
  if (streak) parts.push(tn("right {n} day in a row", "right {n} days in a row", streak));
  if (longest > streak) parts.push(tn("at most {n} day", "at most {n} days", longest));
  parts.push(t("{right} of {total} right", { right: words().figure(right), total: words().figure(total) }));
  return parts.join(" · ");
}
