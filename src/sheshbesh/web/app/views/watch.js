/** The games that are played now. */
import { t, words } from "../../i18n/i18n.js";
import { gameTitles, get } from "../api.js";
import { watchedName } from "../match/wording.js";
import { cardWords } from "../match-setup.js";
import { html, named, View } from "../view.js";

class Watch extends View {
  static properties = { ...View.properties, games: { state: true } };

  constructor() {
    super();
    /** @type {any[] | null} */
    this.games = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    /** @type {any} */
    this.timer = null;
  }

  get heading() {
    return t("Watch");
  }

  connectedCallback() {
    super.connectedCallback();
    void this.fetch();
    this.timer = setInterval(() => void this.fetch(), 10_000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async fetch() {
    const found = await this.load(get("/lobby"));
    if (!found) return;
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.games = found.live;
  }

  /** @param {any} game */
  tile(game) {
    const side = (/** @type {"white" | "black"} */ side) =>
      html`<span class="row"><i class="disc ${side}"></i>${named(watchedName(game.players[side], side))}<span class="spring"></span><b>${words().figure(game.score[side])}</b></span>`;
    return html`<li><a class="tile" href="/m/${game.id}"><h2>${this.titles.get(game.game) ?? game.game}</h2><p>${cardWords(game.card)}</p>${side("white")}${side("black")}</a></li>`;
  }

  render() {
    if (!this.games) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page"><h1>${t("Watch")}</h1>
      ${this.games.length ? html`<ul class="live">${this.games.map((game) => this.tile(game))}</ul>` : html`<p class="empty">${t("No public game is being played just now.")}</p>`}</div>`;
  }
}

customElements.define("ssb-watch", Watch);
