/** The player's unfinished matches with their scores, and their open invitations. */

import { other } from "../board/types.js";
import { t, tn, words } from "../i18n/i18n.js";
import { del, gameTitles, get } from "./api.js";
import { cardWords, contestOf } from "./match-setup.js";
import { awayWords, timeLeft, timeWords } from "./table/plate.js";
import { watchedName } from "./table/wording.js";
import { byId, html, ltr, named, nothing, states, View } from "./view.js";
import { setGames, waitsForMe } from "./waiting.js";

/**
 * @typedef {import("./wire.js").Side} Side
 * @typedef {{id: string, game: string, card: string, players: Record<Side, {name: string, level: string | null} |
 *   null>, you: Side[], score: Record<Side, number>, to_act: Side[], paused: boolean, clock:
 *   NonNullable<import("./wire.js").State["clock"]> | null}} OngoingGame
 * @typedef {{id: string, url: string, game: string, card: string, rated: boolean}} Waiting
 */

/** How often the list is loaded again, and clocks are drawn, in ms. */
const EVERY = 10_000;
const TICK = 1000;
/** Milliseconds from which on the time of a turn is shown: shorter ones are for those who sit there. */
const LONG = 10 * 60_000;

class OngoingGames extends View {
  static properties = states("games", "waits");

  constructor() {
    super();
    /** @type {OngoingGame[]} */
    this.games = [];
    /** @type {Waiting[]} */
    this.waits = [];
    /** @type {Map<string, string>} */
    this.titles = new Map();
    /** When the list came, by the page's own clock. */
    this.at = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.looking = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    this.onVisible = () => document.visibilityState === "visible" && void this.fetch();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.onVisible);
    this.app.addEventListener("turn", this.onVisible);
    this.looking = setInterval(this.onVisible, EVERY);
    this.ticking = setInterval(
      () => this.games.some(({ clock }) => clock?.running) && this.requestUpdate(),
      TICK,
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.onVisible);
    this.app.removeEventListener("turn", this.onVisible);
    clearInterval(this.looking);
    clearInterval(this.ticking);
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    // What cannot be had just now is left out: the page is for beginning a game.
    const [games, waits, titles] = await Promise.all(
      [get("/me/matches"), get("/me/invites"), gameTitles()].map((asked) => asked.catch(() => null)),
    );
    this.at = performance.now();
    this.titles = titles ?? this.titles;
    this.waits = waits ?? this.waits;
    const mine = (/** @type {OngoingGame} */ match) => Number(waitsForMe(match));
    if (games) setGames(games);
    if (games)
      this.games = games.sort(
        (/** @type {OngoingGame} */ a, /** @type {OngoingGame} */ b) => mine(b) - mine(a),
      );
  }

  /** How many wait for this player. */
  get mine() {
    return this.games.filter(waitsForMe).length;
  }

  /** @param {OngoingGame} match @param {Side} side */
  name({ players }, side) {
    return watchedName(players[side], side);
  }

  /** Whom it waits for. @param {OngoingGame} match */
  turn(match) {
    const { you, to_act, paused } = match;
    if (paused) return t("paused");
    if (!to_act.length) return t("the dice are thrown");
    if (waitsForMe(match) && you.length < 2) return t("your turn");
    return t("{name} is to play", { name: this.name(match, to_act[0]) });
  }

  /** Both clocks, one's own first. @param {OngoingGame} match @param {Side} own */
  clocks({ clock, paused }, own) {
    if (!clock) return nothing;
    const passed = performance.now() - this.at;
    if (clock.kind === "per_turn") return this.turnLeft(clock, passed, paused);
    const left = (/** @type {Side} */ side) => words().clock(timeLeft(clock, side, passed, paused).bank);
    return html`<span
      class="small quiet"
      role="img"
      aria-label=${t("Clocks: {own} and {other}", { own: left(own), other: left(other(own)) })}
    >${ltr(`${left(own)} – ${left(other(own))}`)}</span>`;
  }

  /**
   * How long the turn may still take, where one may take days.
   * @param {NonNullable<OngoingGame["clock"]>} clock @param {number} passed @param {boolean} paused
   */
  turnLeft(clock, passed, paused) {
    const { running } = clock;
    if (!running) return nothing;
    const left = timeLeft(clock, running, passed, paused).bank;
    const away = (clock.away ?? 0) - passed;
    if (away > 0) return html`<span class="small quiet">${awayWords(away)}</span>`;
    return left < LONG ? nothing : html`<span class="small quiet">${timeWords(left)}</span>`;
  }

  /** @param {OngoingGame} match */
  tile(match) {
    const own = match.you[0] ?? "white";
    const shared = match.you.length > 1;
    const figure = (/** @type {Side} */ side) => words().figure(match.score[side]);
    const mine = waitsForMe(match);
    return html`<li>
      <a class="tile" href="/m/${match.id}">
        <span class="row">
          <b>${this.titles.get(match.game) ?? match.game}</b>
          <span class="spring"></span>
          <b class="score" aria-label=${t("score")}>${ltr(`${figure(own)}–${figure(other(own))}`)}</b>
        </span>
        <p>
          ${
            shared
              ? html`${named(this.name(match, "white"))} – ${named(this.name(match, "black"))}`
              : t("against {name}", { name: this.name(match, other(own)) })
          }
          · ${contestOf(match.card)}
        </p>
        <span class="row">
          <span class=${mine ? "badge mine" : "small quiet"}>${this.turn(match)}</span>
          <span class="spring"></span>${this.clocks(match, own)}
        </span>
      </a>
    </li>`;
  }

  /** @param {Waiting} invite */
  async withdraw({ url }) {
    await this.attempt(() => del(`/invites/${encodeURIComponent(url.slice("/j/".length))}`));
    await this.fetch();
    await this.updateComplete;
    if (document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (this.querySelector("h2") ?? document.querySelector("main"))?.focus();
  }

  /** @param {Waiting} invite */
  invitation(invite) {
    return html`<li class="tile">
      <b>${this.titles.get(invite.game) ?? invite.game}</b>
      <p>
        ${cardWords(invite.card)}${invite.rated ? ` · ${t("rated")}` : nothing}<br>${t("waits for your friend")}
      </p>
      <div class="row">
        <a class="button" href=${invite.url}>${t("The link again")}</a>
        <button @click=${() => this.withdraw(invite)}>${t("Withdraw")}</button>
      </div>
    </li>`;
  }

  render() {
    const { games, waits } = this;
    return html`${
      games.length
        ? html`<section class="ongoing" aria-labelledby="ongoing-title">
          <h2 id="ongoing-title" tabindex="-1">
            ${t("Your games under way")}${
              this.mine
                ? html` <span class="badge mine">${tn("{n} waits for you", "{n} wait for you", this.mine)}</span>`
                : nothing
            }
          </h2>
          <ul>
            ${byId(games, (match) => this.tile(match))}
          </ul>
        </section>`
        : nothing
    }
      ${
        waits.length
          ? html`<section class="ongoing" aria-labelledby="waits-title">
            <h2 id="waits-title" tabindex="-1">${t("Your open invitations")}</h2>
            <ul>
              ${byId(waits, (invite) => this.invitation(invite))}
            </ul>
          </section>`
          : nothing
      }`;
  }
}

customElements.define("ssb-ongoing-games", OngoingGames);
