/**
 * The model of one match in the page: connection, last state, dice shares, list of turns. It is independent of views; it
 * fires "change" when something is to be drawn, "state" with the previous state when a new one has arrived, and
 * "event" for sounds and announcements.
 */

import { words } from "../../i18n/i18n.js";
import { extend } from "../history.js";
import { MatchConnection } from "../match-connection.js";
import { socketBase } from "../traffic.js";
import { DiceShares } from "./dice-shares.js";
import { Tutor } from "./tutor.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 * @typedef {{type: string, [field: string]: unknown}} Action
 */

/** Milliseconds after which a program's answer is late: soon after, the server decides without an engine. */
const LATE = 1500;

export class MatchModel extends EventTarget {
  /**
   * @param {string} match
   * @param {MatchConnection} [connection]
   */
  constructor(match, connection) {
    super();
    this.match = match;
    this.connection = connection ?? new MatchConnection(match, socketBase(), words().tag);
    /** @type {State | null} */
    this.state = null;
    /** @type {import("../history.js").Turn[]} */
    this.turns = [];
    /** @type {number[] | null} */
    this.dice = null;
    /** @type {number} when the figures of the clock came, by performance.now() */
    this.received = 0;
    /** @type {Record<string, any>} */
    this.presence = {};
    /** @type {Side | null} */
    this.thinking = null;
    /** Whether the program that thinks is late. */
    this.late = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.lateness = undefined;
    /** @type {import("./chat.js").Said[]} */
    this.chat = [];
    this.unread = 0;
    this.tutor = new Tutor();
    /** @type {string} */
    this.reason = "";
    /** @type {any} the match that goes on from this one, once it is made */
    this.offer = null;
    /** @type {Set<string>} sides that would play once more */
    this.willing = new Set();
    /** Why the server has sent us away, until it takes us again. @type {string} */
    this.failure = "";
    /** Whether the match waits for its second player. */
    this.waits = false;
    this.shares = new DiceShares(this);
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ handle) =>
      this.connection.addEventListener(name, (event) => {
        handle(/** @type {CustomEvent} */ (event).detail);
        this.changed();
      });
    on("state", (message) => this.onState(message));
    on("refused", (message) => this.onRefused(message));
    on("because", (message) => {
      this.reason = message.d?.text ?? "";
      this.emit("because", message);
    });
    on("presence", (message) => (this.presence = message.d));
    on("thinking", (message) => this.think(message.d.side));
    on("chat", (message) => this.onChat(message.d));
    on("queued", (message) => (this.tutor.place = message.d.place));
    on("hint", (message) => this.state && this.tutor.advise(message.d, this.state));
    on("finish", (message) => this.act({ type: "play", play: message.d.play }));
    on("verdict", (message) => this.tutor.receiveVerdict(message.d));
    on("rematch", (message) => {
      if (message.d.url) this.offer = message.d;
      else this.willing.add(message.d.by);
      this.emit("rematch", message.d);
    });
    on("error", (message) => (this.failure = message.d?.text ?? ""));
    on("waiting", () => (this.waits = true));
    // What was waited for is done: buttons may be pressed again.
    on("ack", () => {});
    on("connection", () => {});
  }

  /** Whether there is nothing to show but why the server has sent us away. */
  get isSentAway() {
    return this.failure !== "" && (this.connection.closed || !this.state);
  }

  changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {string} name @param {unknown} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent("event", { detail: { name, detail } }));
  }

  open() {
    this.connection.open();
  }

  /** A program has been asked, or has answered. @param {Side | null} side */
  think(side) {
    clearTimeout(this.lateness);
    this.thinking = side;
    this.late = false;
    if (!side) return;
    this.lateness = setTimeout(() => {
      this.late = true;
      this.changed();
    }, LATE);
  }

  /** Ask the tutor what to do. */
  hint() {
    this.tutor.waits(true);
    this.connection.hint();
    this.changed();
  }

  /** The language of the page has changed. */
  languageChanged() {
    this.reason = "";
    this.connection.setLanguage(words().tag);
  }

  close() {
    this.think(null);
    this.shares.rest();
    this.connection.close();
  }

  /** What a seat may do now. @param {Side} side */
  allowed(side) {
    const { state } = this;
    if (!state) return [];
    return state.allowed_of?.[side] ?? (state.you.length === 1 && state.you[0] === side ? state.allowed : []);
  }

  /** The seat whose turn it is to act here: one's own, or in turn both of a shared screen. */
  get seat() {
    const { state } = this;
    if (!state?.you.length) return null;
    if (state.you.length === 1) return state.you[0];
    return state.to_act.find((side) => state.you.includes(side)) ?? state.on_roll ?? state.you[0];
  }

  /** Milliseconds since the figures of the clock were made. */
  get passed() {
    return performance.now() - this.received;
  }

  /** @param {{v: number, events?: any[], d: State}} message */
  onState(message) {
    const before = this.state;
    const state = message.d;
    const events = message.events ?? [];
    this.received = performance.now();
    this.failure = "";
    this.state = state;
    if (state.history) {
      this.turns = state.history;
      this.dice = state.turn?.dice ?? null;
    } else {
      const over = before?.phase === "ready";
      const next = !["ready", "over"].includes(state.phase);
      const grown = extend(this.turns, events, this.dice, { over, next });
      this.turns = grown.turns;
      this.dice = grown.dice ?? state.turn?.dice ?? null;
    }
    this.tutor.follow(before, state, events, this.turns);
    if (!state.to_act.includes(/** @type {Side} */ (this.thinking))) this.think(null);
    if (events.some(({ type, then }) => then?.dice || !["link", "anchor"].includes(type))) this.reason = "";
    this.dispatchEvent(new CustomEvent("state", { detail: before }));
    for (const event of events) this.emit(event.type, event);
    const played = before && state.results.length > before.results.length;
    if (played) this.emit("ended", state.results.at(-1));
    // A match may end without a game's end, as when a clock runs out.
    else if (before && before.phase !== "over" && state.phase === "over")
      this.emit("ended", { winner: state.winner });
    if (state.phase === "over") this.shares.forget();
    else this.shares.serve();
  }

  /** @param {Action} action @param {Side} side */
  send(action, side) {
    const shared = (this.state?.you.length ?? 0) > 1;
    return this.connection.act(action, shared ? side : undefined);
  }

  /**
   * Do something for a seat, with one's share of the dice put in.
   * @param {Action} action
   * @param {Side | null} [side]
   */
  act(action, side = this.seat) {
    const { state } = this;
    if (!state || !side) return;
    this.shares.hold();
    this.reason = "";
    this.send(this.shares.keeper(side).withShare(action, state.dice), side);
    this.changed();
  }

  /** On a shared screen one player makes both ready. */
  readyAll() {
    for (const side of this.state?.you ?? [])
      if (this.allowed(side).includes("ready")) this.act({ type: "ready" }, side);
  }

  /** @param {any} message */
  onRefused(message) {
    const type = message.sent?.d?.type;
    if (message.sent?.t === "hint") this.tutor.waits(false);
    const rule = message.d?.rule ?? "";
    if (rule === "dice.link_wrong") {
      // The chain kept here is not the one that was announced.
      const side = /** @type {Side} */ (message.sent?.as ?? this.seat);
      this.shares.drop(side);
      return;
    }
    // Another connection was faster, or the due action was sent already: the state is enough.
    if (["link", "anchor", "ready"].includes(type)) return;
    if (type === "roll" && rule === "wire.stale") return;
    this.reason = message.d?.text ?? "";
    this.emit("refused", message);
  }

  /** @param {import("./chat.js").Said} message */
  onChat(message) {
    if (this.chat.some((line) => line.n === message.n)) return;
    this.chat = [...this.chat, message].sort((a, b) => a.n - b.n).slice(-200);
    this.unread += 1;
    this.emit("chat", message);
  }

  /** Whether the tutor's arrows are wanted. @param {boolean} shown */
  point(shown) {
    this.tutor.point(shown);
    this.changed();
  }

  /** The player has done something themselves, on the board or beside it. */
  acted() {
    if (this.tutor.acted()) this.changed();
  }

  /** The play before the one under way, for the arrows on the board. */
  get last() {
    return this.turns.findLast((turn) => turn.kind === "play" || turn.kind === "pass") ?? null;
  }
}
