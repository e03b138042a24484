/**
 * A real board beside the screen: clock, dice, score and result sheet from this device, and the site as referee for a
 * record.
 */
import { SIDES } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { clockFields } from "../clock-fields.js";
import { pairsOfDice } from "../names.js";
import { freshClocks, gameOver, lateAt, pause, press, resume, takeBreak } from "../scoreboard/clock.js";
import { gameDialog } from "../scoreboard/game-dialog.js";
import { scoreboard } from "../scoreboard/halves.js";
import { follow, gamesOnOffer, recordForm } from "../scoreboard/record.js";
import {
  evening,
  isCrawford,
  lengthName,
  scoreAfter,
  sideName,
  throwDie,
  winnerOf,
} from "../scoreboard/score.js";
import { howWon, resultSheet, scores } from "../scoreboard/sheet.js";
import { nextOf, TableStore } from "../scoreboard/store.js";
import { store } from "../settings.js";
import { play } from "../sounds.js";
import { html, named, nothing, radios, states, View } from "../view.js";

/**
 * @typedef {import("../scoreboard/score.js").Side} Side
 * @typedef {import("../scoreboard/score.js").Match} Match
 * @typedef {import("../scoreboard/store.js").Table} Table
 */

/** How often a running clock is drawn, in ms. */
const TICK = 100;
const LENGTHS = [1, 3, 5, 7, 9, 11, 13];

class ScoreboardView extends View {
  static properties = states("table", "beside", "entering", "ownClock", "games");

  constructor() {
    super();
    this.kept = new TableStore(store);
    this.table = this.kept.read();
    /** Whether the score board beside the real board is shown. */
    this.beside = false;
    /** A game is being entered. */
    this.entering = false;
    this.ownClock = false;
    /** @type {{name: string, title: string}[]} of which a record can be kept; none while there is no connection */
    this.games = [];
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    /** @type {WakeLockSentinel | null} */
    this.awake = null;
    this.onVisible = () => {
      if (document.visibilityState !== "visible") return;
      void follow(this);
      this.onOnline();
      if (this.beside) void this.stayAwake();
    };
    this.onOnline = () => {
      if (!this.games.length) void this.fetch();
    };
  }

  get heading() {
    return t("Beside a real board");
  }

  connectedCallback() {
    super.connectedCallback();
    void follow(this);
    document.addEventListener("visibilitychange", this.onVisible);
    addEventListener("online", this.onOnline);
    this.ticking = setInterval(() => this.tick(), TICK);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.onVisible);
    removeEventListener("online", this.onOnline);
    clearInterval(this.ticking);
    this.open(false);
  }

  async fetch() {
    const games = await gamesOnOffer();
    if (games.length) this.games = games;
  }

  async languageChanged() {
    this.requestUpdate();
    void this.fetch();
    return true;
  }

  /** Change the table and write it down. @param {Partial<Table>} changes */
  set(changes) {
    this.table = { ...this.table, ...changes };
    this.kept.keep(this.table);
  }

  /** @param {Partial<Match>} changes */
  setMatch(changes) {
    const match = { ...this.table.match, ...changes };
    // Until the first turn the clocks are those of the match that is being set up.
    const { clocks, clock } = this.table;
    const untouched = clocks.turn === null && !match.games.length;
    this.set({ match, clocks: untouched ? freshClocks(clock, match.length) : clocks });
  }

  tick() {
    if (!this.beside) return;
    const { clocks, match } = this.table;
    const now = Date.now();
    const late = lateAt(clocks, now);
    if (late && !match.late) {
      play("lost");
      this.set({ clocks: pause(clocks, now), match: { ...match, late } });
    } else if (clocks.rest && now >= clocks.rest.until) {
      play("turn");
      this.set({ clocks: { ...clocks, rest: null } });
    } else if (clocks.since !== null || clocks.rest) this.requestUpdate();
  }

  /** @param {boolean} beside */
  open(beside) {
    this.beside = beside;
    document.body.classList.toggle("playing", beside);
    if (beside) void this.stayAwake();
    else void this.awake?.release().catch(() => {});
  }

  /** The screen is not to go dark while the clocks are looked at; where a browser cannot see to that, it may. */
  async stayAwake() {
    this.awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }

  // What is done beside the board

  /** @param {Side} side */
  press(side) {
    const before = this.table.clocks;
    const clocks = press(before, side, Date.now());
    if (clocks === before) return;
    play("checker");
    navigator.vibrate?.(15);
    this.set({ clocks, dice: { ...this.table.dice, opening: false } });
  }

  /** @param {Side} side */
  roll(side) {
    const { dice } = this.table;
    play("dice");
    this.set({ dice: { ...dice, [side]: [throwDie(), throwDie()], last: side, opening: false } });
  }

  /** One die each, for the first move. */
  throwForFirst() {
    play("dice");
    this.set({ dice: { white: [throwDie()], black: [throwDie()], last: null, opening: true } });
  }

  /** @param {import("../scoreboard/score.js").Game} game */
  finish(game) {
    this.entering = false;
    const { match, clocks } = this.table;
    play("won");
    this.set({
      record: null,
      match: { ...match, games: [...match.games, game] },
      clocks: gameOver(clocks, Date.now()),
      dice: { white: [], black: [], last: null, opening: false },
    });
  }

  /** The last game was entered wrongly. */
  takeBack() {
    const { match } = this.table;
    if (!match.late) return this.setMatch({ games: match.games.slice(0, -1) });
    // The turn in which the time ran out counts as not begun.
    const clocks = { ...this.table.clocks, turn: null, used: 0, since: null };
    this.set({ match: { ...match, late: null }, clocks });
  }

  /** The match is written down in the evening, and another one begins with the same players. */
  nextMatch() {
    this.set(nextOf(this.table));
  }

  /** Everything that was written down goes, but the players' names. */
  clear() {
    if (!confirm(t("Clear the score, the evening and the clocks?"))) return;
    const { match, clock } = this.table;
    this.set({
      record: null,
      evening: [],
      match: { ...match, games: [], late: null, ended: null },
      clocks: freshClocks(clock, match.length),
      dice: { white: [], black: [], last: null, opening: false },
    });
  }

  moves() {
    return {
      press: (/** @type {Side} */ side) => this.press(side),
      roll: (/** @type {Side} */ side) => this.roll(side),
      open: () => this.throwForFirst(),
      stop: () => this.set({ clocks: pause(this.table.clocks, Date.now()) }),
      go: () => this.set({ clocks: resume(this.table.clocks, Date.now()) }),
      rest: (/** @type {Side} */ side) =>
        this.set({ clocks: takeBreak(this.table.clocks, side, Date.now()) }),
      finish: () => {
        this.set({ clocks: pause(this.table.clocks, Date.now()) });
        this.entering = true;
      },
      show: (/** @type {Partial<Table["shows"]>} */ shows) =>
        this.set({ shows: { ...this.table.shows, ...shows } }),
      turn: () => this.set({ facing: !this.table.facing }),
      close: () => this.open(false),
    };
  }

  // The page

  settings() {
    const { match, clock, onePair, shows } = this.table;
    const begun = match.games.length > 0;
    const check = (
      /** @type {string} */ label,
      /** @type {boolean} */ value,
      /** @type {(on: boolean) => void} */ change,
    ) =>
      html`<label class="check"><input type="checkbox" .checked=${value} @change=${(
        /** @type {Event} */ event,
      ) => change(/** @type {HTMLInputElement} */ (event.target).checked)}>${label}</label>`;
    return html`<section class="card stack" aria-labelledby="table-setup">
      <h2 id="table-setup">${t("What is played")}</h2>
      <div class="row">
        ${SIDES.map(
          (side) => html`<div class="field grow">
            <label for="name-${side}"><span class="disc ${side}"></span>
              ${side === "white" ? t("First player") : t("Second player")}</label>
            <input
              id="name-${side}"
              maxlength="20"
              .value=${match.names[side]}
              @input=${(/** @type {Event} */ event) =>
                this.setMatch({
                  names: { ...match.names, [side]: /** @type {HTMLInputElement} */ (event.target).value },
                })}
            >
          </div>`,
        )}
      </div>
      ${radios(
        "length",
        t("Match to"),
        match.length,
        [
          ...LENGTHS.map((n) => /** @type {[number, string]} */ ([n, words().figure(n)])),
          [null, t("No end")],
        ],
        (length) => this.setMatch({ length }),
        { off: begun },
      )}
      ${
        match.length !== null && match.length > 1
          ? radios(
              "by",
              t("Counted by"),
              match.by,
              /** @type {const} */ (["points", "games"]).map((by) => [by, lengthName({ ...match, by })]),
              (by) => this.setMatch({ by }),
              { kind: "two", off: begun },
            )
          : nothing
      }
      ${clockFields(
        clock,
        (code, own) => {
          this.ownClock = own;
          this.set({ clock: code, clocks: freshClocks(code, match.length) });
        },
        { wanted: this.ownClock },
      )}
      ${radios("pairs", t("Pairs of dice"), onePair, pairsOfDice(), (one) => this.set({ onePair: one }), {
        kind: "two",
      })}
      <div class="row">
        ${check(t("Dice from this device"), shows.dice, (dice) => this.set({ shows: { ...shows, dice } }))}
        ${check(t("Show the score"), shows.score, (score) => this.set({ shows: { ...shows, score } }))}
      </div>
      <button class="pri big" @click=${() => this.open(true)}>${t("Lay the screen beside the board")}</button>
      <p class="small quiet">
        ${t(
          "Each taps their own half when the turn is over. Everything is kept on this device and needs no connection.",
        )}
      </p>
    </section>`;
  }

  scoreBoard() {
    const { match, evening: matches, record } = this.table;
    const score = scoreAfter(match);
    const winner = winnerOf(match);
    const over = winner !== null || Boolean(match.ended);
    const entered = match.games.length > 0 || match.late !== null;
    return html`<section class="card stack score-board" aria-labelledby="table-score">
      <h2 id="table-score">${t("Score board")}</h2>
      <p
        class="big-score"
        role="img"
        aria-label="${sideName(match, "white")} ${score.white}, ${sideName(match, "black")} ${score.black}"
      >
        <span>${named(sideName(match, "white"))}</span>
        <b>${scores(score, " – ")}</b>
        <span>${named(sideName(match, "black"))}</span>
      </p>
      <p class="center quiet">
        ${winner ? t("{name} wins the match", { name: sideName(match, winner) }) : lengthName(match)}${
          isCrawford(match) ? ` · ${t("Crawford game")}` : nothing
        }
      </p>
      ${
        match.games.length
          ? html`<ol class="entered">
            ${match.games.map(
              (game) =>
                html`<li>
                  ${game.winner ? named(sideName(match, game.winner)) : "–"} · ${howWon(game)} ·
                  ${tn("{n} point", "{n} points", game.points)}
                </li>`,
            )}
          </ol>`
          : nothing
      }
      ${record ? html`<p class="small quiet">${t("The record of the match keeps this score.")}</p>` : nothing}
      <div class="row">
        ${
          record
            ? html`<a class="button ${over ? "" : "pri"}" href="/m/${encodeURIComponent(record)}">
              ${t("To the match")}
            </a>`
            : nothing
        }
        ${
          over
            ? html`<button class="pri" @click=${() => this.nextMatch()}>${t("Next match")}</button>`
            : record
              ? html`<button @click=${() => this.set({ record: null })}>${t("Go on by hand")}</button>`
              : html`<button class="pri" @click=${() => (this.entering = true)}>${t("Enter a game")}</button>
                ${
                  match.length === null && entered
                    ? html`<button @click=${() => this.nextMatch()}>${t("Next match")}</button>`
                    : nothing
                }`
        }
        <button ?disabled=${!entered || record !== null} @click=${() => this.takeBack()}>
          ${t("Take back the last entry")}
        </button>
        <button ?disabled=${!entered && !matches.length} @click=${() => this.clear()}>
          ${t("Clear everything")}
        </button>
      </div>
      ${matches.length ? this.evening(matches) : nothing}
    </section>`;
  }

  /** The matches before this one. @param {Match[]} matches */
  evening(matches) {
    return html`<h3>${t("This evening")}</h3>
      <p>
        ${evening(matches).map(
          ([name, won], i) =>
            html`${i ? " · " : ""}${named(name.trim() || t("No name"))}: ${tn("{n} match", "{n} matches", won)}`,
        )}
      </p>
      <ol class="entered">
        ${matches.map((match) => {
          const score = scoreAfter(match);
          const winner = winnerOf(match);
          return html`<li>
            ${named(sideName(match, "white"))} ${scores(score)} ${named(sideName(match, "black"))}
            ${winner ? ` · ${t("{name} wins the match", { name: sideName(match, winner) })}` : ""}
            ${match.late ? ` · ${t("on time")}` : ""}
          </li>`;
        })}
      </ol>`;
  }

  render() {
    const { table } = this;
    const dialog = this.entering
      ? gameDialog(
          table.match,
          (game) => this.finish(game),
          () => (this.entering = false),
        )
      : nothing;
    if (this.beside) return html`${scoreboard(table, Date.now(), this.moves())}${dialog}`;
    return html`<div class="page table-page">
      <h1>${t("Beside a real board")}</h1>
      <p class="lead">
        ${t(
          "For people who play on wood: two clocks, dice, the score and the result sheet from this " +
            "device, or the site as a referee that keeps the record.",
        )}
      </p>
      <div class="sides">
        <div class="stack">${this.settings()}</div>
        <div class="stack">${this.scoreBoard()}${recordForm(this)}</div>
      </div>
      <section class="card sheet-card">
        ${resultSheet(table, (heading) => this.set({ heading: { ...table.heading, ...heading } }))}
        <button class="print" @click=${() => print()}>${t("Print the sheet")}</button>
      </section>
      ${dialog}
    </div>`;
  }
}

customElements.define("ssb-scoreboard", ScoreboardView);
