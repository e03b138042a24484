/** The view of a chouette: people gather by its link, then play at a table of several. */
import { t, words } from "../../i18n/i18n.js";
import { call, get, once, post } from "../api.js";
import { gathering, LEVEL } from "../chouette/gathering.js";
import { handPlate, seats, sheet } from "../chouette/seats.js";
import { settleDialog } from "../chouette/settling.js";
import { entries, situation, slots } from "../chouette/slots.js";
import { MatchConnection } from "../match-connection.js";
import { guestName } from "../names.js";
import { chat } from "../table/chat.js";
import { readingDialog } from "../table/dialogs.js";
import { TableModel } from "../table/model.js";
import { socketBase } from "../traffic.js";
import { html, states } from "../view.js";
import { TableView } from "./table-view.js";

/** @import { Action, Gathering, Side } from "../wire.js" */

/** Milliseconds after which it is asked again who has sat down. */
const GATHERING = 2000;

/** What one may do at any time: no reason to show the other side. */
const BY_THE_WAY = new Set(["resign", "anchor", "link", "time"]);

export class Chouette extends TableView {
  static properties = states("about", "level", "settlingWith");

  constructor() {
    super();
    /** What was agreed on, and who has sat down. @type {Gathering | null} */
    this.about = null;
    /** The level of the next bot, of those that there are. */
    this.level = LEVEL;
    /** @type {string[]} */
    this.levels = [LEVEL];
    /** Under which of my names a settlement is being offered. */
    this.settling = "";
    /** With whom; "" is everybody. */
    this.settlingWith = "";
  }

  get heading() {
    return t("Chouette");
  }

  /** @returns {[string, string]} */
  get firstTab() {
    return ["sheet", t("Sheet")];
  }

  /** Of the chouette, in the API and on the site. */
  get path() {
    return `/chouettes/${encodeURIComponent(this.place.params.id)}`;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.body.classList.remove("playing");
  }

  /** Load who has sat down, until it begins. */
  async fetch() {
    await this.app.identity.catch(() => {});
    /** @type {Gathering | null} */
    const about = await this.load(get(this.path));
    if (!about || !this.isConnected) return;
    if (about.state === "open") {
      await this.loadLevels(about.card.game);
      this.later(() => this.fetch(), GATHERING);
    }
    this.learn(about);
  }

  /** The levels that bots have in this game. @param {string} game */
  async loadLevels(game) {
    /** @type {{name: string, levels: {name: string}[]}[]} */
    const variants = (await this.load(once(`/variants?lang=${words().tag}`))) ?? [];
    const found = variants.find(({ name }) => name === game)?.levels ?? [];
    if (found.length) this.levels = found.map(({ name }) => name);
  }

  /** What is known of it now. @param {Gathering} about */
  learn(about) {
    this.about = about;
    if (about.state === "open" || this.asked) return;
    this.asked = true;
    void this.loadVariant(about.card);
    document.body.classList.add("playing");
    const { id } = this.place.params;
    this.attach(
      new TableModel(id, new MatchConnection(id, socketBase(), words().tag, undefined, "chouette")),
    );
    this.model.open();
  }

  /** @param {() => Promise<Gathering | null>} ask */
  change(ask) {
    return this.attempt(async () => {
      const about = await ask();
      if (about?.people) this.learn(about);
    });
  }

  sit() {
    return this.change(() => post(`${this.path}/seat`));
  }

  /** @param {string} name @param {boolean} on */
  standIn(name, on) {
    return this.change(() =>
      call("POST", `${this.path}/people/${encodeURIComponent(name)}/stand-in`, { on }),
    );
  }

  /** Offer a settlement. @param {string} name under which of mine */
  settle = (name) => {
    this.settling = name;
    this.settlingWith = "";
    this.open("settle");
  };

  // What may be done

  /** The side that acts here: one that has something to do, where I play both. */
  get seat() {
    const { model, state } = this;
    const acts = (/** @type {Side} */ side) => model.allowed(side).some((kind) => !BY_THE_WAY.has(kind));
    return state.you.find(acts) ?? state.you[0] ?? null;
  }

  /** Whether a play on the board is advice, since somebody else is the hand. */
  get advises() {
    const { model, state } = this;
    return Boolean(state?.on_roll && !(model.playerFor(state.on_roll) in model.around.mine));
  }

  /** @param {Action} action */
  played(action) {
    const { model } = this;
    if (this.advises) {
      const adviser = model.mine.find(([, own]) => own.allowed.includes("advise"));
      if (action.type === "play" && adviser) model.as(adviser[0], { type: "advise", advice: action.play });
    } else if (action.type !== "double") model.act(action);
  }

  // What is shown

  get kind() {
    return "chouette-view";
  }

  /** The side whose view of the board this is. @returns {Side} */
  get viewer() {
    return this.state.you.length === 1 ? this.state.you[0] : "black";
  }

  get instead() {
    return this.about?.state === "open" ? gathering(this, this.about) : super.instead;
  }

  /** @param {Side} side */
  nameOf(side) {
    return guestName(this.model.playerFor(side));
  }

  /** @param {Side} side @param {boolean} own */
  plate(side, own) {
    return handPlate(this.model, side, own);
  }

  get slots() {
    return slots(this);
  }

  get menuEntries() {
    return entries(this);
  }

  get head() {
    return { title: t("Chouette"), meta: `${this.name} · ${t("game {n}", { n: this.state.game })}` };
  }

  get content() {
    const { around } = this.model;
    return html`${seats(around)}${sheet(around)}`;
  }

  get said() {
    return { title: situation(this), reason: this.model.reason };
  }

  /** The chat, and for those who sit here the way to answer. */
  get talking() {
    const { model } = this;
    const sits = model.mine.some(([, own]) => own.side);
    return chat(model.chat, guestName, sits ? model.say : null);
  }

  /** @param {string} name */
  dialogOf(name) {
    switch (name) {
      case "sheet":
        return readingDialog(t("Sheet"), sheet(this.model.around), this.close);
      case "settle":
        return settleDialog(this);
      default:
        return super.dialogOf(name);
    }
  }
}

customElements.define("ssb-chouette", Chouette);
