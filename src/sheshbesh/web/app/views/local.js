/** A match against the engine in this browser, without a server: the matches kept here, a new one, and its table. */

import { t, words } from "../../i18n/i18n.js";
import { ApiError, STATIC, save, variantOf } from "../api.js";
import { check, choice } from "../fields.js";
import { LocalConnection } from "../local/connection.js";
import { KeptMatches, recordOf } from "../local/kept.js";
import * as dialogs from "../match/asked.js";
import { contestOf } from "../match-setup.js";
import { levelName, wishedSides } from "../names.js";
import { settings, store } from "../settings.js";
import { TableModel } from "../table/model.js";
import { nameOf } from "../table/wording.js";
import { html, named, nothing, radios, states } from "../view.js";
import { Match } from "./match.js";

/** @import { Kept } from "../local/kept.js" */

const LENGTHS = [1, 3, 5, 7, 11, 15, 25];

class Local extends Match {
  static properties = states("games", "chosen", "removing");

  constructor() {
    super();
    // What has begun needs no network any more.
    this.dialogs = dialogs;
    this.keptMatches = new KeptMatches(store);
    /** @type {LocalConnection | null} */
    this.table = null;
    /** What can be played, once it is known. @type {Record<string, {title: string, cube: boolean}> | null} */
    this.games = null;
    /** @type {string[]} */
    this.levels = [];
    this.chosen = {
      ...{ game: String(settings.prefs.last.game ?? "backgammon"), level: "club" },
      ...{ length: 1, money: false, beavers: false, side: "random" },
    };
    /** The match that is to be deleted, once more asked about. */
    this.removing = "";
  }

  /** What is said where nothing more can be kept. */
  get full() {
    return t("The storage of this browser is full: what you play now is not kept.");
  }

  get heading() {
    return this.name || t("Play in this browser");
  }

  connectedCallback() {
    const id = this.place.query.get("m");
    const [game, level] = ["game", "level"].map((name) => this.place.query.get(name));
    this.chosen = { ...this.chosen, ...(game ? { game } : {}), ...(level ? { level } : {}) };
    const kept = id ? this.keptMatches.find(id) : undefined;
    // Where nothing is animated, nothing is waited for either.
    const pause = (/** @type {number} */ ms) =>
      new Promise((done) => setTimeout(done, settings.prefs.speed ? ms : 0));
    if (kept)
      this.table = new LocalConnection(kept, this.keptMatches, {
        pause,
        name: () => this.app.user?.name ?? "",
        full: () => this.app.toast(this.full),
      });
    super.connectedCallback();
    if (!kept) void this.fetchGames();
  }

  /** A match without a server needs nobody to be known. */
  begin() {
    if (!this.table) return;
    const connection = /** @type {any} */ (this.table);
    this.table.retries = settings.prefs.retry;
    this.attach(new TableModel(this.table.match.id, connection));
    this.model.open();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (this.table) super.willUpdate(changed);
  }

  updated() {
    if (this.table) super.updated();
  }

  async fetchGames() {
    const [rules, games] = await this.attemptAll("/engine/rules.json", "/engine/games.json");
    this.levels = Object.keys(rules?.levels ?? {});
    this.games = games?.games ?? null;
    if (this.games && !this.games[this.chosen.game]) this.set({ game: Object.keys(this.games)[0] });
  }

  /** @param {string[]} addresses @returns {Promise<any[]>} */
  async attemptAll(...addresses) {
    const found = await this.load(
      Promise.all(
        addresses.map(async (address) => {
          const answer = await fetch(address).catch(() => null);
          if (!answer?.ok) throw new ApiError(0, "offline", t("The engine cannot be loaded."));
          return answer.json();
        }),
      ),
    );
    return found ?? [];
  }

  /** @param {Partial<Local["chosen"]>} change */
  set(change) {
    this.chosen = { ...this.chosen, ...change };
  }

  /**
   * The board comes from the worker; the rules in words from the site, where there is one.
   * @param {import("../wire.js").Card} card
   */
  async loadVariant(card) {
    if (!this.table?.layout) return;
    this.name = this.table.title ?? card.title;
    this.layout = this.table.layout;
    const about = await variantOf({ game: card.game, code: card.code }).catch(() => null);
    if (about) {
      this.name = about.title;
      this.rules = about.rules ?? [];
      this.know({});
      this.requestUpdate();
    }
  }

  /** What one's own resignation would cost is counted by the table itself. */
  async fetchOffers() {
    if (this.dialog !== "resign") return;
    const { resign_kinds: kinds, score, card } = this.state;
    const costs = await this.table?.ask({ kind: "losses" });
    const losses = kinds.map((kind) => {
      const points = costs?.losses[kind] ?? 0;
      const other = this.state.you[0] === "white" ? "black" : "white";
      const needed = card.contest === "games" ? ((card.length ?? 1) >> 1) + 1 : card.length;
      return { kind, points, ends: needed !== null && score[other] + points >= needed, refused: null };
    });
    this.offers = { resign: { [this.state.you[0]]: losses }, propose: [], most: 0 };
  }

  get head() {
    const { badges, ...head } = super.head;
    const dice = html`<span class="badge" title=${t("thrown by this browser: nobody can verify them")}>
      ${t("Unverifiable dice")}
    </span>`;
    return { ...head, badges: [...badges, dice] };
  }

  get chats() {
    return false;
  }

  get people() {
    return false;
  }

  /** A new match like this one. */
  rematch = async () => {
    if (this.table) this.start(this.table.match);
    return true;
  };

  /** The record, for the library and for reviews of a site. */
  record() {
    const { state, table } = this;
    const match = /** @type {Kept} */ (table?.match);
    // As a site stores them: a file is read in any language.
    const stored = (/** @type {import("../wire.js").Side} */ side) =>
      state.players[side].name || nameOf(state, side);
    const players = { white: stored("white"), black: stored("black") };
    return new Blob([recordOf(match, table?.events ?? [], players)], { type: "application/x-ndjson" });
  }

  /** Hand the record to the site's reviews, as a file that was shared with the page. */
  review = async () => {
    const cache = await caches.open("shared");
    const headers = { "File-Name": encodeURIComponent(`${this.state.match}.jsonl`) };
    await cache.put("/shared-file", new Response(this.record(), { headers }));
    this.app.go("/reviews?shared");
    return true;
  };

  /** Where a match that is over can be looked at. */
  get ownLinks() {
    const site = !STATIC && "caches" in window;
    return html`<div class="more center">
      <button @click=${() => save(this.record(), `${this.state.match}.jsonl`)}>${t("Download the record")}</button>
      ${site ? html`<button @click=${this.review}>${t("Review")}</button>` : nothing}
      <a class="button" href="/local">${t("New game")}</a>
    </div>`;
  }

  /** @param {Pick<Kept, "code" | "level" | "title">} like @param {string} [side] */
  start({ code, level, title }, side = "random") {
    const number = new Uint32Array(3);
    crypto.getRandomValues(number);
    const you = side === "random" ? (number[0] % 2 ? "white" : "black") : side;
    const id = `local-${number[1].toString(36)}`;
    const now = Date.now();
    const isKept = this.keptMatches.put({
      ...{
        id,
        code,
        level,
        title,
        seed: String(number[2]),
        you: /** @type {import("../wire.js").Side} */ (you),
      },
      ...{ began: now, changed: now, over: false, score: { white: 0, black: 0 } },
    });
    if (!isKept) return this.app.toast(this.full);
    this.app.go(`/local?m=${id}`);
  }

  /** @param {SubmitEvent} event */
  begun = (event) => {
    event.preventDefault();
    const { game, level, length, money, beavers, side } = this.chosen;
    const code = [game, money ? "m" : `p${length}`, ...(money && beavers ? ["beavers"] : [])].join(".");
    settings.set({ last: { ...settings.prefs.last, game } });
    this.start({ code, level, title: this.games?.[game]?.title ?? game }, side);
  };

  render() {
    if (this.table) return super.render();
    if (!this.games) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${t("Play in this browser")}</h1>
      <p>
        ${t(
          "You play against the computer without a server: all games, with the tutor, offline too once they were " +
            "loaded. The dice are thrown by your browser, and nobody can verify them. Nothing is rated.",
        )}
      </p>
      ${this.list()} ${this.form()}
    </div>`;
  }

  list() {
    const { list } = this.keptMatches;
    if (!list.length) return nothing;
    return html`<section aria-labelledby="kept">
      <h2 id="kept">${t("Matches kept here")}</h2>
      <ul class="rows">
        ${list.map((match) => {
          const { id, title, level, code, score, over, you } = match;
          const other = you === "white" ? "black" : "white";
          const standing = `${words().figure(score[you])}–${words().figure(score[other])}`;
          return html`<li class="row">
            <a href="/local?m=${id}">${named(title)} · ${contestOf(code)} · ${levelName(level)}</a>
            <span class="quiet small"><bdi dir="ltr">${standing}</bdi>${over ? html` · ${t("over")}` : nothing}</span>
            ${
              this.removing === id
                ? html`<button class="danger" @click=${() => this.discard(id)}>${t("Delete for good")}</button>`
                : html`<button @click=${() => (this.removing = id)}>${t("Delete")}</button>`
            }
          </li>`;
        })}
      </ul>
    </section>`;
  }

  /** @param {string} id */
  discard(id) {
    this.keptMatches.remove(id);
    this.removing = "";
    this.requestUpdate();
  }

  form() {
    const { chosen, games, levels } = this;
    const all = Object.entries(games ?? {});
    return html`<form class="card stack" @submit=${this.begun} aria-labelledby="new">
      <h2 id="new">${t("New game")}</h2>
      ${choice(
        "game",
        t("Game"),
        all.map(([name, { title }]) => [name, t(title)]),
        chosen.game,
        (game) => this.set({ game }),
      )}
      ${choice(
        "level",
        t("Level"),
        levels.map((name) => [name, levelName(name)]),
        chosen.level,
        (level) => this.set({ level }),
      )}
      ${radios(
        "length",
        t("Match to"),
        chosen.money ? null : chosen.length,
        [
          ...LENGTHS.map((n) => /** @type {[number, string]} */ ([n, words().figure(n)])),
          [null, t("No end")],
        ],
        (length) => this.set(length === null ? { money: true } : { length, money: false }),
      )}
      ${
        chosen.money && games?.[chosen.game]?.cube
          ? check(t("Beavers"), chosen.beavers, (beavers) => this.set({ beavers }))
          : nothing
      }
      ${radios("side", t("You play"), chosen.side, wishedSides(), (side) => this.set({ side }))}
      <button class="pri big">${t("Play")}</button>
    </form>`;
  }
}

customElements.define("ssb-local", Local);
