/** The face of a program at the board: drawn as a checker, by its style and level. */

import { html, LitElement, nothing, svg } from "../vendor/lit.js";
import { levelParts } from "./names.js";

/**
 * @typedef {{disc: string, rim: string, ink: string, brows: number, mouth: number, eyes: "round" | "narrow" |
 *   "glasses", wears: unknown}} Look
 *   `brows`: how far they come down towards the nose; `mouth`: how far its corners rise
 */

/** @type {Record<string, Look>} */
const LOOKS = {
  "": {
    ...{ disc: "#F0E0BE", rim: "#8A6A3B", ink: "#3A2514", brows: 0, mouth: 5, eyes: "round" },
    wears: svg`<path d="M-20-29h40" stroke="#8A6A3B" stroke-width="3" />`,
  },
  bold: {
    ...{ disc: "#C8553D", rim: "#5E1F16", ink: "#2A0E09", brows: 7, mouth: 8, eyes: "narrow" },
    wears: svg`<path d="M-30-24Q0-56 30-24Q0-34-30-24Z" fill="#F2D9A0" stroke="#5E1F16" stroke-width="2.5" />
      <circle cy="-35" r="4" fill="#2F7F79" />`,
  },
  safe: {
    ...{ disc: "#A9C3C7", rim: "#2F565C", ink: "#16292C", brows: -4, mouth: 1, eyes: "glasses" },
    wears: svg`<path d="M-33-20Q0-46 33-20" fill="none" stroke="#2F565C" stroke-width="6" />`,
  },
  racer: {
    ...{ disc: "#E2B13C", rim: "#6B4A0B", ink: "#2E1F04", brows: 3, mouth: 6, eyes: "narrow" },
    wears: svg`<path d="M-38-16Q0-34 38-16L37-9Q0-27-37-9Z" fill="#B0362E" />
      <path d="M38-14l16-6-4 9 5 5-17-1Z" fill="#B0362E" />`,
  },
  builder: {
    ...{ disc: "#B9A68E", rim: "#5A4632", ink: "#2B2015", brows: 2, mouth: 3, eyes: "round" },
    wears: svg`<g fill="#8E2931" stroke="#F0E0BE" stroke-width="1.5">
      <path d="M-30-24h20v-9h-20ZM-10-24h20v-9h-20ZM10-24h20v-9h-20ZM-20-33h20v-9h-20ZM0-33h20v-9h-20Z" />
    </g>`,
  },
};

/** From the weakest to the strongest: a dot on the rim for each step. */
const RANKS = ["beginner", "casual", "club", "advanced", "expert", "master", "strongest", "analyst"];

/** @param {Look["eyes"]} kind @param {string} ink */
const eyesOf = (kind, ink) =>
  [-13, 13].map((x) =>
    kind === "glasses"
      ? svg`<circle cx=${x} cy="-4" r="9" fill="#F6FAFA" stroke=${ink} stroke-width="2.5" />
          <circle cx=${x} cy="-4" r="3.5" fill=${ink} />`
      : svg`<ellipse cx=${x} cy="-4" rx="4.5" ry=${kind === "narrow" ? 3 : 5} fill=${ink} />`,
  );

/** @param {string} level */
const dots = (level) =>
  Array.from({ length: RANKS.indexOf(level) + 1 }, (_, i) => {
    const angle = ((i - RANKS.indexOf(level) / 2) * 17 + 90) * (Math.PI / 180);
    return svg`<circle cx=${39 * Math.cos(angle)} cy=${39 * Math.sin(angle)} r="2.6" fill="#F6EFDF" />`;
  });

/** The face of a `level`, with a style behind it or not; ornament, since its name stands beside it. */
class Face extends LitElement {
  static properties = { level: { type: String } };

  constructor() {
    super();
    this.level = "";
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const [level, style] = levelParts(this.level);
    const look = LOOKS[style];
    if (!look || !RANKS.includes(level)) return nothing;
    const { disc, rim, ink, brows, mouth, eyes, wears } = look;
    return html`<svg viewBox="-56 -52 112 104" aria-hidden="true">
      <circle r="45" fill=${rim} /><circle r="33" fill=${disc} />
      ${wears}${eyesOf(eyes, ink)}
      <g fill="none" stroke=${ink} stroke-width="3.5" stroke-linecap="round">
        <path d=${`M-20${-15 - brows / 2}L-7${-15 + brows / 2}M7${-15 + brows / 2}L20${-15 - brows / 2}`} />
        <path d=${`M-11 ${16 - mouth / 2}Q0 ${16 + mouth} 11 ${16 - mouth / 2}`} />
      </g>
      ${dots(level)}
    </svg>`;
  }
}

customElements.define("ssb-face", Face);
