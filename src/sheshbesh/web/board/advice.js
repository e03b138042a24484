import { nothing, svg } from "../vendor/lit.js";
import { carry, emptyBoard } from "./checkers.js";
import { arrow } from "./marks.js";
import { restOf } from "./picture.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./pieces.js").At} At */
/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {"best" | "ok" | "error" | "blunder"} Grade */

/**
 * Plays to be looked at: each with its grade and its steps (origin, target, die, takes) in the own
 * numbers of `side`. They start from `board`; without one from what is shown, and then they are of no use
 * any more once a checker has moved. `alone`: `board` is shown with its `dice` and nothing of the present.
 *
 * @typedef {{ side: Side, board?: Board | null, dice?: number[] | null, alone?: boolean, options: { grade: Grade,
 *   steps: number[][] }[] }} Advice
 */

/**
 * How the arrows of a grade look: by width and line first, by colour second.
 * @type {Record<Grade, { colour: string, width: number, head: number, dash?: string }>}
 */
export const GRADES = {
  best: { colour: "var(--target)", width: 13, head: 44 },
  ok: { colour: "var(--last)", width: 8, head: 34 },
  error: { colour: "var(--hit)", width: 9, head: 36, dash: "34 20" },
  blunder: { colour: "var(--hit)", width: 11, head: 40, dash: "1 24" },
};

/**
 * A checker's whole path.
 * @typedef {{ origin: number, target: number, from: At, to: At, times: number }} CheckerPath
 */

/**
 * The paths of a play: hops of one checker are one arrow, and so are equal paths of several.
 *
 * @param {Frame} frame @param {Board} start @param {Side} side @param {number[][]} steps @returns {CheckerPath[]}
 */
function checkerPaths(frame, start, side, steps) {
  /** @type {CheckerPath[]} */ const paths = [];
  let board = start;
  for (const [origin, target, , takes] of steps) {
    const from = restOf(frame, board, side, origin);
    board = carry(board, frame.layout, side, { origin, target, takes: takes > 0 });
    const to = restOf(frame, board, side, target);
    const begun = paths.find((path) => path.target === origin);
    if (begun) Object.assign(begun, { target, to });
    else paths.push({ origin, target, from, to, times: 1 });
  }
  /** @type {CheckerPath[]} */ const merged = [];
  for (const path of paths) {
    const same = merged.find(({ origin, target }) => origin === path.origin && target === path.target);
    if (same) same.times += 1;
    else merged.push(path);
  }
  return merged;
}

/** What one play has and the other has not. @param {CheckerPath[]} paths @param {CheckerPath[]} others */
const apart = (paths, others) =>
  paths.filter(
    (path) =>
      !others.some((o) => o.origin === path.origin && o.target === path.target && o.times === path.times),
  );

/**
 * Where an arrow bends to: along a row towards the middle of the board, across it to one side, the second
 * play of two always farther out than the first or to the other side, so that they part where they run together.
 *
 * @param {Frame} frame @param {CheckerPath} path @param {number} rank  0 for the best play, 1 for the other
 */
function bend(frame, { from, to }, rank) {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const above = from.y < frame.mid;
  if (above === to.y < frame.mid && Math.abs(dx) > Math.abs(dy)) {
    // A quadratic curve reaches half path to its control point.
    const out = 2 * (frame.m.r * (rank ? 2.1 : 0.7) + length * 0.05);
    return { x: middle.x, y: middle.y + (above ? out : -out) };
  }
  const out = (rank ? -1 : 1) * (frame.m.r * 0.9 + length * 0.06);
  return { x: middle.x - (dy / length) * out, y: middle.y + (dx / length) * out };
}

/**
 * The end of an arrow where another play's arrow ends too: before that one's head.
 * @param {CheckerPath} path
 * @param {At} via
 * @param {number} gap
 */
function stopShort({ to }, via, gap) {
  const angle = Math.atan2(to.y - via.y, to.x - via.x);
  return { x: to.x - Math.cos(angle) * gap, y: to.y - Math.sin(angle) * gap };
}

/** How many checkers go one path. @param {Frame} frame @param {At} at @param {number} times @param {string} colour */
const number = (frame, at, times, colour) => {
  const r = frame.narrow ? 32 : 22;
  return svg`<circle cx=${at.x} cy=${at.y} r=${r} fill="var(--casing)" stroke=${colour} stroke-width="4" />
    <text x=${at.x} y=${at.y + r * 0.42} font-size=${r * 1.25} font-weight="700" fill=${colour}>${times}</text>`;
};

/**
 * The arrows of some advice, the best play's on top.
 * @param {Frame} frame
 * @param {Advice} advice
 * @param {Board | null} shown
 */
export function adviceArrows(frame, { side, board, options }, shown) {
  const start = board ?? shown ?? emptyBoard();
  const all = options.map(({ grade, steps }) => ({ grade, paths: checkerPaths(frame, start, side, steps) }));
  const scale = frame.narrow ? 1.35 : 1;
  return all
    .map(({ grade, paths: own }, i) => {
      // Steps that both plays share do not distinguish them.
      const rest = all.filter((_, j) => j !== i).reduce((left, other) => apart(left, other.paths), own);
      const { colour, dash, width, head } = GRADES[grade];
      const look = { colour, dash, width: width * scale, head: head * scale };
      return svg`<g class="way ${grade}">${rest.map((path) => {
        const via = bend(frame, path, grade === "best" ? 0 : 1);
        const met =
          grade !== "best" &&
          all.some(
            (other) => other.grade === "best" && other.paths.some(({ target }) => target === path.target),
          );
        const to = met ? stopShort(path, via, look.head * 1.3) : path.to;
        const half = {
          x: (path.from.x + path.to.x + 2 * via.x) / 4,
          y: (path.from.y + path.to.y + 2 * via.y) / 4,
        };
        return svg`${arrow(path.from, to, { ...look, via })}
          ${path.times > 1 ? number(frame, half, path.times, colour) : nothing}`;
      })}</g>`;
    })
    .reverse();
}

/** A short arrow of a grade, for the words beside the board. @param {Grade} grade */
export const arrowSample = (grade) => arrow({ x: 10, y: 30 }, { x: 134, y: 30 }, GRADES[grade]);
