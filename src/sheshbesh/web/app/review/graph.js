/** A whole match: its course as a drawing, White's equity at each decision and what each side lost; and its numbers. */

import { t, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { html, ltr } from "../view.js";

/** @typedef {import("./detail.js").Decision} Decision */

const WIDTH = 640;
const HEIGHT = 132;
const LEFT = 40;
const RIGHT = 8;
/** Where the equity ends and the lost points hang down from. */
const FLOOR = 84;
const DEEPEST = 40;

/** Numbers of a scale. @param {number} value */
const figure = (value) => words().formatted(value, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

/**
 * @param {Decision[]} decisions all of the match
 * @param {number} at the one that is shown
 * @param {{white: string, black: string}} names
 * @param {(n: number) => void} go
 */
export function graph(decisions, at, names, go) {
  const last = Math.max(decisions.length - 1, 1);
  const x = (/** @type {number} */ n) => LEFT + ((WIDTH - LEFT - RIGHT) * n) / last;
  const known = decisions.filter(({ equity }) => equity !== null);
  const values = known.map(({ equity }) => /** @type {number} */ (equity));
  const high = Math.max(0.5, ...values);
  const low = Math.min(-0.5, ...values);
  const y = (/** @type {number} */ value) => 8 + ((FLOOR - 16) * (high - value)) / (high - low);
  const most = Math.max(0.1, ...decisions.map(({ loss }) => loss));
  const line = known.map(({ n }, i) => `${x(n).toFixed(1)},${y(values[i]).toFixed(1)}`).join(" ");
  const bar = (/** @type {Decision} */ { n, loss, side }) =>
    svg`<rect
      class=${side}
      x=${(x(n) - 2.5).toFixed(1)}
      y=${FLOOR + 4}
      width="5"
      height=${Math.max(1.5, (DEEPEST * loss) / most).toFixed(1)}
    ></rect>`;
  return html`<figure class="course">
    <svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label=${t("Above: the equity of {name} at each decision. Below: what each decision lost.", {
        name: names.white,
      })}
    >
      ${[high, 0, low].map(
        (value) =>
          svg`<line class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(value)} y2=${y(value)}></line><text
              x=${LEFT - 6}
              y=${y(value) + 4}
              text-anchor="end"
            >${figure(value)}</text>`,
      )}
      <polyline points=${line}></polyline>
      <line class="floor" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${FLOOR + 4} y2=${FLOOR + 4}></line>
      ${decisions.filter(({ loss, counted }) => counted && loss >= 0.005).map(bar)}
      <line class="now" x1=${x(at)} x2=${x(at)} y1="4" y2=${HEIGHT - 2}></line>
    </svg>
    <input
      type="range"
      dir="ltr"
      min="0"
      max=${decisions.length - 1}
      .value=${String(at)}
      aria-label=${t("Decision")}
      @input=${(/** @type {Event} */ event) =>
        go(Number(/** @type {HTMLInputElement} */ (event.target).value))}
    >
    <figcaption class="small quiet">
      <span><i class="lost white"></i> <bdi>${names.white}</bdi></span>
      <span><i class="lost black"></i> <bdi>${names.black}</bdi></span>
    </figcaption>
  </figure>`;
}

/**
 * Both sides' numbers as a table.
 * @param {import("./detail.js").Report} report
 * @param {{white: string, black: string}} names
 */
export function numbers(report, names) {
  const row = (/** @type {import("./detail.js").Report["numbers"][number]} */ { name, white, black }) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td class="num">${ltr(white)}</td>
      <td class="num">${ltr(black)}</td>
    </tr>`;
  return html`<section class="numbers">
    <h2>${t("Statistics")}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("Statistics")}>
      <table>
        <thead>
          <tr>
            <th></th>
            <th scope="col" class="num"><bdi>${names.white}</bdi></th>
            <th scope="col" class="num"><bdi>${names.black}</bdi></th>
          </tr>
        </thead>
        <tbody>
          ${report.numbers.filter(({ first }) => first).map(row)}
        </tbody>
      </table>
      <details>
        <summary>${t("More numbers")}</summary>
        <table>
          <tbody>${report.numbers.filter(({ first }) => !first).map(row)}</tbody>
        </table>
      </details>
    </div>
    ${report.remarks.map((text) => html`<p class="small quiet">${text}</p>`)}
  </section>`;
}
