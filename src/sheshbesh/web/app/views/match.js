/** The view of a match: board, plates, moves, buttons, chat, tutor. */
import { other } from "../../board/types.js";
import "../../board/board.js";
import { rehearse } from "../../board/rehearsal.js";
import { t, tn, widen, words } from "../../i18n/i18n.js";
import { get, post, variantOf } from "../api.js";
import { pinnedSince } from "../history.js";
import { actionBar } from "../match/actions.js";
import { boardAction, controls } from "../match/controls.js";
import { dialog, throwOf } from "../match/dialogs.js";
import { handleKey } from "../match/keys.js";
import { MatchModel } from "../match/match-model.js";
import { guessedNote } from "../match/moves.js";
import { BarFocus, panel, StickToBottom, saying, talking } from "../match/panel.js";
import { plateOf } from "../match/plate.js";
import { announcements, drawings, sounds } from "../match/reactions.js";
import { SteadyEntries } from "../menu.js";
import { Modal } from "../modal.js";
import { settings, store } from "../settings.js";
import { recordAt } from "../table/store.js";
import { afterLoading, html, idle, nothing, seen, unreachable, View } from "../view.js";
import { update, waitsForMe } from "../waiting.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 */

/** Screens with room for the tutor's texts, which are then shown unless they are closed. */
const ROOMY = "(min-width: 980px) and (min-height: 600px), (min-width: 600px) and (min-height: 900px)";

/** Milliseconds during which the confirm button ignores taps after it replaces Double. */
const CONFIRM_GUARD_MS = 400;

export class Match extends View {
  static properties = {
    ...View.properties,
    opened: { state: true },
    menu: { state: true },
    armed: { state: true },
    tab: { state: true },
    dialog: { state: true },
    layout: { state: true },
    progress: { state: true },
    typed: { state: true },
    offers: { state: true },
  };

  constructor() {
    super();
    this.tab = "moves";
    this.dialog = "";
    /** @type {any} */
    this.layout = null;
    this.progress = { done: 0, whole: false };
    /** The progress to show once it has been drawn. */
    this.awaited = this.progress;
    /** Whether the tutor's texts are shown; null: where the screen has room. @type {boolean | null} */
    this.opened = null;
    this.roomy = matchMedia(ROOMY);
    /** Whether the rarer actions are shown. */
    this.menu = false;
    this.entries = new SteadyEntries();
    /** When the cube was asked for the first time, by performance.now(); 0 if it was not. */
    this.armed = 0;
    this.typed = [0, 0];
    /** What may be offered, once it was asked for. @type {import("../match/offers.js").Offers | null} */
    this.offers = null;
    /** @type {MatchModel | null} */
    this.model = null;
    /** @type {any} */ this.ticking = null;
    /** @type {any[]} */ this.rules = [];
    /** What can be proposed in this match. @type {string[]} */ this.proposals = [];
    this.asked = false;
    /** Whether the browser has been made ready for the first turn. */
    this.rehearsed = false;
    /** @type {string | null} who made the offer that was last shown */
    this.offeredBy = null;
    /** The throw whose dice the last state asked to be typed in. */
    this.diceAsked = "";
    this.name = "";
    this.stickToBottom = new StickToBottom(this);
    this.barFocus = new BarFocus(this);
    this.modal = new Modal(this);
    /** Preferences of the board; the same object until a setting changes, so that clock ticks do not redraw the board.
     * @type {ReturnType<typeof settings.board> | null} */
    this.prefs = null;
    this.onSettings = () => {
      this.prefs = null;
      this.requestUpdate();
    };
    /** Listeners on the window. @type {Record<string, (event: any) => void>} */
    this.listeners = {
      pagehide: () => this.model?.connection.bye(),
      pageshow: (/** @type {PageTransitionEvent} */ event) => event.persisted && this.app.again(),
      keydown: (/** @type {KeyboardEvent} */ event) => handleKey(this, event),
      online: () => this.model?.connection.open(),
      focusin: (/** @type {FocusEvent} */ event) => this.barFocus.notice(event),
      pointerdown: (/** @type {PointerEvent} */ event) => {
        this.barFocus.notice(event);
        if (!(event.target instanceof Element && event.target.closest(".more, .dots-button")))
          this.menu = false;
      },
    };
    this.onRoom = () => this.requestUpdate();
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
    this.model = new MatchModel(this.place.params.id);
    this.model.addEventListener("change", () => this.requestUpdate());
    for (const name of ["challenges", "match", "turn"])
      this.model.connection.addEventListener(name, (event) =>
        this.app.dispatch(/** @type {CustomEvent} */ (event).detail),
      );
    this.model.addEventListener("event", (event) => this.onEvent(/** @type {CustomEvent} */ (event).detail));
    this.model.addEventListener("state", (event) => this.onState(/** @type {CustomEvent} */ (event).detail));
    for (const [name, listener] of Object.entries(this.listeners)) addEventListener(name, listener);
    settings.addEventListener("change", this.onSettings);
    this.roomy.addEventListener("change", this.onRoom);
    this.ticking = setInterval(() => this.model?.state?.clock?.running && this.requestUpdate(), 200);
    // A stranger becomes a guest first: guests have seats too.
    const arrived = this.app.known ? Promise.resolve() : this.app.identity;
    arrived.then(
      () => this.model?.open(),
      () => this.model?.open(),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    for (const [name, listener] of Object.entries(this.listeners)) removeEventListener(name, listener);
    settings.removeEventListener("change", this.onSettings);
    this.roomy.removeEventListener("change", this.onRoom);
    this.modal.release();
    if (this.model?.connection.live) this.model.connection.bye();
    this.model?.close();
  }

  /** @param {Map<string, unknown>} _changed */
  willUpdate(_changed) {
    const asks = this.model?.state && this.controls.allowed.includes("dice") ? throwOf(this.model) : "";
    if (asks && asks !== this.diceAsked) this.controls.open("dice");
    if (!asks && this.dialog === "dice") this.dialog = "";
    this.diceAsked = asks;
    // In another tab the next game has been begun.
    const between = ["ready", "over"].includes(this.model?.state?.phase ?? "over");
    if (this.dialog === "result" && !between) this.dialog = "";
    const card = this.model?.state?.card;
    if (card && !this.layout && !this.asked) {
      this.asked = true;
      void this.loadVariant(card);
    }
  }

  /** @param {import("../types.js").Card} card */
  async loadVariant(card) {
    const about = await this.load(variantOf(card));
    if (!about) return;
    this.layout = about.layout;
    this.name = about.title;
    this.rules = about.rules ?? [];
    this.proposals = about.proposals ?? [];
    document.title = `${about.title} · ${t("Sheshbesh")}`;
    if (!this.rehearsed) afterLoading(() => this.board && void rehearse(this.board, idle), 200);
    this.rehearsed = true;
  }

  /** The match goes on as it is, with the hops on the board that were not confirmed yet. */
  async languageChanged() {
    const { model, layout } = this;
    if (!model?.state || !layout) return false;
    model.languageChanged();
    await Promise.all([this.loadVariant(model.state.card), this.offers ? this.fetchOffers() : null]);
    this.requestUpdate();
    return true;
  }

  /** @param {{name: string, detail: any}} event */
  onEvent(event) {
    const state = this.model?.state;
    if (state) sounds(event, state, this.app.user?.id);
    if (event.name === "ended") this.dialog = "result";
    if (event.detail?.guessed) this.app.toast(guessedNote());
    // Players who asked for the rematch are taken there; others see a link.
    if (
      event.name === "rematch" &&
      event.detail.url &&
      state?.you.some((side) => this.model?.willing.has(side))
    )
      void this.goOn(event.detail.url);
    // Withdrawing one's own offer is not an answer.
    const answered =
      event.name === "refuse" &&
      !state?.you.includes(event.detail.actor) &&
      this.offeredBy !== event.detail.actor;
    if (answered) this.app.toast(t("Your opponent declines."));
    drawings(event, this.board);
  }

  /** @param {State | null} before */
  onState(before) {
    const state = /** @type {State} */ (this.model?.state);
    for (const text of announcements(before, state)) this.app.toast(text);
    update(state.match, state.phase !== "over" && waitsForMe(state));
    if (state.phase !== "roll" || state.on_roll !== before?.on_roll) this.armed = 0;
    // A proposal that waits for an answer is shown at once; without any text there is nothing to show.
    const asks = state.proposal && state.you.some((side) => this.model?.allowed(side).includes("accept"));
    if (asks && !before?.proposal) this.opened = true;
    else if (!state.proposal && !this.model?.tutor.verdict && !this.model?.tutor.hint) this.opened = null;
    // What may be offered has changed with the game.
    if (this.offers && before?.phase !== state.phase) void this.fetchOffers();
  }

  get controls() {
    return controls(this);
  }

  get unfolded() {
    return this.opened ?? this.roomy.matches;
  }

  /** Show the tutor's texts, with the arrows over the position they are about, or hide both. */
  unfold() {
    this.opened = !this.unfolded;
    if (this.model?.tutor.advice) this.model.point(this.opened);
  }

  async toggleMenu() {
    this.menu = !this.menu;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(this.menu ? "#more > *" : ".dots-button"))?.focus({
      preventScroll: true,
    });
  }

  hint() {
    this.opened = true;
    this.model?.hint();
  }

  /** Whether to throw as soon as it is the player's turn. @param {boolean} ahead */
  rollAhead(ahead) {
    if (!this.model?.shares.mayAsk) return;
    this.model.shares.ahead = ahead;
    this.model.changed();
  }

  /** @param {boolean} armed */
  arm(armed) {
    this.armed = armed ? performance.now() : 0;
  }

  /** The second tap on the cube. */
  double() {
    if (performance.now() - this.armed < CONFIRM_GUARD_MS) return;
    this.armed = 0;
    this.controls.act({ type: "double" });
  }

  /** Open a dialog. @param {string} name */
  open(name) {
    this.typed = [0, 0];
    this.offers = null;
    this.dialog = name;
    void this.fetchOffers();
  }

  async fetchOffers() {
    const asked = this.dialog;
    if (asked !== "resign" && asked !== "propose") return;
    const path = `/matches/${encodeURIComponent(this.place.params.id)}/offers?lang=${words().tag}`;
    const done = await this.attempt(async () => (this.offers = await get(path)));
    if (!done && this.dialog === asked) this.dialog = "";
  }

  async rematch() {
    await this.attempt(async () => {
      const made = await post(`/matches/${encodeURIComponent(this.place.params.id)}/rematch`);
      if (made.url) await this.goOn(made.url);
    });
  }

  /** Go to the rematch; where this match has kept the score of a real board, that one does now. @param {string} url */
  async goOn(url) {
    const { id } = this.place.params;
    if (recordAt(store) === id) {
      const [{ carryOn }] = await Promise.all([
        import("../table/record.js"),
        widen("match-later").catch(() => {}),
      ]);
      await carryOn(store, id, decodeURIComponent(url.split("/").at(-1) ?? ""));
    }
    this.app.go(url);
  }

  /** Go to where messages are written: beside the list of moves, or where there is no room for it in a dialog. */
  async openChat() {
    if (!this.querySelector(".tabs")?.getClientRects().length) return this.open("chat");
    this.turn("chat");
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (
      this.querySelector(".turns input") ??
        this.querySelector(".turns button, [role=tab][aria-selected=true]")
    )?.focus();
  }

  /** @param {CustomEvent} event */
  onBoard(event) {
    const model = /** @type {MatchModel} */ (this.model);
    const { detail } = event;
    if (event.type === "ssb-progress") void this.follow({ done: detail.done.length, whole: detail.whole });
    else if (event.type === "ssb-why") model.connection.why(detail.steps);
    else if (event.type === "ssb-flip") this.flip();
    else if (event.type === "ssb-present") model.point(false);
    else if (event.type === "ssb-acted") {
      model.acted();
      if (!this.roomy.matches) this.opened = null;
    } else if (event.type === "ssb-roll" && this.armed) this.armed = 0;
    else {
      const action = boardAction(event.type, detail);
      const swaps = action?.type !== "swap" || (model.seat && model.allowed(model.seat).includes("swap"));
      if (action?.type === "roll" || action?.type === "double") model.acted();
      if (action && swaps) model.act(action);
    }
  }

  /**
   * How much of a turn is played. The frame in which a checker begins to move has enough to do: buttons and words follow
   * in the next one, unless a play that could be confirmed no longer can.
   * @param {{done: number, whole: boolean}} progress
   */
  async follow(progress) {
    this.awaited = progress;
    if (progress.done && (progress.whole || !this.progress.whole)) await seen();
    if (this.awaited === progress) this.progress = progress;
  }

  flip() {
    if (this.model?.state) settings.turn(this.model.state.card.game);
  }

  updated() {
    const offer = this.model?.state?.proposal ?? this.model?.state?.resignation;
    this.offeredBy = offer?.by ?? null;
    const talking = this.tab === "chat" || this.dialog === "chat";
    if (this.model && talking) {
      this.model.unread = 0;
      this.stickToBottom.follow(".chatlog", this.model.chat.length);
    } else if (this.model) this.stickToBottom.follow(".scroll", this.model.turns.length);
    this.modal.follow(this.dialog !== "");
    this.barFocus.follow();
  }

  /** The dialog was closed, by Escape perhaps. @param {ToggleEvent} event */
  toggled({ newState }) {
    if (newState === "closed") this.dialog = "";
  }

  /** The same where the dialog is in no popover; it may have been opened again since. @param {Event} event */
  closed({ target }) {
    if (!(/** @type {HTMLDialogElement} */ (target).open)) this.dialog = "";
  }

  get content() {
    return dialog({
      name: this.dialog,
      controls: this.controls,
      title: this.name,
      rules: this.rules,
      offers: this.offers,
      typed: this.typed,
      type: (dice) => (this.typed = dice),
      ready: () => this.model?.readyAll(),
      offer: this.model?.offer ?? null,
      willing: [.../** @type {Set<Side>} */ (this.model?.willing ?? new Set())],
      last: this.model?.last ?? null,
      chat: () => this.model?.state && talking(this.model, this.model.state),
      close: () => (this.dialog = ""),
    });
  }

  /** @param {string} tab */
  turn(tab) {
    this.tab = tab;
    this.stickToBottom.forget();
  }

  render() {
    const { model } = this;
    if (model?.isSentAway) {
      return html`<div class="wait" role="alert"><p>${model.failure}</p><a class="button" href="/">${t("Home")}</a></div>`;
    }
    if (model?.waits && !model.state)
      return html`<div class="wait" role="status"><p>${t("Waiting for your opponent")}<span class="dots"></span></p></div>`;
    if (model && !model.state && model.connection.attempts > 0)
      return html`<div class="page">${unreachable(() => model.connection.open())}</div>`;
    if (!model?.state || !this.layout) return html`<div class="page">${this.waiting()}</div>`;
    const { state } = model;
    const own = state.you.length === 1 ? state.you[0] : "white";
    const { controls } = this;
    const props = {
      model,
      controls,
      name: this.name,
      tab: this.tab,
      progress: this.progress,
      turn: (/** @type {string} */ tab) => this.turn(tab),
      opened: this.unfolded,
      toggle: () => this.unfold(),
    };
    return html`<div class="match-view">
      <div class="board">${this.playing(model, state)}
        ${model.connection.live ? nothing : html`<div class="lineoff" role="status"><span>${model.failure || `${t("Connection lost. Reconnecting")}…`}</span></div>`}
      </div>
      ${plateOf(model, state, other(own), false)}
      ${panel(props)}
      ${saying(props)}
      ${plateOf(model, state, own, true)}
      ${actionBar(controls)}
      <div class="scrim" popover=${this.modal.hasPopovers ? "auto" : nothing} @beforetoggle=${this.modal.toggled} @toggle=${this.toggled}><dialog ?open=${this.modal.hasPopovers && this.dialog !== ""} @close=${this.closed} aria-modal="true" aria-labelledby="dialog-title" aria-describedby="dialog-told dialog-ending" class=${["rules", "numbers", "keys"].includes(this.dialog) ? "wide" : ""}>${this.content}</dialog></div>
    </div>`;
  }

  /** @param {MatchModel} model @param {State} state */
  playing(model, state) {
    const on = (/** @type {CustomEvent} */ event) => this.onBoard(event);
    return html`<ssb-board .state=${state} .layout=${this.layout} .prefs=${(this.prefs ??= settings.board(state.card.game))} .lang=${words().language.code} .t=${t} .tn=${tn}
      .last=${model.last} .since=${pinnedSince(model.turns, this.layout)} .advice=${model.tutor.arrows}
      @ssb-play=${on} @ssb-step=${on} @ssb-touch=${on} @ssb-roll=${on} @ssb-double=${on} @ssb-confirm=${on} @ssb-swap=${on} @ssb-why=${on}
      @ssb-progress=${on} @ssb-flip=${on} @ssb-acted=${on} @ssb-present=${on}></ssb-board>`;
  }
}

customElements.define("ssb-match", Match);
