import { nothing, svg } from "../vendor/lit.js";
import { rosette } from "./ornament.js";
import { SIDES } from "./types.js";

/** @typedef {import("./geometry.js").Frame} Frame */
/** @typedef {import("./types.js").Prefs} Prefs */

/** The outline of a point of `length`, from a rim at y = 0 downwards. */
const ogee = (/** @type {number} */ l) =>
  `M-45 0H45C43 ${l * 0.42} 30 ${l * 0.6} 15 ${l * 0.76} 6 ${l * 0.86} 2 ${l * 0.93} 0 ${l}` +
  `-2 ${l * 0.93}-6 ${l * 0.86}-15 ${l * 0.76}-30 ${l * 0.6}-43 ${l * 0.42}-45 0Z`;

/** The outline of a place, for its picture and for a tint over it. @param {Frame} frame @param {boolean} carved */
export const pointPath = (frame, carved) =>
  carved ? ogee(frame.m.length) : `M-46 0H46L0 ${frame.m.length}Z`;

/** @param {Frame} frame @param {Prefs["material"]} material */
function points(frame, material) {
  const carved = material === "wood";
  const path = pointPath(frame, carved);
  return Array.from({ length: 24 }, (_, i) => {
    const { x, base, dir, column } = frame.cellOfNumber(i + 1);
    // Neighbours differ, and so do the two that face each other.
    const light = (column % 2 === 0) === dir < 0;
    const fill = `var(--point-${light ? "a" : "b"})`;
    return svg`<g transform="translate(${x} ${base}) scale(1 ${dir})">${
      carved
        ? svg`<path d=${path} fill=${fill} stroke="var(--inlay)" stroke-width="2.2" stroke-opacity=".75" />
          ${light ? svg`<path d=${path} fill="url(#herringbone)" />` : nothing}`
        : svg`<path d=${path} fill=${fill} stroke="var(--point-line)" stroke-width="2" />`
    }</g>`;
  });
}

/** The edging of a field, each material its own. @param {Frame} frame @param {number} x @param {string} material */
function edging(frame, x, material) {
  const y = frame.m.rimY;
  const height = frame.height - 2 * y;
  const rect = (/** @type {number} */ out, /** @type {string} */ stroke, /** @type {number} */ width) =>
    svg`<rect x=${x - out} y=${y - out} width=${600 + 2 * out} height=${height + 2 * out} fill="none"
      stroke=${stroke} stroke-width=${width} />`;
  if (material === "wood") {
    return svg`${rect(7, "#1a0e07", 14)}
      <rect x=${x - 7} y=${y - 7} width="614" height=${height + 14} fill="none" stroke="#c9a468" stroke-width="6"
        stroke-dasharray="6 8" />
      <g opacity=".85">${rect(14, "var(--inlay)", 1.8)}${rect(0, "var(--inlay)", 1.8)}</g>`;
  }
  if (material === "felt") {
    return svg`${rect(0, "var(--frame-line)", 4)}
      <rect x=${x - 10} y=${y - 10} width="620" height=${height + 20} rx="5" fill="none" stroke="var(--inlay)"
        stroke-width="2.5" stroke-dasharray="13 7" stroke-linecap="round" />`;
  }
  return rect(0, "var(--frame-line)", 3);
}

/** @param {Frame} frame @param {Prefs["material"]} material */
function barPicture(frame, material) {
  const { rimY } = frame.m;
  const height = frame.height - 2 * rimY;
  if (material === "wood") {
    return svg`<rect x=${frame.barX - 14.7} y=${rimY} width="29.4" height=${height} fill="url(#khatam)"
      stroke="var(--inlay)" stroke-width="2" />`;
  }
  return svg`<path d="M${frame.barX} ${rimY}v${height}" stroke="var(--inlay)" stroke-width="2"
    stroke-dasharray=${material === "felt" ? "13 7" : nothing} />`;
}

/** Everything that never moves. @param {Frame} frame @param {Prefs["material"]} material */
export function boardFrame(frame, material) {
  const { width, height, m } = frame;
  const wood = material === "wood";
  const round = frame.narrow ? 0 : 26;
  const inside = height - 2 * m.rimY;
  const trays = SIDES.flatMap((side) => [
    frame.tray(side, "off"),
    ...(frame.layout.hand > 0 ? [frame.tray(side, "hand")] : []),
  ]);
  const cube = frame.cube(null);
  return svg`
    <rect x="1.5" y="1.5" width=${width - 3} height=${height - 3} rx=${round} fill="url(#frame)"
      stroke="var(--frame-line)" stroke-width="3" />
    ${
      wood
        ? svg`<rect x="3" y="3" width=${width - 6} height=${height - 6} rx=${round} fill="url(#grain)" />`
        : nothing
    }
    ${frame.fields.map(
      (x) => svg`<rect x=${x} y=${m.rimY} width="600" height=${inside} fill="var(--field)" />
        ${
          wood
            ? svg`<rect x=${x} y=${m.rimY} width="600" height=${inside} fill="url(#grain-up)" />
            ${rosette(x + 300, frame.mid, frame.m.half * 0.42)}`
            : nothing
        }`,
    )}
    ${points(frame, material)}
    ${frame.fields.map(
      (x) =>
        svg`${
          wood ? svg`<rect x=${x} y=${m.rimY} width="600" height=${inside} fill="url(#inner)" />` : nothing
        }${edging(frame, x, material)}`,
    )}
    ${barPicture(frame, material)}
    ${trays.map(
      (tray) => svg`<rect x=${tray.x} y=${tray.y} width=${tray.width} height=${tray.height} rx="10"
        fill="var(--slot)" stroke="var(--frame-line)" stroke-width="2" />`,
    )}
    ${
      frame.layout.cube && frame.layout.movement === "contrary" && frame.layout.hand === 0
        ? svg`<rect x=${cube.x - m.tray / 2} y=${m.rimY} width=${m.tray} height=${inside} rx="10"
          fill="var(--slot)" stroke="var(--frame-line)" stroke-width="2" />`
        : nothing
    }`;
}
