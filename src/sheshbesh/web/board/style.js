import { css } from "../vendor/lit.js";

/** The styles of the element and its parts; the colours are tokens of styles/board.css. */
export const style = css`
  :host {
    display: block;
    position: relative;
    direction: ltr;
    -webkit-tap-highlight-color: transparent;
  }
  :host([hidden]) {
    display: none;
  }
  :host(:focus) {
    outline: none;
  }
  svg {
    display: block;
    width: 100%;
    height: auto;
    touch-action: manipulation;
    user-select: none;
    -webkit-user-select: none;
    -webkit-touch-callout: none;
    font-family: var(--font-ui, Inter, system-ui, sans-serif);
    font-variant-numeric: tabular-nums;
  }
  /* Not the picture itself: a browser lays all of it out anew when its touch-action changes. Inline elements
     have none. */
  .surface,
  .key {
    display: block;
  }
  .live :is(.surface, .key) {
    touch-action: none;
  }
  .surface {
    fill: transparent;
  }
  text {
    text-anchor: middle;
    font-weight: 600;
    pointer-events: none;
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .written {
    position: absolute;
    inset: auto auto 8% 50%;
    transform: translateX(-50%);
    padding: 0.3em 0.8em;
    border-radius: 99px;
    background: var(--casing);
    color: var(--target);
    border: 2px solid var(--target);
    font: 600 1.05rem/1.3 var(--font-ui, Inter, system-ui, sans-serif);
  }
  .shade {
    fill: #000;
    opacity: var(--shadow);
  }
  .number {
    fill: var(--number);
  }
  .number.other {
    fill: var(--number-2);
    font-weight: 500;
  }
  .number.open {
    fill: var(--target);
  }
  .pill {
    fill: var(--target);
  }
  .pill.takes {
    fill: var(--hit);
  }
  .number.lit {
    fill: var(--casing);
    font-weight: 700;
  }
  .count {
    font-weight: 700;
    letter-spacing: -0.02em;
    dominant-baseline: central;
  }
  .count.w {
    fill: var(--w-ink);
  }
  .count.b {
    fill: var(--b-ink);
  }
  .casing {
    fill: none;
    stroke: var(--casing);
  }
  .mark {
    fill: none;
    stroke: var(--target);
  }
  .mark.takes,
  .mark.refused {
    stroke: var(--hit);
  }
  .dot {
    fill: var(--target);
  }
  .key {
    fill: transparent;
    outline: none;
  }
  .key:focus-visible {
    stroke: var(--target);
    stroke-width: 6;
    paint-order: stroke;
  }
  .movable {
    cursor: pointer;
  }
  .piece.ghost {
    opacity: 0.35;
  }
  .last.faded {
    opacity: 0.4;
  }
  .die.used {
    opacity: 0.38;
  }
  .die.past {
    opacity: 0.6;
  }
  .dimmed {
    fill: var(--casing);
    opacity: 0.45;
  }
  .rim-light {
    fill: none;
    stroke: var(--target);
  }
  .hover {
    fill: var(--target);
    opacity: 0.3;
  }
  @media (prefers-reduced-motion: no-preference) {
    .pulse {
      animation: pulse 1.8s ease-in-out infinite;
    }
  }
  @keyframes pulse {
    50% {
      opacity: 0.72;
    }
  }
  @media (forced-colors: active) {
    svg {
      forced-color-adjust: none;
    }
  }
`;
