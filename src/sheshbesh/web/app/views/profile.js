/** A player: results, ratings and how they went, matches, and the viewer's own notes about them. */

import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { del, gameTitles, get, post, put } from "../api.js";
import { playedChouettes } from "../chouette/played.js";
import { choice } from "../fields.js";
import { cardWords } from "../match-setup.js";
import { guestName } from "../names.js";
import { HEIGHT, LEFT, layOut, RIGHT, WIDTH } from "../rating-scale.js";
import { reasonName, watchedName } from "../table/wording.js";
import { titleOf } from "../tournament/words.js";
import "../report.js";
import { svg } from "../../vendor/lit.js";
import { html, ltr, named, nothing, nothingYet, personLink, states, table, View } from "../view.js";

/**
 * @typedef {{match: string | null, game: string, rules: string, time_class: string, pool: string, before: number,
 *   after: number, at: number}} Change
 * @typedef {{game: string, rules: string, time_class: string, pool: string, rating: number, deviation: number,
 *   provisional: boolean, matches: number}} Rating
 */

/** Matches that are fetched at once. */
const PAGE = 30;

/** @param {string} name of a class of clocks */
function className(name) {
  const known = {
    blitz: t("blitz"),
    rapid: t("rapid"),
    slow: t("slow"),
    correspondence: t("by correspondence"),
    untimed: t("no clock"),
  };
  return known[/** @type {keyof typeof known} */ (name)] ?? name;
}

/** @param {string} pool */
const poolName = (pool) => (pool === "bots" ? t("bots") : t("people"));

/** What is rated together. @param {{rules: string, time_class: string, pool: string}} rating */
const poolKey = ({ rules, time_class, pool }) => [rules, time_class, pool].join(" ");

/** A day, in the direction of its own letters. @param {number} at */
const day = (at) => `\u2068${format(at)}\u2069`;

/** @param {number} at */
const format = (at) => new Intl.DateTimeFormat(words().locale, { dateStyle: "medium" }).format(at);

/**
 * A rating over time as a drawn line, and in words for screen readers.
 * @param {Change[]} changes the oldest first, at least one
 */
function curve(changes) {
  const { points, grid } = layOut(changes);
  const [first, last] = [changes[0], changes[changes.length - 1]];
  const summary = tn(
    "From {before} on {first} to {after} on {last}, over {n} match.",
    "From {before} on {first} to {after} on {last}, over {n} matches.",
    changes.length,
    {
      before: words().figure(first.before),
      after: words().figure(last.after),
      first: format(first.at),
      last: format(last.at),
    },
  );
  const end = points[points.length - 1];
  return html`<figure class="curve">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${t("Rating over time")}. ${summary}`}>
      ${grid.map(
        (line) =>
          svg`<line class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${line.y} y2=${line.y}></line><text
              x=${LEFT - 8}
              y=${line.y + 5}
              text-anchor="end"
            >${words().figure(line.rating)}</text>`,
      )}
      <polyline points=${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}></polyline>
      <circle cx=${end.x} cy=${end.y} r="4.5"></circle>
      <text x=${LEFT} y=${HEIGHT - 6}>${day(first.at)}</text>
      ${
        day(first.at) === day(last.at)
          ? ""
          : svg`<text x=${WIDTH - RIGHT} y=${HEIGHT - 6} text-anchor="end">${day(last.at)}</text>`
      }
    </svg>
    <figcaption class="small quiet">${summary}</figcaption>
  </figure>`;
}

class Profile extends View {
  static properties = states("about", "played", "more", "game", "notes", "changes", "shown", "chouettes");

  constructor() {
    super();
    /** @type {any} */
    this.about = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    /** @type {import("../wire.js").PlayedMatch[]} */
    this.played = [];
    /** Chouettes that are over. @type {import("../wire.js").ListedChouette[]} */
    this.chouettes = [];
    /** Whether there may be older matches. */
    this.more = false;
    /** The game whose matches are listed; all where it is empty. */
    this.game = "";
    /** Which list of matches was asked for last. */
    this.turn = 0;
    /** @type {string | null} */
    this.notes = null;
    /** @type {Change[]} */
    this.changes = [];
    /** The key of the rating whose curve is shown. */
    this.shown = "";
  }

  get heading() {
    return this.place.params.name;
  }

  get path() {
    return `/users/${encodeURIComponent(this.place.params.name)}`;
  }

  async fetch() {
    const me = await this.app.identity.catch(() => null);
    const found = await this.load(get(this.path));
    if (!found) return;
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.about = found;
    this.shown = found.ratings.length ? poolKey(found.ratings[0]) : "";
    if (found.ratings.length) this.changes = (await this.load(get(`${this.path}/ratings`)))?.history ?? [];
    await this.listMatches("");
    this.chouettes = await get(`${this.path}/chouettes`).catch(() => []);
    if (me && me.id !== found.user.id)
      this.notes = (await get(`${this.path}/notes`).catch(() => null))?.text ?? null;
  }

  /** List the matches of a game, or of all. @param {string} game */
  async listMatches(game) {
    this.game = game;
    this.played = [];
    await this.further();
  }

  /** The next older matches. */
  async further() {
    const { game } = this;
    const turn = (this.turn += 1);
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (game) query.set("game", game);
    if (this.played.length) query.set("before", String(this.played[this.played.length - 1].ended));
    /** @type {import("../wire.js").PlayedMatch[]} */
    let found = [];
    const done = await this.attempt(async () => (found = await get(`${this.path}/matches?${query}`)));
    // Another list was asked for meanwhile, or the same once more.
    if (!done || turn !== this.turn) return;
    this.played = [...this.played, ...found];
    this.more = found.length === PAGE;
  }

  /** @param {Event} event */
  async keepNotes(event) {
    const text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    if (await this.attempt(() => put(`${this.path}/notes`, { text })))
      this.app.toast(t("The note has been kept."));
  }

  async block() {
    const { blocked } = this.about;
    if (await this.attempt(() => (blocked ? del(`${this.path}/block`) : post(`${this.path}/block`))))
      this.about = { ...this.about, blocked: !blocked, followed: false };
  }

  async follow() {
    const { followed } = this.about;
    if (await this.attempt(() => (followed ? del(`${this.path}/follow`) : post(`${this.path}/follow`))))
      this.about = { ...this.about, followed: !followed };
  }

  /** @param {string} game */
  name(game) {
    return this.titles.get(game) ?? game;
  }

  record() {
    const { record, head_to_head: between } = this.about;
    const row = (
      /** @type {string} */ name,
      /** @type {{matches: number, won: number, left: number}} */ { matches, won, left },
    ) => [name, ...[matches, won, left].map((n) => words().figure(n))];
    return html`<section class="card">
      <h2>${t("Results")}</h2>
      ${table(
        [t("against"), t("Matches"), t("Wins"), t("left unfinished")],
        [row(t("people"), record.people), row(t("computers and bots"), record.programs)],
        { named: true, numbers: [1, 2, 3] },
      )}
      ${
        between?.matches
          ? html`<p class="small">
            ${t("Against you: {won} won, {lost} lost", { won: between.lost, lost: between.won })}
          </p>`
          : nothing
      }
    </section>`;
  }

  /** @param {Rating} rating */
  rating(rating) {
    const key = poolKey(rating);
    const called = `${this.name(rating.game)}, ${className(rating.time_class)}, ${poolName(rating.pool)}`;
    return [
      html`<label class="check">
        <input
          type="radio"
          name="curve"
          aria-label=${t("Show the curve: {rating}", { rating: called })}
          .checked=${key === this.shown}
          @change=${() => (this.shown = key)}
        >
        ${this.name(rating.game)}
      </label>`,
      className(rating.time_class),
      poolName(rating.pool),
      html`<b>${words().figure(rating.rating)}</b>${
        rating.provisional ? html`<span title=${t("still a guess")}>?</span>` : nothing
      } <span class="quiet">±${words().figure(2 * rating.deviation)}</span>`,
      words().figure(rating.matches),
    ];
  }

  ratings() {
    const { ratings } = this.about;
    if (!ratings.length)
      return html`<section class="card">
        <h2>${t("Ratings")}</h2>
        <p class="empty">${t("No rated match yet.")}</p>
      </section>`;
    const shown = this.changes.filter((change) => poolKey(change) === this.shown).reverse();
    return html`<section class="card stack">
      <h2>${t("Ratings")}</h2>
      <div>
        ${table(
          [t("Game"), t("Clock"), t("against"), t("Rating"), t("Matches")],
          ratings.map((/** @type {Rating} */ each) => this.rating(each)),
          { numbers: [3, 4] },
        )}
      </div>
      ${shown.length ? curve(shown) : nothing}
    </section>`;
  }

  trophies() {
    /** @type {import("../wire.js").Trophy[]} */
    const trophies = this.about.trophies;
    return trophies.length
      ? html`<section class="card">
          <h2>${t("Trophies")}</h2>
          <ul>
            ${trophies.map(
              ({ place, tournament, game, entrants, at }) => html`<li>
                <b>${words().figure(place)}.</b>
                <a href="/t/${tournament.id}"><bdi>${titleOf(tournament)}</bdi></a>
                <span class="quiet">
                  · ${this.name(game)} · ${tn("{n} entered", "{n} entered", entrants)} · ${words().moment(at)}
                </span>
              </li>`,
            )}
          </ul>
        </section>`
      : nothing;
  }

  /** @param {import("../wire.js").PlayedMatch} match */
  row(match) {
    const opponent = other(/** @type {import("../../board/types.js").Side} */ (match.side));
    const result = match.winner === match.side ? t("won") : match.winner ? t("lost") : t("draw");
    const [own, theirs] = [match.side, opponent].map((side) => words().figure(match.score[side]));
    const how = ["time", "abandoned", "forfeit"].includes(match.ending)
      ? ` · ${reasonName(match.ending)}`
      : "";
    const change = this.changes.find((each) => each.match === match.id);
    const by = change ? change.after - change.before : 0;
    return [
      html`${this.name(match.game)}<br><span class="small quiet">${cardWords(match.card)}</span>`,
      html`${named(watchedName(match.players[opponent], opponent))}
        <br>
        <span class="small quiet">${words().moment(match.ended)}</span>`,
      html`${result}${how}
        <br>
        <span class="small">${ltr(`${own}–${theirs}`)}${
          change
            ? html` <b><span class="sr">${t("Rating")}</span>
              ${ltr(`${by < 0 ? "−" : "+"}${words().figure(Math.abs(by))}`)}</b>`
            : nothing
        }</span>`,
      html`<a href="/replay/${match.id}">${t("Replay")}</a>`,
    ];
  }

  history() {
    const { games } = this.about;
    if (!games.length)
      return html`<section class="card"><h2>${t("Matches")}</h2>${nothingYet(t("No match yet."), [
        "/",
        t("Play"),
      ])}</section>`;
    return html`<section class="card stack">
      <h2>${t("Matches")}</h2>
      ${
        games.length > 1
          ? choice(
              "game",
              t("Game"),
              [
                ["", t("all games")],
                ...games.map((/** @type {{game: string, matches: number}} */ { game, matches }) => [
                  game,
                  `${this.name(game)} (${words().figure(matches)})`,
                ]),
              ],
              this.game,
              (game) => void this.listMatches(game),
            )
          : nothing
      }
      <div>
        ${table(
          [t("Game"), t("against"), t("Result"), html`<span class="sr">${t("Replay")}</span>`],
          this.played.map((match) => this.row(match)),
          { numbers: [3] },
        )}
      </div>
      ${
        this.more
          ? html`<div class="row"><button @click=${this.further}>${t("Older matches")}</button></div>`
          : nothing
      }
    </section>`;
  }

  render() {
    const { about } = this;
    if (!about) return html`<div class="page">${this.waiting()}</div>`;
    const { user } = about;
    const own = this.app.user?.id === user.id;
    return html`<div class="page narrow">
      <h1>
        ${named(guestName(user.name))}
        ${user.kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}
      </h1>
      <p class="lead">
        ${about.online ? t("here now") : nothing}${
          own
            ? html` <a href="/account">${t("Account")}</a> · <a href="/friends">${t("Friends")}</a>`
            : nothing
        }
        ${
          about.owner
            ? html`${t("a program of")}
              ${personLink(about.owner.name)}`
            : nothing
        }
      </p>
      ${
        this.app.user && !own && !about.blocked
          ? html`<p class="row">
            <a class="button pri" href="/?challenge=${encodeURIComponent(user.name)}">${t("Challenge")}</a>
            <button aria-pressed=${about.followed ? "true" : "false"} @click=${this.follow}>
              ${about.followed ? t("Following") : t("Follow")}
            </button>
          </p>`
          : nothing
      }
      <div class="stack">
        ${this.record()}${this.ratings()}${this.trophies()}${this.history()}
        ${
          this.chouettes.length
            ? html`<section class="card stack">
              <h2>${t("Chouettes")}</h2>
              ${playedChouettes(this.chouettes, this.titles)}
            </section>`
            : nothing
        }
        ${
          !own && this.notes !== null
            ? html`<section class="card stack">
              <h2>${t("My notes")}</h2>
              <p class="small quiet">${t("Only you can read them.")}</p>
              <textarea
                rows="4"
                maxlength="2000"
                aria-label=${t("My notes")}
                .value=${this.notes}
                @change=${this.keepNotes}
              ></textarea>
            </section>`
            : nothing
        }
        ${
          !own && this.app.user
            ? html`<div class="row end">
              <ssb-report .name=${user.name}></ssb-report>
              <button @click=${this.block}>${about.blocked ? t("Unblock") : t("Block")}</button>
            </div>`
            : nothing
        }
      </div>
    </div>`;
  }
}

customElements.define("ssb-profile", Profile);
