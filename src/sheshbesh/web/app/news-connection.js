/**
 * A connection that brings news: challenges and beginning matches of this player, with the lobby who waits and plays
 * there, or what changes in a tournament. It reconnects by itself.
 */
import { words } from "../i18n/i18n.js";
import { backoff, socketBase, traffic } from "./traffic.js";

/** Milliseconds of silence, with a heartbeat each ten seconds, after which a connection counts as dead. */
const SILENT_AFTER = 25_000;

/** Fires "open" when it is there, and "message" with what the server says as `detail`. */
export class NewsConnection extends EventTarget {
  /** @param {string} place below the address of all sockets @param {string} [query] more of the address */
  constructor(place, query = "") {
    super();
    this.place = place;
    this.query = query;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempts = 0;
    this.closed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.beat = undefined;
    this.lastMessage = 0;
    this.onOnline = () => this.renew();
    addEventListener("online", this.onOnline);
    traffic.addEventListener("again", this.onOnline);
  }

  open() {
    if (this.closed) return;
    const socket = new WebSocket(
      `${socketBase()}/ws/${this.place}?lang=${words().language.code}${this.query}`,
    );
    this.socket = socket;
    this.lastMessage = Date.now();
    socket.onopen = () => {
      traffic.setLost(this, false);
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => {
      this.lastMessage = Date.now();
      try {
        const message = JSON.parse(String(event.data));
        // One that is opened and sent away at once is no success: the next attempt comes later.
        if (message.t !== "error") this.attempts = 0;
        this.dispatchEvent(new CustomEvent("message", { detail: message }));
      } catch {
        // Not a message of this protocol.
      }
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.closed) return;
      this.attempts += 1;
      const wait = backoff(this.attempts, Math.random());
      traffic.setLost(this, true, wait);
      this.timer = setTimeout(() => this.open(), wait);
    };
    clearInterval(this.beat);
    this.beat = setInterval(() => this.live(socket), 10_000);
  }

  /** @param {WebSocket} socket */
  live(socket) {
    if (socket.readyState !== 1) return;
    // A connection cut somewhere on the way may look open for minutes.
    if (Date.now() - this.lastMessage > SILENT_AFTER) this.renew();
    else socket.send('{"t":"ping"}');
  }

  /** Replaces a connection that may be dead. */
  renew() {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.onOnline);
    traffic.removeEventListener("again", this.onOnline);
    traffic.setLost(this, false);
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.socket?.close();
  }
}
