/** A player: ratings, matches, and one's own notes about him. */
import { t, words } from "../../i18n/i18n.js";
import { del, gameTitles, get, post, put } from "../api.js";
import { cardWords } from "../card-words.js";
import { guestName } from "../names.js";
import { View, html, ltr, named, nothing } from "../view.js";
import { watchedName } from "./watch.js";

/** @param {string} name of a class of clocks */
function className(name) {
  const known = { blitz: t("blitz"), rapid: t("rapid"), slow: t("slow"), untimed: t("no clock") };
  return known[/** @type {keyof typeof known} */ (name)] ?? name;
}


class Profile extends View {
  static properties = { ...View.properties, about: { state: true }, played: { state: true }, notes: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.about = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    /** @type {any[]} */
    this.played = [];
    /** @type {string | null} */
    this.notes = null;
  }

  get heading() {
    return this.place.params.name;
  }

  get path() {
    return `/users/${encodeURIComponent(this.place.params.name)}`;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.fetch();
  }

  async fetch() {
    const me = await this.app.identity.catch(() => null);
    const found = await this.load(get(this.path));
    if (!found) return;
    this.about = found;
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.played = (await this.load(get(`${this.path}/matches`))) ?? [];
    if (me && me.id !== found.user.id) this.notes = (await get(`${this.path}/notes`).catch(() => null))?.text ?? null;
  }

  /** @param {Event} event */
  async keepNotes(event) {
    const text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    if (await this.attempt(() => put(`${this.path}/notes`, { text }))) this.app.toast(t("The note has been kept."));
  }

  async block() {
    const { blocked } = this.about;
    if (await this.attempt(() => (blocked ? del(`${this.path}/block`) : post(`${this.path}/block`)))) this.about = { ...this.about, blocked: !blocked };
  }

  /** @param {any} match */
  row(match) {
    /** @type {"white" | "black"} */
    const other = match.side === "white" ? "black" : "white";
    const result = match.winner === match.side ? t("won") : match.winner ? t("lost") : t("draw");
    return html`<tr><td>${this.titles.get(match.game) ?? match.game}<br><span class="small quiet">${cardWords(match.card)}</span></td><td>${named(watchedName(match.players[other], other))}</td>
      <td>${result}<br><span class="small">${ltr(`${match.score[match.side]}–${match.score[other]}`)}</span></td><td class="small">${words().moment(match.ended)}</td><td class="num"><a href="/replay/${match.id}">${t("Replay")}</a></td></tr>`;
  }

  /** @param {any} rating */
  rating(rating) {
    return html`<tr><td>${this.titles.get(rating.game) ?? rating.game}</td><td>${className(rating.time_class)}</td><td>${rating.pool === "bots" ? t("bots") : t("people")}</td>
      <td class="num"><b>${words().figure(rating.rating)}</b> <span class="quiet">±${words().figure(2 * rating.deviation)}</span></td><td class="num">${words().figure(rating.matches)}</td></tr>`;
  }

  record() {
    const { record, head_to_head: between } = this.about;
    const cell = (/** @type {string} */ label, /** @type {number} */ n) => html`<div><span class="quiet small">${label}</span><b>${words().figure(n)}</b></div>`;
    return html`<section class="card"><div class="stats">${cell(t("Matches"), record.people.matches)}${cell(t("won"), record.people.won)}${cell(t("left unfinished"), record.people.left)}
      ${between ? html`${cell(t("against you"), between.matches ?? 0)}` : nothing}</div></section>`;
  }

  render() {
    const { about } = this;
    if (!about) return html`<div class="page">${this.waiting()}</div>`;
    const { user, ratings } = about;
    const other = this.app.user && this.app.user.id !== user.id;
    return html`<div class="page narrow"><h1>${named(guestName(user.name))} ${user.kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}</h1>
      <p class="lead">${about.online ? t("here now") : nothing}${this.app.user?.id === user.id ? html` <a href="/account">${t("Account")}</a>` : nothing}</p>
      <div class="stack">${this.record()}
        <section class="card"><h2>${t("Ratings")}</h2>${ratings.length ? html`<table><thead><tr><th>${t("Game")}</th><th>${t("Clock")}</th><th>${t("against")}</th><th class="num">${t("Rating")}</th><th class="num">${t("Matches")}</th></tr></thead><tbody>${ratings.map((/** @type {any} */ each) => this.rating(each))}</tbody></table>` : html`<p class="empty">${t("No rated match yet.")}</p>`}</section>
        <section class="card"><h2>${t("Matches")}</h2>${this.played.length ? html`<table><thead><tr><th>${t("Game")}</th><th>${t("against")}</th><th>${t("Result")}</th><th>${t("Date")}</th><th></th></tr></thead><tbody>${this.played.map((match) => this.row(match))}</tbody></table>` : html`<p class="empty">${t("No match yet.")}</p>`}</section>
        ${other && this.notes !== null ? html`<section class="card stack"><h2>${t("My notes")}</h2><p class="small quiet">${t("Only you can read them.")}</p>
          <textarea rows="4" maxlength="2000" aria-label=${t("My notes")} .value=${this.notes} @change=${this.keepNotes}></textarea></section>` : nothing}
        ${other ? html`<div class="row end"><button @click=${this.block}>${about.blocked ? t("Unblock") : t("Block")}</button></div>` : nothing}
      </div></div>`;
  }
}

customElements.define("ssb-profile", Profile);
