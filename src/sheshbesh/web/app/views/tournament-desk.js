/** The director's desk: who is late, results from sheets, decisions, messages, and what is printed. */

import { t, words } from "../../i18n/i18n.js";
import { post } from "../api.js";
import { guestName } from "../names.js";
import { entrantActions, pairingActions, wholeActions } from "../tournament/director_actions.js";
import { bracketList, pairingsTable, standingsTable } from "../tournament/parts.js";
import { away, statusName, terms, titleOf, when } from "../tournament/words.js";
import { html, named, nothing } from "../view.js";
import { Tournament } from "./tournament.js";

/** The results that wait for the line, by tournament. */
const KEPT = "sheshbesh-desk";
/** Milliseconds for which an entered result can be taken back before it is sent. */
const UNDO = 10_000;

/**
 * @import { Pairing } from "../wire.js"
 * @typedef {{ref: string, kind: string, fields: Record<string, unknown>, text: string}} Waiting
 */

class TournamentDesk extends Tournament {
  static properties = {
    ...Tournament.properties,
    waitingResults: { state: true },
    entering: { state: true },
    winner: { state: true },
    printed: { state: true },
    fault: { state: true },
  };

  constructor() {
    super();
    /** @type {Waiting[]} */
    this.waitingResults = [];
    /** The pairing whose result is entered. */
    this.entering = 0;
    this.winner = 0;
    this.printed = "";
    this.fault = "";
    /** @type {Map<string, ReturnType<typeof setTimeout>>} */
    this.timers = new Map();
    this.onOnline = () => void this.sendAll();
  }

  get heading() {
    return t("Director’s desk");
  }

  connectedCallback() {
    super.connectedCallback();
    try {
      this.waitingResults = JSON.parse(localStorage.getItem(`${KEPT}-${this.id}`) ?? "[]");
    } catch {
      this.waitingResults = [];
    }
    addEventListener("online", this.onOnline);
    void this.sendAll();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("online", this.onOnline);
    void this.sendAll();
  }

  keep() {
    try {
      localStorage.setItem(`${KEPT}-${this.id}`, JSON.stringify(this.waitingResults));
    } catch {
      // Without storage they are lost with the page; they are shown until they are sent.
    }
  }

  /** Do something at once. @param {import("../tournament/director_actions.js").Action} action */
  async do(action) {
    const fields = { ...action.fields };
    if (action.reason) {
      const reason = prompt(`${action.text}. ${t("Give the reason, which everybody reads:")}`)?.trim();
      if (!reason) return;
      fields.reason = reason;
    } else if (action.ask && !confirm(action.ask)) return;
    const body = { ref: crypto.randomUUID(), key: this.found.n, fields };
    await this.act(() => post(`${this.path}/director/${action.kind}`, body));
  }

  /** Send a result in a moment: until then it can be taken back. @param {Waiting} result */
  later(result) {
    this.waitingResults = [...this.waitingResults, result];
    this.keep();
    this.timers.set(
      result.ref,
      setTimeout(() => void this.send(result), UNDO),
    );
  }

  /** @param {Waiting} result */
  takeBack(result) {
    clearTimeout(this.timers.get(result.ref));
    this.timers.delete(result.ref);
    this.waitingResults = this.waitingResults.filter(({ ref }) => ref !== result.ref);
    this.keep();
  }

  /** @param {Waiting} result */
  async send(result) {
    this.timers.delete(result.ref);
    try {
      await post(`${this.path}/director/${result.kind}`, { ref: result.ref, fields: result.fields });
      this.takeBack(result);
      await this.fetch();
    } catch (error) {
      // What the line has lost is sent when it is there again; what was refused is not.
      const passing = error && typeof error === "object" && "passing" in error && error.passing;
      if (passing) return;
      this.takeBack(result);
      this.app.toast(error instanceof Error ? error.message : String(error));
    }
  }

  async sendAll() {
    for (const result of this.waitingResults) if (!this.timers.has(result.ref)) await this.send(result);
  }

  /** @param {SubmitEvent} event @param {Pairing} pairing */
  enter(event, pairing) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const lost = Number(given.get("lost") ?? 0);
    const full = this.full(pairing);
    const score = this.winner === pairing.white ? [full, lost] : [lost, full];
    const name = guestName(this.pairings?.names[this.winner] ?? "");
    this.later({
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
    const names = this.pairings?.names ?? {};
    const full = this.full(pairing);
    if (this.waitingResults.some(({ fields }) => fields.pairing === pairing.number))
      return html`<span class="quiet">${t("entered")}</span>`;
    if (this.entering !== pairing.number)
      return html`<button @click=${() => {
        this.entering = pairing.number;
        this.winner = 0;
      }} aria-label=${t("Enter the result of table {n}", { n: pairing.number })}>${t("Result")}</button>`;
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
    await this.fetch();
  }

  /** @param {SubmitEvent} event */
  async message(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (!text) return;
    await this.do({ kind: "message", text: t("Message"), fields: { text } });
    form.reset();
  }

  /** Print one part of the page alone. @param {string} what */
  async print(what) {
    this.printed = what;
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll("img")].map((image) => image.decode().catch(() => {})));
    globalThis.print();
    this.printed = "";
  }

  /** Four result sheets a page; the winner hands theirs in. */
  sheets() {
    const { found } = this;
    const pairings = this.pairings?.pairings ?? [];
    const names = this.pairings?.names ?? {};
    const line = html`<span class="line"></span>`;
    return html`<div class="sheets">
      ${pairings.map(
        (each) => html`<section class="sheet">
          <img alt="" src=${`/api/v1${this.path}/qr.svg?pairing=${each.number}`} width="84" height="84">
          <h3>${named(titleOf(found))}</h3>
          <p>
            ${t("Round {n}", { n: each.round })} · ${t("Table {n}", { n: each.number })} ·
            ${terms({
              ...found.settings,
              system: found.system,
              contest: found.card.contest,
              length: each.length,
              clock: found.card.clock.code,
            })}
          </p>
          <table>
            <thead>
              <tr>
                <th>${t("Game")}</th>
                <th>${named(guestName(names[each.white] ?? ""))}</th>
                <th>${named(guestName(names[each.black] ?? ""))}</th>
              </tr>
            </thead>
            <tbody>
              ${Array.from(
                { length: 7 },
                (_, i) => html`<tr><td>${words().figure(i + 1)}</td><td></td><td></td></tr>`,
              )}
              <tr><th>${t("Result")}</th><td></td><td></td></tr>
            </tbody>
          </table>
          <p class="signatures">${t("Signatures")} ${line}${line}</p>
          <p class="small">${t("The winner hands this sheet in.")}</p>
        </section>`,
      )}
    </div>`;
  }

  render() {
    const { found, pairings } = this;
    if (!found) return html`<div class="page">${this.waiting()}</div>`;
    const live = pairings?.pairings ?? [];
    const names = pairings?.names ?? {};
    const late = live.filter((each) => each.deadline && each.status === "made");
    const may = (/** @type {string} */ kind) => found.allowed.includes(kind);
    const isReal = found.settings.boards === "real";
    if (this.printed)
      return html`<div class="page printed"><h1>${named(titleOf(found))}</h1>${
        this.printed === "sheets"
          ? this.sheets()
          : this.printed === "pairings"
            ? pairingsTable(live, names, () => nothing)
            : this.printed === "bracket"
              ? bracketList(this.bracket)
              : standingsTable(this.standings, undefined)
      }</div>`;
    return html`<div class="page desk">
      <p><a href=${found.url}>${named(titleOf(found))}</a></p>
      <h1>${t("Director’s desk")}</h1>
      <p class="lead row">
        <span class="badge">${statusName(found.status)}</span>
        ${found.due ? html`<span>${t("Next deadline: {time}", { time: when(found.due) })}</span>` : nothing}
      </p>
      ${this.waitingResults.map(
        (result) =>
          html`<p class="notice row" role="status">
            <span>${result.text}</span>
            <button @click=${() => this.takeBack(result)}>${t("Take back")}</button>
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
                        ${named(guestName(names[each.black] ?? ""))} · ${away(each.deadline ?? found.now)}
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
              (each) => html`<span class="row end">
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
                      (action) => html`<button @click=${() => void this.do(action)}>${action.text}</button>`,
                    )}
                  </span>
                </details>
              </span>`,
            )}
          </section>
          ${
            found.began
              ? html`<section class="card">
                <h2>${t("Standings")}</h2>
                ${standingsTable(this.standings, undefined)}${this.pages()}
              </section>`
              : nothing
          }
        </div>
        <div class="stack">
          <section class="card stack">
            <h2>${t("Decisions")}</h2>
            ${wholeActions(found.allowed, found).map(
              (action) => html`<button @click=${() => void this.do(action)}>${action.text}</button>`,
            )}
          </section>
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
                      ${entrantActions(found.allowed, each).map(
                        (action) =>
                          html`<button @click=${() => void this.do(action)}>${action.text}</button>`,
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
