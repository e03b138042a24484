/** The lobby: who waits for an opponent, and which games are played. */
import { t, tn, words } from "../../i18n/i18n.js";
import { del, gameTitles, get, post } from "../api.js";
import { liveGames } from "../living-board.js";
import { cardWords, contestOf, readCode } from "../match-setup.js";
import { guestName } from "../names.js";
import { NewsConnection } from "../news-connection.js";
import { html, named, nothing, on, states, table, View } from "../view.js";

/** Boards that the lobby shows; the others are on a page of their own. */
const SEEN = 2;

/** Cards of presets: two minutes a point, but where no clock is usual. */
const PRESETS = [
  "backgammon.p1.clock-d12-120",
  "backgammon.p3.clock-d12-120",
  "backgammon.p5.clock-d12-120",
  "backgammon.p7.clock-d12-120",
  "tavla.g3.clock-d12-120",
  "long_nardy.p3.clock-d12-120",
  "takhte.g5",
  "tapa.p3.clock-d12-120",
];

/** The time of a whole match, rounded, or that there is no clock. @param {string} code */
function timeOf(code) {
  const { clock, length } = readCode(code);
  const bank = Number(/-(\d+)$/.exec(clock)?.[1] ?? 0);
  return bank ? t("{n} min", { n: Math.round((bank * (length ?? 1)) / 60) }) : t("No clock");
}

/** The length of a match in few words. @param {string} code */
function lengthOf(code) {
  const { contest, length } = readCode(code);
  return contest === "points" && length ? tn("{n} point", "{n} points", length) : contestOf(code);
}

/**
 * Find an opponent by one tap.
 * @param {Map<string, string>} titles of games
 * @param {(card: string) => void} choose
 * @param {ReadonlySet<string>} waiting the cards of this player's open seeks
 */
const presets = (titles, choose, waiting) =>
  html`<div class="presets">
    ${PRESETS.map((card) => {
      const game = card.split(".")[0];
      return html`<button aria-pressed=${waiting.has(card)} @click=${() => choose(card)}>
        <b>${titles.get(game) ?? game}</b><span class="small quiet">${lengthOf(card)} ·
          ${waiting.has(card) ? html`${t("waiting")}<span class="dots"></span>` : timeOf(card)}</span>
      </button>`;
    })}
  </div>`;

export class Lobby extends View {
  static properties = states("lobby", "only");

  constructor() {
    super();
    /** @type {import("../wire.js").LobbyList | null} */
    this.lobby = null;
    this.connection = new NewsConnection("lobby", "&look=1");
    on(this.connection, "message", (detail) => this.onMessage(detail));
    this.only = false;
    /** Whether the lobby came over the socket: from then on it is the only source of open seeks. */
    this.isLive = false;
    /** Seeks opened by a preset that the lobby does not show yet, by card. @type {Map<string, string>} */
    this.opened = new Map();
    /** Seeks withdrawn here, which a list that is on its way may still contain. @type {Set<string>} */
    this.withdrawn = new Set();
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  get heading() {
    return t("Lobby");
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.connection.close();
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    const found = await this.load(get("/lobby"));
    if (found && !this.isLive) this.lobby = found;
    if (this.isConnected) this.connection.open();
  }

  /** @param {import("../wire.js").News | {t: "lobby", d: import("../wire.js").LobbyList}} message */
  onMessage(message) {
    if (message.t !== "lobby") return this.app.dispatch(message);
    this.isLive = true;
    this.lobby = message.d;
    for (const { id, card } of message.d.seeks) if (this.opened.get(card) === id) this.opened.delete(card);
  }

  /** @param {import("../wire.js").Seek} seek */
  async accept(seek) {
    await this.attempt(async () => {
      const { id, url } = await post(`/seeks/${encodeURIComponent(seek.id)}/accept`);
      this.app.go(url ?? `/m/${id}`);
    });
  }

  /** @param {string} id of a seek of this player */
  async withdraw(id) {
    if (this.app.challenges) this.app.challenges.seeking = false;
    this.withdrawn.add(id);
    for (const [card, seek] of this.opened) if (seek === id) this.opened.delete(card);
    this.requestUpdate();
    await this.attempt(() => del(`/seeks/${encodeURIComponent(id)}`));
  }

  /** What is open, as far as is known here. */
  get seeks() {
    return (this.lobby?.seeks ?? []).filter(({ id }) => !this.withdrawn.has(id));
  }

  /** Accept an open seek by a preset, or open one; the second tap withdraws it. @param {string} card */
  async pair(card) {
    const own = this.seeks.find(
      (seek) => seek.card === card && !seek.rated && seek.by.id === this.app.user?.id,
    );
    const id = own?.id ?? this.opened.get(card);
    if (id) return this.withdraw(id);
    const { app } = this;
    await this.attempt(async () => {
      await app.identity;
      /** @type {{seeks: import("../wire.js").Seek[]}} */
      const { seeks } = await get("/lobby");
      const open = seeks.find((seek) => seek.card === card && !seek.rated && seek.by.id !== app.user?.id);
      if (open) return this.accept(open);
      const made = await post("/seeks", { card, side: "random", rated: false });
      if (app.challenges) app.challenges.seeking = true;
      this.opened.set(card, made.id);
      this.requestUpdate();
    });
  }

  /** @param {import("../wire.js").Seek} seek */
  row(seek) {
    const { by } = seek;
    const mine = by.id === this.app.user?.id;
    return [
      html`${named(guestName(by.name))}
        ${by.kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}${
          by.rating ? html` <span class="quiet">${words().figure(by.rating)}</span>` : nothing
        }`,
      html`<b>${this.titles.get(seek.game) ?? seek.title}</b><br>
        <span class="small quiet">${cardWords(seek.card)}</span>`,
      seek.rated ? t("rated") : t("unrated"),
      mine
        ? html`<button @click=${() => this.withdraw(seek.id)}>${t("Withdraw")}</button>`
        : html`<button class="pri" @click=${() => this.accept(seek)}>${t("Play")}</button>`,
    ];
  }

  /** Those who are here, to be challenged. */
  others() {
    const others = (this.lobby?.people ?? []).filter(
      ({ id, kind }) => id !== this.app.user?.id && !(this.only && kind === "bot"),
    );
    if (!others.length) return nothing;
    return html`<section class="card stack" aria-labelledby="people-title">
      <h2 id="people-title">${t("Who is here")}</h2>
      <ul class="people">
        ${others.map(
          ({ name, kind }) => html`<li>
            ${named(guestName(name))} ${kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}
            <span class="spring"></span>
            <a
              class="button"
              href="/?challenge=${encodeURIComponent(name)}"
              aria-label=${t("Challenge {name}", { name: guestName(name) })}
            >${t("Challenge")}</a>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  render() {
    const { lobby } = this;
    if (!lobby) return html`<div class="page">${this.waiting()}</div>`;
    const seeks = this.seeks.filter((seek) => !this.only || seek.by.kind !== "bot");
    const { people, playing } = lobby.counts;
    const own = this.seeks.filter((seek) => seek.by.id === this.app.user?.id);
    const cards = new Set([
      ...own.filter((seek) => !seek.rated).map((seek) => seek.card),
      ...this.opened.keys(),
    ]);
    const waiting = own.length + this.opened.size > 0;
    return html`<div class="page lobby">
      <h1>${t("Lobby")}</h1>
      <p class="lead">
        ${tn("{n} person is here", "{n} people are here", people)} ·
        ${tn("{n} is playing", "{n} are playing", playing)} · <a href="/friends">${t("Friends")}</a>
      </p>
      <div class="sides">
        <div class="stack">
          <section aria-labelledby="pairing">
            <h2 id="pairing">${t("Find an opponent")}</h2>
            ${presets(this.titles, (card) => void this.pair(card), cards)}
          </section>
          <div class="card stack">
            <div class="row">
              <label class="check">
                <input type="checkbox" .checked=${this.only} @change=${() => (this.only = !this.only)}>
                ${t("People only")}
              </label>
              <span class="spring"></span>
              <a class="button" href="/chouette">${t("Chouette")}</a>
              <a class="button" href="/">${t("Make a table")}</a>
            </div>
            <p class="small">
              <a href="/table">${t("Beside a real board")}</a>:
              ${t("clock, dice, score and record for people who play on wood")}
            </p>
            ${
              waiting
                ? html`<p role="status">
                  ${t("Your table waits for an opponent. You can leave this page open; the game begins by itself")}<span
                    class="dots"
                  ></span>
                </p>`
                : nothing
            }
            ${
              seeks.length
                ? table(
                    [t("Player"), t("Game"), "", ""],
                    seeks.map((seek) => this.row(seek)),
                    { numbers: [3] },
                  )
                : html`<p class="empty">
                  ${t("Nobody waits for an opponent just now. Make a table, or play against the computer meanwhile.")}
                </p>`
            }
          </div>
          ${this.others()}
        </div>
        <section aria-labelledby="live">
          <h2 id="live">${t("Watch")}</h2>
          ${liveGames(lobby.live.slice(0, SEEN), this.titles)}
          ${lobby.live.length > SEEN ? html`<p><a class="button" href="/watch">${t("Watch")}</a></p>` : nothing}
        </section>
      </div>
    </div>`;
  }
}

customElements.define("ssb-lobby", Lobby);
