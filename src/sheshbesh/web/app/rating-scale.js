/** The coordinates of a curve of ratings and of its grid. */

/** @typedef {{before: number, after: number, at: number}} Change */

export const WIDTH = 640;
export const HEIGHT = 240;
export const LEFT = 70;
export const RIGHT = 16;
const TOP = 16;
const BOTTOM = 38;

/** Steps between two lines of the grid, of which the first that gives no more than five lines is taken. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000];

/** The coordinates of the points and of the lines of the grid. @param {Change[]} changes the oldest first */
export function layOut(changes) {
  const ratings = [changes[0].before, ...changes.map(({ after }) => after)];
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const step = STEPS.find((each) => Math.ceil(highest / each) - Math.floor(lowest / each) <= 4) ?? 2000;
  const bottom = Math.floor(lowest / step) * step;
  const top = Math.max(Math.ceil(highest / step) * step, bottom + step);
  const [first, last] = [changes[0].at, changes[changes.length - 1].at];
  const width = WIDTH - LEFT - RIGHT;
  // The first rating had been there before the first match: a little to its left.
  const lead = changes.length > 1 ? width / (4 * changes.length) : width;
  const x = (/** @type {number} */ at) =>
    LEFT + lead + (last > first ? ((at - first) / (last - first)) * (width - lead) : 0);
  const y = (/** @type {number} */ rating) =>
    TOP + ((top - rating) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const points = [
    { x: LEFT, y: y(changes[0].before) },
    ...changes.map(({ at, after }) => ({ x: x(at), y: y(after) })),
  ];
  const grid = [];
  for (let rating = bottom; rating <= top; rating += step) grid.push({ rating, y: y(rating) });
  return { points, grid };
}
