/**
 * A small board that follows a running match, with its players, ratings, score, cube and dice. Used inside a link
 * to the match: `<a href="/m/…"><ssb-living-board .game=${game}></ssb-living-board></a>`, where `game` is the entry
 * of a list (`id`, `players`, `score`): what is shown until the board is there. With `still` it shows no more.
 *
 * It follows by the socket of the match, as a spectator even of one's own matches, and only while it can be seen:
 * off the screen, in a hidden page and after the match it keeps what it showed last, and costs nothing.
 */

import { thumbnail } from "../board/thumbnail.js";
import { t, words } from "../i18n/i18n.js";
import { html, LitElement, nothing } from "../vendor/lit.js";
import { MatchConnection } from "./match-connection.js";
import { cardWords } from "./match-setup.js";
import { settings } from "./settings.js";
import { playerName, watchedName } from "./table/wording.js";
import { socketBase } from "./traffic.js";
import { byId, diceText, ltr, named, nothingYet, states } from "./view.js";

/**
 * @import { LiveGame, Side, State } from "./wire.js"
 * @typedef {Pick<LiveGame, "id" | "players" | "score">} Followed
 */

/** Boards that come near the edge of the screen are begun before they are seen. */
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (target instanceof LivingBoard) target.show(isIntersecting);
  },
  { rootMargin: "100px" },
);

class LivingBoard extends LitElement {
  static properties = { game: { attribute: false }, still: { type: Boolean }, ...states("state") };

  constructor() {
    super();
    /** @type {Followed | null} */
    this.game = null;
    this.still = false;
    /** How the match stood when it was last seen. @type {State | null} */
    this.state = null;
    /** @type {MatchConnection | null} */
    this.connection = null;
    this.onScreen = false;
    this.onVisibility = () => this.follow();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.dataset.material = settings.prefs.material;
    observer.observe(this);
    document.addEventListener("visibilitychange", this.onVisibility);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    observer.unobserve(this);
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.show(false);
  }

  /** @param {boolean} onScreen whether any part of it can be seen, or soon can */
  show(onScreen) {
    this.onScreen = onScreen;
    this.follow();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("game") && !changed.has("still")) return;
    if (this.game?.id !== this.connection?.match) this.rest();
    if (this.game?.id !== this.state?.match) this.state = null;
    this.follow();
  }

  /** Open the connection where somebody can see the board and something can change; else close it. */
  follow() {
    const wanted = this.onScreen && !this.still && !document.hidden && this.state?.phase !== "over";
    if (!wanted || !this.game) return this.rest();
    if (this.connection) return;
    const connection = new MatchConnection(this.game.id, socketBase(), words().language.code);
    connection.query = "&look=1";
    connection.waiting.clear(); // what is left of one's own play there is for the match's own page to send
    connection.addEventListener("state", (event) => {
      this.state = /** @type {CustomEvent} */ (event).detail.d;
      this.follow();
    });
    this.connection = connection;
    connection.open();
  }

  rest() {
    this.connection?.bye();
    this.connection = null;
  }

  /** The line of a player: who it is, the dice of their turn, their cube, their score. @param {Side} side */
  player(side) {
    const { state } = this;
    const game = /** @type {Followed} */ (this.game);
    const name = state ? playerName(state.players[side], side) : watchedName(game.players[side], side);
    const rating = state?.players[side].rating;
    const dice = state?.on_roll === side && state.turn?.dice;
    const score = (state ?? game).score;
    const cube = state?.cube.owner === side && state.cube.value > 1;
    return html`<span class="row ${state?.on_roll === side ? "on" : ""}">
      <i class="disc ${side}"></i><span class="who">${named(name)}</span>
      ${rating ? html`<span class="quiet small">${words().figure(rating)}</span>` : nothing}
      <span class="spring"></span>
      ${dice ? html`<span class="rolled">${ltr(diceText(dice))}</span>` : nothing}
      ${cube ? html`<span class="badge">${t("cube {n}", { n: state.cube.value })}</span>` : nothing}
      ${score ? html`<b>${words().figure(score[side])}</b>` : nothing}
    </span>`;
  }

  render() {
    const { game, state } = this;
    if (!game) return nothing;
    // White's home is at the lower right, so White sits below.
    return html`${this.player("black")}
      ${state?.board ? thumbnail(state.board) : this.still ? nothing : html`<span class="thumbnail"></span>`}
      ${this.player("white")}`;
  }
}

customElements.define("ssb-living-board", LivingBoard);

/** How many boards are followed at once. */
const FOLLOWED = 6;

/**
 * The matches that may be watched now, the first of them as boards.
 * @param {LiveGame[]} games the ones to be seen first in front
 * @param {Map<string, string>} titles of games
 */
export const liveGames = (games, titles) =>
  games.length
    ? html`<ul class="live">${byId(
        games,
        (game, i) => html`<li>
          <a class="tile" href="/m/${game.id}">
            <b>${titles.get(game.game) ?? game.game}</b>
            <p>${cardWords(game.card)}</p>
            <ssb-living-board .game=${game} .still=${i >= FOLLOWED}></ssb-living-board>
          </a>
        </li>`,
      )}</ul>`
    : nothingYet(t("No public game is being played just now."), ["/", t("Play")]);
