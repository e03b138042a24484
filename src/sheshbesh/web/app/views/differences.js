/** The traditional and the modern game, line by line; most lines with a board can be tried both ways. */
import { t, words } from "../../i18n/i18n.js";
import { once } from "../api.js";
import { html, nothing, states, View } from "../view.js";

/**
 * @typedef {{id: string, title: string, traditional: string, modern: string, source: string, trial: boolean,
 *   table: string | null, cards: Record<string, string> | null, reading: string | null, games: Record<string,
 *   string>}} Line
 */

class Differences extends View {
  static properties = states("lines", "open");

  constructor() {
    super();
    /** @type {Line[] | null} */
    this.lines = null;
    /** The position that is open, as `line/way`. */
    this.open = "";
  }

  get heading() {
    return t("Traditional and modern");
  }

  async fetch() {
    this.lines = await this.load(once(`/customs/differences?lang=${words().tag}`));
    await this.updateComplete;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  /** @param {string} place */
  async choose(place) {
    if (!(await this.loadPart(import("../trial.js")))) return;
    this.open = this.open === place ? "" : place;
  }

  /** @param {Line} line @param {string} way @param {string} label @param {string} text */
  side(line, way, label, text) {
    const place = `${line.id}/${way}`;
    const action = line.trial
      ? html`<button
        aria-expanded=${this.open === place}
        aria-controls="trial-${line.id}"
        @click=${() => this.choose(place)}
      >${t("Try it")}<span class="sr">: ${line.title}, ${label}</span></button>`
      : line.cards
        ? html`<a class="button" href="/play/${line.games[way]}?card=${encodeURIComponent(line.cards[way])}">
          ${t("Set up a match")}
          <span class="sr">: ${label}</span>
        </a>`
        : nothing;
    return html`<div><h3>${label}</h3><p>${text}</p>${action}</div>`;
  }

  /** @param {Line} line */
  line(line) {
    const open = this.open.startsWith(`${line.id}/`);
    return html`<section class="difference" id=${line.id} aria-labelledby="title-${line.id}">
      <h2 id="title-${line.id}">${line.title}</h2>
      <div class="ways">
        ${this.side(line, "traditional", t("Traditional"), line.traditional)}
        ${this.side(line, "modern", t("Modern"), line.modern)}
      </div>
      ${
        line.trial
          ? html`<div id="trial-${line.id}">
            ${open ? html`<ssb-trial path="/customs/differences/${this.open}"></ssb-trial>` : nothing}
          </div>`
          : nothing
      }
      ${line.table ? html`<p class="small quiet">${line.table}</p>` : nothing}
      ${line.reading ? html`<p class="small quiet">${t("Nothing to try:")} ${line.reading}</p>` : nothing}
      <p class="small quiet">${line.source}</p>
    </section>`;
  }

  render() {
    return html`<div class="page narrow">
      <h1>${this.heading}</h1>
      <p class="lead">
        ${t("The game of Iran as it was handed down, and backgammon as it is played in tournaments.")}
      </p>
      <p><a href="/customs/conduct">${t("Conduct at a real board")}</a></p>
      ${
        this.lines
          ? html`<div class="card">${this.lines.map((line) => this.line(line))}</div>`
          : this.waiting()
      }
    </div>`;
  }
}

customElements.define("ssb-differences", Differences);
