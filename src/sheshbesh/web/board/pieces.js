import { nothing, svg } from "../vendor/lit.js";
import { PIPS } from "./pips.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./types.js").Prefs} Prefs */
/** @typedef {"w" | "b"} Tone  the light or the dark set, independent of the side */
/** @typedef {{ x: number, y: number }} At */

/** The sign on a checker, so that colour is never needed to tell them apart. */
const SIGNS = {
  wood: (/** @type {Tone} */ tone, /** @type {number} */ r) =>
    tone === "w"
      ? svg`<circle r=${r * 0.72} /><path d="M-15-15H15V15H-15Z" /><path
          d="M-15-15H15V15H-15Z"
          transform="rotate(45)"
        />`
      : svg`<circle r=${r * 0.72} stroke-width="2.6" /><circle r=${r * 0.3} />`,
  felt: (/** @type {Tone} */ tone, /** @type {number} */ r) =>
    svg`<circle r=${r * 0.66} stroke-width="2.4" />${
      tone === "b" ? svg`<circle r=${r * 0.16} stroke-width="2.4" />` : nothing
    }`,
  paper: (/** @type {Tone} */ tone, /** @type {number} */ r) =>
    tone === "w"
      ? svg`<circle r=${r * 0.5} stroke-width="5" />`
      : svg`<path d="M-17-17 17 17M17-17-17 17" stroke-width="9" stroke-linecap="round" />`,
};

/**
 * The pictures of checkers, to be used by name: `checker-w`, and `plain-w` for those that carry a numeral.
 *
 * @param {Prefs["material"]} material @param {number} r
 */
export const checkerShapes = (material, r) =>
  /** @type {const} */ (["w", "b"]).map((tone) => {
    const body = svg`
      <circle cy="4" r=${r + 0.5} class="shade" />
      <circle r=${r - 1.8} fill="url(#body-${tone})" stroke="var(--${tone}-edge)" stroke-width="3.6" />
      ${
        material === "paper" && tone === "b"
          ? svg`<circle r=${r - 6} fill="none" stroke="var(--b-mark)" stroke-width="2.4" />`
          : nothing
      }`;
    return svg`
      <g id="checker-${tone}">${body}
        <g fill="none" stroke="var(--${tone}-mark)" stroke-width="2">${SIGNS[material](tone, r)}</g></g>
      <g id="plain-${tone}">${body}
        ${
          material === "wood"
            ? svg`<circle r=${r * 0.78} fill="none" stroke="var(--${tone}-mark)" stroke-width="2" />`
            : nothing
        }</g>`;
  });

/**
 * One checker.
 *
 * @param {Frame} frame @param {Tone} tone @param {At} at
 * @param {{ count?: number, plain?: boolean, lifted?: boolean, ghost?: boolean, crown?: boolean }} [how]
 */
export function checker(
  frame,
  tone,
  at,
  { count = 0, plain = false, lifted = false, ghost = false, crown = false } = {},
) {
  const shape = plain || count || crown ? "plain" : "checker";
  return svg`<g class="piece ${ghost ? "ghost" : ""}" transform="translate(${at.x} ${at.y})">
    ${lifted ? svg`<circle cy="11" r=${frame.m.r + 3} class="shade" />` : nothing}
    <use href="#${shape}-${tone}" />
    ${
      crown
        ? svg`<path d=${CROWN} fill="none" stroke="var(--${tone}-ink)" stroke-width="4.5"
          stroke-linejoin="round" />`
        : nothing
    }
    ${
      count
        ? svg`<text class="count ${tone}" y="3" font-size=${frame.narrow ? 54 : 46}>${count}</text>`
        : nothing
    }
  </g>`;
}

/**
 * A pile with its captive, its numeral and its crown.
 *
 * @param {Frame} frame @param {number} place
 * @param {{ tone: Tone, count: number, captive?: Tone | null, tight?: boolean, crown?: boolean, lifted?: boolean,
 *   ghost?: boolean }} pile  `count` without the captive
 */
export function pile(
  frame,
  place,
  { tone, count, captive = null, tight = false, crown = false, lifted = false, ghost = false },
) {
  const spots = frame.pile(place, count, { pinned: captive !== null, tight });
  const under = frame.pile(place, 1)[0];
  return svg`${captive ? checker(frame, captive, under, { plain: true }) : nothing}
    ${spots.map((at, i) => {
      const last = i === spots.length - 1;
      return checker(frame, tone, at, {
        count: last && count > spots.length ? count : 0,
        lifted: last && lifted,
        ghost: last && ghost,
        crown: crown && !tight && i === 0,
      });
    })}
    ${crown && tight ? crownBadge(frame, place, tone) : nothing}
    ${captive ? lock(frame, place) : nothing}`;
}

const CROWN = "M-22 15V-13L-10-1 0-19 10-1 22-13V15Z";

/**
 * The crown of a mother who stands beneath others, on the rim.
 * @param {Frame} frame
 * @param {number} place
 * @param {Tone} tone
 */
function crownBadge(frame, place, tone) {
  const { x, base, dir } = frame.cell(place);
  const scale = frame.narrow ? 1.25 : 0.9;
  return svg`<g transform="translate(${x} ${base + dir * 15}) scale(${scale})">
    <circle r="24" fill="var(--${tone}-1)" stroke="var(--${tone}-edge)" stroke-width="3.5" />
    <path
      d=${CROWN}
      transform="scale(.6)"
      fill="none"
      stroke="var(--${tone}-ink)"
      stroke-width="6"
      stroke-linejoin="round"
    />
  </g>`;
}

/** The lock of a captive, in the middle of its crescent. @param {Frame} frame @param {number} place */
export function lock(frame, place) {
  const { x, base, dir } = frame.cell(place);
  return lockAt({ x, y: base + dir * frame.m.r * 0.56 }, frame.narrow ? 1.05 : 0.85);
}

/** @param {At} at @param {number} scale */
export const lockAt = (at, scale) => svg`<g transform="translate(${at.x} ${at.y}) scale(${scale})">
  <circle r="23" fill="var(--casing)" stroke="var(--target)" stroke-width="4" />
  <path d="M-6-2V-7a6 6 0 0 1 12 0V-2" fill="none" stroke="var(--target)" stroke-width="4" />
  <rect x="-10" y="-3" width="20" height="14" rx="3" fill="var(--target)" /></g>`;

/**
 * Checkers borne off or in hand, edge-on.
 *
 * @param {Frame} frame @param {ReturnType<Frame["tray"]>} tray @param {Tone} tone @param {number} count
 */
export function slabs(frame, tray, tone, count) {
  const step = (tray.height - 14) / 15;
  const size = frame.narrow ? 36 : frame.m.text;
  const end = tray.bottom ? tray.y - 14 : tray.y + tray.height + 14 + size * 0.72;
  return svg`${Array.from({ length: Math.min(count, 15) }, (_, i) => {
    const y = tray.bottom ? tray.y + tray.height - 7 - (i + 1) * step : tray.y + 7 + i * step;
    return svg`<rect x=${tray.x + 5} y=${y + 1.5} width=${tray.width - 10} height=${step - 3} rx="6"
      fill="var(--${tone}-2)" stroke="var(--${tone}-edge)" stroke-width="2.4" />`;
  })}
    ${
      count
        ? svg`<text class="number" font-size=${size} x=${tray.x + tray.width / 2} y=${end}>${count}</text>`
        : nothing
    }`;
}

/** One die. @param {At} at @param {number} size @param {number} value @param {Tone} tone @param {string} state */
export function die(at, size, value, tone, state) {
  const half = size / 2;
  return svg`<g class="die ${state}" transform="translate(${at.x} ${at.y})"><g class="tumble">
    <rect x=${-half} y=${-half + 5} width=${size} height=${size} rx=${size * 0.2} class="shade" />
    <rect x=${-half} y=${-half} width=${size} height=${size} rx=${size * 0.2} fill="var(--${tone}-1)"
      stroke="var(--${tone}-edge)" stroke-width="3.5" />
    ${(PIPS[value] ?? []).map(
      ([x, y]) =>
        svg`<circle cx=${x * size * 0.26} cy=${y * size * 0.26} r=${size * 0.094} fill="var(--${tone}-ink)" />`,
    )}</g></g>`;
}

/**
 * A pair of dice with, for doubles, a tick for each step they are good for.
 *
 * @param {Frame} frame @param {At} at
 * @param {{ values: number[], tone: Tone, used: boolean[], steps: number, left: number, whole: boolean, past: boolean
 *   }} dice
 */
export function dicePair(frame, at, { values, tone, used, steps, left, whole, past }) {
  const size = frame.m.die;
  const gap = size * 1.27;
  const x = (/** @type {number} */ i) => at.x + (i - (values.length - 1) / 2) * gap;
  const state = (/** @type {number} */ i) => (used[i] ? "used" : past ? "past" : "");
  const pad = size * 0.16;
  const ticks = values.length > 1 && values[0] === values[1] && !past ? steps : 0;
  const unit = size / 96;
  return svg`
    ${values.map((value, i) => die({ x: x(i), y: at.y }, size, value, tone, state(i)))}
    ${
      whole
        ? svg`<rect class="casing" stroke-width="12" x=${x(0) - size / 2 - pad} y=${at.y - size / 2 - pad}
          width=${x(values.length - 1) - x(0) + size + 2 * pad} height=${size + 2 * pad} rx=${size * 0.3} />
        <rect class="rim-light pulse" stroke-width="6.5" x=${x(0) - size / 2 - pad} y=${at.y - size / 2 - pad}
          width=${x(values.length - 1) - x(0) + size + 2 * pad} height=${size + 2 * pad} rx=${size * 0.3} />`
        : nothing
    }
    ${Array.from(
      { length: ticks },
      (_, i) => svg`<rect x=${at.x + ((i - ticks / 2) * 32 + 3) * unit}
      y=${at.y + size / 2 + (whole ? 26 : 16) * unit} width=${26 * unit} height=${10 * unit} rx=${5 * unit}
      fill="var(--target)" stroke="var(--casing)" stroke-width="2" opacity=${i < left ? 1 : 0.3} />`,
    )}`;
}

/** The doubling cube. @param {Frame} frame @param {At} at @param {number} value @param {boolean} offered */
export function cube(frame, at, value, offered) {
  const size = frame.m.cube * (offered ? 1.75 : 1);
  const text = String(value);
  return svg`<g transform="translate(${at.x} ${at.y})"><g class=${offered ? "offered-cube" : ""}>
    <rect x=${-size / 2} y=${-size / 2 + 5} width=${size} height=${size} rx=${size * 0.19} class="shade" />
    <rect
      x=${-size / 2}
      y=${-size / 2}
      width=${size}
      height=${size}
      rx=${size * 0.19}
      fill="url(#cube-face)"
      stroke="var(--cube-edge)"
      stroke-width="3.5"
    />
    <rect
      x=${-size * 0.39}
      y=${-size * 0.39}
      width=${size * 0.78}
      height=${size * 0.78}
      rx=${size * 0.12}
      fill="none"
      stroke="var(--cube-edge)"
      stroke-width="2"
      opacity=".55"
    />
    <text
      y=${size * 0.02}
      font-size=${size * (text.length > 3 ? 1.2 / text.length : text.length > 2 ? 0.38 : 0.5)}
      font-weight="700"
      dominant-baseline="central"
      fill="var(--cube-ink)"
    >${text}</text>
  </g></g>`;
}

/** The rim of a cube that was tapped once. @param {Frame} frame @param {At} at */
export function cubeLight(frame, at) {
  const size = frame.m.cube + 8;
  const box = { x: at.x - size / 2, y: at.y - size / 2 };
  return svg`<rect class="casing" x=${box.x} y=${box.y} width=${size} height=${size} rx="16" stroke-width="12" />
    <rect class="rim-light pulse" x=${box.x} y=${box.y} width=${size} height=${size} rx="16" stroke-width="7" />`;
}
