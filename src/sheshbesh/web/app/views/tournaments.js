/** Tournaments: what is played now and soon, one's own, those that are over, and a form to make one. */

import { t, tn, words } from "../../i18n/i18n.js";
import { keyed } from "../../vendor/lit.js";
import { gameTitles, get, once, post } from "../api.js";
import {
  away,
  consolations,
  day,
  dayOfMonth,
  draws,
  hour,
  monthOf,
  statusName,
  systemName,
  terms,
  titleOf,
  when,
} from "../tournament/words.js";
import { html, named, nothing, nothingYet, states, View } from "../view.js";

const SYSTEMS = ["knockout", "double", "swiss", "losses", "round_robin", "arena"];
const CLOCKS = ["d12-60", "d12-120", "d8-30", "t86400"];

/** @import { ListedTournament } from "../wire.js" */

class Tournaments extends View {
  static properties = states("found", "game", "fault", "month", "system", "boards");

  constructor() {
    super();
    /** @type {Record<"now" | "soon" | "mine" | "done", ListedTournament[]> | null} */
    this.found = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    this.game = "";
    /** The game of the list that is there. */
    this.of = "";
    this.fault = "";
    /** How many months after this one the calendar shows. */
    this.month = 0;
    /** The system and the boards that are chosen for a new tournament. */
    this.system = SYSTEMS[0];
    this.boards = "site";
  }

  get heading() {
    return t("Tournaments");
  }

  get isCalendar() {
    return this.place.params.mode === "calendar";
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    this.found = await this.load(this.listed(this.game));
  }

  /** The tournaments of a game, "" for all of them. @param {string} game */
  listed(game) {
    return get(`/tournaments${game ? `?game=${encodeURIComponent(game)}` : ""}`);
  }

  /** @param {Event} event */
  async filter(event) {
    const choice = /** @type {HTMLSelectElement} */ (event.target);
    const game = (this.game = choice.value);
    const isDone = await this.attempt(async () => {
      const found = await this.listed(game);
      if (this.game !== game) return;
      this.found = found;
      this.of = game;
    });
    // The list that stays is that of the game that was got last.
    if (!isDone && this.game === game) choice.value = this.game = this.of;
  }

  /** The address of what this player has entered, for a calendar program. */
  copyOwnCalendar() {
    return this.attempt(async () =>
      this.copy(`${location.origin}${(await get("/me/calendar")).url}?lang=${words().language.code}`),
    );
  }

  /** @param {ListedTournament} each */
  gameOf(each) {
    return this.titles.get(each.game) ?? each.game_title;
  }

  /** @param {ListedTournament} each */
  row(each) {
    const title = titleOf(each);
    const time =
      each.starts && !each.ended ? html`<span>${away(each.starts)} · ${when(each.starts)}</span>` : nothing;
    const people = each.limit
      ? t("{n} of {most} entered", { n: each.entrants, most: each.limit })
      : tn("{n} entered", "{n} entered", each.entrants);
    return html`<li>
      <a class="tile" href=${each.url}>
        <b>${named(title)}</b>
        <p>${this.gameOf(each)} · ${terms(each)}</p>
        <p class="row small">
          <span class="badge">${statusName(each.status)}</span>
          ${each.rated ? html`<span class="badge">${t("rated")}</span>` : nothing}
          <span>${people}</span>${time}
        </p>
      </a>
    </li>`;
  }

  /** @param {string} id @param {string} title @param {ListedTournament[]} list @param {string} empty */
  section(id, title, list, empty) {
    if (!list.length && !empty) return nothing;
    return html`<section aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      ${
        list.length
          ? html`<ul class="live">${list.map((each) => this.row(each))}</ul>`
          : html`<p class="empty">${empty}</p>`
      }
    </section>`;
  }

  /** What has a time, by its day. */
  calendar() {
    const all = new Map(
      [...(this.found?.now ?? []), ...(this.found?.soon ?? []), ...(this.found?.mine ?? [])].flatMap(
        (each) => (each.starts ? [[each.id, { ...each, starts: each.starts }]] : []),
      ),
    );
    /** @type {Map<string, (ListedTournament & {starts: number})[]>} */
    const days = new Map();
    for (const each of [...all.values()].sort((a, b) => a.starts - b.starts))
      days.set(day(each.starts), [...(days.get(day(each.starts)) ?? []), each]);
    if (!days.size) return nothingYet(t("No tournament has been announced yet."));
    return html`${this.monthTable(new Map([...days].map(([date, list]) => [date, list.length])))}
    ${[...days].map(
      ([date, list]) =>
        html`<section>
          <h2 data-day=${date} tabindex="-1">${date}</h2>
          <ul class="plain">
            ${list.map(
              (each) =>
                html`<li>
                  <b>${hour(each.starts)}</b>
                  <a href=${each.url}>${named(titleOf(each))}</a> · ${this.gameOf(each)} · ${terms(each)}
                </li>`,
            )}
          </ul>
        </section>`,
    )}`;
  }

  /** Bring a day of the list into view. @param {string} date */
  goTo(date) {
    const headings = /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-day]"));
    [...headings].find(({ dataset }) => dataset.day === date)?.focus();
  }

  /** The month that is shown, with how many tournaments each day has. @param {Map<string, number>} counts */
  monthTable(counts) {
    const { title, weekdays, weeks } = monthOf(this.month);
    const turn = (/** @type {number} */ by, /** @type {string} */ text) =>
      // Only marked as disabled: a button that is disabled loses the focus.
      html`<button
        aria-disabled=${this.month + by < 0}
        @click=${() => (this.month = Math.max(this.month + by, 0))}
      >${text}</button>`;
    return html`<section class="card stack month">
      <div class="row">
        ${turn(-1, t("Back"))}<h2 aria-live="polite">${title}</h2><span class="spring"></span>${turn(1, t("Next"))}
      </div>
      <table>
        <thead>
          <tr>
            ${weekdays.map(
              ({ name, letter }) =>
                html`<th scope="col">
                  <span aria-hidden="true">${letter}</span><span class="sr">${name}</span>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${weeks.map(
            (week) =>
              html`<tr>
                ${week.map((at) => {
                  const date = at ? day(at) : "";
                  const count = counts.get(date) ?? 0;
                  const number = at ? dayOfMonth(at) : "";
                  return html`<td>
                    ${
                      count
                        ? html`<button
                            @click=${() => this.goTo(date)}
                            aria-label=${`${date}: ${tn("{n} tournament", "{n} tournaments", count)}`}
                          >${number}</button>`
                        : number
                    }
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  /** @param {SubmitEvent} event */
  async make(event) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = (/** @type {string} */ name) => String(given.get(name) ?? "");
    const boards = text("boards");
    // An organiser allows no agreements; a game that knows none has no such option.
    /** @type {{name: string, options?: {name: string}[]}[]} */
    const games = await once("/variants");
    const options = games.find(({ name }) => name === text("game"))?.options ?? [];
    const plain = options.some(({ name }) => name === "agreements");
    const clock = boards === "real" ? "" : `.clock-${text("clock")}`;
    const card = `${text("game")}${plain ? ".agreements=false" : ""}.p${text("length")}${clock}`;
    /** @type {Record<string, unknown>} */
    const settings = {
      title: text("title").trim(),
      card,
      system: text("system"),
      boards,
      text: text("text"),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      who: text("who"),
      rated: given.has("rated"),
      public: given.has("public"),
    };
    if (text("starts")) settings.starts = new Date(text("starts")).getTime();
    if (text("limit")) settings.limit = Number(text("limit"));
    // The form has only those of these fields that belong to the chosen system and boards.
    for (const name of ["consolation", "draw"]) if (text(name)) settings[name] = text(name);
    for (const name of ["groups", "rounds", "losses", "minutes", "delay"])
      if (Number(text(name))) settings[name] = Number(text(name));
    for (const name of ["last_chance", "third_place", "twice"]) if (given.has(name)) settings[name] = true;
    if (settings.third_place) settings.consolation = "none";
    if (given.has("when_full")) settings.start = "when_full";
    this.fault = "";
    try {
      const { id } = await post("/tournaments", settings);
      await post(`/tournaments/${id}/director/announce`, { fields: {} });
      this.app.go(`/t/${id}/desk`);
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  /** Make the fields of the chosen system alone. */
  systemFields() {
    const choice = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {[string, string][]} */ values,
    ) =>
      html`<label class="field">
        <span class="label">${label}</span>
        <select name=${name}>${values.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select>
      </label>`;
    const number = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {number} */ min,
      /** @type {number} */ max,
      value = "",
    ) =>
      html`<label class="field">
        <span class="label">${label}</span>
        <input name=${name} type="number" min=${min} max=${max} value=${value}>
      </label>`;
    const draw = () => [
      choice("draw", t("Order in the bracket"), draws().slice(0, 2)),
      number("groups", t("Groups before the bracket"), 1, 64),
    ];
    /** @type {Record<string, () => unknown>} */
    const fields = {
      knockout: () => [choice("consolation", t("Consolation"), consolations()), draw()],
      double: draw,
      swiss: () => number("rounds", t("Rounds"), 1, 30),
      losses: () => number("losses", t("Losses until elimination"), 2, 4, "3"),
      arena: () => number("minutes", t("Minutes"), 30, 180, "60"),
    };
    return fields[this.system]?.();
  }

  /** Make its checkboxes: for what is played or not. */
  systemChecks() {
    const check = (/** @type {string} */ name, /** @type {string} */ text) =>
      html`<label class="check"><input type="checkbox" name=${name}>${text}</label>`;
    if (this.system === "round_robin") return check("twice", t("everybody meets twice"));
    if (this.system !== "knockout") return nothing;
    return [
      check("last_chance", t("a last chance after the consolation")),
      check("third_place", t("a match for third place, without consolation")),
    ];
  }

  form() {
    if (!this.app.user || this.app.user.kind === "guest")
      return html`<p class="small quiet">${t("With an account you can hold tournaments of your own.")}</p>`;
    return html`<details class="card">
      <summary><h2>${t("New tournament")}</h2></summary>
      <form class="stack" @submit=${this.make}>
        <label class="field">
          <span class="label">${t("Title")}</span>
          <input name="title" required maxlength="100">
        </label>
        <div class="row choose">
          <label class="field">
            <span class="label">${t("Game")}</span>
            <select name="game">
              ${[...this.titles].map(([name, title]) => html`<option value=${name}>${title}</option>`)}
            </select>
          </label>
          <label class="field">
            <span class="label">${t("System")}</span>
            <select
              name="system"
              @change=${(/** @type {Event} */ { target }) => {
                this.system = /** @type {HTMLSelectElement} */ (target).value;
              }}
            >
              ${SYSTEMS.map((system) => html`<option value=${system}>${systemName({ system })}</option>`)}
            </select>
          </label>
          ${keyed(this.system, this.systemFields())}
          <label class="field">
            <span class="label">${t("Points")}</span>
            <input name="length" type="number" min="1" max="99" value="5" required>
          </label>
          <label class="field">
            <span class="label">${t("Boards")}</span>
            <select
              name="boards"
              @change=${(/** @type {Event} */ { target }) => {
                this.boards = /** @type {HTMLSelectElement} */ (target).value;
              }}
            >
              <option value="site">${t("on this site")}</option>
              <option value="real">${t("real boards")}</option>
            </select>
          </label>
          <label class="field" ?hidden=${this.boards === "real"}>
            <span class="label">${t("Clock")}</span>
            <select name="clock">
              ${CLOCKS.map(
                (code) =>
                  html`<option value=${code}>
                    ${terms({ system: "arena", length: 1, contest: "points", clock: code }).split(" · ").at(-1)}
                  </option>`,
              )}
            </select>
          </label>
          <label class="field">
            <span class="label">${t("Starts")}</span>
            <input name="starts" type="datetime-local">
          </label>
          <label class="field">
            <span class="label">${t("At most")}</span>
            <input name="limit" type="number" min="2" max="2048">
          </label>
          ${
            this.boards === "real"
              ? nothing
              : html`<label class="field">
                <span class="label">${t("Minutes later for those who watch")}</span>
                <input name="delay" type="number" min="0" max="10" value="0">
              </label>`
          }
          <label class="field">
            <span class="label">${t("Who may enter")}</span>
            <select name="who">
              <option value="accounts">${t("accounts")}</option>
              <option value="guests">${t("guests too")}</option>
            </select>
          </label>
        </div>
        <label class="field">
          <span class="label">${t("What entrants should know")}</span>
          <textarea name="text" maxlength="2000" rows="3"></textarea>
        </label>
        <div class="row">
          <label class="check"><input type="checkbox" name="rated">${t("rated")}</label>
          <label class="check"><input type="checkbox" name="public" checked>${t("in the public list")}</label>
          <label class="check"><input type="checkbox" name="when_full">${t("starts when it is full")}</label>
          ${keyed(this.system, this.systemChecks())}
        </div>
        ${this.fault ? html`<p class="bad" role="alert">${this.fault}</p>` : nothing}
        <div class="row end"><button class="pri">${t("Announce")}</button></div>
      </form>
    </details>`;
  }

  render() {
    const { found } = this;
    if (!found) return html`<div class="page">${this.waiting()}</div>`;
    const none = !found.now.length && !found.soon.length;
    const list = html`${this.section("mine", t("Mine"), found.mine, "")}
      ${
        none
          ? nothingYet(t("No tournament has been announced yet."), ["/lobby", t("Find an opponent")])
          : html`${this.section("now", t("Now"), found.now, t("No tournament is being played just now."))}
            ${this.section("soon", t("Soon"), found.soon, t("No tournament has been announced yet."))}`
      }
      ${this.section("done", t("Over"), found.done, "")}`;
    return html`<div class="page tournaments">
      <h1>${t("Tournaments")}</h1>
      <div class="row tools">
        <label class="field">
          <span class="label">${t("Game")}</span>
          <select @change=${this.filter}>
            <option value="">${t("all games")}</option>
            ${[...this.titles].map(([name, title]) => html`<option value=${name}>${title}</option>`)}
          </select>
        </label>
        <span class="spring"></span>
        ${
          this.isCalendar
            ? html`<a class="button" href="/tournaments">${t("List")}</a>`
            : html`<a class="button" href="/tournaments/calendar">${t("Calendar")}</a>`
        }
        <a class="button" href=${`/tournaments.ics?lang=${words().language.code}`} download>${t("Calendar file")}</a>
        ${
          this.app.user
            ? html`<button @click=${() => void this.copyOwnCalendar()}>${t("Copy the link to my calendar")}</button>`
            : nothing
        }
        <a
          class="button"
          href=${`/tournaments.rss?lang=${words().language.code}`}
          type="application/rss+xml"
        >${t("Feed")}</a>
      </div>
      ${this.isCalendar ? this.calendar() : list}${this.form()}
    </div>`;
  }
}

customElements.define("ssb-tournaments", Tournaments);
