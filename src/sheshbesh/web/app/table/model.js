/**
 * The model of a table, a match or a chouette: connection, last state, dice shares, list of turns. It is independent of
 * views; it fires "change" when something is to be drawn, "state" with the previous state when a new one has arrived,
 * and "event" for sounds and announcements.
 */

import { SIDES } from "../../board/types.js";
import { words } from "../../i18n/i18n.js";
import { isWrong } from "../grades.js";
import { extend } from "../history.js";
import { Tutor } from "../match/tutor.js";
import { MatchConnection } from "../match-connection.js";
import { socketBase } from "../traffic.js";
import { DiceShares } from "./dice-shares.js";

/**
 * @import { Action, Around, Frame, Presence, Refused, Rematch } from "../wire.js"
 * @import { Said, Side, State, StateFrame, Turn } from "../wire.js"
 */

/** Milliseconds after which a program's answer is late: soon after, the server decides without an engine. */
const LATE = 1500;

/** What is offered to the other side. */
export const OFFERS = new Set(["resign", "double", "propose"]);

/**
 * Whether two states are the same to whoever makes an offer. Before it is known who begins nothing depends on that.
 * @param {State} seen @param {State} now
 */
function isAlike(seen, now) {
  /** @param {State} state */
  const grounds = ({ game, score, cube, board, on_roll: side, turn }) =>
    JSON.stringify([game, score, cube, ...(seen.on_roll ? [board, side, turn?.dice] : [])]);
  return grounds(seen) === grounds(now);
}

/** Milliseconds for which a program waits for a verdict on a play that may be taken back. */
const UNJUDGED = 4000;

export class TableModel extends EventTarget {
  /** @param {string} match its id, or that of a chouette @param {MatchConnection} [connection] */
  constructor(match, connection = new MatchConnection(match, socketBase(), words().tag)) {
    super();
    this.match = match;
    this.connection = connection;
    /** @type {State | null} */
    this.state = null;
    /** The number of the last event. */
    this.version = 0;
    /** @type {Turn[]} */
    this.turns = [];
    /** @type {number[] | null} */
    this.dice = null;
    /** @type {number} when the figures of the clock came, by performance.now() */
    this.received = 0;
    /** @type {Presence} */
    this.presence = {};
    /** @type {Side | null} */
    this.thinking = null;
    /** Whether the program that thinks is late. */
    this.late = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.lateness = undefined;
    /** @type {Said[]} */
    this.chat = [];
    this.tutor = new Tutor();
    /** What the program waits for after a play: the verdict on it, or the player, who may try again. */
    this.waitsFor = /** @type {"verdict" | "player" | null} */ (null);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.unjudged = undefined;
    /** @type {string} */
    this.reason = "";
    /** The match that goes on from this one, once it is made. @type {Rematch | null} */
    this.offer = null;
    /** Sides that would play once more. @type {Set<Side>} */
    this.willing = new Set();
    /** Why the server has sent us away, until it takes us again. @type {string} */
    this.failure = "";
    /** Whether the match waits for its second player. */
    this.waits = false;
    /** Offers that wait for their answer, by ref, with what they were decided upon.
     * @type {Map<string, {action: Action, side: Side, seen: State}>} */
    this.offered = new Map();
    this.shares = new DiceShares(this);
    this.listen();
  }

  listen() {
    /** @template D @param {string} name @param {(frame: D) => void} handle */
    const on = (name, handle) =>
      this.connection.addEventListener(name, (event) => {
        handle(/** @type {CustomEvent<D>} */ (event).detail);
        this.changed();
      });
    on("state", (/** @type {StateFrame} */ frame) => this.onState(frame));
    on("refused", (/** @type {Refused} */ frame) => this.onRefused(frame));
    on("because", (/** @type {Refused} */ frame) => {
      this.reason = frame.d?.text ?? "";
      this.emit("because", frame);
    });
    on("presence", (/** @type {Frame<Presence>} */ frame) => (this.presence = frame.d));
    on("thinking", (/** @type {Frame<{side: Side | null}>} */ frame) => this.think(frame.d.side));
    on("chat", (/** @type {Frame<Said>} */ frame) => this.onChat(frame.d));
    on("queued", (/** @type {Frame<{place: number}>} */ frame) => (this.tutor.place = frame.d.place));
    on("hint", (/** @type {Frame<import("../wire.js").Hint>} */ frame) => {
      if (this.state) this.tutor.advise(frame.d, this.state);
    });
    on("ask", (/** @type {Frame<import("../analysis/here.js").Asked>} */ frame) => void this.advise(frame.d));
    on("finish", (/** @type {Frame<{play: string}>} */ frame) =>
      this.act({ type: "play", play: frame.d.play }),
    );
    on("verdict", (/** @type {Frame<import("../wire.js").Verdict>} */ frame) => {
      this.tutor.receiveVerdict(frame.d);
      // Decisions before it, as to roll, are judged too, and perhaps later.
      if (this.waitsFor !== "verdict" || frame.d.n !== this.version) return;
      if (isWrong(frame.d)) this.waitFor("player");
      else this.carryOn();
    });
    on("rematch", (/** @type {Frame<Rematch>} */ frame) => {
      if (frame.d.url) this.offer = frame.d;
      else if (frame.d.by) this.willing.add(frame.d.by);
      this.emit("rematch", frame.d);
    });
    on("error", (/** @type {Refused} */ frame) => (this.failure = frame.d?.text ?? ""));
    on("waiting", () => (this.waits = true));
    // What was waited for is done: buttons may be pressed again.
    on("ack", ({ ref = "" }) => this.offered.delete(ref));
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
    // Without a server nobody decides in its place.
    if (!side || this.state?.dice.source === "local") return;
    this.lateness = setTimeout(() => {
      this.late = true;
      this.changed();
    }, LATE);
  }

  /** @param {{text: string} | {phrase: string}} words */
  say = (words) => void this.connection.say(words);

  /**
   * The tutor is asked here; where it has no answer the server is.
   *
   * @param {import("../analysis/here.js").Asked} asked
   */
  async advise(asked) {
    const what = asked.done ? "verdict" : "hint";
    const { key } = this.connection;
    try {
      const { answerHere } = await import("../analysis/here.js");
      const told = await answerHere(asked);
      // What is advised about a position that has gone would be taken for advice about the next one.
      if (told && (asked.done || key === this.connection.key)) this.connection.fire(told.t, told);
      else if (asked.done && this.waitsFor && asked.n === this.version) this.carryOn();
    } catch {
      this.connection.fallBack(what, asked.n);
    }
  }

  /** What the program waits for. @param {TableModel["waitsFor"]} what */
  waitFor(what) {
    clearTimeout(this.unjudged);
    this.waitsFor = what;
    this.tutor.withheld = what !== null;
    if (what === "verdict") this.unjudged = setTimeout(() => this.carryOn(), UNJUDGED);
  }

  /** Let the program go on that waits after the player's play. */
  carryOn() {
    this.waitFor(null);
    this.connection.carryOn();
    this.changed();
  }

  /** Take the play back, once, and play the same dice again. */
  retry() {
    const { seat } = this;
    this.waitFor(null);
    if (seat) this.act({ type: "retry", side: seat });
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
    this.waitFor(null);
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

  /** Everybody around the board of a chouette. */
  get around() {
    return /** @type {Around} */ (this.state?.chouette);
  }

  /** The names of mine at a chouette, with what each may do. */
  get mine() {
    return Object.entries(this.around.mine);
  }

  /** Who plays a side, as the server names them: at a chouette the box or the captain. @param {Side} side */
  playerFor(side) {
    const around = this.state?.chouette;
    if (!around) return side;
    return side === "white" ? around.box : around.captain;
  }

  /** Milliseconds since the figures of the clock were made. */
  get passed() {
    return performance.now() - this.received;
  }

  /** @param {StateFrame} frame */
  onState({ v, d: state, events = [] }) {
    const before = this.state;
    this.received = performance.now();
    this.failure = "";
    this.state = state;
    this.version = v;
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
    if (events.length || !this.waitsFor) {
      const side = this.connection.retries ? this.seat : null;
      this.waitFor(side && this.allowed(side).includes("retry") ? "verdict" : null);
    }
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
    const named = this.state?.chouette || (this.state?.you.length ?? 0) > 1;
    const ref = this.connection.act(action, named ? this.playerFor(side) : undefined);
    if (OFFERS.has(action.type) && this.state) this.offered.set(ref, { action, side, seen: this.state });
  }

  /** Do something under a name at a chouette. @param {string} name @param {Action} action */
  as(name, action) {
    this.connection.act(action, name);
    this.changed();
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

  /** @param {Refused} frame */
  onRefused(frame) {
    const { sent, d } = frame;
    if (sent?.t === "hint") this.tutor.waits(false);
    const rule = d?.rule ?? "";
    if (rule === "dice.link_wrong") {
      const side = SIDES.find((each) => this.playerFor(each) === sent?.as) ?? this.seat;
      // The chain kept here is not the one that was announced; a link of a throw that is over says nothing of it.
      if (side && this.shares.isDue(side, sent?.d?.link)) this.shares.drop(side);
      return;
    }
    const type = String(sent?.d?.type);
    if (rule === "wire.stale" && this.offersAgain(sent?.ref ?? "")) return;
    // Another connection was faster, or the due action was sent already: the state is enough.
    if (["link", "anchor", "ready"].includes(type) && rule !== "wire.unread") return;
    if (type === "roll" && rule === "wire.stale") return;
    this.reason = d?.text ?? "";
    this.emit("refused", frame);
  }

  /**
   * An offer was overtaken by what happened at the table: it is made once more where it can be and nothing that it was
   * decided upon has changed, as when a resignation meets the throw that it did not wait for.
   * @param {string} ref
   * @returns {boolean} whether it is
   */
  offersAgain(ref) {
    const offer = this.offered.get(ref);
    this.offered.delete(ref);
    if (!offer || !this.state || !isAlike(offer.seen, this.state)) return false;
    if (!this.allowed(offer.side).includes(offer.action.type)) return false;
    this.act(offer.action, offer.side);
    return true;
  }

  /** @param {Said} message */
  onChat(message) {
    if (this.chat.some((line) => line.n === message.n)) return;
    this.chat = [...this.chat, message].sort((a, b) => a.n - b.n).slice(-200);
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

  /** The play before the one under way, for the arrows on the board; one that was taken back is none. */
  get last() {
    const { turns } = this;
    const stands = (/** @type {number} */ at) => turns[at + 1]?.kind !== "retry";
    return turns.findLast(({ kind }, at) => (kind === "play" || kind === "pass") && stands(at)) ?? null;
  }

  /** Whether the same dice are played once more. */
  get isRetried() {
    return this.turns.at(-1)?.kind === "retry";
  }
}

/** The action that an event of the board stands for. @param {CustomEvent} event @returns {Action | null} */
export function boardAction({ type, detail }) {
  switch (type) {
    case "ssb-play":
      return { type: "play", play: detail.play };
    case "ssb-step": {
      const { origin, target, die } = detail;
      return { type: "step", origin, target, ...(die ? { die } : {}) };
    }
    case "ssb-touch":
      return { type: "touch", point: detail.point };
    case "ssb-roll":
    case "ssb-double":
    case "ssb-confirm":
    case "ssb-swap":
      return { type: type.slice("ssb-".length) };
    default:
      return null;
  }
}
