/** The games that are played now. */
import { t } from "../../i18n/i18n.js";
import { gameTitles, get } from "../api.js";
import { liveGames } from "../living-board.js";
import { html, states, View } from "../view.js";

class SpectatorView extends View {
  static properties = states("games");

  constructor() {
    super();
    /** @type {import("../wire.js").LiveGame[] | null} */
    this.games = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  get heading() {
    return t("Watch");
  }

  async fetch() {
    this.later(() => this.fetch(), 10_000);
    const found = await this.load(get("/lobby"));
    if (!found) return;
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.games = found.live;
  }

  render() {
    if (!this.games) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page"><h1>${t("Watch")}</h1>
      ${liveGames(this.games, this.titles)}</div>`;
  }
}

customElements.define("ssb-watch", SpectatorView);
