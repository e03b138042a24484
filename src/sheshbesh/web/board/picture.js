import { guard, nothing, svg } from "../vendor/lit.js";
import { freeOn, numberOf, placeOf } from "./checkers.js";
import { pointPath } from "./frame.js";
import { arrow, headBadge, landing, pointNumber, ring, taking } from "./marks.js";
import { DRAWN } from "./measures.js";
import { checker, pile, slabs } from "./pieces.js";
import { BAR, HAND, letter, OFF, other, SIDES } from "./types.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./pieces.js").Tone} Tone */
/** @typedef {import("./pieces.js").At} At */
/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./turn.js").Hop} Hop */

/**
 * Whether a pile is drawn condensed: a head that is still high.
 * @param {Frame} frame
 * @param {number} place
 * @param {Side} side
 * @param {number} count
 */
const isTight = (frame, place, side, count) => frame.layout.head[side] === place && count > DRAWN;

/** How the pile on a place stands. @param {Frame} frame @param {Board} board @param {number} place */
export function standing(frame, board, place) {
  const point = board.points[place - 1];
  const captive = point.pin ?? null;
  const side = captive ? other(captive) : point.w > 0 ? "white" : point.b > 0 ? "black" : null;
  const count = side ? point[letter(side)] : 0;
  return { side, count, captive, tight: side !== null && isTight(frame, place, side, count) };
}

/**
 * Where a checker of `side` lies on one of its own numbers: the top one there, or with `more` the
 * next to come.
 *
 * @param {Frame} frame @param {Board} board @param {Side} side @param {number} number @param {number} [more]
 * @returns {At}
 */
export function restOf(frame, board, side, number, more = 0) {
  const count = Math.max(freeOn(board, frame.layout, side, number) - 1 + more, 0);
  if (number === OFF || number === HAND || number === BAR) return frame.rest(side, number, count);
  const place = placeOf(frame.layout, side, number);
  const here = standing(frame, board, place);
  const pinned = here.captive === other(side) || (more > 0 && frame.layout.pins && here.side === other(side));
  return frame.rest(side, number, count, { pinned, tight: isTight(frame, place, side, count + 1) });
}

/** @typedef {{ side: Side, number: number }} Held  checkers not drawn on their pile: flying or in hand */

/**
 * All checkers.
 *
 * @param {Frame} frame @param {Board} board @param {(side: Side) => Tone} toneOf
 * @param {{ held: Held[], lifted: Held | null, ghost: Held | null }} how
 */
export function checkers(frame, board, toneOf, { held, lifted, ghost }) {
  const { layout } = frame;
  const less = (/** @type {Side} */ side, /** @type {number} */ number) =>
    held.filter((h) => h.side === side && h.number === number).length;
  const is = (/** @type {Held | null} */ at, /** @type {Side} */ side, /** @type {number} */ number) =>
    at?.side === side && at.number === number;
  const piles = board.points.map((_, i) => {
    const { side, count, captive, tight } = standing(frame, board, i + 1);
    if (!side) return nothing;
    const number = numberOf(layout, side, i + 1);
    const shown = count - less(side, number);
    const how = {
      tone: toneOf(side),
      count: shown,
      captive: captive && toneOf(captive),
      tight,
      crown: layout.mother[side] === i + 1,
      lifted: is(lifted, side, number),
      ghost: is(ghost, side, number),
    };
    // Of two dozen piles hardly more than two change at a time.
    return guard([frame, ...Object.values(how)], () => pile(frame, i + 1, how));
  });
  const heaps = SIDES.map((side) => {
    const bar = board.bar[side] - less(side, BAR);
    return svg`${Array.from({ length: Math.min(bar, 4) }, (_, i) =>
      checker(frame, toneOf(side), frame.onBar(side, i), {
        count: i === 3 && bar > 4 ? bar : 0,
        lifted: i === Math.min(bar, 4) - 1 && is(lifted, side, BAR),
      }),
    )}
      ${slabs(frame, frame.tray(side, "off"), toneOf(side), board.off[side] - less(side, OFF))}
      ${
        layout.hand > 0
          ? slabs(frame, frame.tray(side, "hand"), toneOf(side), board.hand[side] - less(side, HAND))
          : nothing
      }`;
  });
  return svg`${piles}${heaps}`;
}

/**
 * The badges of the heads.
 * @param {Frame} frame
 * @param {Board} board
 * @param {Side | null} mover
 * @param {(number: number) => number} left
 */
export const heads = (frame, board, mover, left) =>
  SIDES.map((side) => {
    const place = frame.layout.head[side];
    if (place === null || side !== mover) return nothing;
    const { side: owner, count, captive, tight } = standing(frame, board, place);
    if (owner !== side || !tight) return nothing;
    const spots = frame.pile(place, count, { tight, pinned: captive !== null });
    const { dir } = frame.cell(place);
    const top = spots[spots.length - 1];
    const may = Math.min(left(numberOf(frame.layout, side, place)), 4);
    return headBadge(frame, { x: top.x, y: top.y + dir * (frame.m.r + (frame.narrow ? 46 : 34)) }, may);
  });

/**
 * The numbers on the rims.
 *
 * @param {Frame} frame @param {readonly Side[]} counters who may come to count here @param {Side} counter whose
 *   numbers are seen
 * @param {{ lit: Map<number, "target" | "takes">, open: Set<number>, both: boolean }} how  places
 */
export const numbers = (frame, counters, counter, how) =>
  // Those of the other side are there as well, unseen: a browser shows and hides them without laying out two dozen
  // texts anew.
  counters.map(
    (side) =>
      svg`<g visibility=${side === counter ? nothing : "hidden"}>
        ${numbersOf(frame, side, side === counter ? how : { ...PLAIN, both: how.both })}
      </g>`,
  );

const PLAIN = { lit: new Map(), open: new Set() };

/** @param {Frame} frame @param {Side} counter @param {Parameters<typeof numbers>[3]} how */
const numbersOf = (frame, counter, { lit, open, both }) =>
  Array.from({ length: 24 }, (_, i) => {
    const place = i + 1;
    const how = {
      lit: lit.get(place) ?? /** @type {const} */ (""),
      open: open.has(place),
      other: both ? numberOf(frame.layout, other(counter), place) : null,
    };
    return guard([frame, counter, ...Object.values(how)], () => {
      const { x, base, dir } = frame.cell(place);
      const at = { x, y: base - dir * (frame.m.rimY / 2 + (frame.narrow ? 0 : 3)) };
      return pointNumber(frame, at, numberOf(frame.layout, counter, place), how);
    });
  });

/**
 * Where a checker may go.
 *
 * @param {Frame} frame @param {Board} board @param {Side} side
 * @param {Map<number, { far: boolean, takes: boolean }>} destinations  own numbers
 */
export const targets = (frame, board, side, destinations) =>
  [...destinations].map(([number, { far, takes }]) => {
    if (number === OFF || number === HAND || number === BAR) {
      if (number === BAR) return ring(frame, frame.onBar(side, board.bar[side]), "", "46 20");
      return trayLight(frame.tray(side, number === OFF ? "off" : "hand"));
    }
    const place = placeOf(frame.layout, side, number);
    const here = standing(frame, board, place);
    if (takes && here.side === other(side)) {
      const at = restOf(frame, board, here.side, numberOf(frame.layout, here.side, place));
      return taking(frame, at, frame.cell(place).dir, frame.layout.pins);
    }
    return landing(frame, restOf(frame, board, side, number, 1), far);
  });

/**
 * The bar or the hand, when something may leave it.
 * @param {Frame} frame
 * @param {Board} board
 * @param {Side} side
 * @param {Set<number>} open own numbers
 */
export const heapsOpen = (frame, board, side, open) => svg`
  ${open.has(BAR) ? ring(frame, restOf(frame, board, side, BAR), "", "46 20") : nothing}
  ${open.has(HAND) ? trayLight(frame.tray(side, "hand")) : nothing}`;

/** What was picked up first, of two taps. @param {Frame} frame @param {Board} board @param {Held} held */
export const picked = (frame, board, { side, number }) =>
  number === HAND ? trayLight(frame.tray(side, "hand")) : ring(frame, restOf(frame, board, side, number), "");

/**
 * The thick arrow from a selected checker to a blot that it would hit.
 *
 * @param {Frame} frame @param {Board} board @param {Side} side @param {number} from
 * @param {Map<number, { far: boolean, takes: boolean }>} destinations  own numbers
 */
export const hits = (frame, board, side, from, destinations) =>
  [...destinations].map(([number, { takes }]) => {
    if (!takes || frame.layout.pins) return nothing;
    const start = restOf(frame, board, side, from);
    const enemy = other(side);
    const place = placeOf(frame.layout, side, number);
    const end = restOf(frame, board, enemy, numberOf(frame.layout, enemy, place));
    const angle = Math.atan2(end.y - start.y, end.x - start.x);
    const near = (/** @type {At} */ at, /** @type {number} */ way) => ({
      x: at.x + way * Math.cos(angle) * (frame.m.r + 14),
      y: at.y + way * Math.sin(angle) * (frame.m.r + 14),
    });
    const look = { width: frame.narrow ? 15 : 11, head: frame.narrow ? 46 : 36, colour: "var(--hit)" };
    return arrow(near(start, 1), near(end, -1), look);
  });

/** @param {ReturnType<Frame["tray"]>} tray */
const trayLight = ({ x, y, width, height }) => svg`
  <rect class="casing" x=${x} y=${y} width=${width} height=${height} rx="10" stroke-width="11" />
  <rect class="mark pulse" x=${x} y=${y} width=${width} height=${height} rx="10" stroke-width="6.5" />`;

/** The tint of a point. @param {Frame} frame @param {number} place @param {boolean} carved */
export function tint(frame, place, carved) {
  const { x, base, dir } = frame.cell(place);
  return svg`<path class="hover" d=${pointPath(frame, carved)} transform="translate(${x} ${base}) scale(1 ${dir})" />`;
}

/**
 * Where the last play went, beneath the checkers: from the free end of one pile to that of another,
 * over what stands between.
 *
 * @param {Frame} frame @param {Board} board @param {Side} side @param {{ origin: number, target: number }[]} legs
 */
export const lastMove = (frame, board, side, legs) =>
  legs.map(({ origin, target }) => {
    const [from, to] = [origin, target].map((number) => freeEnd(frame, board, side, number));
    const gap = frame.m.r * 0.3;
    const look = { width: frame.narrow ? 9 : 6, colour: "var(--last)", head: frame.narrow ? 34 : 25 };
    const start = { x: from.x, y: from.y + from.dir * gap };
    const end = { x: to.x, y: to.y + to.dir * gap };
    if (!from.dir || from.dir !== to.dir) return arrow(start, end, look);
    const crest = crestBetween(frame, board, from.x, to.x, from.dir);
    const inward = (/** @type {number} */ y) => y * from.dir;
    const base = from.dir > 0 ? 0 : -frame.height;
    // Not into the dice: behind the tallest piles it comes out on both sides.
    const most = base + frame.m.rimY + frame.m.length + 30;
    const top = Math.min(Math.max(inward(crest), inward(start.y), inward(end.y)) + 44, most);
    // A quadratic curve reaches half way to its control point.
    const via = { x: (start.x + end.x) / 2, y: from.dir * (2 * top - (inward(start.y) + inward(end.y)) / 2) };
    return arrow(start, end, { ...look, via });
  });

/**
 * The end of what lies on a number that faces the middle.
 * @param {Frame} frame
 * @param {Board} board
 * @param {Side} side
 * @param {number} number
 */
function freeEnd(frame, board, side, number) {
  if (number === OFF || number === HAND || number === BAR) {
    const { x, y } = frame.rest(side, number, Math.max(freeOn(board, frame.layout, side, number) - 1, 0));
    return { x, y, dir: 0 };
  }
  const place = placeOf(frame.layout, side, number);
  const { x, base, dir } = frame.cell(place);
  return { x, y: pileEnd(frame, board, place) ?? base + dir * 20, dir };
}

/** @param {Frame} frame @param {Board} board @param {number} place */
function pileEnd(frame, board, place) {
  const { side, count, captive, tight } = standing(frame, board, place);
  if (!side) return null;
  const spots = frame.pile(place, count, { pinned: captive !== null, tight });
  return spots[spots.length - 1].y + frame.cell(place).dir * frame.m.r;
}

/**
 * How far the piles between two columns of one row reach inwards.
 * @param {Frame} frame
 * @param {Board} board
 * @param {number} a
 * @param {number} b
 * @param {number} dir
 */
function crestBetween(frame, board, a, b, dir) {
  let crest = dir > 0 ? frame.m.rimY : frame.height - frame.m.rimY;
  for (let place = 1; place <= 24; place++) {
    const cell = frame.cell(place);
    if (cell.dir !== dir || cell.x <= Math.min(a, b) || cell.x >= Math.max(a, b)) continue;
    const end = pileEnd(frame, board, place);
    if (end !== null && (end - crest) * dir > 0) crest = end;
  }
  return crest;
}
