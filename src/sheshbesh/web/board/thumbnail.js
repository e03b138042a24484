import { html, nothing, svg } from "../vendor/lit.js";

/** @typedef {import("./types.js").Board} Board */

const RIM = 6;
const COLUMN = 11;
const BAR = 12;
const WIDTH = 2 * RIM + 12 * COLUMN + BAR;
const HEIGHT = 126;
const POINT = 48;
const RADIUS = 4.9;
/** The length of a pile, from the centre of its first checker to that of its last. */
const PILE = 42;

/**
 * Column 0 to 11 from the left, and whether the point grows from the top; White's home is at the lower right.
 * @param {number} place
 */
const cellOf = (place) =>
  place > 12 ? { column: place - 13, top: true } : { column: 12 - place, top: false };

/** @param {number} column */
const centre = (column) => RIM + (column + 0.5) * COLUMN + (column > 5 ? BAR : 0);

/** The points of one colour as one path. @param {0 | 1} parity */
const triangles = (parity) =>
  Array.from({ length: 24 }, (_, i) => cellOf(i + 1))
    .filter(({ column, top }) => (column + Number(top)) % 2 === parity)
    .map(({ column, top }) => {
      const [x, base] = [centre(column), top ? RIM : HEIGHT - RIM];
      return `M${x - COLUMN / 2} ${base}h${COLUMN}L${x} ${top ? base + POINT : base - POINT}z`;
    })
    .join("");

const [LIGHT_POINTS, DARK_POINTS] = [triangles(0), triangles(1)];

/** @param {"w" | "b"} tone @param {number} x @param {number} y */
const disc = (tone, x, y) =>
  svg`<circle cx=${x} cy=${y.toFixed(1)} r=${RADIUS} fill="var(--${tone}-1)" stroke="var(--${tone}-edge)"></circle>`;

/** @param {"w" | "b"} tone @param {number} count @param {(i: number, gap: number) => [number, number]} at */
const pile = (tone, count, at) => {
  const gap = Math.min(2 * RADIUS, PILE / Math.max(count - 1, 1));
  return Array.from({ length: count }, (_, i) => disc(tone, ...at(i, gap)));
};

/** How far from the middle line a way runs on its half of the board. */
const LANE = 5;

/**
 * The way of one side over a small drawing: its home shaded, and a line with an arrow from its 24 to its 1.
 *
 * @param {import("./types.js").Layout} layout @param {import("./types.js").Side} side
 */
function way(layout, side) {
  const cells = layout.numbers[side].map((place) => cellOf(place));
  const home = cells.slice(0, 6);
  const left = Math.min(...home.map(({ column }) => centre(column))) - COLUMN / 2;
  const top = home[0].top ? RIM : HEIGHT / 2;
  const stops = [24, 19, 18, 13, 12, 7, 6, 1].map((number) => {
    const cell = cells[number - 1];
    return `${centre(cell.column)} ${HEIGHT / 2 + (cell.top ? -LANE : LANE)}`;
  });
  const line = `M${stops.join("L")}`;
  const [x, y] = stops[7].split(" ").map(Number);
  const ahead = Math.sign(x - Number(stops[6].split(" ")[0]));
  const arrow = `M${x + 5 * ahead} ${y}l${-8 * ahead} -5v10z`;
  const start = stops[0].split(" ");
  const half = HEIGHT / 2 - RIM;
  return svg`<rect x=${left} y=${top} width=${6 * COLUMN} height=${half} fill="var(--accent)" opacity=".34"></rect>
    <path d=${line} fill="none" stroke="var(--panel)" stroke-width="5" stroke-linejoin="round"></path>
    <path d=${line} fill="none" stroke="var(--accent)" stroke-width="2.6" stroke-linejoin="round"></path>
    <circle cx=${start[0]} cy=${start[1]} r="3" fill="var(--accent)"></circle><path
      d=${arrow}
      fill="var(--accent)"
      stroke="var(--panel)"
    ></path>`;
}

/**
 * A small drawing of a position, for tiles and lists: field, points and checkers, seen by White.
 *
 * @param {Board} board
 * @param {{layout: import("./types.js").Layout, side: import("./types.js").Side}} [shown] a side whose way and home
 *   are drawn too
 */
export function thumbnail(board, shown) {
  const points = board.points.map((point, i) => {
    const { column, top } = cellOf(i + 1);
    /** @type {"w" | "b"} */
    const tone = point.w ? "w" : "b";
    const first = top ? RIM + RADIUS + 1 : HEIGHT - RIM - RADIUS - 1;
    return pile(tone, point[tone], (k, gap) => [centre(column), first + (top ? k : -k) * gap]);
  });
  const middle = HEIGHT / 2;
  const hand = /** @type {const} */ ([
    ["w", board.hand.white, RIM + RADIUS + 6],
    ["b", board.hand.black, RIM + 6 * COLUMN + BAR + RADIUS + 6],
  ]).map(([tone, count, x]) => pile(tone, count, (k, gap) => [x + k * gap, middle]));
  return html`<svg class="thumbnail" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    ${svg` <rect width=${WIDTH} height=${HEIGHT} rx="4" fill="var(--frame)"></rect>
      <rect x=${RIM} y=${RIM} width=${WIDTH - 2 * RIM} height=${HEIGHT - 2 * RIM} fill="var(--field)"></rect>
      <path d=${LIGHT_POINTS} fill="var(--point-a)"></path><path d=${DARK_POINTS} fill="var(--point-b)"></path>
      <rect x=${RIM + 6 * COLUMN} width=${BAR} height=${HEIGHT} fill="var(--frame)"></rect>
      ${points}${board.hand.white || board.hand.black ? hand : nothing}
      ${shown ? way(shown.layout, shown.side) : nothing}`}
  </svg>`;
}
