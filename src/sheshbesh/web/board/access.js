import { nothing, svg } from "../vendor/lit.js";
import { numberOf } from "./checkers.js";
import { BAR, HAND, OFF } from "./types.js";
import { WORDS } from "./words.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {[x: number, y: number, width: number, height: number]} Box */

/** The place the Tab key comes to first: the farthest from which something can move. @param {import("./board.js").Board} board */
export function firstPlace({ layout, hands, viewer }) {
  const side = hands.mover ?? viewer;
  const number = Math.max(...[...(hands.play?.origins ?? [])].filter((n) => n < HAND), 0) || 24;
  return layout?.numbers[side][number - 1] ?? 1;
}

/**
 * A board for those who cannot see it, or not point at it: every place a button with its name. Of the
 * points only one is on the Tab key's way; arrows walk to the others.
 *
 * @param {import("./board.js").Board} host @param {Frame} frame @param {string} focus  name of the spot
 */
export function accessible(host, frame, focus) {
  const { layout, hands, viewer, voice, t } = host;
  const board = hands.show.board;
  if (!layout || !board) return nothing;
  const side = hands.mover ?? viewer;
  const ends = hands.ends;
  const first = /^p\d/.test(focus) ? focus : `p${firstPlace(host)}`;
  const { m } = frame;
  const key = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {Box} */ [x, y, w, h],
    open = false,
    tip = true,
  ) =>
    svg`<rect class="key ${open ? "movable" : ""}" data-spot=${name} role="button" aria-label=${label}
      tabindex=${name === first || !/^p\d/.test(name) ? 0 : -1} x=${x} y=${y} width=${w} height=${h} rx="8">${
        tip ? svg`<title>${label}</title>` : nothing
      }</rect>`;
  const points = board.points.map((_, i) => {
    const place = i + 1;
    const { x, base, dir } = frame.cell(place);
    const number = numberOf(layout, side, place);
    const open = hands.open.has(number);
    const { pin } = board.points[i];
    // What was pinned in this very turn is in nobody's list yet.
    const since = pin && host.state?.board?.points[i].pin === pin ? host.since.get(place) : undefined;
    const label = [
      voice.point(board, layout, side, place, since),
      open ? t(WORDS.canMove) : ends.has(number) ? t(WORDS.canGo) : "",
      hands.selected === number && hands.mover ? t(WORDS.selected) : "",
    ];
    return key(
      `p${place}`,
      label.filter(Boolean).join(", "),
      [x - 48, dir > 0 ? base : base - m.length, 96, m.length],
      open || ends.has(number),
      // A pile is plain to see; who lies under it is not.
      pin !== undefined && pin !== null,
    );
  });
  const heap = (/** @type {string} */ name, /** @type {number} */ number, /** @type {Box} */ box) =>
    key(name, voice.heap(board, layout, side, number), box, hands.open.has(number) || ends.has(number));
  const tray = (/** @type {"off" | "hand"} */ kind) => {
    const { x, y, width, height } = frame.tray(side, kind);
    return heap(kind, kind === "off" ? OFF : HAND, [x, y, width, height]);
  };
  return svg`<g>${points}
    ${layout.bar ? heap("bar", BAR, [frame.barX - m.bar / 2, m.rimY, m.bar, 2 * m.half]) : nothing}
    ${tray("off")}${layout.hand > 0 ? tray("hand") : nothing}${diceKey()}${cubeKey()}</g>`;

  function diceKey() {
    const { dice } = hands;
    if (!dice) return nothing;
    const { x, y } = frame.dice(dice.side);
    const label = t(WORDS.dice, { first: dice.values[0], second: dice.values[1] ?? "" });
    const meaning = !hands.mover || dice.past ? "" : `, ${t(dice.whole ? WORDS.confirm : WORDS.swap)}`;
    return key(
      "dice",
      label + meaning,
      [x - m.die * 1.4, y - m.die * 0.75, m.die * 2.8, m.die * 1.5],
      meaning !== "",
    );
  }

  function cubeKey() {
    const { state } = host;
    if (!state?.cube.in_play) return nothing;
    const { x, y } = frame.cube(state.cube.owner);
    const label = t(WORDS.cube, { value: state.cube.value });
    return key(
      "cube",
      label,
      [x - m.cube / 2, y - m.cube / 2, m.cube, m.cube],
      state.allowed.includes("double"),
    );
  }
}
