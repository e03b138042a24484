/** The view of a chouette: people gather by its link, then play. */
import { other } from "../../board/types.js";
import "../../board/board.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { call, get, once, post, variantOf } from "../api.js";
import { gathering, LEVEL } from "../chouette/gathering.js";
import { ChouetteModel } from "../chouette/model.js";
import { bar, plate, saying, seats, sheet } from "../chouette/parts.js";
import { settling } from "../chouette/settling.js";
import { icon } from "../icons.js";
import { chat, tabs } from "../match/chat.js";
import { boardAction } from "../match/controls.js";
import { StickToBottom } from "../match/panel.js";
import { sounds } from "../match/reactions.js";
import { SteadyEntries } from "../menu.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { html, nothing, View } from "../view.js";

const GATHERING = 2000;

export class Chouette extends View {
  static properties = {
    ...View.properties,
    about: { state: true },
    layout: { state: true },
    menu: { state: true },
    progress: { state: true },
    sheetOpen: { state: true },
    typing: { state: true },
    typed: { state: true },
    level: { state: true },
    tab: { state: true },
    talking: { state: true },
    settling: { state: true },
    settlingWith: { state: true },
  };

  constructor() {
    super();
    /** @type {any} how it was agreed on */
    this.about = null;
    /** @type {any} */
    this.layout = null;
    this.name = "";
    /** The level of the next bot, of those that there are. */
    this.level = LEVEL;
    /** @type {string[]} */ this.levels = [LEVEL];
    this.menu = false;
    this.entries = new SteadyEntries();
    /** The content of the panel: the score sheet or the chat. */
    this.tab = "sheet";
    /** Whether the chat is open over the board, where the panel has no room for it. */
    this.talking = false;
    /** Under which of my names a settlement is being offered, and to whom ("": everybody). @type {string | null} */
    this.settling = null;
    this.settlingWith = "";
    this.stickToBottom = new StickToBottom(this);
    this.sheetOpen = false;
    this.typing = false;
    this.typed = [0, 0];
    this.progress = { done: 0, whole: false };
    /** @type {ChouetteModel | null} */
    this.model = null;
    /** @type {any} */ this.timer = null;
    /** @type {any} the clock on the plates goes on */ this.ticking = null;
  }

  get heading() {
    return t("Chouette");
  }

  /** @returns {any} */
  get board() {
    return this.querySelector("ssb-board");
  }

  get path() {
    return `/chouettes/${encodeURIComponent(this.place.params.id)}`;
  }

  /** Whether a play on the board is advice, since somebody else is the hand. */
  get advises() {
    const { model } = this;
    const side = model?.state?.on_roll;
    return Boolean(model?.state && side && !(model.hand(side) in model.around.mine));
  }

  connectedCallback() {
    super.connectedCallback();
    this.ticking = setInterval(() => this.model?.state?.clock?.running && this.requestUpdate(), 200);
    void this.refresh();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    document.body.classList.remove("playing");
    this.model?.connection.bye();
    this.model?.close();
  }

  /** Load who has sat down, until it begins. */
  async refresh() {
    await this.app.identity.catch(() => {});
    const about = await this.load(get(this.path));
    if (!about || !this.isConnected) return;
    if (about.state === "open") {
      await this.loadLevels(about.card.game);
      this.timer = setTimeout(() => void this.refresh(), GATHERING);
    }
    this.about = about;
    if (about.state !== "open") await this.open();
  }

  /** The levels that bots have in this game. @param {string} game */
  async loadLevels(game) {
    /** @type {{name: string, levels: {name: string}[]}[]} */
    const variants = (await this.load(once(`/variants?lang=${words().tag}`))) ?? [];
    const found = variants.find(({ name }) => name === game)?.levels ?? [];
    if (found.length) this.levels = found.map(({ name }) => name);
  }

  async open() {
    const game = await this.load(variantOf(this.about.card));
    if (!game || this.model || !this.isConnected) return;
    this.layout = game.layout;
    this.name = game.title;
    document.body.classList.add("playing");
    this.model = new ChouetteModel(this.place.params.id);
    this.model.addEventListener("change", () => this.requestUpdate());
    this.model.addEventListener("event", (event) => this.onEvent(/** @type {CustomEvent} */ (event).detail));
    this.model.open();
  }

  /** @param {{name: string, detail: any}} event */
  onEvent({ name, detail }) {
    const state = this.model?.state;
    if (state) sounds({ name, detail }, state, this.app.user?.id);
    if (name === "refused" || name === "because")
      this.board?.refuse(detail.sent?.d?.steps ?? [], detail.d?.text);
  }

  updated() {
    if (!this.model || (this.tab !== "chat" && !this.talking)) return;
    this.model.unread = 0;
    this.stickToBottom.follow(".chatlog", this.model.chat.length);
  }

  /** The chat, and for those who sit here the way to answer. @param {ChouetteModel} model */
  chat(model) {
    const sits = model.mine.some(([, own]) => own.side);
    return chat(model.chat, guestName, sits ? (text) => void model.connection.say(text) : null);
  }

  /** @param {() => Promise<any>} ask */
  async change(ask) {
    await this.attempt(async () => {
      const about = await ask();
      if (!about?.people) return;
      this.about = about;
      if (about.state !== "open") await this.open();
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

  /** @param {CustomEvent} event */
  onBoard(event) {
    const model = /** @type {ChouetteModel} */ (this.model);
    const { type, detail } = event;
    if (type === "ssb-progress") this.progress = { done: detail.done.length, whole: detail.whole };
    else if (type === "ssb-why") model.connection.why(detail.steps);
    else if (type === "ssb-flip") settings.turn(this.about.card.game);
    else if (this.advises) {
      const adviser = model.mine.find(([, own]) => own.allowed.includes("advise"));
      if (type === "ssb-play" && adviser) model.as(adviser[0], { type: "advise", advice: detail.play });
    } else {
      const action = boardAction(type, detail);
      if (action && action.type !== "double") model.act(action);
    }
  }

  /** Dice of a real board, as two rows of buttons. @param {ChouetteModel} model */
  dice(model) {
    const [first, second] = this.typed;
    return html`<dialog open><h2>${t("What do the dice show?")}</h2>${[0, 1].map(
      (i) =>
        html`<div class="dicepad">${[1, 2, 3, 4, 5, 6].map((die) => html`<button aria-pressed=${this.typed[i] === die} @click=${() => (this.typed = this.typed.map((old, j) => (i === j ? die : old)))}>${die}</button>`)}</div>`,
    )}<div class="actions"><button @click=${() => (this.typing = false)}>${t("Back")}</button><button class="pri" ?disabled=${!first || !second} @click=${() => {
      this.typing = false;
      this.typed = [0, 0];
      model.act({ type: "dice", first, second });
    }}>${t("Done")}</button></div></dialog>`;
  }

  render() {
    const { model, about } = this;
    if (about?.state === "open") return gathering(this);
    if (model?.isSentAway)
      return html`<div class="wait" role="alert"><p>${model.failure}</p><a class="button" href="/">${t("Home")}</a></div>`;
    const state = model?.state;
    if (!model || !state || !this.layout) return html`<div class="page">${this.waiting()}</div>`;
    const talks = this.tab === "chat";
    const own = state.you.length === 1 ? state.you[0] : "black";
    const on = (/** @type {CustomEvent} */ event) => this.onBoard(event);
    return html`<div class="match-view chouette-view">
      <div class="board"><ssb-board .state=${state} .layout=${this.layout} .prefs=${settings.board(state.card.game)} .lang=${words().language.code} .t=${t} .tn=${tn} .last=${model.last}
        @ssb-play=${on} @ssb-step=${on} @ssb-touch=${on} @ssb-roll=${on} @ssb-confirm=${on} @ssb-swap=${on} @ssb-why=${on} @ssb-progress=${on} @ssb-flip=${on}></ssb-board></div>
      ${plate(model, other(own), false)}
      <div class="sheet"><div class="head"><a class="icon button way-home" href="/" aria-label=${t("Home")} title=${t("Home")}>${icon("home")}</a><div class="titles"><h1>${t("Chouette")}</h1><p class="meta">${this.name} · ${t("game {n}", { n: state.game })}</p></div></div>
        ${tabs(this.tab, model.unread, (tab) => (this.tab = tab), ["sheet", t("Sheet")])}
        <div class="turns"><div class="scroll ${talks ? "chat" : ""}" tabindex="0" role="region" aria-label=${talks ? t("Chat") : t("Sheet")}>${talks ? this.chat(model) : html`${seats(model)}${sheet(model)}`}</div></div></div>
      ${saying(model, model.reason)}
      ${plate(model, own, true)}
      ${bar(this)}
      ${this.sheetOpen ? html`<dialog open class="wide"><h2>${t("Sheet")}</h2>${sheet(model)}<div class="actions"><button class="pri" @click=${() => (this.sheetOpen = false)}>${t("Back")}</button></div></dialog>` : nothing}
      ${this.talking ? html`<dialog open class="wide"><h2>${t("Chat")}</h2>${this.chat(model)}<div class="actions"><button class="pri" @click=${() => (this.talking = false)}>${t("Back")}</button></div></dialog>` : nothing}
      ${settling(this)}
      ${this.typing ? this.dice(model) : nothing}</div>`;
  }
}

customElements.define("ssb-chouette", Chouette);
