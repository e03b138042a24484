import { svg } from "../vendor/lit.js";

/** Ornament, worked out once when the module is read. Lengths are units of the board's picture. */

const round = (/** @type {number} */ x) => Math.round(x * 10) / 10;

/**
 * The corners of a polygon or star.
 *
 * @param {number} x @param {number} y @param {number} r @param {number} n
 * @param {number} turn  radians @param {number} [inner]  radius of every other corner
 */
function corners(x, y, r, n, turn, inner = r) {
  return Array.from({ length: n }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / n;
    const radius = i % 2 ? inner : r;
    return `${round(x + radius * Math.cos(angle))},${round(y + radius * Math.sin(angle))}`;
  }).join(" ");
}

const KHATAM = 17;
const KHATAM_WIDTH = Math.sqrt(3) * KHATAM;

/** Khatam: six-pointed stars in hexagons with brass hearts. */
const khatam = [
  [0, 0],
  [KHATAM_WIDTH, 0],
  [0, 3 * KHATAM],
  [KHATAM_WIDTH, 3 * KHATAM],
  [KHATAM_WIDTH / 2, 1.5 * KHATAM],
].map(
  ([x, y]) => svg`
    <polygon points=${corners(x, y, KHATAM, 6, Math.PI / 6)} fill="#1e120b" stroke="#8c6a35" stroke-width="1" />
    <polygon points=${corners(x, y, KHATAM * 0.86, 12, Math.PI / 6, KHATAM * 0.46)} fill="#dcc592" />
    <polygon points=${corners(x, y, KHATAM * 0.46, 6, 0)} fill="#86402b" />
    <circle cx=${round(x)} cy=${y} r="3.4" fill="#d6b36a" />`,
);

/** Pseudo-random numbers, the same every time. @param {number} seed */
function sequence(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const GRAIN = { width: 900, height: 260 };

/** Wood grain as strokes along a tile that joins itself on all sides. @param {number} seed */
function grain(seed) {
  const chance = sequence(seed);
  const { width, height } = GRAIN;
  return Array.from({ length: 54 }, () => {
    const y = round(chance() * height);
    const swell = chance() * 9 - 4.5;
    const at = 0.3 + chance() * 0.4;
    const weight = round(0.6 + chance() ** 3 * 5);
    const dark = chance() < 0.72;
    const opacity = round((dark ? 0.08 + chance() * 0.17 : 0.03 + chance() * 0.05) * 100) / 100;
    const path = (/** @type {number} */ h) =>
      `M0 ${round(h)}C${round(width * at * 0.5)} ${round(h + swell)} ${round(width * at)} ${round(h + swell)} ` +
      `${width / 2} ${round(h)}S${round(width * (0.5 + at * 0.6))} ${round(h - swell)} ${width} ${round(h)}`;
    const spans = [0, -height, height].filter((d) => y + d > -20 && y + d < height + 20);
    return svg`<path d=${spans.map((d) => path(y + d)).join("")} stroke=${dark ? "#1a0d06" : "#f0c890"}
      stroke-width=${weight} opacity=${opacity} />`;
  });
}

const along = grain(20);
const across = grain(77);

/** The patterns and shadings that a board's parts refer to. @param {number} barX  the middle of the bar */
export const definitions = (barX) => svg`
  <pattern id="khatam" x=${round(barX - KHATAM_WIDTH / 2)} width=${round(KHATAM_WIDTH)} height=${3 * KHATAM}
    patternUnits="userSpaceOnUse">${khatam}</pattern>
  <pattern id="herringbone" width="16" height="16" patternUnits="userSpaceOnUse">
    <path d="M0 8 8 0 16 8M0 16 8 8 16 16M0 0 8-8 16 0" fill="none" stroke="#3a2010" stroke-width="1.5" opacity=".26" />
  </pattern>
  <pattern id="grain" width=${GRAIN.width} height=${GRAIN.height} patternUnits="userSpaceOnUse"
    ><g fill="none">${along}</g></pattern>
  <pattern id="grain-up" width=${GRAIN.width} height=${GRAIN.height} patternUnits="userSpaceOnUse"
    patternTransform="rotate(90)"><g fill="none">${across}</g></pattern>
  <linearGradient id="frame" x2="0" y2="1">
    <stop offset="0" stop-color="var(--frame)" /><stop offset="1" stop-color="var(--frame-2)" />
  </linearGradient>
  <linearGradient id="inner" x2="0" y2="1">
    <stop offset="0" stop-color="#000" stop-opacity=".2" /><stop offset=".045" stop-color="#000" stop-opacity="0" />
    <stop offset="1" stop-color="#000" stop-opacity="0" />
  </linearGradient>
  ${["w", "b"].map(
    (tone) => svg`
      <radialGradient id="body-${tone}" cx=".42" cy=".36" r=".75">
        <stop offset="0" stop-color="var(--${tone}-1)" /><stop offset="1" stop-color="var(--${tone}-2)" />
      </radialGradient>`,
  )}
  <linearGradient id="cube-face" x2=".3" y2="1">
    <stop offset="0" stop-color="var(--cube-1)" /><stop offset="1" stop-color="var(--cube-2)" />
  </linearGradient>`;

/** A sixteen-fold rosette behind one half. @param {number} x @param {number} y @param {number} r */
export function rosette(x, y, r) {
  const squares = [0, 1, 2, 3].map(
    (i) => svg`<rect x=${-r * 0.62} y=${-r * 0.62} width=${r * 1.24} height=${r * 1.24}
      transform="rotate(${i * 22.5})" />`,
  );
  const petals = Array.from({ length: 16 }, (_, i) => {
    const [a, b, c] = [r * 0.3, r * 0.46, r * 0.6].map(round);
    const w = round(r * 0.09);
    return svg`<path d="M0-${a}Q${w}-${b} 0-${c}Q-${w}-${b} 0-${a}" transform="rotate(${i * 22.5})" />`;
  });
  return svg`<g transform="translate(${x} ${y})" fill="none" stroke="var(--inlay)" stroke-width="2.4" opacity=".2">
    ${squares}${petals}<circle r=${r * 0.96} /><circle r=${r * 0.28} /><circle r=${r} stroke-width="3" /></g>`;
}
