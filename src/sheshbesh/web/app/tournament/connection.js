/** The connection that says what has changed in a tournament. It reconnects by itself. */

import { words } from "../../i18n/i18n.js";
import { backoff, socketBase, traffic } from "../traffic.js";

export class TournamentConnection extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempts = 0;
    this.closed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.beat = undefined;
  }

  open() {
    if (this.closed) return;
    const socket = new WebSocket(`${socketBase()}/ws/tournament/${this.id}?lang=${words().language.code}`);
    this.socket = socket;
    socket.onopen = () => {
      traffic.setLost(this, false);
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data));
      if (message.t === "error") return;
      this.attempts = 0;
      const kind = { tournament: "news", chat: "said" }[/** @type {string} */ (message.t)];
      if (kind) this.dispatchEvent(new CustomEvent(kind, { detail: message.d }));
    };
    socket.onclose = () => {
      if (this.closed) return;
      this.attempts += 1;
      const wait = backoff(this.attempts, Math.random());
      traffic.setLost(this, true, wait);
      this.timer = setTimeout(() => this.open(), wait);
    };
    clearInterval(this.beat);
    this.beat = setInterval(() => socket.readyState === 1 && socket.send('{"t":"ping"}'), 10_000);
  }

  close() {
    this.closed = true;
    traffic.setLost(this, false);
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.socket?.close();
  }
}
