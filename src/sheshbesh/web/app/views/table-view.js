/** The view of a table: what those of a match and of a chouette have in common. */
import "../../board/board.js";
import { pipsOf } from "../../board/checkers.js";
import { rehearse } from "../../board/rehearsal.js";
import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { variantOf } from "../api.js";
import { pinnedSince } from "../history.js";
import { Modal } from "../modal.js";
import { settings } from "../settings.js";
import { sounds } from "../sounds.js";
import { actionBar, SteadyEntries } from "../table/actions.js";
import { setRead, unread as unreadOf } from "../table/chat.js";
import { diceDialog, openDialog, readingDialog, throwOf } from "../table/dialogs.js";
import { handleKey } from "../table/keys.js";
import { boardAction, OFFERS } from "../table/model.js";
import { BarFocus, panel, StickToBottom, saying } from "../table/panel.js";
import { afterLoading, html, idle, nothing, on, seen, states, unreachable, View } from "../view.js";

/**
 * @import { Action, Side, State } from "../wire.js"
 * @import { Slot } from "../table/actions.js"
 * @import { Entry } from "../table/actions.js"
 * @typedef {import("../table/model.js").TableModel} TableModel
 * @typedef {{name: string, detail: Partial<import("../wire.js").Event> & {url?: string, winner?: Side | null, id?:
 *   string, d?: {text: string, rule?: string} | null, sent?: import("../wire.js").Sent}}} Happened
 */

export class TableView extends View {
  static properties = states("menu", "tab", "dialog", "layout", "progress", "typed");

  constructor() {
    super();
    /** The tab that is open: the chat, or what the kind of table shows beside the board. */
    this.tab = this.firstTab[0];
    /** The name of the open dialog; "" where none is. */
    this.dialog = "";
    /** @type {import("../../board/types.js").Layout | null} */
    this.layout = null;
    /** The rules of this table in words. @type {import("../rule-text.js").RuleLine[]} */
    this.rules = [];
    /** The title of the game. */
    this.name = "";
    /** How much of a turn is played on the board, and the pips then.
     * @type {{done: number, whole: boolean, pips: Record<Side, number> | null}} */
    this.progress = { done: 0, whole: false, pips: null };
    /** The progress to show once it has been drawn. */
    this.awaited = this.progress;
    /** Whether the rarer actions are shown. */
    this.menu = false;
    this.entries = new SteadyEntries();
    /** The dice typed so far. */
    this.typed = [0, 0];
    /** The throw whose dice the last state asked to be typed in. */
    this.diceAsked = "";
    /** The model once there is one; before, nothing of the table is drawn. */
    this.model = /** @type {TableModel} */ (/** @type {unknown} */ (null));
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    /** Whether the game has been asked for. */
    this.asked = false;
    /** Whether the browser makes itself ready for the first turn. */
    this.rehearsed = false;
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
    this.away = new AbortController();
  }

  // What a kind of table adds

  /** The tab beside the chat and its label. @returns {[string, string]} */
  get firstTab() {
    return ["moves", t("Moves")];
  }

  /** Whether one can talk here. */
  get chats() {
    return true;
  }

  /** @returns {Parameters<typeof panel>[0]["head"]} */
  get head() {
    return { title: this.name, meta: "" };
  }

  /** What stands in the panel. @returns {unknown} */
  get content() {
    return nothing;
  }

  /** The words behind the line of what is to be done, where they are shown. @returns {unknown} */
  get details() {
    return null;
  }

  /** @returns {Parameters<typeof saying>[0]} */
  get said() {
    return { title: "" };
  }

  /** @param {Side} _side @param {boolean} _own @returns {unknown} */
  plate(_side, _own) {
    return nothing;
  }

  /** The two actions of the bar. @returns {Slot[] | unknown} */
  get slots() {
    return [];
  }

  /** The rarer actions. @returns {Entry[]} */
  get menuEntries() {
    return [];
  }

  /** The name of a side's player. @param {Side} _side */
  nameOf(_side) {
    return "";
  }

  /** The side whose view of the board this is. @returns {Side} */
  get viewer() {
    return this.state.you.length === 1 ? this.state.you[0] : "white";
  }

  /** What stands instead of the table while there is none. @returns {unknown} */
  get instead() {
    return html`<div class="page">${this.waiting()}</div>`;
  }

  /** An action made on the board. @param {Action} action */
  played(action) {
    this.act(action);
  }

  /** @returns {unknown} */
  get talking() {
    return nothing;
  }

  /**
   * What a key does that is not one of the board's.
   * @param {string} key in lower case
   * @returns {(() => void) | undefined}
   */
  shortcut(key) {
    if (key === "c" && this.chats) return () => this.openChat();
    return undefined;
  }

  /** The content of a dialog. @param {string} name @returns {unknown} */
  dialogOf(name) {
    if (name === "chat") return readingDialog(t("Chat"), this.talking, this.close);
    return name === "dice" ? diceDialog(this) : nothing;
  }

  /** Something has happened at the table. @param {Happened} event */
  happened({ name, detail }) {
    if (name === "refused" || name === "because")
      this.board?.refuse(/** @type {number[][]} */ (detail.sent?.d?.steps) ?? [], detail.d?.text ?? "");
    // The line below the board is gone with the next event.
    if (name === "refused" && detail.d?.rule === "wire.stale" && OFFERS.has(String(detail.sent?.d?.type)))
      this.app.toast(t("The game had gone on: your offer was not made."));
    sounds({ name, detail }, this.state, this.app.user?.id);
  }

  /** A new state has come. @param {State | null} _before */
  changed(_before) {}

  // What may be done

  /** The last state of the table. */
  get state() {
    return /** @type {State} */ (this.model?.state);
  }

  /** The side that acts here. */
  get seat() {
    return this.model.seat;
  }

  /** What it may do. */
  get allowed() {
    return this.seat ? this.model.allowed(this.seat) : [];
  }

  /** Whether a side may do something now. @param {string} kind @param {Side | null} [side] */
  may = (kind, side = this.seat) => side !== null && this.model.allowed(side).includes(kind);

  /** Whether an answer of the server is waited for. */
  get busy() {
    const { connection } = this.model;
    return connection.busy || !connection.live;
  }

  /** The board element, once it is drawn. */
  get board() {
    return /** @type {import("../../board/board.js").Board | null} */ (this.querySelector("ssb-board"));
  }

  /** @param {Action} action @param {Side | null} [side] */
  act(action, side = this.seat) {
    this.model.acted();
    if (action.type === "ready") this.readyAll();
    else this.model.act(action, side);
  }

  /** On a shared screen one player makes all ready. */
  readyAll = () => {
    if (this.dialog === "result") this.close();
    this.model.readyAll();
  };

  /** What concerns the checkers of the present is done when they are seen. @param {() => void} act */
  whenSeen(act) {
    if (this.model.tutor.arrows?.alone) this.model.point(false);
    else act();
  }

  undo() {
    this.whenSeen(() => this.board?.undo());
  }

  confirm() {
    this.whenSeen(() => this.board?.confirm());
  }

  flip() {
    settings.turn(this.state.card.game);
  }

  /** @returns {Entry} */
  get soundsEntry() {
    const { sounds } = settings.prefs;
    const text = sounds ? t("Turn the sounds off") : t("Turn the sounds on");
    return { text, act: () => settings.set({ sounds: !sounds }) };
  }

  /** Open a dialog. @param {string} name */
  open(name) {
    this.typed = [0, 0];
    this.dialog = name;
  }

  close = () => (this.dialog = "");

  /** @param {Action} action */
  closeAnd(action) {
    this.close();
    this.act(action);
  }

  /** The dialog was closed, by Escape perhaps. @param {ToggleEvent} event */
  toggled = ({ newState }) => {
    if (newState === "closed") this.close();
  };

  /** The same where the dialog is in no popover; it may have been opened again since. @param {Event} event */
  closed = ({ target }) => {
    if (!(/** @type {HTMLDialogElement} */ (target).open)) this.close();
  };

  toggleMenu = async () => {
    this.menu = !this.menu;
    await this.updateComplete;
    const first = this.querySelector(this.menu ? "#more > *" : ".dots-button");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  };

  /** @param {string} tab */
  turn = (tab) => {
    this.tab = tab;
    this.stickToBottom.forget();
  };

  /** Go to where messages are written: beside the list of moves, or where there is no room for it in a dialog. */
  async openChat() {
    if (!this.querySelector(".tabs")?.getClientRects().length) return this.open("chat");
    this.turn("chat");
    await this.updateComplete;
    const field =
      this.querySelector(".turns input") ??
      this.querySelector(".turns button, [role=tab][aria-selected=true]");
    if (field instanceof HTMLElement) field.focus();
  }

  // The life of the view

  connectedCallback() {
    super.connectedCallback();
    this.away = new AbortController();
    /** @type {(name: string, listener: (event: never) => void) => void} */
    const on = (name, listener) =>
      addEventListener(name, /** @type {EventListener} */ (listener), { signal: this.away.signal });
    on("pagehide", () => this.model?.connection.bye());
    on("pageshow", (/** @type {PageTransitionEvent} */ event) => event.persisted && this.app.again());
    on("keydown", (/** @type {KeyboardEvent} */ event) => handleKey(this, event));
    on("online", () => this.model?.connection.open());
    on("focusin", (/** @type {FocusEvent} */ event) => this.barFocus.notice(event));
    on("pointerdown", (/** @type {PointerEvent} */ event) => {
      this.barFocus.notice(event);
      const kept = event.target instanceof Element && event.target.closest(".more, .dots-button");
      if (!kept) this.menu = false;
    });
    settings.addEventListener("change", this.onSettings);
    this.ticking = setInterval(
      () => this.state && (this.state.clock?.running || !this.model.connection.live) && this.requestUpdate(),
      200,
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    this.away.abort();
    settings.removeEventListener("change", this.onSettings);
    this.modal.release();
    if (this.model?.connection.live) this.model.connection.bye();
    this.model?.close();
  }

  /** From now on the table is that of a model, whose connection is still to be opened. @param {TableModel} model */
  attach(model) {
    this.model = model;
    model.addEventListener("change", () => this.requestUpdate());
    on(model, "event", (detail) => this.happened(detail));
    on(model, "state", (detail) => this.changed(detail));
  }

  /** @param {Map<string, unknown>} _changed */
  willUpdate(_changed) {
    const asks = this.state && this.may("dice") ? throwOf(this.model) : "";
    if (asks && asks !== this.diceAsked) this.open("dice");
    if (!asks && this.dialog === "dice") this.close();
    this.diceAsked = asks;
    const card = this.state?.card;
    if (card && !this.layout && !this.asked) {
      this.asked = true;
      void this.loadVariant(card);
    }
  }

  /** @param {import("../wire.js").Card} card @returns {Promise<void>} */
  async loadVariant(card) {
    const about = await this.load(variantOf(card));
    if (!about) return;
    this.layout = about.layout;
    this.name = about.title;
    this.rules = about.rules ?? [];
    this.know(about);
  }

  /** What is known of the game now. @param {{proposals?: string[]}} _about */
  know(_about) {}

  /** The table stays as it is, with the steps on the board that were not confirmed yet. */
  async languageChanged() {
    if (!this.state || !this.layout) return false;
    this.model.languageChanged();
    await this.loadVariant(this.state.card);
    this.requestUpdate();
    return true;
  }

  /** @param {CustomEvent} event */
  onBoard = (event) => this.heard(event);

  /** An event of the board. @param {CustomEvent} event */
  heard(event) {
    const { type, detail } = event;
    if (type === "ssb-progress")
      return void this.follow({ done: detail.done.length, whole: detail.whole, pips: this.pipsTried() });
    if (type === "ssb-why") return void this.model.connection.why(detail.steps);
    if (type === "ssb-flip") return this.flip();
    if (type === "ssb-present") return this.model.point(false);
    if (type === "ssb-acted") return this.acted();
    const action = boardAction(event);
    if (action) this.played(action);
  }

  /** The pips of both sides after the steps that are tried on the board. @returns {Record<Side, number> | null} */
  pipsTried() {
    const { layout } = this;
    const board = this.board?.position;
    if (!layout || !board) return null;
    return { white: pipsOf(board, layout, "white"), black: pipsOf(board, layout, "black") };
  }

  /** The player has moved a checker, or taken one back. */
  acted() {
    this.model.acted();
  }

  /**
   * How much of a turn is played. The frame in which a checker begins to move has enough to do: buttons and words
   * follow in the next one, unless a play that could be confirmed no longer can.
   * @param {TableView["progress"]} progress
   */
  async follow(progress) {
    this.awaited = progress;
    if (progress.done && (progress.whole || !this.progress.whole)) await seen();
    if (this.awaited === progress) this.progress = progress;
  }

  /** Load what can wait until the board is there. */
  prepare() {
    void import("../face.js").catch(() => {});
  }

  updated() {
    if (!this.model) return;
    if (this.layout && !this.rehearsed) {
      this.rehearsed = true;
      afterLoading(() => this.board && void rehearse(this.board, idle), 200);
      afterLoading(() => this.prepare(), 1200);
    }
    if (this.tab === "chat" || this.dialog === "chat") {
      setRead(this.model.match, this.model.chat);
      this.stickToBottom.follow(".chatlog", this.model.chat.length);
    }
    this.modal.follow(this.dialog !== "");
    this.barFocus.follow();
  }

  render() {
    const { model } = this;
    if (model?.isSentAway)
      return html`<div class="wait" role="alert">
        <p>${model.failure}</p>
        <a class="button" href="/">${t("Home")}</a>
      </div>`;
    if (model && !model.state && model.connection.attempts > 0)
      return html`<div class="page">${unreachable(() => model.connection.open())}</div>`;
    if (!model?.state || !this.layout) return this.instead;
    const { viewer, tab, chats, turn, head, said, firstTab } = this;
    const unread =
      tab === "chat" || this.dialog === "chat" ? 0 : unreadOf(model.match, model.chat, this.app.user?.id);
    return html`<div class="match-view ${this.kind}">
      <div class="board">
        ${this.drawBoard(model.state)}
        ${
          model.connection.live
            ? nothing
            : html`<div class="lineoff" role="status"><p>${offline(model)}</p></div>`
        }
      </div>
      ${this.plate(other(viewer), false)}
      ${panel({
        head,
        tab,
        first: firstTab,
        chats,
        unread,
        turn,
        content: tab === "chat" ? this.talking : this.content,
        details: this.details,
      })}
      ${saying(said)} ${this.plate(viewer, true)}
      ${actionBar({
        menu: this.menu,
        toggle: this.toggleMenu,
        unread,
        slots: this.slots,
        steady: this.entries,
        entries: () => this.menuEntries,
      })}
      ${openDialog(this)}
    </div>`;
  }

  /** The CSS class of this kind of table. */
  get kind() {
    return "";
  }

  /** @param {State} state */
  drawBoard(state) {
    const { model, layout, onBoard: on } = this;
    this.prefs ??= settings.board(state.card.game);
    return html`<ssb-board
      .state=${state}
      .layout=${layout}
      .prefs=${this.prefs}
      .lang=${words().language.code}
      .t=${t}
      .tn=${tn}
      .last=${model.last}
      .retried=${model.isRetried}
      .since=${pinnedSince(model.turns, /** @type {NonNullable<typeof layout>} */ (layout))}
      .advice=${model.tutor.arrows}
      @ssb-play=${on}
      @ssb-step=${on}
      @ssb-touch=${on}
      @ssb-roll=${on}
      @ssb-double=${on}
      @ssb-confirm=${on}
      @ssb-swap=${on}
      @ssb-why=${on}
      @ssb-progress=${on}
      @ssb-flip=${on}
      @ssb-acted=${on}
      @ssb-present=${on}
    ></ssb-board>`;
  }
}

/** That the line is away, when it is tried again, and what happens meanwhile. @param {TableModel} model */
function offline({ failure, connection, state }) {
  if (failure) return failure;
  const { wait } = connection;
  const people = Object.values(state?.players ?? {}).filter(({ kind }) => kind !== "engine").length > 1;
  const meanwhile = state?.clock?.running
    ? t("What you play is kept and sent then; the clock runs on.")
    : people && state?.you.length === 1 && state.phase !== "over"
      ? t("What you play is kept and sent then; after two minutes your opponent may claim the match.")
      : t("What you play is kept and sent then.");
  // The seconds are seen; a screen reader hears the rest once.
  return html`${t("The line to the server is lost.")}
    <span aria-hidden="true">${wait ? t("Next attempt in {n} s.", { n: wait }) : t("Trying again …")}</span>
    ${state?.you.length ? meanwhile : nothing}`;
}
