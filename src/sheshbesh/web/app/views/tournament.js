/** One tournament: terms and entry before it, one's own match and the standings while it runs, the podium after. */

import { readNumber, t, tn, words } from "../../i18n/i18n.js";
import { ApiError, del, gameTitles, get, pause, post } from "../api.js";
import { guestName } from "../names.js";
import { NewsConnection } from "../news-connection.js";
import { signIn } from "../router.js";
import { bracketList, entrantName, pairingsTable, soughtTable, standingsTable } from "../tournament/parts.js";
import { entrantsCard, logCard, termsCard } from "../tournament/terms.js";
import { away, clockText, placeText, scoreText, statusName, titleOf } from "../tournament/words.js";
import { backoff } from "../traffic.js";
import "../living-board.js";
import "../notices.js";
import { repeat } from "../../vendor/lit.js";
import { chat } from "../table/chat.js";
import { html, named, nothing, states, View } from "../view.js";

/**
 * @import { Brackets, OwnLine, OwnPlace, Pairing, Pairings, PodiumReview, Said, Standings } from "../wire.js"
 * @import { TournamentNews, WholeTournament } from "../wire.js"
 */

/** The match to whose board this browser tab was brought last. */
const CALLED = "sheshbesh-called";
/** How many boards of those who lead are shown as they are played. */
const BOARDS = 6;
/** The pairings of which one answer has no more. */
const PART = 500;
/** How often something is read from its start, where it changes meanwhile. */
export const ATTEMPTS = 5;
/** Seconds of notice before a board opens by itself. */
const NOTICE = 5;
/** Seconds before the start from which on it is counted down. */
const SOON = 900;

export class Tournament extends View {
  static properties = states(
    "found",
    "own",
    "standings",
    "bracket",
    "pairings",
    "page",
    "left",
    "opensIn",
    "talk",
    "reviews",
    "played",
  );

  constructor() {
    super();
    /** What is shown, once it is loaded. */
    this.found = /** @type {WholeTournament} */ (/** @type {unknown} */ (null));
    /** The titles of games in the reader's language. @type {Map<string, string>} */
    this.titles = new Map();
    /** @type {Standings | null} */
    this.standings = null;
    /** One's own line of the standings, wherever it stands. @type {OwnLine | null} */
    this.own = null;
    /** @type {Brackets | null} */
    this.bracket = null;
    /** @type {Pairings | null} */
    this.pairings = null;
    /** @type {Pairings | null} */
    this.results = null;
    this.page = 1;
    /** Seconds until the start, in the quarter of an hour before it; null at other times. @type {number | null} */
    this.left = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.counting = undefined;
    /** Seconds until the board of this player opens; null where it does not. @type {number | null} */
    this.opensIn = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.opening = undefined;
    /** @type {Said[]} */
    this.talk = [];
    /** The reviews of the podium's matches. @type {PodiumReview[]} */
    this.reviews = [];
    /** All matches, where they were asked for. @type {Pairings | null} */
    this.played = null;
    /** Whether more of them are being read. */
    this.readingPlayed = false;
    /** @type {NewsConnection | null} */
    this.connection = null;
    /** Whether it is being read anew, and whether that has to be done once more. */
    this.reading = false;
    this.again = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get id() {
    return this.place.params.id;
  }

  get path() {
    return `/tournaments/${encodeURIComponent(this.id)}`;
  }

  get heading() {
    return this.found ? titleOf(this.found) : t("Tournament");
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.connection?.close();
    clearTimeout(this.timer);
    clearInterval(this.counting);
    clearInterval(this.opening);
    this.timer = undefined;
  }

  /** Open the board of this player in a moment, once for each match: who comes back from it stays. */
  callToBoard() {
    const pairing = this.found.me?.pairing;
    // It may be decided or annulled meanwhile.
    if (this.opensIn !== null && pairing?.match !== sessionStorage.getItem(CALLED)) this.stay();
    if (!pairing?.url || !pairing.match || sessionStorage.getItem(CALLED) === pairing.match) return;
    sessionStorage.setItem(CALLED, pairing.match);
    const { url } = pairing;
    clearInterval(this.opening);
    this.opensIn = NOTICE;
    this.opening = setInterval(() => {
      this.opensIn = (this.opensIn ?? 1) - 1;
      if (this.opensIn > 0) return;
      this.stay();
      this.app.go(url);
    }, 1000);
  }

  stay() {
    clearInterval(this.opening);
    this.opensIn = null;
  }

  /** Count the last quarter of an hour before the start down. */
  countDown() {
    clearInterval(this.counting);
    const { starts, began, now } = this.found;
    const ahead = Date.now() - now; // of the clock here before that of the site
    const count = () => {
      const left = starts && !began ? Math.ceil((starts + ahead - Date.now()) / 1000) : 0;
      this.left = left > 0 && left <= SOON ? left : null;
    };
    count();
    if (starts && !began) this.counting = setInterval(count, 1000);
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    await this.refresh();
    if (!this.isConnected || !this.found) return;
    this.app.updateTitle();
    this.connection = new NewsConnection(`tournament/${this.id}`);
    this.connection.addEventListener("open", () => void this.readTalk());
    this.connection.addEventListener("message", (event) => {
      const { t: kind, d } = /** @type {CustomEvent} */ (event).detail;
      if (kind === "tournament") this.hear(d);
      if (kind === "chat") this.talk = joinTalk(this.talk, [d]);
    });
    this.connection.open();
    await this.seek();
  }

  /** Go to the pairing that the address names: among those being played, else in the list of all. */
  async seek() {
    const sought = soughtTable();
    if (!sought || !this.found.began) return;
    if (!this.pairings?.pairings.some(({ number }) => number === sought)) {
      await this.attempt(async () => (this.played = await this.pairingsOf(sought)));
      this.querySelector("details.all")?.setAttribute("open", "");
    }
    await this.updateComplete;
    this.querySelector(".pairings [aria-current]")?.scrollIntoView({ block: "center" });
  }

  async readTalk() {
    const read = await get(`${this.path}/chat`).catch(() => null);
    // Beside what was heard while it was read.
    if (read) this.talk = joinTalk(this.talk, read);
  }

  /**
   * Read at once what concerns this player; anything else a little later, so that not everybody who
   * looks on asks at the same moment.
   *
   * @param {TournamentNews} news
   */
  hear(news) {
    this.own = news.near.find(({ number }) => number === news.me?.number) ?? null;
    if (news.n === this.found?.n && !this.problem) return;
    if (news.status !== this.found?.status || ownPlace(news.me) !== ownPlace(this.found?.me)) {
      void this.refresh();
    } else {
      this.readLater();
    }
  }

  /** How often it is read, where it changes between its parts, until they are of one state. */
  get attempts() {
    return 1;
  }

  /**
   * The results that are shown here; none but at the desk.
   * @param {WholeTournament} _found
   * @returns {Promise<Pairings | null> | undefined}
   */
  readResults(_found) {
    return undefined;
  }

  async refresh() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    let isWhole = false;
    let attempt = 0;
    do {
      this.again = isWhole = false;
      const found = await this.load(get(this.path));
      if (!found) break;
      const parts = await Promise.all([
        this.load(get(`${this.path}/standings?page=${this.page}`)),
        found.has_brackets ? this.load(get(`${this.path}/bracket`)) : undefined,
        this.load(get(`${this.path}/pairings?live=1`)),
        this.readResults(found),
        isPlayed(found) ? this.load(get(`${this.path}/reviews`)) : undefined,
      ]);
      isWhole = !parts.includes(null);
      const [standings, bracket, pairings, results, reviews] = parts;
      const isTorn = [standings, bracket, pairings, results].some((part) => part && part.n > found.n);
      if (isTorn && ++attempt < this.attempts) {
        this.again = true;
        continue;
      }
      // What was not reached this time stays as it was known.
      this.found = found;
      this.standings = standings ?? this.standings;
      this.bracket = bracket ?? this.bracket;
      this.pairings = pairings ?? this.pairings;
      this.results = results ?? this.results;
      this.reviews = reviews ?? this.reviews;
      this.countDown();
      this.callToBoard();
      if (this.played && !(await this.readPlayedAnew())) isWhole = false;
    } while (this.again && this.isConnected);
    this.reading = false;
    // No news need come of what was not reached, nor of standings that follow those of a large field, a second old.
    const isOld = !isWhole || (this.standings && this.standings.n < this.found.n);
    if (this.isConnected && this.found && isOld) this.readLater();
  }

  /** Read it again in a few seconds. */
  readLater() {
    this.timer ??= setTimeout(() => void this.refresh(), 3000 + 4000 * Math.random());
  }

  /** @param {() => Promise<unknown>} work */
  async act(work) {
    if (await this.attempt(work)) await this.refresh();
  }

  /** Do something at once. @param {import("../tournament/director_actions.js").Action} action */
  async decide(action) {
    const fields = { ...action.fields };
    if (action.points) {
      const given = prompt(`${action.text}. ${t("How many points?")}`, "1");
      if (given === null) return;
      fields.points = readNumber(given);
      if (!(readNumber(given) > 0)) return this.app.toast(t("Give the points as a number above 0."));
    }
    if (action.reason) {
      const reason = prompt(`${action.text}. ${t("Give the reason, which everybody reads:")}`)?.trim();
      if (!reason) return;
      fields.reason = reason;
    } else if (action.ask && !confirm(action.ask)) return;
    const key = this.found.n;
    const send = () =>
      post(`${this.path}/director/${action.kind}`, { ref: crypto.randomUUID(), key, fields });
    const annulled = t(
      "Later matches depend on this. Annul those that have not begun, with their penalty points, and pair anew?",
    );
    await this.act(async () => {
      try {
        await send();
      } catch (error) {
        const isLate = error instanceof ApiError && error.rule === "director.too_late";
        if (!isLate || action.kind !== "correct" || !confirm(`${action.text}. ${annulled}`)) throw error;
        fields.anew = true;
        await send();
      }
    });
  }

  async join() {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const share = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const full = this.found.settings.limit && this.found.counts.entered >= this.found.settings.limit;
    await this.act(() => post(`${this.path}/entry`, { share, waiting: Boolean(full) }));
  }

  /**
   * Read something in parts that are all of one state: from the start again, after a pause, where it has changed
   * between two of them.
   * @template {{n: number}} Part
   * @param {(before: Part[]) => Promise<Part> | null} read the part that follows, null after the last
   * @param {Part[]} [known] the first ones, as far as they were read
   * @returns {Promise<Part[]>}
   */
  async readParts(read, known = []) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt) await pause(backoff(attempt, Math.random()) / 1000);
      /** @type {Part[]} */
      const parts = attempt ? [] : [...known];
      let next = read(parts);
      while (next) {
        parts.push(await next);
        next = parts.at(-1)?.n === parts[0].n ? read(parts) : null;
      }
      if (parts.every(({ n }) => n === parts[0].n)) return parts;
    }
    throw new ApiError(409, "changed", t("Results came in while this was read. Try again."));
  }

  /**
   * All matches that were made, in their order, read in parts until there are enough.
   * @param {number} least how many are enough; the answer has fewer only where no more were made
   * @param {Pairings | null} [known] the first ones, as far as they were read
   * @returns {Promise<Pairings>}
   */
  async pairingsOf(least, known = null) {
    const count = (/** @type {Pairings[]} */ parts) =>
      parts.reduce((sum, { pairings }) => sum + pairings.length, 0);
    const next = async (/** @type {number} */ after) => {
      const found = await get(`${this.path}/pairings?after=${after}`);
      return { ...found, more: found.pairings.length >= PART };
    };
    const parts = await this.readParts(
      (before) => {
        const last = before.at(-1);
        if (last && (!last.more || count(before) >= least)) return null;
        return next(last?.pairings.at(-1)?.number ?? 0);
      },
      known ? [known] : [],
    );
    return {
      n: parts[0].n,
      pairings: parts.flatMap(({ pairings }) => pairings),
      names: Object.assign({}, ...parts.map(({ names }) => names)),
      breaks: Object.assign({}, ...parts.map(({ breaks }) => breaks)),
      more: parts.at(-1)?.more,
    };
  }

  /** Read the next part of all matches. */
  async readPlayed() {
    if (this.readingPlayed) return;
    this.readingPlayed = true;
    const least = (this.played?.pairings.length ?? 0) + 1;
    await this.attempt(async () => (this.played = await this.pairingsOf(least, this.played)));
    this.readingPlayed = false;
  }

  /**
   * Read the list of all matches again, as far as it was read before; forget it where it is closed. False if it could
   * not be read.
   */
  async readPlayedAnew() {
    if (this.readingPlayed) return true;
    this.readingPlayed = true;
    const shown = this.played?.pairings.length ?? 0;
    const isOpen = this.querySelector("details.all[open]");
    const found = isOpen ? await this.load(this.pairingsOf(shown)) : undefined;
    if (found !== null) this.played = found ?? null;
    this.readingPlayed = false;
    return found !== null;
  }

  /** @param {number} page */
  turn(page) {
    this.page = page;
    void this.refresh();
  }

  // Parts

  /** What this player is in the tournament, and what they can do. */
  mine() {
    const { found } = this;
    const { me, status } = found;
    const may = (/** @type {string} */ kind) => found.allowed.includes(kind);
    const entered = me && me.status !== "out";
    const { user } = this.app;
    const pairing = me?.pairing;
    const name = (/** @type {number} */ number) => guestName(this.pairings?.names[number] ?? "");
    const isGuest = user?.kind === "guest";
    const barred = isGuest && found.settings.who !== "guests";
    const open = status === "open" || status === "check_in" || (status === "running" && found.late_entry);
    const hasEnded = isPlayed(found) || status === "cancelled";
    if (!pairing && (hasEnded || (!me && !open && this.left === null))) return nothing;
    return html`<section class="card stack" aria-live="polite">
      <h2>${t("You")}</h2>
      ${
        this.left === null
          ? nothing
          : html`<p class="countdown" aria-live="off">
            ${t("Starts in {time}", { time: clockText(this.left) })}
          </p>`
      }
      ${
        pairing
          ? html`<p>
              <b>${t("Your match: {white} – {black}", {
                white: name(pairing.white),
                black: name(pairing.black),
              })}</b>
            </p>
            ${
              pairing.deadline
                ? html`<p>${t("Both are awaited at the board: {time}", { time: away(pairing.deadline) })}</p>`
                : nothing
            }
            ${
              pairing.url
                ? html`<p class="row">
                  <a class="button pri" href=${pairing.url}>${t("To the board")}</a>
                  ${
                    this.opensIn === null
                      ? nothing
                      : html`<span>${t("The board opens in {n} s.", { n: this.opensIn })}</span>
                        <button @click=${() => this.stay()}>${t("Stay here")}</button>`
                  }
                </p>`
                : html`<p>${t("Play at table {n} and hand in the result sheet.", { n: pairing.number })}</p>`
            }`
          : nothing
      }
      ${
        entered
          ? html`<p>
            ${
              me.status === "waiting"
                ? t("You are on the waiting list.")
                : me.paused
                  ? t("You are paused and are not paired.")
                  : status === "running"
                    ? pairing
                      ? nothing
                      : t("You wait for your next opponent.")
                    : status === "confirming" || status === "over"
                      ? nothing
                      : t("You are entered.")
            }
          </p>`
          : me?.why
            ? html`<p>${t("You are out of this tournament.")}</p>`
            : nothing
      }
      <div class="row">
        ${
          !entered && open && !barred && may("enter")
            ? html`<button class="pri" @click=${() => void this.join()}>
              ${isGuest ? t("Join as {name}", { name: guestName(user?.name ?? "") }) : t("Join")}
            </button>`
            : nothing
        }
        ${
          me && me.status === "entered" && may("check_in")
            ? html`<button class="pri" @click=${() => void this.act(() => post(`${this.path}/check-in`))}>
              ${t("Check in")}
            </button>`
            : nothing
        }
        ${
          entered && status === "running" && may("pause") && !me.paused
            ? html`<button @click=${() => void this.act(() => post(`${this.path}/pause`))}>${t("Pause")}</button>`
            : nothing
        }
        ${
          entered && me.paused && may("resume")
            ? html`<button class="pri" @click=${() => void this.act(() => del(`${this.path}/pause`))}>
              ${t("Go on")}
            </button>`
            : nothing
        }
        ${
          entered && may("leave")
            ? html`<button @click=${() => void this.leave()}>
              ${status === "running" ? t("Withdraw from the tournament") : t("Leave")}
            </button>`
            : nothing
        }
      </div>
      ${
        open && !entered && barred
          ? html`<p><a class="button" href=${signIn(this.place)}>${t("Sign in to join")}</a></p>`
          : nothing
      }
      ${
        open && !entered
          ? html`<p class="small quiet">${t("One person enters with one account.")}</p>`
          : nothing
      }
    </section>`;
  }

  async leave() {
    const running = this.found.status === "running" && this.found.system !== "arena";
    if (running && !confirm(t("Withdraw for good? Your match and those to come are lost."))) return;
    await this.act(() => del(`${this.path}/entry`));
  }

  /** The boards of those who lead, as they are played. */
  livingBoards() {
    const place = new Map(this.standings?.rows.map(({ entrant, place }) => [entrant.number, place]));
    const { names = {}, pairings = [] } = this.pairings ?? {};
    const rank = (/** @type {Pairing} */ each) =>
      Math.min(place.get(each.white) ?? Infinity, place.get(each.black) ?? Infinity);
    const first = pairings
      .filter(({ match, status }) => match && status === "live")
      .sort((one, other) => rank(one) - rank(other) || one.number - other.number)
      .slice(0, BOARDS);
    if (!first.length) return nothing;
    const player = (/** @type {number} */ number) => ({ name: names[number] ?? "", level: null });
    return html`<ul class="live">
      ${repeat(
        first,
        ({ match }) => match,
        ({ match, url, white, black }) => html`<li>
          <a class="tile" href=${url}>
            <ssb-living-board
              .game=${{
                id: match,
                players: { white: player(white), black: player(black) },
                score: null,
              }}
            ></ssb-living-board>
          </a>
        </li>`,
      )}
    </ul>`;
  }

  podium() {
    if (!isPlayed(this.found) || this.page !== 1) return nothing;
    const first = (this.standings?.rows ?? []).filter(
      (row) => row.place <= 3 && (!row.bracket || row.bracket === "main" || row.bracket === "final"),
    );
    if (!first.length) return nothing;
    return html`<section class="card podium">
      <h2>${t("Podium")}</h2>
      <ul class="plain">
        ${first.map(
          (row) =>
            html`<li>
              <span class="quiet"><bdi>${placeText(row)}</bdi>.</span> <b>${entrantName(row.entrant)}</b>
              ${row.score ? html`<span class="quiet">${scoreText(row.score)}</span>` : nothing}
            </li>`,
        )}
      </ul>
      ${
        this.found.status === "confirming"
          ? html`<p class="small quiet">
            ${t("These standings are to be confirmed by the director, or stand by themselves after a day.")}
          </p>`
          : nothing
      }
      <p><button @click=${() => this.copy(this.resultText(first))}>${t("Copy the result")}</button></p>
      ${this.reviews.length ? this.podiumReviews() : nothing}
    </section>`;
  }

  /** The podium and the address as text, to be posted elsewhere. @param {Standings["rows"]} first */
  resultText(first) {
    const places = first.map((row) => `${placeText(row)}. ${guestName(row.entrant.name)}`);
    return [titleOf(this.found), ...places, location.origin + this.found.url].join("\n");
  }

  /** The matches of the podium as the engine judges them. */
  podiumReviews() {
    const rate = (/** @type {{rate: number} | null} */ found) => (found ? words().number(found.rate) : "");
    const player = (/** @type {PodiumReview} */ each, /** @type {"white" | "black"} */ side) =>
      html`${named(guestName(each.players[side]))} <bdi class="quiet">${rate(each.rates[side])}</bdi>`;
    return html`<h3>${t("Reviews")}</h3>
      <ul class="plain">
        ${this.reviews.map(
          (each) =>
            html`<li class="row">
              <span>${player(each, "white")} – ${player(each, "black")}</span>
              ${
                each.url
                  ? html`<a class="button" href=${each.url}>${t("Review")}</a>`
                  : html`<span class="small quiet">${t("is being reviewed")}</span>`
              }
            </li>`,
        )}
      </ul>
      <p class="small quiet">${t("The numbers are error rates: the lower, the better.")}</p>`;
  }

  /** Everybody's matches, read when they are asked for. */
  allMatches() {
    const { found, played } = this;
    if (!found.began) return nothing;
    const open = (/** @type {Event} */ event) => {
      if (/** @type {HTMLDetailsElement} */ (event.target).open && !this.played) void this.readPlayed();
    };
    return html`<details class="card all" @toggle=${open}>
      <summary><h2>${t("All matches")}</h2></summary>
      ${played ? pairingsTable(played.pairings, played.names) : nothing}
      ${
        played?.more
          ? html`<p><button @click=${() => void this.readPlayed()}>${t("More")}</button></p>`
          : nothing
      }
    </details>`;
  }

  /** What is said; directors and moderators let somebody say nothing more. */
  talking() {
    const { found } = this;
    if (!this.talk.length && !found.may_write) return nothing;
    const say = (/** @type {object} */ said) => void this.attempt(() => post(`${this.path}/chat`, said));
    const mute = (/** @type {Said} */ { id, by }) => {
      if (!id || !found.allowed.includes("mute")) return nothing;
      const on = !found.muted.includes(id);
      const name = guestName(by);
      const text = on ? t("Mute {name} in this tournament", { name }) : t("Let {name} write again", { name });
      return html`<button class="quiet small" @click=${() =>
        void this.decide({
          kind: "mute",
          text,
          reason: true,
          fields: { id, on },
        })}>${text}</button>`;
    };
    return html`<section class="card stack talk">
      <h2>${t("Chat")}</h2>
      ${chat(this.talk, guestName, found.may_write ? say : null, mute)}
    </section>`;
  }

  pages() {
    const { standings } = this;
    if (!standings || standings.pages < 2) return nothing;
    return html`<p class="row">
      <button ?disabled=${this.page < 2} @click=${() => this.turn(this.page - 1)}>${t("Back")}</button>
      <span>${t("Page {n} of {all}", { n: this.page, all: standings.pages })}</span>
      <button ?disabled=${this.page >= standings.pages} @click=${() => this.turn(this.page + 1)}>
        ${t("Next")}
      </button>
    </p>`;
  }

  render() {
    const { found } = this;
    if (!found) return html`<div class="page">${this.waiting()}</div>`;
    const directs = found.allowed.some((/** @type {string} */ kind) =>
      ["announce", "enter_result", "hold", "confirm", "message"].includes(kind),
    );
    const live = this.pairings?.pairings ?? [];
    const isComing = found.me && found.me.status !== "out" && !found.began;
    return html`<div class="page tournament">
      <h1>${named(titleOf(found))}</h1>
      <p class="lead row">
        <span class="badge">${statusName(found.status)}</span>
        ${found.held ? html`<span class="badge">${t("held by the director")}</span>` : nothing}
        ${
          found.round && found.rounds
            ? html`<span>${t("Round {n} of {all}", { n: found.round, all: found.rounds })}</span>`
            : nothing
        }
        <span>${tn("{n} entered", "{n} entered", found.counts.entered)}</span>
        <span class="spring"></span>
        ${directs ? html`<a class="button" href=${`${found.url}/desk`}>${t("Director’s desk")}</a>` : nothing}
      </p>
      <div class="sides">
        <div class="stack">
          ${this.mine()}${isComing ? html`<ssb-notices></ssb-notices>` : nothing}
          ${this.podium()}
          ${
            found.began
              ? html`<section class="card">
                <h2>${t("Standings")}</h2>
                ${standingsTable(this.standings, found.system, found.me?.number, this.own)}${this.pages()}
              </section>`
              : nothing
          }
          ${
            found.status === "running"
              ? html`<section class="card">
                <h2>${t("Being played")}</h2>
                ${this.livingBoards()}
                ${pairingsTable(live, this.pairings?.names ?? {})}
              </section>`
              : nothing
          }
          ${this.allMatches()}
        </div>
        ${
          this.bracket
            ? html`<section class="card brackets">
              <h2>${t("Brackets")}</h2>
              ${bracketList(this.bracket)}
            </section>`
            : nothing
        }
        <div class="stack">
          ${termsCard(found, this.titles)}${entrantsCard(found)}${this.talking()}${logCard(found)}
          <p class="small row">
            <a href=${`/api/v1${this.path}/export.csv`} download>${t("Table (CSV)")}</a>
            <a href=${`/api/v1${this.path}/export.json`} download>${t("Record (JSON)")}</a>
            ${
              found.starts
                ? html`<a href=${`/t/${found.id}.ics?lang=${words().language.code}`} download>${t("Calendar file")}</a>`
                : nothing
            }
          </p>
        </div>
      </div>
    </div>`;
  }
}

/** What was said, each once, in its order. @param {Said[]} known @param {Said[]} more */
function joinTalk(known, more) {
  const numbers = new Set(more.map(({ n }) => n));
  return [...known.filter(({ n }) => !numbers.has(n)), ...more].sort((one, other) => one.n - other.n);
}

/** Whether all is played. @param {WholeTournament} found */
const isPlayed = ({ status }) => status === "confirming" || status === "over";

/**
 * What of a player's place in a tournament they have to know at once.
 *
 * @param {OwnPlace | null | undefined} me
 */
function ownPlace(me) {
  return JSON.stringify([me?.pairing ?? null, me?.status ?? null]);
}

customElements.define("ssb-tournament", Tournament);
