/**
 * One match as its player's page keeps it: the line, the last state, the chains of dice, the list of
 * turns. It knows no view; it fires "change" when something is to be drawn, and "event" with what
 * happened, for sounds and words.
 */
import { DiceKeeper } from "../../chains/keeper.js";
import { MatchConnection, socketBase } from "../connection.js";
import { extend } from "../history.js";
import { words } from "../../i18n/i18n.js";
import { settings, store } from "../settings.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 * @typedef {{type: string, [field: string]: unknown}} Action
 */

const LOST_AFTER = 3000;
const ROLL_AFTER = 450;

export class Table extends EventTarget {
  /**
   * @param {string} match
   * @param {MatchConnection} [connection]
   */
  constructor(match, connection) {
    super();
    this.match = match;
    this.line = connection ?? new MatchConnection(match, socketBase(), words().language.code);
    /** @type {State | null} */
    this.state = null;
    /** @type {import("../history.js").Turn[]} */
    this.turns = [];
    /** @type {number[] | null} */
    this.lying = null;
    /** @type {number} when the figures of the clock came, by performance.now() */
    this.received = 0;
    /** @type {Record<string, any>} */
    this.presence = {};
    /** @type {Side | null} */
    this.thinking = null;
    /** @type {import("./chat.js").Said[]} */
    this.chat = [];
    this.unread = 0;
    /** @type {any} */
    this.hint = null;
    /** @type {any} */
    this.verdict = null;
    /** @type {Record<number, string>} */
    this.grades = {};
    /** @type {string} */
    this.reason = "";
    /** @type {any} the match that goes on from this one, once it is made */
    this.offer = null;
    /** @type {Set<string>} sides that would play once more */
    this.willing = new Set();
    /** @type {string} */
    this.failure = "";
    /** Whether the match waits for its second player. */
    this.waits = false;
    /** @type {Map<string, DiceKeeper>} */
    this.keepers = new Map();
    /** @type {Set<string>} duties done in the present state of the dice */
    this.done = new Set();
    /** @type {any} */
    this.rolling = null;
    /** @type {any} */
    this.losing = null;
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ handle) =>
      this.line.addEventListener(name, (event) => {
        handle(/** @type {CustomEvent} */ (event).detail);
        this.changed();
      });
    on("state", (message) => this.onState(message));
    on("refused", (message) => this.onRefused(message));
    on("because", (message) => {
      this.reason = message.d?.text ?? "";
      this.happened("because", message);
    });
    on("presence", (message) => (this.presence = message.d));
    on("thinking", (message) => (this.thinking = message.d.side));
    on("chat", (message) => this.onChat(message.d));
    on("hint", (message) => {
      this.hint = message.d;
      this.happened("hint", message.d);
    });
    on("finish", (message) => this.act({ type: "play", play: message.d.play }));
    on("verdict", (message) => this.onVerdict(message.d));
    on("rematch", (message) => {
      if (message.d.url) this.offer = message.d;
      else this.willing.add(message.d.by);
      this.happened("rematch", message.d);
    });
    on("error", (message) => (this.failure = message.d?.text ?? ""));
    on("waiting", () => (this.waits = true));
    // What was waited for is done: buttons may be pressed again.
    on("ack", () => {});
    on("line", () => {});
  }

  changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {string} name @param {unknown} detail */
  happened(name, detail) {
    this.dispatchEvent(new CustomEvent("event", { detail: { name, detail } }));
  }

  open() {
    this.line.open();
  }

  close() {
    clearTimeout(this.rolling);
    clearTimeout(this.losing);
    this.line.close();
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
    if (!state || !state.you.length) return null;
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
    this.state = state;
    if (state.history) {
      this.turns = state.history;
      this.lying = state.turn?.dice ?? null;
    } else {
      const grown = extend(this.turns, events, this.lying);
      this.turns = grown.turns;
      this.lying = grown.dice ?? state.turn?.dice ?? null;
    }
    if (before && before.game !== state.game) this.grades = {};
    if (!state.to_act.includes(/** @type {Side} */ (this.thinking))) this.thinking = null;
    const decided = events.some(({ type, then }) => then?.dice || !["link", "anchor"].includes(type));
    if (decided) {
      this.reason = "";
      this.hint = null;
    }
    // The verdict on one's move stands until the next decision of one's own.
    if (events.some((event) => ["play", "confirm", "double", "take", "drop"].includes(event.type) && state.you.includes(event.actor))) {
      this.verdict = null;
    }
    for (const event of events) this.happened(event.type, event);
    const played = before && state.results.length > before.results.length;
    if (played) this.happened("ended", state.results.at(-1));
    // A match may end without a game's end, as when a clock runs out.
    else if (before && before.phase !== "over" && state.phase === "over") this.happened("ended", { winner: state.winner });
    if (state.phase === "over") for (const keeper of this.keepers.values()) keeper.forget();
    else this.serve();
  }

  /** Give what the dice ask of one's chains, and throw where there is nothing to think about. */
  serve() {
    const { state } = this;
    if (!state) return;
    clearTimeout(this.losing);
    clearTimeout(this.rolling);
    for (const side of state.you) {
      const allowed = this.allowed(side);
      const keeper = this.keeper(side);
      keeper.sync(state.dice);
      const duty = keeper.duty(state.dice, allowed);
      const name = duty ? `${side} ${duty.action.type} ${state.dice.game} ${state.dice.serial} ${state.dice.index}` : "";
      if (duty && !this.done.has(name)) {
        if (duty.lost) {
          // Another device of the same player may hold the chain and be about to answer.
          this.losing = setTimeout(() => this.lose(side, name), LOST_AFTER);
        } else {
          this.done.add(name);
          this.send(duty.action, side);
        }
      }
      const first = state.game === 0 && allowed.includes("ready");
      if (first) this.act({ type: "ready" }, side);
    }
    const side = this.seat;
    if (side && settings.prefs.autoroll && this.rollsAlone(side)) {
      this.rolling = setTimeout(() => this.act({ type: "roll" }, side), ROLL_AFTER);
    }
  }

  /** @param {Side} side */
  rollsAlone(side) {
    const allowed = this.allowed(side);
    return allowed.includes("roll") && !allowed.includes("double");
  }

  /** @param {Side} side @param {string} name */
  lose(side, name) {
    const { state } = this;
    const duty = state && this.keeper(side).duty(state.dice, this.allowed(side));
    if (!duty || this.done.has(name)) return;
    this.done.add(name);
    this.send(duty.lost && state ? this.keeper(side).lost(state.dice).action : duty.action, side);
  }

  /** @param {Side} side */
  keeper(side) {
    let keeper = this.keepers.get(side);
    if (!keeper) {
      keeper = new DiceKeeper(this.match, side, store);
      this.keepers.set(side, keeper);
    }
    return keeper;
  }

  /** @param {Action} action @param {Side} side */
  send(action, side) {
    const shared = (this.state?.you.length ?? 0) > 1;
    return this.line.act(action, shared ? side : undefined);
  }

  /**
   * Do something for a seat, with one's share of the dice put in.
   * @param {Action} action
   * @param {Side | null} [side]
   */
  act(action, side = this.seat) {
    const { state } = this;
    if (!state || !side) return;
    clearTimeout(this.rolling);
    this.reason = "";
    this.send(this.keeper(side).dress(action, state.dice), side);
    this.changed();
  }

  /** @param {any} message */
  onRefused(message) {
    const type = message.sent?.d?.type;
    const rule = message.d?.rule ?? "";
    if (rule === "dice.link_wrong") {
      // The chain kept here is not the one that was announced.
      const side = /** @type {Side} */ (message.sent?.as ?? this.seat);
      const kept = this.keeper(side).read();
      this.keeper(side).write({ ...kept, tip: null });
      this.serve();
      return;
    }
    // Somebody else's line was faster, or the duty was done already: the state says all.
    if (["link", "anchor", "ready"].includes(type)) return;
    if (type === "roll" && rule === "wire.stale") return;
    this.reason = message.d?.text ?? "";
    this.happened("refused", message);
  }

  /** @param {import("./chat.js").Said} said */
  onChat(said) {
    if (this.chat.some((line) => line.n === said.n)) return;
    this.chat = [...this.chat, said].sort((a, b) => a.n - b.n).slice(-200);
    this.unread += 1;
    this.happened("chat", said);
  }

  /** @param {any} verdict */
  onVerdict(verdict) {
    this.verdict = verdict;
    const mine = this.state?.you ?? [];
    if (verdict.kind === "play") {
      const last = this.turns.findLastIndex((turn) => turn.kind === "play" && mine.includes(/** @type {Side} */ (turn.side)));
      if (last >= 0) this.grades = { ...this.grades, [last]: verdict.grade };
    }
    this.happened("verdict", verdict);
  }

  /** The play before the one under way, for the arrows on the board. */
  get last() {
    return this.turns.findLast((turn) => turn.kind === "play" || turn.kind === "pass") ?? null;
  }
}
