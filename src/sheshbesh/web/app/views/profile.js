/** A player: ratings, matches, and one's own notes about him. */
import { t, tn, words } from "../../i18n/i18n.js";
import { del, get, post, put } from "../api.js";
import { guestName } from "../names.js";
import { View, html, ltr, named, nothing } from "../view.js";

class Profile extends View {
  static properties = { ...View.properties, user: { state: true }, ratings: { state: true }, played: { state: true }, notes: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.user = null;
    /** @type {any[]} */
    this.ratings = [];
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
    const user = await this.load(get(this.path));
    if (!user) return;
    this.user = user.user ?? user;
    const [ratings, matches] = await Promise.all([get(`${this.path}/ratings`), get(`${this.path}/matches`)].map((each) => each.catch(() => [])));
    this.ratings = ratings.ratings ?? ratings;
    this.played = matches.matches ?? matches;
    if (me && me.name !== this.user.name) {
      const notes = await get(`${this.path}/notes`).catch(() => null);
      this.notes = notes ? notes.text ?? notes.note ?? "" : null;
    }
  }

  /** @param {Event} event */
  async keepNotes(event) {
    const text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    if (await this.attempt(() => put(`${this.path}/notes`, { text }))) this.app.toast(t("The note has been kept."));
  }

  async block() {
    const blocked = this.user.blocked;
    if (await this.attempt(() => (blocked ? del(`${this.path}/block`) : post(`${this.path}/block`)))) this.user = { ...this.user, blocked: !blocked };
  }

  /** @param {any} match */
  row(match) {
    const opponent = match.opponent?.name ?? match.opponent ?? "";
    const score = match.score ? Object.values(match.score) : [];
    const result = match.won === true ? t("won") : match.won === false ? t("lost") : "";
    return html`<tr><td>${t(match.title ?? match.card?.title ?? match.game ?? "")}</td><td>${named(guestName(opponent))}</td><td>${result}</td>
      <td class="num">${ltr(score.join("–"))}</td><td>${match.ended || match.at ? words().moment(match.ended ?? match.at) : ""}</td><td class="num"><a href="/replay/${match.id}">${t("Replay")}</a></td></tr>`;
  }

  render() {
    const { user } = this;
    if (!user) return html`<div class="page">${this.waiting()}</div>`;
    const other = this.app.user && this.app.user.name !== user.name;
    return html`<div class="page narrow"><h1>${named(guestName(user.name))} ${user.kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}</h1>
      <p class="lead">${user.here ? t("here now") : nothing} ${typeof user.unfinished === "number" ? tn("{n} match left unfinished", "{n} matches left unfinished", user.unfinished) : nothing}</p>
      <div class="stack">
        <section class="card"><h2>${t("Ratings")}</h2>${this.ratings.length ? html`<table><thead><tr><th>${t("Game")}</th><th>${t("Clock")}</th><th>${t("against")}</th><th class="num">${t("Rating")}</th><th class="num">${t("Matches")}</th></tr></thead><tbody>${this.ratings.map(
          (each) => html`<tr><td>${each.title ?? each.game}</td><td>${t(String(each.class ?? each.time ?? ""))}</td><td>${each.pool === "bots" ? t("bots") : t("people")}</td><td class="num"><b>${words().figure(Math.round(each.rating))}</b>${each.deviation ? html` <span class="quiet">±${words().figure(Math.round(2 * each.deviation))}</span>` : nothing}</td><td class="num">${words().figure(each.matches ?? each.games ?? 0)}</td></tr>`,
        )}</tbody></table>` : html`<p class="empty">${t("No rated match yet.")}</p>`}</section>
        <section class="card"><h2>${t("Matches")}</h2>${this.played.length ? html`<table><thead><tr><th>${t("Game")}</th><th>${t("against")}</th><th>${t("Result")}</th><th class="num">${t("Score")}</th><th>${t("Date")}</th><th></th></tr></thead><tbody>${this.played.map((match) => this.row(match))}</tbody></table>` : html`<p class="empty">${t("No match yet.")}</p>`}</section>
        ${other && this.notes !== null ? html`<section class="card stack"><h2>${t("My notes")}</h2><p class="small quiet">${t("Only you can read them.")}</p>
          <textarea rows="4" maxlength="2000" aria-label=${t("My notes")} .value=${this.notes} @change=${this.keepNotes}></textarea></section>` : nothing}
        ${other ? html`<div class="row end"><button @click=${this.block}>${user.blocked ? t("Unblock") : t("Block")}</button></div>` : nothing}
      </div></div>`;
  }
}

customElements.define("ssb-profile", Profile);
