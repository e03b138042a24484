/** The first page: choose a game, choose an opponent, play. */

import { thumbnail } from "../../board/thumbnail.js";
import { t, tn, widen, words } from "../../i18n/i18n.js";
import { repeat } from "../../vendor/lit.js";
import { get, once, post } from "../api.js";
import "../daily-position.js";
import { contestOf, MatchSetup } from "../match-setup.js";
import { guestName, levelName, named, nearest } from "../names.js";
import { settings } from "../settings.js";
import { afterLoading, html, nothing, states, View } from "../view.js";

/**
 * @typedef {{name: string, title: string, native?: Record<string, string>, family: string, description: string,
 *   start: import("../../board/types.js").Board, region?: string, options?: any[], has_cube: boolean, lengths:
 *   number[], levels?: any[], styles?: {name: string, description: string}[], names?: string[]}} Variant  `names`: what
 *   it is called in all languages
 */

/** The texts of what this page loads later. */
const LATER = "home-later";

/** Milliseconds after which the rest of the page no longer waits for its board. */
const PATIENCE = 5000;

const OPPONENTS = ["engine", "friend", "hotseat", "seek"];

/** The games that are shown before all are asked for. */
const NEAR = 6;

class Home extends View {
  static properties = states(
    "variants",
    "kind",
    "busy",
    "counts",
    "ready",
    "worded",
    "details",
    "daily",
    "all",
    "wanted",
  );

  constructor() {
    super();
    /** @type {Variant[] | null} */
    this.variants = null;
    /** The player to challenge, if any. */
    this.rival = "";
    this.kind = OPPONENTS.includes(String(settings.prefs.last.kind))
      ? String(settings.prefs.last.kind)
      : "engine";
    this.busy = false;
    /** @type {{people: number, playing: number} | null} */
    this.counts = null;
    /** Whether the games below the board are shown: where the page opens, they and their letters come after it. */
    this.ready = this.app.deferredRequested;
    /** Whether the texts of what is loaded later are there, in the language of now. */
    this.worded = false;
    /** @type {typeof import("../match-setup-details.js").details | undefined} */
    this.details = undefined;
    /** The puzzle of the day, and how the player stands. @type {import("../drill/today.js").Daily | null} */
    this.daily = null;
    /** Whether all games are shown, and by what name one is looked for. */
    this.all = false;
    this.wanted = "";
    this.matchSetup = new MatchSetup(() => this.requestUpdate());
    /** @type {() => void} */
    this.settle = () => {};
    this.settled = new Promise((/** @type {(value?: unknown) => void} */ done) => (this.settle = done));
  }

  /** The board of this page comes first. */
  get usable() {
    return this.settled;
  }

  get heading() {
    return "";
  }

  /** Whether the set-up of a match is open, in place of the last choice. */
  get choosing() {
    return Boolean(this.rival || this.place.params.game);
  }

  connectedCallback() {
    this.rival = this.place.query.get("challenge") ?? "";
    if (this.rival) this.kind = "challenge";
    super.connectedCallback();
    if (this.place.query.has("installed")) void this.loadUnfinished();
    void this.loadDeferred();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.settle();
  }

  /** What can wait until the board can be played on. */
  async loadDeferred() {
    await this.usable;
    await widen(LATER).catch(() => {});
    if (!this.isConnected) return;
    this.ready = this.worded = true;
    void this.loadUnfinished();
    void this.loadCounts();
    // Anyone who begins a match asks again, and gets the answer.
    void this.complete().catch(() => {});
    // While the player chooses, the board of a match is fetched.
    afterLoading(() => void import("./match.js").catch(() => {}), 1200);
  }

  /** Loads the list of unfinished matches only for players who have any. */
  async loadUnfinished() {
    await this.app.identity.catch(() => {});
    const left = await Promise.all(
      [get("/me/matches"), get("/me/invites")].map((asked) => asked.catch(() => [])),
    );
    // The installed page was opened to go on with what was left.
    const [first] = this.place.query.has("installed") ? left[0] : [];
    if (first && this.isConnected) return this.app.router.go(`/m/${first.id}`, { replace: true });
    if (left.some((list) => list.length)) await import("../ongoing-games.js").catch(() => {});
  }

  /** Loads the practice of the day, and how many people are here. */
  async loadCounts() {
    await this.app.identity.catch(() => {});
    void import("../drill/today.js").catch(() => {});
    void import("../next-tournament.js").catch(() => {});
    const lobby = await get("/lobby").catch(() => null);
    this.counts = lobby?.counts ?? null;
  }

  async fetch() {
    const query = `/variants?lang=${words().tag}`;
    /** @type {Variant[] | null} */
    const found = await this.load(once(this.choosing ? query : `${query}&brief=true`));
    this.variants = found;
    const asked = this.place.params.game;
    if (found && asked && !found.some(({ name }) => name === asked)) {
      await this.load(once(`/variants/${encodeURIComponent(asked)}`)); // says so
      return this.settle();
    }
    const wanted = asked ?? settings.prefs.last.game;
    const variant = found?.find(({ name }) => name === wanted) ?? this.near[0];
    if (variant) this.matchSetup.choose(variant, this.place.query.get("card"));
    if (variant) setTimeout(this.settle, PATIENCE);
    else this.settle();
  }

  /** The games with their levels and options, which are not shown before a match is set up. */
  async complete() {
    const { variant } = this.matchSetup;
    if (!variant || variant.options) return;
    /** @type {Variant[]} */
    const whole = await once(`/variants?lang=${words().tag}`);
    this.variants = whole;
    this.matchSetup.choose(whole.find(({ name }) => name === variant.name) ?? whole[0]);
  }

  /** @param {Variant} variant */
  choose(variant) {
    this.matchSetup.choose(variant);
    this.app.router.go(
      `/play/${variant.name}${this.rival ? `?challenge=${encodeURIComponent(this.rival)}` : ""}`,
      { replace: true },
    );
  }

  /** @param {Event} event */
  async play(event) {
    event.preventDefault();
    const { variant } = this.matchSetup;
    if (!variant || this.busy) return;
    this.busy = true;
    settings.set({
      last: { ...settings.prefs.last, game: variant.name, ...(this.rival ? {} : { kind: this.kind }) },
    });
    await this.attempt(async () => {
      // What failed when the page was opened may succeed now.
      await Promise.all([this.app.identified(), this.complete()]);
      this.matchSetup.keep();
      const wish = this.matchSetup.request(this.kind, this.app.user?.kind === "guest");
      if (this.kind === "seek") {
        await post("/seeks", { card: wish.card, side: wish.side, rated: wish.rated });
        if (this.app.challenges) this.app.challenges.seeking = true;
        return this.app.go("/lobby");
      }
      if (this.kind === "challenge") {
        await this.app.challenges?.challenge({
          to: this.rival,
          card: wish.card,
          side: wish.side,
          rated: wish.rated,
        });
        return this.app.go("/lobby");
      }
      const made = await post("/matches", wish);
      this.app.go(made.invite ?? made.url);
    });
    this.busy = false;
  }

  /** @param {string} kind */
  opponent(kind) {
    switch (kind) {
      case "engine":
        return [t("Computer"), t("Play")];
      case "friend":
        return [t("A friend"), t("Invite a friend")];
      case "hotseat":
        return [t("Same screen"), t("Play")];
      case "challenge":
        return [guestName(this.rival), t("Challenge {name}", { name: guestName(this.rival) })];
      default:
        return [t("Anyone"), t("Find an opponent")];
    }
  }

  /** @param {Variant} variant */
  tile(variant) {
    const chosen = this.matchSetup.variant?.name === variant.name;
    const code = words().language.code;
    const [lang, own = ""] = Object.entries(variant.native ?? {})[0] ?? [];
    // Where the game is at home its own name is its title; elsewhere the title may be that name already.
    const native =
      own && !(code in (variant.native ?? {})) && !variant.title.toLowerCase().includes(own.toLowerCase());
    return html`<li>
      <a
        class="tile"
        href="/play/${variant.name}"
        aria-current=${chosen ? "true" : nothing}
        @click=${(/** @type {MouseEvent} */ event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          this.choose(variant);
        }}
      >
        ${thumbnail(variant.start)}
        <span class="about">
          <h3>${variant.title}${native ? html` <bdi class="native" lang=${lang}>${own}</bdi>` : nothing}</h3>
          <span class="quiet small">${variant.description}</span>
        </span>
      </a>
    </li>`;
  }

  /** The games by what happens to a lone checker. @param {Variant[]} variants */
  families(variants) {
    const about = /** @type {Record<string, [string, string]>} */ ({
      hit: [t("Hitting games"), t("Lone checkers are sent back.")],
      pin: [t("Pinning games"), t("Lone checkers are held where they stand.")],
      block: [t("Running games"), t("Nothing is hit; one checker closes a point.")],
    });
    const names = [...new Set(variants.map(({ family }) => family))];
    return names.map((name) => {
      const [title, line] = about[name] ?? [name, ""];
      return html`<section class="family" aria-labelledby="family-${name}">
        <div class="label"><h3 id="family-${name}">${title}</h3> <span class="quiet small">${line}</span></div>
        <ul class="tiles">${repeat(
          variants.filter(({ family }) => family === name),
          (variant) => variant.name,
          (variant) => this.tile(variant),
        )}</ul></section>`;
    });
  }

  /** The games as they are near to the visitor, by the language of the page and those of their browser. */
  get near() {
    return nearest(this.variants ?? [], [words().language.code, ...navigator.languages]);
  }

  /** A few games, the chosen one among them, and all on demand. */
  games() {
    const { near, all, wanted } = this;
    const chosen = this.matchSetup.variant?.name;
    const few = near.slice(0, NEAR);
    if (!few.some(({ name }) => name === chosen))
      few.splice(NEAR - 1, 1, ...near.filter(({ name }) => name === chosen));
    const found = all ? named(/** @type {Variant[]} */ (this.variants), wanted) : few;
    return html`<section class="games" aria-labelledby="games">
      <div class="label">
        <h2 id="games">${t("The games")}</h2>
        <button class="all" aria-expanded=${String(all)} @click=${() => this.showAll(!all)}>${
          all ? t("Fewer games") : t("All games ({n})", { n: near.length })
        }</button>
        ${
          all
            ? html`<input
              type="search"
              aria-label=${t("Name of a game")}
              placeholder=${t("Name of a game")}
              .value=${wanted}
              @input=${(/** @type {Event} */ event) =>
                (this.wanted = /** @type {HTMLInputElement} */ (event.target).value)}
            >`
            : nothing
        }
      </div>
      ${
        all
          ? found.length
            ? this.families(found)
            : html`<p class="quiet" role="status">${t("No game is called that.")}</p>`
          : html`<ul class="tiles">${repeat(
              few,
              (variant) => variant.name,
              (variant) => this.tile(variant),
            )}</ul>`
      }
    </section>`;
  }

  /** @param {boolean} all */
  showAll(all) {
    this.all = all;
    this.wanted = "";
  }

  /** The module of the details is loaded when they are opened. */
  async unfold() {
    const part = await this.loadPart(import("../match-setup-details.js"));
    if (part) this.details = part.details;
  }

  setup() {
    const { matchSetup, kind } = this;
    const { variant } = matchSetup;
    if (!variant) return nothing;
    const action = this.opponent(kind)[1];
    const level = kind === "engine" ? levelName(matchSetup.level) : "";
    return html`<form class="setup card" @submit=${this.play} aria-labelledby="chosen">
      <div class="agreed">
        <div>
          <h2 id="chosen">${variant.title}</h2>
          <p class="quiet small">
            ${variant.description} <a href="/rules/${variant.name}">${t("Rules")}</a> ·
            <a href="/learn/first-${variant.name}">${t("Never played? The first steps")}</a>
          </p>
        </div>
        <fieldset class="field">
          <legend>${t("Opponent")}</legend>
          <div class="segments two">
            ${(this.rival ? ["challenge", ...OPPONENTS] : OPPONENTS).map(
              (each) =>
                html`<label><input
                    type="radio"
                    name="kind"
                    value=${each}
                    .checked=${each === kind}
                    @change=${() => (this.kind = each)}
                  >${this.opponent(each)[0]}</label>`,
            )}
          </div>
        </fieldset>
        ${kind === "engine" ? matchSetup.levels() : nothing} ${matchSetup.length()}
        <details class="rules-card" ?open=${this.place.query.has("card")} @toggle=${this.unfold}>
          <summary>
            ${kind === "engine" ? t("Style, clock, dice and house rules") : t("Clock, dice and house rules")}
            <span class="quiet small">${matchSetup.summary()}</span>
          </summary>
          <div class="stack">${this.details?.(matchSetup, kind, this.app.user?.kind === "guest")}</div>
        </details>
      </div>
      <div class="start">
        <button class="pri big" ?disabled=${this.busy}>${action}</button>
        ${
          level
            ? html`<p class="small quiet center">${t("Against the computer, level “{level}”", { level })}</p>`
            : nothing
        }
      </div>
    </form>`;
  }

  /** What is begun by one tap: the last choice, and its place for another one. @param {Variant} variant */
  lastChoice(variant) {
    const { matchSetup, kind } = this;
    const against =
      kind === "engine"
        ? t("Against the computer, level “{level}”", { level: levelName(matchSetup.level) })
        : this.opponent(kind)[0];
    return html`<form class="again" @submit=${this.play}>
      <button class="pri" ?disabled=${this.busy}><span><b>${t("Play {game}", { game: variant.title })}</b>
        <span class="small">${contestOf(matchSetup.code(variant, kind))} · ${against}</span></span></button>
      <button type="button" class="change" @click=${() => this.choose(variant)}>${t("Change")}</button>
      <a class="small" href="/learn/first-${variant.name}">${t("Never played? The first steps")}</a></form>`;
  }

  /** Who is here, once the lobby has answered. */
  people() {
    if (!this.counts?.people) return nothing;
    const { people, playing } = this.counts;
    return html`<span class="quiet small">${tn("{n} person is here", "{n} people are here", people)} ·
      ${tn("{n} is playing", "{n} are playing", playing)}</span>`;
  }

  render() {
    const { variants } = this;
    const { variant } = this.matchSetup;
    if (!variants || !variant) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div
      class="page home ${this.choosing ? "choosing" : ""}"
      data-material=${settings.prefs.material}
    >
      <div class="hero">
        <div class="board-column">
          <ssb-daily-position
            game=${this.choosing ? variant.name : ""}
            @ssb-shown=${this.settle}
            @ssb-standing=${(/** @type {CustomEvent} */ { detail }) => (this.daily = detail)}
          ></ssb-daily-position>
          ${this.worded ? html`<ssb-practice-today .daily=${this.daily}></ssb-practice-today>` : nothing}
          <p class="beside-link">
            <a href="/table">${t("Beside a real board")}</a>:
            ${t("clock, dice, score and record for people who play on wood")}<br>
            <a href="/chouette">${t("Chouette")}</a>: ${t("three to ten people at one board")}<br>
            <a href="/local">${t("Play in this browser")}</a>:
            ${t("against the computer, without a server, offline too")}
          </p>
        </div>
        <div class="start-column">
          <div>
            <h1>${t("The whole backgammon family")}</h1>
            <p class="lead">
              ${tn(
                "{n} game, with dice that nobody can know and anyone can check.",
                "{n} games, with dice that nobody can know and anyone can check.",
                variants.length,
              )}
            </p>
          </div>
          ${
            this.choosing
              ? this.setup()
              : html`${this.lastChoice(variant)}
                <p class="label"><a class="button" href="/lobby">${t("Find an opponent")}</a> ${this.people()}</p>`
          }
          ${this.worded ? html`<ssb-ongoing-games></ssb-ongoing-games>` : nothing}
        </div>
      </div>
      ${this.worded ? html`<ssb-next-tournament></ssb-next-tournament>` : nothing}
      ${this.ready ? this.games() : nothing}
    </div>`;
  }
}

customElements.define("ssb-home", Home);
