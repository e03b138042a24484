/** The director's desk: who is late, results from sheets, decisions, messages, and what is printed. */

import { t, words } from "../../i18n/i18n.js";
import { get, post } from "../api.js";
import { guestName } from "../names.js";
import {
  entrantActions,
  pairingActions,
  playoffActions,
  wholeActions,
} from "../tournament/director_actions.js";
import { bracketSheets, resultSheets } from "../tournament/director_print.js";
import { ResultQueue, remember, remembered } from "../tournament/director_queue.js";
import { pairingsTable, standingsTable } from "../tournament/parts.js";
import { away, statusName, titleOf, when } from "../tournament/words.js";
import { html, named, nothing, states } from "../view.js";
import { ATTEMPTS, Tournament } from "./tournament.js";

/** @import { Pairing, Pairings, WholeTournament } from "../wire.js" */

/** The results of so many pairings are listed where there are no rounds. */
const LATEST = 200;

/** Whether pairings are made as soon as two are free, not round by round. @param {WholeTournament} found */
const goesInWaves = (found) => found.has_brackets || found.system === "arena";

class TournamentDesk extends Tournament {
  static properties = states("results", "shownRound", "asOf", "entering", "winner", "printed", "fault");

  constructor() {
    super();
    /** The round whose results are shown; 0 is the present one. */
    this.shownRound = 0;
    /** When what is shown was known, where the server cannot be reached; 0 where it is what there is. */
    this.asOf = 0;
    /** @type {ResultQueue | null} */
    this.queue = null;
    /** The pairing whose result is entered. */
    this.entering = 0;
    this.winner = 0;
    this.printed = "";
    /** The standings that are printed, with all their pages. @type {import("../wire.js").Standings | null} */
    this.whole = null;
    /** The pairings that are printed. @type {Pairings | null} */
    this.sheet = null;
    this.fault = "";
    this.onOnline = () => void this.refresh();
  }

  get heading() {
    return t("Director’s desk");
  }

  connectedCallback() {
    super.connectedCallback();
    this.queue = new ResultQueue(this.id, this.path);
    this.queue.addEventListener("change", () => this.requestUpdate());
    this.queue.addEventListener("refused", (event) => {
      this.app.toast(/** @type {CustomEvent<string>} */ (event).detail);
    });
    this.queue.addEventListener("sent", () => void this.refresh());
    addEventListener("online", this.onOnline);
    void this.queue.sendAll();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("online", this.onOnline);
    this.queue?.close();
  }

  /** A decision on what has changed since it was read would be refused. */
  get attempts() {
    return ATTEMPTS;
  }

  /** @param {WholeTournament} found */
  readResults(found) {
    const round = this.shownRound || found.round;
    const path = goesInWaves(found) ? `/pairings?latest=${LATEST}` : `/rounds/${round}`;
    return round ? this.load(get(`${this.path}${path}`)) : undefined;
  }

  /** Stay: who directs is not taken from the desk. */
  callToBoard() {}

  /** Read at once what has changed: a decision on what is past would be refused. */
  hear() {
    if (this.queue?.sending)
      this.readLater(); // and at once where all are sent
    else void this.refresh();
  }

  /** Read it all; where nobody is reached, show what was known. */
  async refresh() {
    await super.refresh();
    if (this.problem) {
      const known = this.found ? null : remembered(this.id);
      if (known) {
        const { found, standings, bracket, pairings, results } = known;
        Object.assign(this, { found, standings, bracket, pairings, results });
      }
      this.asOf ||= known?.at ?? Date.now();
      return;
    }
    this.asOf = 0;
    const { found, standings, bracket, pairings, results } = this;
    if (!found) return;
    remember(this.id, { at: Date.now(), found, standings, bracket, pairings, results });
    void this.queue?.sendAll();
  }

  /** @param {SubmitEvent} event @param {Pairing} pairing */
  enter(event, pairing) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const lost = Number(given.get("lost") ?? 0);
    const full = this.full(pairing);
    const score = this.winner === pairing.white ? [full, lost] : [lost, full];
    const name = guestName((this.results ?? this.pairings)?.names[this.winner] ?? "");
    if (pairing.result) {
      void this.decide({
        kind: "correct",
        text: t("Correct the result of table {n}", { n: pairing.number }),
        reason: true,
        fields: { pairing: pairing.number, winner: this.winner, score },
      });
      this.entering = this.winner = 0;
      return;
    }
    this.queue?.add({
      ref: crypto.randomUUID(),
      kind: "enter_result",
      fields: { pairing: pairing.number, winner: this.winner, score },
      text: t("Table {n}: {name} wins {score}", {
        n: pairing.number,
        name,
        score: `${words().figure(full)}–${words().figure(lost)}`,
      }),
    });
    this.entering = this.winner = 0;
  }

  /** What the winner of a pairing has. @param {Pairing} pairing */
  full(pairing) {
    const isGames = this.found.card.contest === "games";
    return isGames ? Math.floor(pairing.length / 2) + 1 : pairing.length;
  }

  /** The form for a result: who won, then what the other one has. @param {Pairing} pairing */
  resultForm(pairing) {
    const names = { ...this.pairings?.names, ...this.results?.names };
    const full = this.full(pairing);
    if (this.queue?.waiting.some(({ fields }) => fields.pairing === pairing.number))
      return html`<span class="quiet">${t("entered")}</span>`;
    if (this.entering !== pairing.number)
      return html`<button @click=${() => {
        this.entering = pairing.number;
        this.winner = 0;
      }} aria-label=${
        pairing.result
          ? t("Correct the result of table {n}", { n: pairing.number })
          : t("Enter the result of table {n}", { n: pairing.number })
      }>${pairing.result ? t("Correct") : t("Result")}</button>`;
    if (!this.winner)
      return html`<span class="row">
        ${[pairing.white, pairing.black].map(
          (number) =>
            html`<button class="pri" @click=${() => (this.winner = number)}>
              ${t("{name} won", { name: guestName(names[number] ?? "") })}
            </button>`,
        )}
        <button @click=${() => (this.entering = 0)}>${t("Close")}</button>
      </span>`;
    return html`<form class="row" @submit=${(/** @type {SubmitEvent} */ event) => this.enter(event, pairing)}>
      <label>${t("The other has")} <input name="lost" type="number" min="0" max=${full - 1} value="0" required></label>
      <button class="pri">${t("Enter")}</button>
      <button type="button" @click=${() => (this.entering = 0)}>${t("Close")}</button>
    </form>`;
  }

  /** @param {SubmitEvent} event */
  async addNames(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("names") ?? "");
    this.fault = "";
    try {
      await post(`${this.path}/director/names`, { text, ref: crypto.randomUUID() });
      form.reset();
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
    await this.refresh();
  }

  /** @param {SubmitEvent} event */
  async message(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (!text) return;
    await this.decide({ kind: "message", text: t("Message"), fields: { text } });
    form.reset();
  }

  /** Print one part of the page alone. @param {string} what */
  async print(what) {
    if (what === "standings" && !(await this.attempt(() => this.readAll()))) return;
    if (what === "pairings" && !(await this.attempt(() => this.readRound()))) return;
    this.printed = what;
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll("img")].map((image) => image.decode().catch(() => {})));
    globalThis.print();
    this.printed = "";
  }

  /** Read all of the standings at once, so that they are of one state. */
  async readAll() {
    const isWhole = (this.standings?.pages ?? 1) < 2 || this.asOf;
    this.whole = isWhole ? this.standings : await get(`${this.path}/standings?page=0`);
  }

  /** Read all tables of the present round, whichever is looked at; without a line, what is known of it. */
  async readRound() {
    const { found, pairings, results } = this;
    const isKnown = !this.shownRound || this.shownRound === found.round;
    if (goesInWaves(found) || !found.round) this.sheet = pairings;
    else if (this.asOf) this.sheet = isKnown ? results : pairings;
    else this.sheet = await get(`${this.path}/rounds/${found.round}`);
  }

  /** Make the sheet of the present round: who plays whom and who has the bye, with room for the results. */
  pairingsSheet() {
    const { found, sheet } = this;
    return html`${goesInWaves(found) ? nothing : html`<h2>${t("Round {n}", { n: found.round })}</h2>`}
    ${pairingsTable(
      sheet?.pairings ?? [],
      sheet?.names ?? {},
      () => nothing,
      () => nothing,
    )}`;
  }

  /** What the desk does without a line. */
  lineless() {
    if (!this.asOf && !this.queue?.away) return nothing;
    return html`<p class="notice" role="alert">
      ${t("The server cannot be reached.")}
      ${this.asOf ? t("The desk shows what it knew at {time}.", { time: when(this.asOf) }) : nothing}
      ${t("Results are kept in this browser and sent when the connection is back; decisions have to wait.")}
    </p>`;
  }

  /** The results of a round, to be corrected. */
  decided() {
    const { found, results } = this;
    const decided = (results?.pairings ?? []).filter(({ result, black }) => result && black).reverse();
    if (!found.round || !found.allowed.includes("correct")) return nothing;
    const annul = (/** @type {Pairing} */ pairing) => ({
      kind: "correct",
      text: t("Annul table {n}", { n: pairing.number }),
      reason: true,
      fields: { pairing: pairing.number, annul: true },
    });
    return html`<section class="card">
      <h2>${t("Results")}</h2>
      <label class="row" ?hidden=${goesInWaves(found)}>
        ${t("Round")}
        <select @change=${(/** @type {Event} */ event) => {
          this.shownRound = Number(/** @type {HTMLSelectElement} */ (event.target).value);
          void this.refresh();
        }}>
          ${Array.from({ length: found.round }, (_, index) => found.round - index).map(
            (number) =>
              html`<option value=${number} ?selected=${number === (this.shownRound || found.round)}>
                ${words().figure(number)}
              </option>`,
          )}
        </select>
      </label>
      ${
        decided.length
          ? pairingsTable(
              decided,
              results?.names ?? {},
              (each) => html`<span class="row end acts">
                ${this.resultForm(each)}
                <button @click=${() => void this.decide(annul(each))}>${t("Annul")}</button>
              </span>`,
            )
          : html`<p class="empty">${t("There are no results yet.")}</p>`
      }
    </section>`;
  }

  /** Pairs that are not to meet; what is sent is all of them. */
  keptApart() {
    const { found } = this;
    if (!found.allowed.includes("forbid") || found.entrants.length < 3) return nothing;
    const name = (/** @type {number} */ number) =>
      guestName(found.entrants.find((each) => each.number === number)?.name ?? "");
    const set = (/** @type {number[][]} */ pairs, /** @type {string} */ text) =>
      void this.decide({ kind: "forbid", text, reason: true, fields: { pairs } });
    const add = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const pair = [Number(given.get("one")), Number(given.get("other"))];
      if (pair[0] === pair[1]) return;
      set(
        [...found.forbidden, pair],
        t("Keep {one} and {other} apart", { one: name(pair[0]), other: name(pair[1]) }),
      );
    };
    const choice = (/** @type {string} */ field, /** @type {string} */ label) =>
      html`<label class="field">
        <span class="label">${label}</span>
        <select name=${field}>
          ${found.entrants.map((each) => html`<option value=${each.number}>${guestName(each.name)}</option>`)}
        </select>
      </label>`;
    return html`<details class="card">
      <summary><h2>${t("Kept apart")}</h2></summary>
      <ul class="plain">
        ${found.forbidden.map(
          ([one, other], index) =>
            html`<li class="row">
              <span>${named(name(one))} – ${named(name(other))}</span>
              <button @click=${() =>
                set(
                  found.forbidden.filter((_, each) => each !== index),
                  t("Let {one} and {other} meet", { one: name(one), other: name(other) }),
                )}>${t("Let them meet")}</button>
            </li>`,
        )}
      </ul>
      <form class="stack" @submit=${add}>
        ${choice("one", t("Entrant"))}${choice("other", t("is not to meet"))}
        <button>${t("Keep apart")}</button>
      </form>
    </details>`;
  }

  /** Those who entered from one address. */
  sameAddress() {
    const { found } = this;
    if (!found.same_address.length) return nothing;
    const name = (/** @type {number} */ number) =>
      named(guestName(found.entrants.find((each) => each.number === number)?.name ?? ""));
    return html`<section class="card">
      <h2>${t("Same address")}</h2>
      <ul class="plain">
        ${found.same_address.map(
          (people) =>
            html`<li>${people.map((number, at) => html`${at ? " · " : nothing}${name(number)}`)}</li>`,
        )}
      </ul>
      <p class="small quiet">
        ${t("They entered from the same address, as families and clubs do. Nobody is refused for it.")}
      </p>
    </section>`;
  }

  render() {
    const { found, pairings } = this;
    if (!found) return html`<div class="page">${this.waiting()}</div>`;
    const live = pairings?.pairings ?? [];
    const names = pairings?.names ?? {};
    const isPast = Boolean(found.due_by && found.due_by <= Date.now());
    const late = live.filter((each) => isPast || (each.deadline && each.status === "made"));
    const may = (/** @type {string} */ kind) => found.allowed.includes(kind);
    const isReal = found.settings.boards === "real";
    if (this.printed)
      return html`<div class="page printed">${
        this.printed === "sheets" ? nothing : html`<h1>${named(titleOf(found))}</h1>`
      }${
        this.printed === "sheets"
          ? resultSheets(found, { pairings: live, names, breaks: pairings?.breaks ?? {} }, this.path)
          : this.printed === "pairings"
            ? this.pairingsSheet()
            : this.printed === "bracket"
              ? bracketSheets(this.bracket)
              : standingsTable(this.whole, found.system, undefined)
      }</div>`;
    return html`<div class="page desk">
      <p><a href=${found.url}>${named(titleOf(found))}</a></p>
      <h1>${t("Director’s desk")}</h1>
      <p class="lead row">
        <span class="badge">${statusName(found.status)}</span>
        ${found.due ? html`<span>${t("Next deadline: {time}", { time: when(found.due) })}</span>` : nothing}
      </p>
      ${this.lineless()}
      ${this.queue?.problem ? html`<p class="notice" role="alert">${this.queue.problem}</p>` : nothing}
      ${(this.queue?.waiting ?? []).map(
        (result) =>
          html`<p class="notice row" role="status">
            <span>${result.text}</span>
            ${
              this.queue?.posting === result.ref
                ? nothing
                : html`<button @click=${() => this.queue?.takeBack(result)}>${t("Take back")}</button>`
            }
          </p>`,
      )}
      <div class="sides">
        <div class="stack">
          ${
            late.length
              ? html`<section class="card">
                <h2>${t("Awaited")}</h2>
                <ul class="plain">
                  ${late.map(
                    (each) =>
                      html`<li>
                        ${t("Table {n}", { n: each.number })}: ${named(guestName(names[each.white] ?? ""))} –
                        ${named(guestName(names[each.black] ?? ""))} ·
                        ${away(each.deadline ?? found.due_by ?? found.now)}
                      </li>`,
                  )}
                </ul>
              </section>`
              : nothing
          }
          <section class="card">
            <h2>${t("Being played")}</h2>
            ${pairingsTable(
              live,
              names,
              (each) => html`<span class="row end acts">
                ${
                  may("enter_result") && isReal
                    ? this.resultForm(each)
                    : each.url
                      ? html`<a class="button" href=${each.url}>${t("Watch")}</a>`
                      : nothing
                }
                <details>
                  <summary>${t("Ruling")}</summary>
                  <span class="stack">
                    ${pairingActions(found.allowed, each, names).map(
                      (action) =>
                        html`<button @click=${() => void this.decide(action)}>${action.text}</button>`,
                    )}
                  </span>
                </details>
              </span>`,
            )}
          </section>
          ${this.decided()}
          ${
            found.began
              ? html`<section class="card">
                <h2>${t("Standings")}</h2>
                ${standingsTable(this.standings, found.system, undefined)}${this.pages()}
              </section>`
              : nothing
          }
        </div>
        <div class="stack">
          <section class="card stack">
            <h2>${t("Decisions")}</h2>
            ${[...wholeActions(found.allowed, found), ...playoffActions(found.allowed, this.standings)].map(
              (action) => html`<button @click=${() => void this.decide(action)}>${action.text}</button>`,
            )}
            <a class="button" href="/customs/referee">${t("Referee’s guide")}</a>
          </section>
          ${this.keptApart()}${this.sameAddress()}
          ${
            may("message")
              ? html`<form class="card stack" @submit=${this.message}>
                <label class="field">
                  <span class="label">${t("Message to everybody")}</span>
                  <textarea name="text" maxlength="2000" rows="2" required></textarea>
                </label>
                <button>${t("Send")}</button>
              </form>`
              : nothing
          }
          ${
            may("add") && isReal
              ? html`<form class="card stack" @submit=${this.addNames}>
                <label class="field">
                  <span class="label">${t("Enter names, one a line: name, rating, club")}</span>
                  <textarea name="names" rows="4" required></textarea>
                </label>
                ${this.fault ? html`<p class="bad" role="alert">${this.fault}</p>` : nothing}
                <button>${t("Enter names")}</button>
              </form>`
              : nothing
          }
          <section class="card stack">
            <h2>${t("Print")}</h2>
            <div class="row">
              ${
                live.length
                  ? html`<button @click=${() => void this.print("sheets")}>${t("Result sheets")}</button><button
                      @click=${() => void this.print("pairings")}
                    >${t("Pairings")}</button>`
                  : nothing
              }
              ${
                this.bracket
                  ? html`<button @click=${() => void this.print("bracket")}>${t("Bracket")}</button>`
                  : nothing
              }
              <button @click=${() => void this.print("standings")}>${t("Standings")}</button>
            </div>
          </section>
          <details class="card">
            <summary><h2>${t("Entrants")}</h2></summary>
            <ul class="plain">
              ${found.entrants.map(
                (each) =>
                  html`<li>
                    ${named(guestName(each.name))}
                    <details>
                      <summary class="small">${t("Decide")}</summary>
                      ${entrantActions(found.allowed, each, found.system).map(
                        (action) =>
                          html`<button @click=${() => void this.decide(action)}>${action.text}</button>`,
                      )}
                    </details>
                  </li>`,
              )}
            </ul>
          </details>
        </div>
      </div>
    </div>`;
  }
}

customElements.define("ssb-tournament-desk", TournamentDesk);
