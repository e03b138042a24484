import { nothing, svg } from "../vendor/lit.js";
import { lockAt } from "./pieces.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./pieces.js").At} At */

const round = (/** @type {number} */ x) => Math.round(x * 10) / 10;

/**
 * An arrow along a quadratic curve, always with its casing.
 *
 * @param {At} from @param {At} to
 * @param {{ via?: At, width: number, colour: string, head: number, dash?: string }} how
 */
export function arrow(from, to, { via, width, colour, head, dash }) {
  const bend = via ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const at = (/** @type {number} */ length, /** @type {number} */ turn) =>
    `${round(to.x - Math.cos(angle + turn) * length)},${round(to.y - Math.sin(angle + turn) * length)}`;
  const end = at(head * 0.8, 0).replace(",", " ");
  const line = `M${round(from.x)} ${round(from.y)}Q${round(bend.x)} ${round(bend.y)} ${end}`;
  const tip = `${round(to.x)},${round(to.y)} ${at(head * 1.15, 0.46)} ${at(head * 1.15, -0.46)}`;
  return svg`<g stroke-linecap="round" stroke-linejoin="round">
    <path d=${line} fill="none" stroke="var(--casing)" stroke-width=${width + 6} />
    <polygon points=${tip} fill="var(--casing)" stroke="var(--casing)" stroke-width="7" />
    <path d=${line} fill="none" stroke=${colour} stroke-width=${width} stroke-dasharray=${dash ?? nothing} />
    <polygon points=${tip} fill=${colour} /></g>`;
}

/** A ring around a checker. @param {Frame} frame @param {At} at @param {string} kind @param {string} [dash] */
export function ring(frame, at, kind, dash) {
  const r = frame.m.r + 5;
  const width = frame.narrow ? 9 : 7;
  return svg`<circle class="casing" cx=${at.x} cy=${at.y} r=${r} stroke-width=${width + 5} />
    <circle class="mark ${kind} ${dash ? "pulse" : ""}" cx=${at.x} cy=${at.y} r=${r} stroke-width=${width}
      stroke-dasharray=${dash ?? nothing} />`;
}

/** Where a checker would come to rest by one die: a hollow ring; by several: a dot. */
export function landing(/** @type {Frame} */ frame, /** @type {At} */ at, /** @type {boolean} */ far) {
  if (far) {
    return svg`<circle cx=${at.x} cy=${at.y} r=${frame.narrow ? 26 : 19} fill="var(--casing)" />
      <circle class="dot pulse" cx=${at.x} cy=${at.y} r=${frame.narrow ? 19 : 14} />`;
  }
  const r = frame.m.r - 9;
  return svg`<circle cx=${at.x} cy=${at.y} r=${r} fill="var(--casing)" fill-opacity=".55" stroke="var(--casing)"
      stroke-width=${frame.narrow ? 18 : 14} />
    <circle class="mark pulse" cx=${at.x} cy=${at.y} r=${r} stroke-width=${frame.narrow ? 10 : 7.5} />`;
}

/**
 * A blot that would be taken: hit, or imprisoned.
 * @param {Frame} frame
 * @param {At} at
 * @param {1 | -1} dir
 * @param {boolean} pins
 */
export const taking = (frame, at, dir, pins) =>
  pins
    ? svg`${ring(frame, at, "")}${lockAt(
        { x: at.x, y: at.y + dir * (frame.m.r + (frame.narrow ? 44 : 32)) },
        frame.narrow ? 1.4 : 1,
      )}`
    : ring(frame, at, "takes", "46 20");

/** A checker that may not go where it was sent. @param {Frame} frame @param {At} at */
export function refused(frame, at) {
  const d = frame.m.r * 0.73;
  const line = `M${at.x - d} ${at.y + d}L${at.x + d} ${at.y - d}`;
  return svg`${ring(frame, at, "refused")}
    <path d=${line} stroke="var(--casing)" stroke-width="15" stroke-linecap="round" />
    <path d=${line} stroke="var(--hit)" stroke-width="8" stroke-linecap="round" />`;
}

/** How many checkers may still leave a head: a dot for each, an empty badge when none. */
export function headBadge(/** @type {Frame} */ frame, /** @type {At} */ at, /** @type {number} */ left) {
  const scale = frame.narrow ? 1.35 : 1;
  if (!left) {
    return svg`<rect x=${at.x - 24 * scale} y=${at.y - 13 * scale} width=${48 * scale} height=${26 * scale}
      rx=${13 * scale} fill="none" stroke="var(--number-2)" stroke-width="3" opacity=".75" />`;
  }
  const half = Math.max(27, 12 + left * 13);
  return svg`<g transform="translate(${at.x} ${at.y}) scale(${scale})">
    <rect
      x=${-half}
      y="-19"
      width=${2 * half}
      height="38"
      rx="19"
      fill="var(--casing)"
      stroke="var(--target)"
      stroke-width="3.5"
    />
    ${Array.from(
      { length: left },
      (_, i) => svg`<circle class="dot" cx=${(i - (left - 1) / 2) * 25} r="8.5" />`,
    )}
  </g>`;
}

/** The number of a lit point in a pill, or bare. */
export function pointNumber(
  /** @type {Frame} */ frame,
  /** @type {At} */ at,
  /** @type {number} */ number,
  /** @type {{ lit?: "" | "target" | "takes", open?: boolean, other?: number | null }} */ {
    lit = "",
    open = false,
    other = null,
  } = {},
) {
  const size = frame.m.text;
  const half = frame.narrow ? 42 : 29;
  const x = other !== null && !lit ? at.x - (frame.narrow ? 0 : 15) : at.x;
  return svg` ${
    lit
      ? svg`<rect class="pill ${lit}" x=${at.x - half} y=${at.y - size * 0.68} width=${2 * half} height=${size * 1.36}
          rx=${size * 0.68} />`
      : nothing
  }
    <text
      class="number ${lit ? "lit" : open ? "open" : ""}"
      x=${x}
      y=${at.y + size * 0.36}
      font-size=${size}
    >${number}</text>
    ${
      other !== null && !lit && !frame.narrow
        ? svg`<text class="number other" x=${at.x + 19} y=${at.y + size * 0.36} font-size=${size * 0.66}
          >${other}</text>`
        : nothing
    }`;
}
