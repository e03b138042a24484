/** A person's error rate from review to review: points with their standard errors. */

import { t, tn, words } from "../../i18n/i18n.js";
import { html, svg } from "../../vendor/lit.js";

/** @typedef {{id: string, at: number, variant: string, rate: number, error: number}} Point */

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 44;

/** @param {Point[]} points the oldest first, at least one */
export function errorCurve(points) {
  const high = Math.max(10, ...points.map(({ rate, error }) => rate + error));
  const y = (/** @type {number} */ rate) => 10 + (HEIGHT - 34) * (1 - Math.max(rate, 0) / high);
  const x = (/** @type {number} */ i) => LEFT + 12 + ((WIDTH - LEFT - 24) * (i + 0.5)) / points.length;
  const figure = (/** @type {number} */ value) =>
    new Intl.NumberFormat(words().locale, { maximumFractionDigits: 1 }).format(value);
  const label = tn("Error rate of {n} match", "Error rate of {n} matches", points.length);
  return html`<figure class="curve rates"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
      ${[0, high / 2, high].map((rate) => svg`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${y(rate)} y2=${y(rate)}></line><text x=${LEFT - 8} y=${y(rate) + 5} text-anchor="end">${figure(rate)}</text>`)}
      ${points.map(({ rate, error }, i) => svg`<line class="whisker" x1=${x(i)} x2=${x(i)} y1=${y(rate - error)} y2=${y(rate + error)}></line><circle cx=${x(i)} cy=${y(rate)} r="4.5"></circle>`)}</svg>
    <figcaption class="small quiet">${t("The oldest is at the left; whiskers are standard errors.")}</figcaption></figure>`;
}
