/** Small line drawings for buttons. */
import { html, svg } from "../vendor/lit.js";

const PATHS = {
  settings: svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
  flip: svg`<path d="M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3"/>`,
  rules: svg`<path
    d="M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5zM5 20.5A2.5 2.5 0 0 0 7.5 21H19v-3M9 8h6M9 12h4"
  />`,
  sound: svg`<path d="M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11"/>`,
  mute: svg`<path d="M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4"/>`,
  help: svg`<path d="M9 9a3 3 0 1 1 4.6 2.5C12.5 12.3 12 13 12 14.2M12 17.4v.2"/><circle cx="12" cy="12" r="9"/>`,
  arrows: svg`<path d="M4 18C7 9 11 7 18 8M14 4l4 4-5 3"/>`,
  person: svg`<circle cx="12" cy="8" r="4"/><path d="M4 21c.6-4.4 3.6-6.5 8-6.5s7.4 2.1 8 6.5"/>`,
  language: svg`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c-6 5-6 13 0 18M12 3c6 5 6 13 0 18"/>`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.4"/>`,
  open: svg`<path d="M6 15l6-6 6 6"/>`,
  pause: svg`<path d="M9 5v14M15 5v14" stroke-width="3"/>`,
  play: svg`<path d="M8 5l11 7-11 7z"/>`,
  dice: svg`<rect x="4" y="4" width="16" height="16" rx="4" /><path
      d="M9 9h.01M15 15h.01M15 9h.01M9 15h.01"
      stroke-width="3"
    />`,
  flag: svg`<path d="M6 21V4M6 5h11l-2.5 4L17 13H6"/>`,
  close: svg`<path d="M6 6l12 12M18 6L6 18"/>`,
  home: svg`<path d="M15 5l-7 7 7 7"/>`,
  first: svg`<path d="M6 5v14M18 6l-8 6 8 6z"/>`,
  back: svg`<path d="M16 6l-8 6 8 6z"/>`,
  forward: svg`<path d="M8 6l8 6-8 6z"/>`,
  last: svg`<path d="M18 5v14M6 6l8 6-8 6z"/>`,
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
