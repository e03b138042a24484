/** Chouettes: make a table, go on at one's own, join one that everybody may see. */

import { t, words } from "../../i18n/i18n.js";
import { get, once, post } from "../api.js";
import { adviceRules, clockRule, LEVEL, levelList } from "../chouette/gathering.js";
import { playedChouettes } from "../chouette/played.js";
import { clockFields } from "../clock-fields.js";
import { choice, entered, field, options } from "../fields.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { html, nothing, states, View } from "../view.js";

/** People at most; the one who makes the table is one of them. */
const MOST = 10;

class Chouettes extends View {
  static properties = states("variants", "game", "bots", "clock", "ownClock", "tables", "own", "played");

  constructor() {
    super();
    /** @type {{name: string, title: string, levels: {name: string}[]}[]} */ this.variants = [];
    this.game = settings.prefs.last.game;
    /** The levels of the bots that sit down at once. @type {string[]} */ this.bots = [];
    /** The code of the clock, and whether its own fields are wanted. */
    this.clock = "n";
    this.ownClock = false;
    /** @type {import("../wire.js").ListedChouette[]} */ this.tables = [];
    /** @type {import("../wire.js").ListedChouette[]} */ this.own = [];
    /** One's own that are over. @type {import("../wire.js").ListedChouette[]} */ this.played = [];
  }

  get heading() {
    return t("Chouette");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    /** @type {typeof this.variants | null} */
    const found = await this.load(once(`/variants?lang=${words().tag}`));
    this.variants = found ?? [];
    if (found && !found.some(({ name }) => name === this.game)) this.game = found[0].name;
    this.own = (await this.load(get("/me/chouettes"))) ?? [];
    this.tables = (await this.load(get("/chouettes"))) ?? [];
    const { user } = this.app;
    if (user) this.played = (await this.load(get(`/users/${encodeURIComponent(user.name)}/chouettes`))) ?? [];
  }

  /** The games' titles by their names. */
  get titles() {
    return new Map(this.variants.map(({ name, title }) => [name, title]));
  }

  /** The levels of the game that is chosen. */
  get levels() {
    return (this.variants.find(({ name }) => name === this.game)?.levels ?? []).map(({ name }) => name);
  }

  /** Seat a number of bots; those that were there before keep their levels. @param {number} count */
  seatBots(count) {
    this.bots = Array.from({ length: count }, (_, i) => this.bots[i] ?? LEVEL);
  }

  /** What is played, as the code of a card. @param {FormData} form */
  card(form) {
    const clock = this.clock === "n" ? "" : `.clock-${this.clock.replaceAll(".", "_")}`;
    return `${this.game}.m${clock}${form.get("typed") ? ".dice-typed" : ""}`;
  }

  /** @param {SubmitEvent} event */
  async make(event) {
    const form = entered(event);
    const names = String(form.get("names"))
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    await this.attempt(async () => {
      await this.app.identity;
      const made = await post("/chouettes", {
        card: this.card(form),
        names,
        bots: this.bots.map((level) => (this.levels.includes(level) ? level : LEVEL)),
        consultation: form.get("consultation"),
        chosen_members: Boolean(form.get("chosen")),
        private: !form.get("public"),
      });
      this.app.go(made.url);
    });
  }

  /** @param {import("../wire.js").ListedChouette[]} tables */
  list(tables) {
    return html`<ul class="people">
      ${tables.map(
        (table) =>
          html`<li>
            <a href=${table.url}>${this.titles.get(table.game) ?? table.game}</a>
            <span class="small quiet">${words().joined((table.people ?? []).map(guestName))}</span>
          </li>`,
      )}
    </ul>`;
  }

  /** The level of one of the bots, to be chosen. @param {number} i */
  levelOf(i) {
    const choose = (/** @type {string} */ name) =>
      (this.bots = this.bots.map((old, j) => (i === j ? name : old)));
    return levelList(this.levels, this.bots[i], t("Bot {n}", { n: i + 1 }), choose);
  }

  render() {
    if (!this.variants.length) return html`<div class="page">${this.waiting()}</div>`;
    const check = (/** @type {string} */ name, /** @type {string} */ text) =>
      html`<label class="check"><input type="checkbox" name=${name}>${text}</label>`;
    return html`<div class="page narrow stack">
      <h1>${t("Chouette")}</h1>
      <p class="lead">
        ${t(
          "One plays as the box against all others, who have a cube each. Three to ten people may sit down.",
        )}
      </p>
      ${this.own.length ? this.list(this.own) : nothing}
      <form class="card stack" @submit=${this.make}>
        ${choice(
          "game",
          t("Game"),
          this.variants.map(({ name, title }) => [name, title]),
          this.game,
          (name) => (this.game = name),
        )}
        ${choice(
          "bots",
          t("Bots"),
          Array.from({ length: MOST }, (_, n) => [n, words().figure(n)]),
          this.bots.length,
          (count) => this.seatBots(count),
        )}
        ${
          this.bots.length
            ? html`<fieldset class="field">
              <legend>${t("How strong each bot plays")}</legend>
              <div class="row">${this.bots.map((_, i) => this.levelOf(i))}</div>
            </fieldset>`
            : nothing
        }
        ${field(
          "names",
          t("Names at this screen, with commas between them"),
          html`<input id="names" name="names" autocomplete="off">`,
        )}
        ${field(
          "consultation",
          t("Advice to the captain"),
          html`<select id="consultation" name="consultation">${options(Object.entries(adviceRules()))}</select>`,
        )}
        ${clockFields(
          this.clock,
          (clock, ownClock) => {
            this.clock = clock;
            this.ownClock = ownClock;
          },
          { wanted: this.ownClock, rests: false },
        )}
        ${this.clock === "n" ? nothing : html`<p class="small quiet">${clockRule()}</p>`}
        ${check("chosen", t("The box chooses whom to double"))}${check("typed", t("Typed dice"))}
        ${check("public", t("Show it in the list of chouettes"))}
        <p class="small quiet">
          ${t("A table that is not in the list is not secret: anyone with its link may look and sit down.")}
        </p>
        <button class="pri">${t("Make a table")}</button>
      </form>
      ${this.tables.length ? html`<h2>${t("Watch")}</h2>${this.list(this.tables)}` : nothing}
      ${
        this.played.length
          ? html`<h2>${t("Replay")}</h2>${playedChouettes(this.played, this.titles)}`
          : nothing
      }
    </div>`;
  }
}

customElements.define("ssb-chouettes", Chouettes);
