/** The games that are played now. */
import { t, words } from "../../i18n/i18n.js";
import { get } from "../api.js";
import { playerName } from "../match/wording.js";
import { cardWords } from "./lobby.js";
import { View, html, named } from "../view.js";

class Watch extends View {
  static properties = { ...View.properties, games: { state: true } };

  constructor() {
    super();
    /** @type {any[] | null} */
    this.games = null;
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
    if (found) this.games = found.games ?? [];
  }

  /** @param {any} game */
  tile(game) {
    const players = game.players ?? {};
    const side = (/** @type {"white" | "black"} */ side) =>
      html`<span class="row"><i class="disc ${side}"></i>${named(playerName(players[side], side))}<span class="spring"></span><b>${words().figure(game.score?.[side] ?? 0)}</b></span>`;
    return html`<li><a class="tile" href="/m/${game.id ?? game.match}"><h3>${t(game.card?.title ?? game.title ?? "")}</h3><p>${cardWords(game.card)}</p>${side("white")}${side("black")}</a></li>`;
  }

  render() {
    if (!this.games) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page"><h1>${t("Watch")}</h1>
      ${this.games.length ? html`<ul class="live">${this.games.map((game) => this.tile(game))}</ul>` : html`<p class="empty">${t("No public game is being played just now.")}</p>`}</div>`;
  }
}

customElements.define("ssb-watch", Watch);
