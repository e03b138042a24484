/** A rating over time as a drawn line, and in words for screen readers. */

import { t, tn, words } from "../i18n/i18n.js";
import { html, svg } from "../vendor/lit.js";
import { HEIGHT, LEFT, layOut, RIGHT, WIDTH } from "./rating-scale.js";

/** @typedef {import("./rating-scale.js").Change} Change */

/** A day, in the direction of its own letters. @param {number} at */
const day = (at) => `\u2068${format(at)}\u2069`;

/** @param {number} at */
const format = (at) => new Intl.DateTimeFormat(words().locale, { dateStyle: "medium" }).format(at);

/** @param {Change[]} changes the oldest first, at least one */
export function curve(changes) {
  const { points, grid } = layOut(changes);
  const [first, last] = [changes[0], changes[changes.length - 1]];
  const summary = tn(
    "From {before} on {first} to {after} on {last}, over {n} match.",
    "From {before} on {first} to {after} on {last}, over {n} matches.",
    changes.length,
    {
      before: words().figure(first.before),
      after: words().figure(last.after),
      first: format(first.at),
      last: format(last.at),
    },
  );
  const end = points[points.length - 1];
  return html`<figure class="curve"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${t("Rating over time")}. ${summary}`}>
      ${grid.map((line) => svg`<line class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${line.y} y2=${line.y}></line><text x=${LEFT - 8} y=${line.y + 5} text-anchor="end">${words().figure(line.rating)}</text>`)}
      <polyline points=${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}></polyline>
      <circle cx=${end.x} cy=${end.y} r="4.5"></circle>
      <text x=${LEFT} y=${HEIGHT - 6}>${day(first.at)}</text>
      ${day(first.at) === day(last.at) ? "" : svg`<text x=${WIDTH - RIGHT} y=${HEIGHT - 6} text-anchor="end">${day(last.at)}</text>`}</svg>
    <figcaption class="small quiet">${summary}</figcaption></figure>`;
}
