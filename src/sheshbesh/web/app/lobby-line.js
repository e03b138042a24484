/**
 * The line for what concerns us: challenges, games of ours that begin; and, for whoever looks at the lobby,
 * who waits and plays there. It comes back by itself.
 */
import { words } from "../i18n/i18n.js";
import { backoff, socketBase } from "./connection.js";

export class LobbyLine extends EventTarget {
  /** @param {{look?: boolean}} [what] whether to see the lobby */
  constructor({ look = false } = {}) {
    super();
    this.look = look;
    /** @type {WebSocket | null} */
    this.line = null;
    this.attempts = 0;
    this.closed = false;
    /** @type {any} */
    this.timer = null;
    /** @type {any} */
    this.beat = null;
  }

  open() {
    if (this.closed) return;
    const line = new WebSocket(`${socketBase()}/ws/lobby?lang=${words().language.code}${this.look ? "&look=1" : ""}`);
    this.line = line;
    line.onopen = () => (this.attempts = 0);
    line.onmessage = (event) => {
      try {
        const message = JSON.parse(String(event.data));
        this.dispatchEvent(new CustomEvent("message", { detail: message }));
      } catch {
        // Not ours.
      }
    };
    line.onclose = () => {
      if (this.line !== line || this.closed) return;
      this.attempts += 1;
      this.timer = setTimeout(() => this.open(), backoff(this.attempts, Math.random()));
    };
    clearInterval(this.beat);
    this.beat = setInterval(() => line.readyState === 1 && line.send('{"t":"ping"}'), 10_000);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    this.line?.close();
  }
}
