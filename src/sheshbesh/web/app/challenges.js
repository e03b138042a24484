/**
 * Challenges to this player and by them, and other calls to a board. They are shown on every page, since they can come
 * at any time, by whichever connection the page has open.
 */

import { t, words } from "../i18n/i18n.js";
import { html, LitElement, nothing, repeat } from "../vendor/lit.js";
import { ApiError, del, post } from "./api.js";
import { entered, options } from "./fields.js";
import { cardWords } from "./match-setup.js";
import { guestName } from "./names.js";
import { play as sound } from "./sounds.js";
import { byId, personLink, states } from "./view.js";

/**
 * @typedef {{id: string, by: {id: string, name: string, kind: string, rating: number | null}, to: {id: string, name:
 *   string, kind: string}, card: string, game: string, title: string, side: string, rated: boolean, created: number,
 *   expires: number, reason: string | null}} Challenge
 * @typedef {{title: string} | {by: string}} Call of a match that waits for this player, or whose opponent would like a
 *   rematch
 */

/** Reasons to decline, as the server names them. @returns {Record<string, string>} */
const reasons = () => ({
  later: t("not now"),
  game: t("rather another game"),
  length: t("rather a match of another length"),
  clock: t("rather with another clock"),
  rated: t("rather a rated match"),
  casual: t("rather an unrated match"),
  people: t("rather against people"),
});

export class Challenges extends LitElement {
  static properties = states("to", "by", "begun", "calls");

  constructor() {
    super();
    /** @type {import("./app.js").App | null} */
    this.app = null;
    /** @type {Challenge[]} */
    this.to = [];
    /** @type {Challenge[]} */
    this.by = [];
    /** The address of a match of this player that began while they are at another page. */
    this.begun = "";
    /** What waits for this player, by the address of the match. @type {Map<string, Call>} */
    this.calls = new Map();
    /** Challenges made in this tab, whose maker waits for nothing else. @type {Set<string>} */
    this.made = new Set();
    /** Whether a seek made in this tab waits. */
    this.seeking = false;
    /** Addresses of matches that this page has shown: not to be announced. @type {Set<string>} */
    this.visited = new Set();
  }

  createRenderRoot() {
    return this;
  }

  /** A message of the server about this player, by any connection. @param {import("./wire.js").News} message */
  receive(message) {
    if (message.t === "challenges") this.listed(message.d);
    else if (message.t === "match") this.onMatch(message.d);
    else if (message.t === "turn") this.onCall(message.d, () => sound("turn"));
    else if (message.t === "rematch_asked") this.onCall(message.d, () => this.app?.ring());
  }

  /** @param {{to: Challenge[], by: Challenge[]}} all */
  listed({ to, by }) {
    const known = new Set(this.to.map(({ id }) => id));
    if (to.some(({ id }) => !known.has(id))) sound("turn");
    this.to = to;
    this.by = by;
    // A player whose challenge was declined or has lapsed waits for it no longer.
    for (const id of this.made) if (!by.some((each) => each.id === id && !each.reason)) this.made.delete(id);
  }

  /** Another player uses this browser now. */
  clear() {
    this.made.clear();
    this.visited.clear();
    this.seeking = false;
    this.to = this.by = [];
    this.begun = "";
    this.calls = new Map();
  }

  /**
   * A match of this player begins, or began while no connection was open.
   * @param {{url: string, late?: boolean, rematch_of?: string}} match
   */
  onMatch({ url, late, rematch_of }) {
    const { app } = this;
    if (rematch_of) this.seen(`/m/${rematch_of}`);
    if (!app || location.pathname === url || this.visited.has(url)) return;
    // A player who waits for it is taken to the match; others may be busy, or play it in another tab.
    const { view } = app.router.place;
    const challenged = this.made.size > 0 && view !== "match";
    const waits = challenged || (view === "lobby" && (this.seeking || !late));
    if (waits) this.enter(url);
    else this.begun = url;
    if (!late) app.ring();
  }

  /**
   * A match by correspondence waits for this player, or the opponent of one that is over would like a rematch.
   * @param {Call & {url: string}} call @param {() => void} sound the first time
   */
  onCall({ url, ...call }, sound) {
    if (location.pathname === url) return;
    if (!this.calls.has(url)) sound();
    this.calls = new Map(this.calls).set(url, call);
  }

  /** A call has been seen, or is not to be shown. @param {string} url */
  seen(url) {
    const left = new Map(this.calls);
    if (left.delete(url)) this.calls = left;
  }

  /** @param {string} url of the match that is over */
  async playAgain(url) {
    await this.attempt(url, async () => {
      const made = await post(`/matches/${url.slice("/m/".length)}/rematch`);
      this.seen(url);
      if (made.url) this.enter(made.url);
    });
  }

  /** The page shows another view: perhaps the match that it would have been sent to. */
  arrived() {
    this.visited.add(location.pathname);
    // A player in a match waits for no other; the server has withdrawn the seek.
    if (this.app?.router.place.view === "match") this.seeking = false;
    if (this.begun === location.pathname) this.begun = "";
    this.seen(location.pathname);
  }

  /** The player does not want to go to the match now. */
  leave() {
    this.visited.add(this.begun);
    this.seeking = false;
    this.begun = "";
  }

  /** @param {string} url */
  enter(url) {
    this.made.clear();
    this.seeking = false;
    this.begun = "";
    if (location.pathname !== url) this.app?.go(url);
  }

  /**
   * Sends a challenge; the answer arrives as a message.
   * @param {{to: string, card: string, side: string, rated: boolean}} wish
   */
  async challenge(wish) {
    const made = await post("/challenges", wish);
    this.made.add(made.id);
    if (made.online === false)
      this.app?.toast(
        t("{name} is not here just now. The challenge waits for a quarter of an hour.", {
          name: guestName(made.to.name),
        }),
      );
  }

  /** @param {Challenge} challenge */
  async accept({ id }) {
    await this.attempt(id, async () =>
      this.enter((await post(`/challenges/${encodeURIComponent(id)}/accept`)).url),
    );
  }

  /** @param {Challenge} challenge @param {Event} event */
  async decline({ id }, event) {
    const reason = entered(event).get("reason");
    if (await this.attempt(id, () => post(`/challenges/${encodeURIComponent(id)}/decline`, { reason })))
      this.leaveOut(id);
  }

  /** Withdraws a challenge, or closes the answer to it. @param {Challenge} challenge */
  async withdraw({ id }) {
    this.made.delete(id);
    if (await this.attempt(id, () => del(`/challenges/${encodeURIComponent(id)}`))) this.leaveOut(id);
  }

  /** @param {string} id of a challenge that is no more */
  leaveOut(id) {
    this.to = this.to.filter((each) => each.id !== id);
    this.by = this.by.filter((each) => each.id !== id);
  }

  /** @param {string} id @param {() => Promise<unknown>} work */
  async attempt(id, work) {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "challenge_gone") this.leaveOut(id);
      this.app?.toast(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** The match that is offered. @param {Challenge} challenge */
  about({ title, card, rated, side }, mine = false) {
    const own =
      side === "random"
        ? ""
        : (side === "white") === mine
          ? t("you have the light checkers")
          : t("you have the dark checkers");
    return [t(title), cardWords(card), rated ? t("rated") : t("unrated"), own].filter(Boolean).join(" · ");
  }

  /** @param {Challenge} challenge */
  incoming(challenge) {
    const { by } = challenge;
    const name = guestName(by.name);
    return html`<form
      class="call"
      aria-label=${t("Challenge by {name}", { name })}
      @submit=${(/** @type {Event} */ event) => this.decline(challenge, event)}
    >
      <p>
        <b>${personLink(by.name)}</b>${
          by.kind === "bot" ? html` <span class="badge">${t("bot")}</span>` : nothing
        }${by.rating ? html` <span class="quiet">${words().figure(by.rating)}</span>` : nothing}
        ${t("challenges you")}<br><span class="small">${this.about(challenge)}</span>
      </p>
      <div class="row">
        <button type="button" class="pri" @click=${() => this.accept(challenge)}>${t("Accept")}</button>
        <select name="reason" aria-label=${t("Why you decline")}>
          ${options(Object.entries(reasons()))}
        </select>
        <button>${t("Decline")}</button>
      </div>
    </form>`;
  }

  /** @param {Challenge} challenge */
  outgoing(challenge) {
    const { to, reason } = challenge;
    const name = guestName(to.name);
    const sentence = reason
      ? html`${t("{name} declines: {reason}", { name, reason: reasons()[reason] ?? reason })}`
      : html`${t("Waiting for the answer of {name}", { name })}<span class="dots"></span>`;
    return html`<div class="call">
      <p>${sentence}<br><span class="small">${this.about(challenge, true)}</span></p>
      <div class="row">
        <button @click=${() => this.withdraw(challenge)}>${reason ? t("Close") : t("Take back")}</button>
      </div>
    </div>`;
  }

  /**
   * @param {string} said @param {unknown} go the button that goes there @param {() => void} close
   */
  call(said, go, close) {
    return html`<div class="call">
      <p>${said}</p>
      <div class="row">${go}<button @click=${close}>${t("Close")}</button></div>
    </div>`;
  }

  /** @param {string} url */
  toBoard(url) {
    return html`<button class="pri" @click=${() => this.enter(url)}>${t("To the board")}</button>`;
  }

  /** @param {string} url @param {Call} call */
  waiting(url, call) {
    const [said, go] =
      "by" in call
        ? [
            t("{name} would like a rematch.", { name: guestName(call.by) }),
            html`<button class="pri" @click=${() => this.playAgain(url)}>${t("Rematch")}</button>`,
          ]
        : [t("It is your turn in {game}.", { game: t(call.title) }), this.toBoard(url)];
    return this.call(said, go, () => this.seen(url));
  }

  render() {
    const { to, by, begun } = this;
    return html`<div class="calls" role="region" aria-label=${t("Challenges")} aria-live="polite">
      ${begun ? this.call(t("Your game begins."), this.toBoard(begun), () => this.leave()) : nothing}
      ${repeat(
        this.calls,
        ([url]) => url,
        ([url, call]) => this.waiting(url, call),
      )}
      ${byId(to, (each) => this.incoming(each))}
      ${byId(by, (each) => this.outgoing(each))}
    </div>`;
  }
}

customElements.define("ssb-challenges", Challenges);
