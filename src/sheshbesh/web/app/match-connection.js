/**
 * The connection to one match. It reconnects by itself; what was sent but not yet answered is sent
 * again with the same `ref`, so that the server can tell a repetition from a second action.
 *
 * Fires "state", "ack", "refused", "because", "hint", "finish", "verdict", "chat", "presence", "thinking",
 * "rematch" and "error" with the message as `detail`, and "connection" when it opens or closes.
 */

import { canRun, savesData } from "../engine/builds.js";
import { t } from "../i18n/i18n.js";
import { backoff, traffic } from "./traffic.js";

/**
 * @typedef {{t: string, ref?: string, key?: string, as?: string, here?: boolean, n?: number,
 *   d?: {type?: string, [field: string]: unknown}}} Message
 * @typedef {{send(text: string): void, close(code?: number): void, readyState: number,
 *   onopen: any, onmessage: any, onclose: any, onerror: any}} Socket
 * @typedef {{open: (url: string) => Socket, later: (f: () => void, ms: number) => unknown, cancel: (timer: unknown)
 *   => void, now: () => number, random: () => number, store: Pick<Storage, "getItem" | "setItem" | "removeItem">,
 *   hasCore?: () => boolean}} World  `hasCore`: whether the tutor can be worked out here
 */

/** Milliseconds after which a heartbeat is sent where nothing else was, until a state asks for another number. */
const BEAT = 2500;
/** Milliseconds without any message, after a heartbeat was due, from which on a connection counts as dead. */
const SILENT_AFTER = 5500;

/** The code with which a server closes a socket on which it could not read a message (`server/tables/socket.py`). */
const UNREADABLE = 4400;
/** Times that an action is sent by itself to a server that cannot read it, before it is given up. */
const TRIES = 4;

/** Errors after which another attempt would end in the same way. */
const FINAL = new Set(["not_found", "unauthorized", "forbidden"]);

/** @returns {World} */
function browser() {
  return {
    open: (url) => new WebSocket(url),
    later: (f, ms) => setTimeout(f, ms),
    cancel: (timer) => clearTimeout(/** @type {number | undefined} */ (timer)),
    now: () => performance.now(),
    random: Math.random,
    store: sessionStorage,
    hasCore: () => canRun() && !savesData(),
  };
}

export class MatchConnection extends EventTarget {
  /**
   * @param {string} match
   * @param {string} base such as "wss://example.org"
   * @param {string} [lang] of refusals
   * @param {World} [world]
   * @param {string} [kind] of table: its sockets have addresses of their own
   */
  constructor(match, base, lang = "en", world = browser(), kind = "match") {
    super();
    this.match = match;
    this.kind = kind;
    this.base = base;
    this.lang = lang;
    this.world = world;
    /** More of the address: `&look=1` watches one's own match. */
    this.query = "";
    /** Whether programs wait after a play that may be taken back for another try, until `carryOn`. */
    this.retries = false;
    this.kept = `sheshbesh.sent.${match}`;
    /** @type {Socket | null} */
    this.socket = null;
    /** @type {number | null} events of the match seen so far */
    this.version = null;
    /** @type {string} */
    this.key = "";
    this.attempts = 0;
    this.closed = false;
    /** Whether a state has come since the socket was opened, so that the server is in step with us. */
    this.settled = false;
    /** Whether a message could not be read and none was answered since: of what waits only the first is sent. */
    this.misread = false;
    /** The action that was sent by itself, and how often it could not be read. */
    this.alone = { ref: "", times: 0 };
    /** Milliseconds between two messages of ours that the last state asked for. */
    this.every = BEAT;
    this.lastSent = 0;
    this.lastMessage = 0;
    /** When the socket that was lost is opened again. */
    this.due = 0;
    /** @type {unknown} */
    this.timer = null;
    /** @type {unknown} */
    this.beat = null;
    /** @type {Map<string, Message>} */
    this.waiting = this.restore();
    /** What ends the waiting for the answer to an action of the player. @type {Map<string, () => void>} */
    this.answered = new Map();
    /** What waits for numbers, by the ref of what asked for them. @type {Map<string, (found: any) => void>} */
    this.questions = new Map();
    const start = Math.floor(world.random() * 36 ** 6);
    this.tab = start.toString(36).padStart(6, "0");
    this.count = 0;
  }

  /** @returns {Map<string, Message>} */
  restore() {
    try {
      return new Map(JSON.parse(this.world.store.getItem(this.kept) ?? "[]"));
    } catch {
      return new Map();
    }
  }

  keep() {
    // Links of dice are never lost by a reload: the keeper gives them again when they are still owed.
    const actions = [...this.waiting].filter(([, message]) => message.t === "do");
    if (actions.length) this.world.store.setItem(this.kept, JSON.stringify(actions));
    else this.world.store.removeItem(this.kept);
  }

  get live() {
    return this.socket !== null && this.settled;
  }

  /** Whole seconds until the socket is opened again; 0 while that is tried. */
  get wait() {
    return this.timer === null ? 0 : Math.max(0, Math.ceil((this.due - this.world.now()) / 1000));
  }

  /** Open the socket, or try again at once. */
  open() {
    if (this.closed || this.socket) return;
    this.world.cancel(this.timer);
    this.timer = null;
    const seen = this.version === null ? "" : `&v=${this.version}`;
    const core = this.hasCore ? "&core=1" : "";
    const more = `${core}${this.retries ? "&retry=1" : ""}${this.query}`;
    const socket = this.world.open(
      `${this.base}/ws/${this.kind}/${encodeURIComponent(this.match)}?lang=${this.lang}${seen}${more}`,
    );
    this.socket = socket;
    this.settled = false;
    this.every = BEAT;
    this.lastMessage = this.world.now();
    socket.onopen = () => {
      this.lastMessage = this.world.now();
      this.ping(socket);
    };
    socket.onmessage = (/** @type {{data: string}} */ event) => this.onMessage(event.data, socket);
    socket.onclose = (/** @type {{code?: number}} */ event) => this.onClose(socket, event?.code);
    socket.onerror = () => {};
    this.world.cancel(this.beat);
    this.beat = this.world.later(() => this.tick(), BEAT);
  }

  /** Give up a dead connection; on a living one send a heartbeat where nothing was sent for as long as was asked. */
  tick() {
    const socket = this.socket;
    if (!socket) return;
    const now = this.world.now();
    if (now - this.lastMessage > this.every + SILENT_AFTER) {
      // A silent connection is dead, whatever the browser reports, and so is one that a sleeping page had.
      this.onClose(socket);
      socket.close();
      return;
    }
    if (socket.readyState === 1 && now - this.lastSent >= this.every) this.ping(socket);
    this.beat = this.world.later(() => this.tick(), BEAT);
  }

  /** @param {Socket} socket */
  ping(socket) {
    socket.send('{"t":"ping"}');
    this.lastSent = this.world.now();
  }

  /** @param {Socket} socket @param {number} [code] */
  onClose(socket, code) {
    if (this.socket !== socket) return;
    const wasSettled = this.settled;
    this.socket = null;
    this.settled = false;
    this.world.cancel(this.beat);
    this.fire("connection", { live: false, code: code ?? 0 });
    if (this.closed) return;
    if (code === UNREADABLE) this.onMisread(this.misread && wasSettled);
    const wait = backoff(this.attempts, this.world.random());
    this.attempts += 1;
    this.due = this.world.now() + wait;
    this.timer = this.world.later(() => this.open(), wait);
  }

  /**
   * A message could not be read. Questions are given up at once, since any may be the one; an action when it was sent
   * by itself some times.
   * @param {boolean} wasAlone whether only the first of what waits had been sent
   */
  onMisread(wasAlone) {
    for (const [ref, { t: kind }] of [...this.waiting])
      if (kind !== "do") this.giveUp(ref, t("That cannot be done now."));
    this.misread = true;
    const [ref] = this.waiting.keys();
    if (!ref) return;
    const times = this.alone.ref === ref ? this.alone.times : 0;
    this.alone = { ref, times: times + Number(wasAlone) };
    if (this.alone.times < TRIES) return;
    this.giveUp(ref, t("The server cannot read this. Load the page again."));
    this.misread = true;
  }

  /** Refuse here what was not done. @param {string} ref @param {string} text */
  giveUp(ref, text) {
    const message = { t: "refused", ref, d: { rule: "wire.unread", source: null, text } };
    this.done(message);
    this.tell(message);
    this.fire("refused", message);
  }

  /** @param {string} text @param {Socket} socket */
  onMessage(text, socket) {
    if (this.socket !== socket) return;
    this.lastMessage = this.world.now();
    /** @type {any} */
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return; // Not ours: a proxy's error page, perhaps.
    }
    switch (message.t) {
      case "pong":
        // With a number the server measures the latency: it is returned at once.
        if (message.n !== undefined) socket.send(JSON.stringify({ t: "pong", n: message.n }));
        return;
      case "state":
        this.onState(message);
        return;
      case "error":
        // The server will not have us: trying again would change nothing.
        if (FINAL.has(message.d?.code)) this.closed = true;
        break;
      case "ack":
      case "refused":
      case "because":
      case "hint":
      case "ask":
      case "finish":
        this.done(message);
        if (this.tell(message)) return;
        break;
      case "queued":
        if (this.questions.has(message.ref)) return;
        break;
    }
    this.fire(message.t, message);
  }

  /** @param {import("./wire.js").Frame} message */
  done(message) {
    const { ref = "" } = message;
    const sent = this.waiting.get(ref);
    if (!sent) return;
    this.settle(ref);
    this.waiting.delete(ref);
    this.keep();
    message.sent = sent;
    if (!this.misread) return;
    this.misread = false;
    for (const held of this.waiting.values()) this.write(held);
  }

  /**
   * Whether this answers a question about numbers: by them, or by a hint that was not asked for here.
   * @param {import("./wire.js").Frame} message
   */
  tell({ t, ref = "", d }) {
    const asked = this.questions.get(ref);
    this.questions.delete(ref);
    asked?.(t === "ask" ? d.question : null);
    return asked !== undefined && (t === "ask" || t === "hint");
  }

  /** An action has been answered, or its answer is no longer waited for here. @param {string} ref */
  settle(ref) {
    this.answered.get(ref)?.();
    this.answered.delete(ref);
  }

  /** @param {import("./wire.js").StateFrame} message */
  onState(message) {
    const first = !this.settled;
    // The first state of a socket counts whatever its number: a server whose database lost its last moments, or was
    // restored from a backup, goes on from an earlier event than was seen here.
    const earlier = this.version !== null && message.v < this.version;
    if (earlier && !first) return;
    if (earlier) message.events = []; // all of them were seen here
    this.version = message.v;
    this.key = message.key;
    this.settled = true;
    if (!this.waiting.size) this.misread = false;
    if (!this.misread) this.attempts = 0;
    this.every = (message.d.beat ?? BEAT / 1000) * 1000;
    const due = [...this.waiting.values()].slice(0, this.misread ? 1 : undefined);
    if (first) for (const each of due) this.write(each);
    if (first) this.fire("connection", { live: true });
    this.fire("state", message);
  }

  /** @param {Message} message */
  write(message) {
    if (this.socket?.readyState !== 1 || !this.settled) return;
    this.socket.send(JSON.stringify(message));
    this.lastSent = this.world.now();
  }

  /** @param {string} name @param {unknown} detail */
  fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * Send something that is answered, again and again until it is.
   * @param {Message} message
   * @returns {string} its ref
   */
  ask(message) {
    this.count += 1;
    const ref = `${this.tab}-${this.count}`;
    const whole = { ...message, ref };
    this.waiting.set(ref, whole);
    this.keep();
    if (!this.misread) this.write(whole);
    return ref;
  }

  /**
   * Do something at the table. What is done once more before it was answered, as by a key pressed twice, is sent once.
   * @param {{type: string, [field: string]: unknown}} action
   * @param {string} [as] the seat, where one person has both
   * @returns {string} its ref
   */
  act(action, as) {
    const free = action.type === "link" || action.type === "anchor";
    /** @type {Message} */
    const message = { t: "do", d: action };
    if (!free) message.key = this.key;
    if (as) message.as = as;
    const text = JSON.stringify(message);
    for (const [ref, { ref: _, ...sent }] of this.waiting) if (JSON.stringify(sent) === text) return ref;
    const ref = this.ask(message);
    if (!free) void traffic.track(new Promise((done) => this.answered.set(ref, () => done(undefined))));
    return ref;
  }

  /** @param {number[][]} steps */
  why(steps) {
    return this.ask({ t: "why", d: { steps } });
  }

  /**
   * Ask the server for what could not be worked out here.
   * @param {"hint" | "verdict"} what @param {number} [n] the decision
   */
  fallBack(what, n) {
    if (what === "hint") this.ask({ t: "hint", here: false });
    else this.write({ t: "verdict", n });
  }

  /** Let the program go on that has waited. */
  carryOn() {
    this.write({ t: "on" });
  }

  /** Ask for the play of a bear-off that leaves nothing to decide. */
  finish() {
    return this.ask({ t: "finish" });
  }

  hint() {
    return this.ask({ t: "hint" });
  }

  /** Whether plays can be judged here. */
  get hasCore() {
    return this.world.hasCore?.() ?? false;
  }

  /** Ask for the numbers by which the turn is judged here; null where they are not given. */
  question() {
    const ref = this.hint();
    return new Promise((done) => this.questions.set(ref, done));
  }

  /** @param {{text: string} | {phrase: string}} words */
  say(words) {
    return this.ask({ t: "say", d: words });
  }

  /** Whether an action of the player's own is under way. */
  get busy() {
    return [...this.waiting.values()].some(
      (message) => message.t === "do" && !["link", "anchor"].includes(message.d?.type ?? ""),
    );
  }

  /**
   * Set the language of refusals, which the server learns when a socket is opened. The old
   * one is closed when the new one is there, so that the player never counts as away.
   * @param {string} lang
   */
  setLanguage(lang) {
    const old = this.socket;
    const same = lang === this.lang;
    this.lang = lang;
    if (same || !old) return;
    this.socket = null;
    this.addEventListener("connection", () => old.close(), { once: true });
    this.open();
  }

  /** The page is being closed: tell the server, and stop. */
  bye() {
    if (this.socket && this.socket.readyState === 1) this.socket.send(JSON.stringify({ t: "bye" }));
    this.close();
  }

  close() {
    this.closed = true;
    for (const ref of this.answered.keys()) this.settle(ref);
    this.world.cancel(this.timer);
    this.world.cancel(this.beat);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
