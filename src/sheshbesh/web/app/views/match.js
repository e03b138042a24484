/** The table: board, plates, moves, buttons, chat, tutor. */
import "../../board/board.js";
import { latinKey } from "../../board/keys.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { once, post } from "../api.js";
import { icon } from "../icons.js";
import * as buttons from "../match/actions.js";
import { hintText, verdictText } from "../match/advice.js";
import { boardAction, shortcut } from "../match/board-events.js";
import { chat, tabs } from "../match/chat.js";
import { guessedNote, moves } from "../match/moves.js";
import { plate } from "../match/plate.js";
import { drawings, sounds } from "../match/reactions.js";
import { outcome, resultDialog } from "../match/result.js";
import { rulesDialog } from "../match/rules-dialog.js";
import { Table } from "../match/table.js";
import { meta, situation } from "../match/wording.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { View, html, ltr, nothing } from "../view.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 */

class Match extends View {
  static properties = { ...View.properties, tab: { state: true }, dialog: { state: true }, layout: { state: true }, progress: { state: true }, typed: { state: true }, typing: { state: true } };

  constructor() {
    super();
    this.tab = "moves";
    this.dialog = "";
    /** @type {any} */
    this.layout = null;
    this.progress = { done: 0, whole: false };
    this.typed = [0, 0];
    /** A play that is being typed at the board. */
    this.typing = "";
    /** @type {Table | null} */
    this.table = null;
    /** @type {any} */
    this.ticking = null;
    /** @type {any[]} */
    this.rules = [];
    this.asked = false;
    /** @type {string | null} who made the offer that was last shown */
    this.offeredBy = null;
    /** Whether the last state asked for dice to be typed in. */
    this.diceAsked = false;
    this.name = "";
    this.listed = 0;
    this.read = 0;
    /** What the board is told; the same object until a setting changes, or the board would be drawn at every tick.
     * @type {ReturnType<typeof settings.board> | null} */
    this.prefs = null;
    this.onBye = () => this.table?.line.bye();
    this.onShown = (/** @type {PageTransitionEvent} */ event) => {
      if (event.persisted) this.app.again();
    };
    this.onSettings = () => {
      this.prefs = null;
      this.requestUpdate();
    };
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onOnline = () => this.table?.line.open();
  }

  get heading() {
    return this.name || t("Match");
  }

  /** The board element, once it is drawn. @returns {any} */
  get board() {
    return this.querySelector("ssb-board");
  }

  connectedCallback() {
    super.connectedCallback();
    this.table = new Table(this.place.params.id);
    this.table.addEventListener("change", () => this.requestUpdate());
    for (const name of ["challenges", "match"]) this.table.line.addEventListener(name, (event) => this.app.hear(/** @type {CustomEvent} */ (event).detail));
    this.table.addEventListener("event", (event) => this.onEvent(/** @type {CustomEvent} */ (event).detail));
    addEventListener("pagehide", this.onBye);
    addEventListener("pageshow", this.onShown);
    addEventListener("keydown", this.onKey);
    addEventListener("online", this.onOnline);
    settings.addEventListener("change", this.onSettings);
    this.ticking = setInterval(() => this.table?.state?.clock?.running && this.requestUpdate(), 200);
    // Whoever opens a match must be somebody first: a guest has a seat in his own right.
    this.app.identity.then(() => this.table?.open(), () => this.table?.open());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    removeEventListener("pagehide", this.onBye);
    removeEventListener("pageshow", this.onShown);
    removeEventListener("keydown", this.onKey);
    removeEventListener("online", this.onOnline);
    settings.removeEventListener("change", this.onSettings);
    if (this.table?.line.live) this.table.line.bye();
    this.table?.close();
  }

  /** @param {Map<string, unknown>} _changed */
  willUpdate(_changed) {
    const asks = this.table?.state ? this.controls.allowed.includes("dice") : false;
    if (asks && !this.diceAsked) this.controls.open("dice");
    this.diceAsked = asks;
    // In another tab the next game has been begun.
    const between = ["ready", "over"].includes(this.table?.state?.phase ?? "over");
    if (this.dialog === "result" && !between) this.dialog = "";
    const card = this.table?.state?.card;
    if (card && !this.layout && !this.asked) {
      this.asked = true;
      void this.furnish(card);
    }
  }

  /** @param {import("../types.js").Card} card */
  async furnish(card) {
    const lang = words().language.code;
    const about = await this.load(once(`/variants/${encodeURIComponent(card.game)}?card=${encodeURIComponent(card.code)}&lang=${lang}`));
    if (!about) return;
    this.layout = about.layout;
    this.name = about.title;
    this.rules = about.rules ?? [];
    document.title = `${about.title} · ${t("Sheshbesh")}`;
  }

  /** @param {{name: string, detail: any}} event */
  onEvent(event) {
    const state = this.table?.state;
    if (state) sounds(event, state, this.app.user?.id);
    if (event.name === "ended") this.dialog = "result";
    if (event.detail?.guessed) this.app.toast(guessedNote());
    // Whoever has asked for it is taken there; others see the way.
    if (event.name === "rematch" && event.detail.url && state?.you.some((side) => this.table?.willing.has(side))) this.app.go(event.detail.url);
    // Taking back one's own offer is no answer.
    const answered = event.name === "refuse" && !state?.you.includes(event.detail.actor) && this.offeredBy !== event.detail.actor;
    if (answered) this.app.toast(t("Your opponent declines."));
    drawings(event, this.board);
  }

  /** @returns {import("../match/actions.js").Table} */
  get controls() {
    const table = /** @type {Table} */ (this.table);
    const state = /** @type {State} */ (table.state);
    const seat = table.seat;
    return {
      state,
      seat,
      allowed: seat ? table.allowed(seat) : [],
      done: this.progress.done,
      whole: this.progress.whole,
      waiting: table.line.busy || !table.line.live,
      act: (action) => (action.type === "ready" ? this.readyAll() : table.act(action)),
      undo: (all) => this.board?.undo(all),
      confirm: () => this.board?.confirm(),
      open: (dialog) => {
        this.typed = [0, 0];
        this.dialog = dialog;
      },
      hint: () => void table.line.hint(),
      finish: () => void table.line.finish(),
      again: () => void this.rematch(),
    };
  }

  async rematch() {
    await this.attempt(async () => {
      const made = await post(`/matches/${encodeURIComponent(this.place.params.id)}/rematch`);
      if (made.url) this.app.go(made.url);
    });
  }

  /** @param {CustomEvent} event */
  onBoard(event) {
    const table = /** @type {Table} */ (this.table);
    const { detail } = event;
    if (event.type === "ssb-progress") this.progress = { done: detail.done.length, whole: detail.whole };
    else if (event.type === "ssb-typing") this.typing = detail.text;
    else if (event.type === "ssb-why") table.line.why(detail.steps);
    else if (event.type === "ssb-flip") this.flip();
    else {
      const action = boardAction(event.type, detail);
      const swaps = action?.type !== "swap" || (table.seat && table.allowed(table.seat).includes("swap"));
      if (action && swaps) table.act(action);
    }
  }

  /**
   * Keys pressed beside the board: answers to offers here, all others as if pressed on the board.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { target } = event;
    const elsewhere = target instanceof Element && target.closest("input, select, textarea, button, a, summary, dialog, ssb-board");
    if (event.defaultPrevented || elsewhere || this.dialog || !this.table?.state || !this.board) return;
    const action = this.typing || event.ctrlKey || event.metaKey || event.altKey ? undefined : shortcut(this.controls, latinKey(event).toLowerCase());
    if (!action) return this.board.key(event);
    event.preventDefault();
    action();
  }

  /** My checkers from one half of the board to the other, home from one side to the other, in turn. */
  flip() {
    const game = this.table?.state?.card.game;
    if (!game) return;
    const { home, mine } = settings.seat(game);
    if (home === "right") settings.setSeat(game, { home: "left" });
    else settings.setSeat(game, { home: "right", mine: mine === "bottom" ? "top" : "bottom" });
  }

  updated() {
    const offer = this.table?.state?.proposal ?? this.table?.state?.resignation;
    this.offeredBy = offer?.by ?? null;
    const length = this.table?.turns.length ?? 0;
    if (length !== this.listed && this.tab === "moves") {
      this.listed = length;
      const list = this.querySelector(".scroll");
      if (list) list.scrollTop = list.scrollHeight;
    }
    const said = this.table?.chat.length ?? 0;
    if (this.tab === "chat" && this.table) {
      this.table.unread = 0;
      const log = this.querySelector(".chatlog");
      if (log && said !== this.read) log.scrollTop = log.scrollHeight;
      this.read = said;
    }
    const dialog = this.querySelector("dialog");
    if (!dialog) return;
    if (this.dialog && !dialog.open) dialog.showModal();
    else if (!this.dialog && dialog.open) dialog.close();
  }

  dialogContent() {
    const { controls } = this;
    const { state } = controls;
    const close = () => (this.dialog = "");
    switch (this.dialog) {
      case "resign":
        return buttons.resignDialog(controls, close);
      case "propose":
        return buttons.proposeDialog(controls, close);
      case "dice":
        return buttons.diceDialog(controls, this.typed, (dice) => (this.typed = dice), close);
      case "rules":
        return rulesDialog(state, this.name, this.rules, close);
      case "result":
        return resultDialog({
          state,
          ready: controls.allowed.includes("ready") ? () => { close(); this.readyAll(); } : null,
          waiting: state.phase === "ready",
          rematch: state.you.length ? () => void this.rematch() : null,
          offer: this.table?.offer ?? null,
          willing: [.../** @type {Set<Side>} */ (this.table?.willing ?? new Set())],
          close,
        });
      default:
        return nothing;
    }
  }

  /** On a shared screen both are ready when one says so. */
  readyAll() {
    const table = /** @type {Table} */ (this.table);
    for (const side of table.state?.you ?? []) if (table.allowed(side).includes("ready")) table.act({ type: "ready" }, side);
  }

  /** @param {State} state @param {string} below */
  line(state, below) {
    const said = state.phase === "over" ? outcome(state) : below;
    return said ? html`<p>${said}</p>` : nothing;
  }

  /** @param {State} state */
  words(state) {
    const table = /** @type {Table} */ (this.table);
    const { controls } = this;
    const [head, below] = situation(controls.allowed === state.allowed ? state : { ...state, allowed: controls.allowed }, {
      ...this.progress,
      calls: settings.prefs.calls,
    });
    const advice = table.hint ? hintText(table.hint) : table.verdict ? verdictText(table.verdict) : nothing;
    return html`<div class="say" aria-live="polite"><b>${head}</b>${this.line(state, below)}
      ${this.typing ? html`<p>${ltr(this.typing)}</p>` : nothing}
      ${table.reason ? html`<p class="reason" role="alert">${table.reason}</p>` : nothing}${advice}${buttons.proposal(controls)}</div>`;
  }

  /** @param {string} tab */
  turn(tab) {
    this.tab = tab;
    this.listed = this.read = 0;
  }

  render() {
    const { table } = this;
    if (table?.failure) {
      return html`<div class="wait" role="alert"><p>${table.failure}</p><a class="button" href="/">${t("Home")}</a></div>`;
    }
    if (table?.waits && !table.state) return html`<div class="wait" role="status"><p>${t("Waiting for your opponent")}<span class="dots"></span></p></div>`;
    if (!table?.state || !this.layout) return html`<div class="page">${this.waiting()}</div>`;
    const { state } = table;
    const { material } = settings.prefs;
    const own = state.you.length === 1 ? state.you[0] : "white";
    /** @type {Side} */
    const other = own === "white" ? "black" : "white";
    const { colours } = settings.seat(state.card.game);
    const tone = (/** @type {Side} */ side) => (colours === "given" ? side : (side === own) === (colours === "light") ? "white" : "black");
    const seen = (/** @type {Side} */ side) =>
      plate({ state, side, own: side === own, tone: tone(side), material, passed: table.passed, presence: table.presence[side], thinking: table.thinking === side });
    const { controls } = this;
    const people = state.you.length < 2 && Object.values(state.players).every(({ kind }) => kind !== "engine");
    const watchers = Number(table.presence.watchers ?? 0);
    return html`<div class="table">
      <div class="board">
        <ssb-board .state=${state} .layout=${this.layout} .prefs=${(this.prefs ??= settings.board(state.card.game))} .lang=${words().language.code} .t=${t} .tn=${tn} .last=${table.last}
          @ssb-play=${this.onBoard} @ssb-step=${this.onBoard} @ssb-touch=${this.onBoard} @ssb-roll=${this.onBoard} @ssb-double=${this.onBoard}
          @ssb-confirm=${this.onBoard} @ssb-swap=${this.onBoard} @ssb-why=${this.onBoard} @ssb-progress=${this.onBoard} @ssb-flip=${this.onBoard} @ssb-typing=${this.onBoard}></ssb-board>
        ${table.line.live ? nothing : html`<div class="lineoff" role="status"><span>${t("The line is interrupted. Trying again")}…</span></div>`}
      </div>
      <aside>
        ${seen(other)}
        <section class="sheet" aria-label=${t("Game")}>
          <div class="head"><div><h1>${this.name}</h1><p class="meta">${meta(state)}${watchers ? ` · ${tn("{n} watcher", "{n} watchers", watchers)}` : ""}</p></div>
            <button class="icon" aria-label=${t("Turn the board")} title=${t("Turn the board")} @click=${() => this.flip()}>${icon("flip")}</button>
            <button class="icon" aria-label=${t("Rules")} title=${t("Rules")} @click=${() => (this.dialog = "rules")}>${icon("rules")}</button>
            <button class="icon" aria-label=${t("Sounds")} aria-pressed=${settings.prefs.sounds} title=${t("Sounds")} @click=${() => settings.set({ sounds: !settings.prefs.sounds })}>${icon(settings.prefs.sounds ? "sound" : "mute")}</button></div>
          ${people ? tabs(this.tab, table.unread, (tab) => this.turn(tab)) : nothing}
          <div class="scroll ${this.tab}" tabindex="0" role="region" aria-label=${this.tab === "chat" ? t("Chat") : t("Moves")}>${this.tab === "chat" ? chat(table.chat, guestName, state.you.length ? (words) => void table.line.say(words) : null) : moves(state, table.turns, table.grades)}</div>
          ${this.words(state)}
          <div class="actions">${state.you.length || state.phase === "over" ? buttons.mainButtons(controls) : html`<p class="quiet">${t("You are watching.")}</p>`}</div>
          ${state.you.length ? html`<div class="more">${buttons.moreButtons(controls)}</div>` : nothing}
        </section>
        ${seen(own)}
      </aside>
      <dialog class=${this.dialog === "rules" ? "wide" : ""} @close=${() => (this.dialog = "")}>${this.dialogContent()}</dialog>
    </div>`;
  }
}

customElements.define("ssb-match", Match);
