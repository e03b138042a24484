/** Days off: no time runs meanwhile in matches by correspondence. */

import { t, tn, words } from "../i18n/i18n.js";
import { get, post } from "./api.js";
import { options } from "./fields.js";
import { html, nothing, states, View } from "./view.js";

/** @import { OngoingGame } from "./ongoing-games.js" */

class Vacation extends View {
  static properties = states("stands", "busy");

  constructor() {
    super();
    /** @type {{until: number | null, left: number, most: number, a_year: number} | null} */
    this.stands = null;
    this.busy = false;
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    const [stands, games] = await Promise.all([
      this.load(get("/me/vacation")),
      get("/me/matches").catch(() => []),
    ]);
    // Only matches by correspondence know days off: without one there is nothing to be told.
    const slow = games.some((/** @type {OngoingGame} */ { clock }) => clock?.kind === "per_turn");
    this.stands = stands?.until || slow ? stands : null;
  }

  /** @param {Event} event */
  async leave(event) {
    event.preventDefault();
    const days = Number(/** @type {HTMLSelectElement} */ (this.querySelector("select")).value);
    this.busy = true;
    await this.attempt(async () => (this.stands = await post("/me/vacation", { days })));
    this.busy = false;
  }

  render() {
    const { stands } = this;
    if (!stands) return nothing;
    const { until, left, most, a_year } = stands;
    // What is left at once is what the server would still take.
    const gone = until ? Math.ceil((until - Date.now()) / 86_400_000) : 0;
    const days = Array.from({ length: Math.max(0, Math.min(left, most - gone)) }, (_, day) => day + 1);
    return html`<section class="card stack">
      <h2>${t("Vacation")}</h2>
      <p class="quiet small">
        ${t(
          "While you are away no time runs for you in matches by correspondence, and your opponents " +
            "see until when. You may play all the same. At most {most} days at once and {year} days a " +
            "year; what has begun is not shortened.",
          { most, year: a_year },
        )}
      </p>
      <p role="status">
        ${
          until
            ? html`<b>${t("You are away until {moment}.", { moment: words().moment(until) })}</b> `
            : nothing
        }${tn("{n} day left this year", "{n} days left this year", left)}
      </p>
      ${
        days.length
          ? html`<form class="row" @submit=${this.leave}>
            <select aria-label=${t("Days away")}>
              ${options(days.map((day) => [day, tn("{n} day", "{n} days", day)]))}
            </select>
            <button ?disabled=${this.busy}>${until ? t("Stay away longer") : t("Be away from now on")}</button>
          </form>`
          : nothing
      }
    </section>`;
  }
}

customElements.define("ssb-vacation", Vacation);
