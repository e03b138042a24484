/** Conduct at a real board: throwing, touching, placing checkers; traditional beside modern. */
import { t, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { once } from "../api.js";
import { settings } from "../settings.js";
import { html, nothing, states, View } from "../view.js";

/**
 * @typedef {{id: string, title: string, text: string, traditional: string | null, modern: string | null,
 *   sources: string[], drawing: string | null}} Topic
 */

// Small drawings of a real board and its dice.

const [WIDTH, HEIGHT] = [132, 84];
const [LEFT, RIGHT, MIDDLE] = [35, 97, 42];

const field = svg`<rect width=${WIDTH} height=${HEIGHT} rx="4" fill="var(--frame)"></rect>
  <rect x="6" y="6" width="56" height="72" fill="var(--field)"></rect><rect
    x="70"
    y="6"
    width="56"
    height="72"
    fill="var(--field)"
  ></rect>
  ${[6, 70].map((x) =>
    [0, 1, 2, 3].map(
      (i) =>
        svg`<path
          d="M${x + 14 * i} 6h14l-7 26zM${x + 14 * i} 78h14l-7 -26z"
          fill="var(--point-${i % 2 ? "a" : "b"})"
        ></path>`,
    ),
  )}`;

/** @param {number} x @param {number} y @param {number} [turn] degrees */
const die = (x, y, turn = 0) =>
  svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-7" y="-7" width="14" height="14" rx="2.5" fill="#FFF" stroke="#222"></rect>
    ${[-3, 0, 3].map((at) => svg`<circle cx=${at} cy=${at} r="1.4" fill="#222"></circle>`)}
  </g>`;

/** @param {"w" | "b"} tone @param {number} x @param {number} y */
const checker = (tone, x, y) =>
  svg`<circle cx=${x} cy=${y} r="7" fill="var(--${tone}-1)" stroke="var(--${tone}-edge)"></circle>`;

/**
 * Something done by hand: an arrow with a round end.
 * @param {number} x
 * @param {number} y
 * @param {number} dx
 * @param {number} dy
 */
const hand = (x, y, dx, dy) =>
  svg`<path d="M${x} ${y}l${dx} ${dy}" stroke="var(--accent)" stroke-width="4" stroke-linecap="round"></path><circle
      cx=${x + dx}
      cy=${y + dy}
      r="5"
      fill="var(--accent)"
      stroke="var(--panel)"
      stroke-width="1.5"
    ></circle>`;

const no = svg`<path d="M112 12l12 12m0 -12l-12 12" stroke="#FFF" stroke-width="6" stroke-linecap="round"></path>
  <path d="M112 12l12 12m0 -12l-12 12" stroke="#B3261E" stroke-width="3.4" stroke-linecap="round"></path>`;
const yes = svg`<path d="M111 19l5 6l9 -12" fill="none" stroke="#FFF" stroke-width="6" stroke-linecap="round"></path>
  <path d="M111 19l5 6l9 -12" fill="none" stroke="#1B6E3C" stroke-width="3.4" stroke-linecap="round"></path>`;

const clock = svg`<rect x="34" y="22" width="64" height="40" rx="4" fill="var(--panel)" stroke="var(--ink2)"></rect>
  ${[52, 80].map(
    (x) =>
      svg`<circle cx=${x} cy="42" r="11" fill="none" stroke="var(--ink)" stroke-width="1.6"></circle><path
          d="M${x} 42v-8M${x} 42h6"
          stroke="var(--ink)"
          stroke-width="1.6"
        ></path>`,
  )}`;

/** @type {Record<string, unknown>} */
const DRAWINGS = {
  valid: [field, die(RIGHT - 10, MIDDLE), die(RIGHT + 12, MIDDLE + 4, 20), yes],
  cocked: [field, checker("b", RIGHT + 8, 66), die(RIGHT - 12, MIDDLE), die(RIGHT, 60, 40), no],
  on_checker: [field, checker("b", RIGHT, 66), die(RIGHT, 66), die(RIGHT - 14, MIDDLE), no],
  halves: [field, die(LEFT, MIDDLE, 10), die(RIGHT, MIDDLE, -15), no],
  right_half: [
    field,
    svg`<rect x="70" y="6" width="56" height="72" fill="none" stroke="var(--accent)" stroke-width="4"></rect>`,
    die(RIGHT - 10, MIDDLE),
    die(RIGHT + 10, MIDDLE, 15),
  ],
  cup: [
    field,
    svg`<path d="M26 14h28l-4 34h-20z" fill="var(--ink2)" stroke="var(--ink)"></path><path
        d="M24 14h32"
        stroke="var(--ink)"
        stroke-width="4"
        stroke-linecap="round"
      ></path>`,
    die(44, 62, 25),
    die(28, 66, -10),
  ],
  pairs: [
    field,
    die(LEFT - 10, MIDDLE),
    die(LEFT + 10, MIDDLE),
    die(RIGHT - 10, MIDDLE),
    die(RIGHT + 10, MIDDLE),
  ],
  early: [
    field,
    checker("w", LEFT, 24),
    hand(LEFT + 4, 0, -2, 14),
    die(RIGHT - 10, MIDDLE, 15),
    die(RIGHT + 10, MIDDLE, -10),
    no,
  ],
  washing: [field, die(RIGHT - 10, MIDDLE, 20), die(RIGHT + 8, MIDDLE - 6, 50), hand(RIGHT, 84, 2, -24)],
  touch: [field, checker("w", RIGHT, 66), checker("w", RIGHT, 52), hand(RIGHT + 22, 20, -16, 26)],
  closed_out: [
    field,
    ...[77, 91, 105, 119].flatMap((x) => [checker("w", x, 14), checker("w", x, 28)]),
    checker("b", 66, MIDDLE),
  ],
  bar: [field, checker("w", 66, 30), checker("b", 66, 54)],
  tray: [
    field,
    svg`<rect x="124" y="0" width="8" height="84" fill="var(--panel)" stroke="var(--ink2)"></rect>`,
    ...[10, 16, 22].map(
      (y) => svg`<rect x="125" y=${y} width="6" height="5" fill="var(--w-1)" stroke="var(--w-edge)"></rect>`,
    ),
  ],
  cube: [
    field,
    svg`<rect x="57" y="33" width="18" height="18" rx="3" fill="#FFF" stroke="#222"></rect><text
        x="66"
        y="47"
        text-anchor="middle"
        font-size="13"
        fill="#222"
      >2</text>`,
  ],
  clock,
};

/** The drawing of a topic, by its name. @param {string} name */
const drawing = (name) =>
  DRAWINGS[name]
    ? html`<svg class="conduct-drawing" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${DRAWINGS[name]}</svg>`
    : nothing;

/** What the site does, and does not do, for fair play on the screen. */
const fairPlay = () =>
  html`<section class="card" id="fair-play" aria-labelledby="title-fair-play">
    <h2 id="title-fair-play">${t("Fair play")}</h2>
    <p>
      ${t(
        "In rated matches, in matches between people and in tournaments the site offers no hint, no verdict and no " +
          "analysis while they are in progress.",
      )}
    </p>
    <p>
      ${t(
        "What somebody runs elsewhere cannot be prevented. Whoever asks an engine in such a match cheats the other " +
          "player.",
      )}
    </p>
    <p>
      ${t(
        "What counts is worked out by the server: ratings, published reviews and the results of tournaments. Once a " +
          "match is over, everybody may look at it with the engine.",
      )}
    </p>
  </section>`;

class Conduct extends View {
  static properties = states("topics");

  constructor() {
    super();
    /** @type {Topic[] | null} */
    this.topics = null;
  }

  get heading() {
    return t("Conduct at a real board");
  }

  async fetch() {
    this.topics = await this.load(once(`/customs/conduct?lang=${words().tag}`));
    await this.updateComplete;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  /** @param {Topic} topic */
  topic(topic) {
    const ways = topic.traditional
      ? html`<div class="ways"><div><h3>${t("Traditional")}</h3><p>${topic.traditional}</p></div>
          <div><h3>${t("Modern")}</h3><p>${topic.modern}</p></div></div>`
      : nothing;
    return html`<section class="difference" id=${topic.id} aria-labelledby="title-${topic.id}">
      <h2 id="title-${topic.id}">${topic.title}</h2>
      <div class="drawn">${topic.drawing ? drawing(topic.drawing) : nothing}<p>${topic.text}</p></div>
      ${ways}
      <p class="small quiet">${words().joined(topic.sources, ";")}</p>
    </section>`;
  }

  render() {
    return html`<div class="page narrow" data-material=${settings.prefs.material}>
      <h1>${this.heading}</h1>
      <p class="lead">${t("For those who play on wood. On a screen the site does most of this.")}</p>
      <p class="row">
        <a href="/customs/differences">${t("Traditional and modern")}</a>
        <a href="/customs/referee">${t("Referee’s guide")}</a>
      </p>
      ${
        this.topics
          ? html`<div class="card">${this.topics.map((topic) => this.topic(topic))}</div>`
          : this.waiting()
      }
      ${fairPlay()}
    </div>`;
  }
}

customElements.define("ssb-conduct", Conduct);
