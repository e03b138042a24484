/** The people whom one follows: who is here now, a challenge by two taps, and what they have done of late. */

import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { gameTitles, get, put } from "../api.js";
import { guestName } from "../names.js";
import { watchedName } from "../table/wording.js";
import { titleOf } from "../tournament/words.js";
import { byId, html, ltr, named, nothing, personLink, states, View } from "../view.js";

/**
 * @typedef {{id: string, name: string, kind: string}} Person
 * @typedef {Person & {here: boolean | null, playing: string | null}} Friend
 * @typedef {{user: Person, at: number} & (
 *   {kind: "match", match: import("../wire.js").PlayedMatch} |
 *   {kind: "tournament", tournament: import("../wire.js").Trophy["tournament"]} |
 *   {kind: "streak", days: number})} Activity
 */

/** Milliseconds after which it is asked again who is here. */
const AGAIN = 20_000;

class FriendsView extends View {
  static properties = states("people", "activities", "shown");

  constructor() {
    super();
    /** @type {Friend[] | null} */
    this.people = null;
    /** @type {Activity[] | null} */
    this.activities = null;
    /** Whether others see that this player is here. */
    this.shown = true;
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  get heading() {
    return t("Friends");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    await this.load(this.list());
    this.titles = await gameTitles().catch(() => this.titles);
    if (this.people) await this.attempt(async () => (this.activities = await get("/me/friends/activities")));
    this.later(() => this.lookAgain(), AGAIN);
  }

  /** See who is here now; what is shown stays where the server cannot say more. */
  async lookAgain() {
    if (!document.hidden) await this.list().catch(() => {});
    this.later(() => this.lookAgain(), AGAIN);
  }

  async list() {
    const found = await get("/me/friends");
    this.people = found.people;
    this.shown = found.shown;
  }

  /** @param {Event} event */
  async show(event) {
    const shown = /** @type {HTMLInputElement} */ (event.target).checked;
    this.shown = shown;
    if (!(await this.attempt(() => put("/me/presence", { shown })))) this.shown = !shown;
  }

  /** @param {Friend} friend */
  friend(friend) {
    const { name, kind, here, playing } = friend;
    const called = guestName(name);
    return html`<li class=${here ? "here" : ""}>
      <span class="sight" aria-hidden="true">${here ? "●" : "○"}</span>
      ${personLink(name)} ${kind === "bot" ? html`<span class="badge">${t("bot")}</span>` : nothing}
      <span class="small quiet">${here ? t("here now") : nothing}</span>
      <span class="spring"></span>
      ${
        playing
          ? html`<a class="button" href="/m/${playing}" aria-label=${t("Watch {name}", { name: called })}
            >${t("Watch")}</a>`
          : nothing
      }
      <a
        class="button ${here ? "pri" : ""}"
        href="/?challenge=${encodeURIComponent(name)}"
        aria-label=${t("Challenge {name}", { name: called })}
      >${t("Challenge")}</a>
    </li>`;
  }

  /** @param {Activity} activity */
  told(activity) {
    if (activity.kind === "tournament")
      return html`${t("won a tournament")}:
        <a href="/t/${activity.tournament.id}">${named(titleOf(activity.tournament))}</a>`;
    if (activity.kind === "streak")
      return html`${t("Puzzle of the day")}, ${tn("streak: {n} day", "streak: {n} days", activity.days)}`;
    const { match } = activity;
    const opponent = other(/** @type {import("../../board/types.js").Side} */ (match.side));
    const result = match.winner === match.side ? t("won") : match.winner ? t("lost") : t("draw");
    const [own, theirs] = [match.side, opponent].map((side) => words().figure(match.score[side]));
    return html`${this.titles.get(match.game) ?? match.game}: ${result} ${ltr(`${own}–${theirs}`)}
      ${t("against")} ${named(watchedName(match.players[opponent], opponent))} ·
      <a href="/replay/${match.id}">${t("Replay")}</a>`;
  }

  render() {
    const { people, activities } = this;
    if (!people) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow stack">
      <h1>${t("Friends")}</h1>
      <section class="card stack" aria-labelledby="followed">
        <h2 id="followed">${t("People I follow")}</h2>
        ${
          people.length
            ? html`<ul class="people">${byId(people, (each) => this.friend(each))}</ul>`
            : html`<p class="empty">
              ${t("You follow nobody yet. Open a player’s page and press “Follow”.")}
              <a href="/lobby">${t("Who is here")}</a>
            </p>`
        }
        <label class="check">
          <input type="checkbox" .checked=${this.shown} @change=${this.show}>
          ${t("Others see when I am here")}
        </label>
      </section>
      ${
        people.length && activities
          ? html`<section class="card stack" aria-labelledby="done">
            <h2 id="done">${t("Lately")}</h2>
            ${
              activities.length
                ? html`<ul class="activities">${activities.map(
                    (each) =>
                      html`<li>
                        <b>${personLink(each.user.name)}</b> ${this.told(each)}<br>
                        <span class="small quiet">${words().moment(each.at)}</span>
                      </li>`,
                  )}</ul>`
                : html`<p class="empty">${t("Nothing public in the last thirty days.")}</p>`
            }
          </section>`
          : nothing
      }
    </div>`;
  }
}

customElements.define("ssb-friends", FriendsView);
