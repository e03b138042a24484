/**
 * A match against the engine without a server: in place of `MatchConnection`, with the same frames.
 *
 * The turns are played by the worker that has the core (`engine/table.js`). This keeps the events, throws the dice,
 * lets the engine play its seat, and asks the tutor.
 */
import { localEngine } from "../../engine/client.js";
import { t } from "../../i18n/i18n.js";
import { answerHere } from "../analysis/here.js";
import { extend } from "../history.js";
import { throwDie } from "../scoreboard/score.js";
import { backoff } from "../traffic.js";
import { refusalIn } from "../without-server.js";

/**
 * @typedef {import("../wire.js").Side} Side
 * @typedef {import("./kept.js").Kept} Kept
 * @typedef {import("../../engine/table.js").Event} Event
 * @typedef {import("../../engine/game.js").Action} Action
 */

/** Milliseconds that the engine takes at least, so that its play can be followed. @type {Record<string, number>} */
const PACE = { roll: 500, move: 900 };
const USUAL_PACE = 700;
const OPENING_PACE = 800;

/** @type {readonly Side[]} */
const SIDES = ["white", "black"];

const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

export class LocalConnection extends EventTarget {
  /**
   * @param {Kept} match @param {import("./kept.js").KeptMatches} kept
   * @param {{pause?: (ms: number) => Promise<unknown>, later?: (ms: number) => Promise<unknown>,
   *   dice?: () => number[], name?: () => string, full?: () => void}} [world]  `pause` is what the engine takes at
   *   least, `later` the time to a next attempt; `name` is that of the player, "" where they have none; `full` is
   *   called when the storage begins to be too full for what is played
   */
  constructor(match, kept, world = {}) {
    const {
      pause: paced = pause,
      later = pause,
      dice = () => [throwDie(), throwDie()],
      name = () => "",
      full = () => {},
    } = world;
    super();
    this.match = match;
    this.kept = kept;
    this.pause = paced;
    this.later = later;
    this.dice = dice;
    this.name = name;
    this.full = full;
    this.events = kept.events(match.id);
    /** How many of them are kept. */
    this.written = this.events.length;
    this.release = () => {};
    this.live = false;
    this.closed = false;
    this.attempts = 0;
    /** Whether the engine waits after a play that is judged, which may be taken back for another try. */
    this.retries = false;
    /** After how many events it does. @type {number | null} */
    this.held = null;
    /** What the page says it decided upon. */
    this.key = "";
    this.count = 0;
    this.busy = false;
    /** What is under way, one after the other. @type {Promise<unknown>} */
    this.work = Promise.resolve();
    /** @type {import("../wire.js").State | null} */
    this.state = null;
    /** @type {import("../../board/types.js").Layout | null} */
    this.layout = null;
  }

  /** Seconds until the next attempt: it is made soon. */
  get wait() {
    return 0;
  }

  /** The engine's side. */
  get other() {
    return this.match.you === "white" ? "black" : "white";
  }

  /** What is agreed on, as the worker is told it. */
  get agreed() {
    const { id, code, you, level, seed } = this.match;
    return { id, code, you, level, seed };
  }

  /** @param {import("../../engine/worker.js").Todo} todo */
  ask(todo) {
    return localEngine.table(this.agreed, this.events, todo);
  }

  /** @param {string} name @param {unknown} detail */
  fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  open() {
    if (this.live || this.closed) return;
    this.release();
    this.release = this.kept.claim(this.match.id, () => {
      this.close();
      this.fire("error", { d: { code: "window", text: t("This match is played in another window.") } });
    });
    this.then(async () => {
      if (this.live || this.closed) return;
      const { view, layout, title } = await this.ask({ kind: "look" });
      this.layout = layout;
      this.title = title;
      this.live = true;
      this.fire("connection", { live: true });
      this.show(view, [], extend([], this.events, null).turns);
      this.goOn();
    });
  }

  /** Do something after what is under way. @param {() => Promise<unknown>} what */
  then(what) {
    this.work = this.work.then(what).catch((error) => {
      console.error(error);
      if (this.closed) return;
      this.live = false;
      const text = localEngine.canRun
        ? t("The engine cannot be loaded.")
        : t("The engine cannot be run in this browser.");
      this.fire("error", { d: { code: "engine", text } });
      if (localEngine.canRun) void this.later(backoff(this.attempts, Math.random())).then(() => this.open());
      this.attempts += 1;
    });
    return this.work;
  }

  /** @param {any} view @param {Event[]} events @param {import("../wire.js").Turn[]} [history] */
  show(view, events, history) {
    const { you, level } = this.match;
    const players = Object.fromEntries(
      SIDES.map((side) => [
        side,
        side === you
          ? { name: this.name(), kind: "guest", level: null, id: null, rating: null }
          : { name: level, kind: "engine", level, id: null, rating: null },
      ]),
    );
    this.state = { ...view, players, ...(history ? { history } : {}) };
    this.key = String(this.events.length);
    this.fire("state", {
      t: "state",
      v: this.events.length,
      key: this.key,
      now: Date.now(),
      events,
      d: this.state,
    });
  }

  /**
   * Take an action; the refusal's rule where it may not be taken.
   * @param {Side | "server"} actor @param {Action} action
   */
  async take(actor, action) {
    // A clock that is set back leaves the events in their order.
    const at = Math.max(Date.now() - this.match.began, this.events.at(-1)?.at ?? 0);
    const judged = actor === this.match.you;
    const { event, judge, view, refused } = await this.ask({ kind: "act", actor, action, at, judged });
    if (refused) return refused;
    if (this.closed) return undefined;
    this.attempts = 0;
    this.events.push(event);
    const { score, phase } = view;
    this.match = { ...this.match, changed: Date.now(), score, over: phase === "over" };
    this.keep();
    this.show(view, [event]);
    // After what goes on at once: the engine's answer does not wait for the tutor.
    if (judge && this.retries && view.allowed.includes("retry")) this.held = this.events.length;
    if (judge) setTimeout(() => void this.judge({ ...judge, n: event.n, side: event.actor }));
    return undefined;
  }

  /** Keep what is new; where the storage is full, it is played on without. */
  keep() {
    const { match, events, written } = this;
    const waits = written < events.length - 1;
    if (this.kept.append(match.id, events, written) && this.kept.put(match)) this.written = events.length;
    else if (!waits) this.full();
  }

  /** @param {import("../analysis/here.js").Asked} asked */
  async judge(asked) {
    const told = await answerHere(asked, true).catch(() => null);
    if (told && !this.closed) this.fire(told.t, told);
  }

  /** What nobody is waited for: dice, readiness, the engine's decisions. */
  goOn() {
    void this.then(async () => {
      const { state, other } = this;
      if (!state || !this.live || this.held === this.events.length) return;
      const { phase, to_act: toAct } = state;
      if (phase === "opening" || phase === "throwing") {
        if (phase === "opening") await this.pause(OPENING_PACE);
        const [first, second] = this.dice();
        if (!this.closed) await this.take("server", { type: "dice", first, second });
      } else if (phase === "ready" && toAct.includes(other)) {
        await this.take(other, { type: "ready" });
      } else if (phase !== "ready" && toAct.includes(other)) {
        this.fire("thinking", { d: { side: other } });
        const began = performance.now();
        const { action } = await this.ask({ kind: "decide" });
        await this.pause(Math.max((PACE[phase] ?? USUAL_PACE) - (performance.now() - began), 0));
        if (!this.closed) await this.take(other, action);
      } else return;
      this.goOn();
    });
  }

  // What a page asks

  /** Let the engine go on that has waited. */
  carryOn() {
    this.held = null;
    this.goOn();
  }

  /** @param {Action} action @param {string} [_as] */
  act(action, _as) {
    const ref = this.next();
    const { link: _, anchor: __, ...plain } = action;
    this.busy = true;
    void this.then(async () => {
      const actor = action.type === "retry" ? "server" : this.match.you;
      const rule = await this.take(actor, plain).finally(() => {
        this.busy = false;
      });
      if (rule) this.refuse(ref, rule, { t: "do", d: action });
      else this.fire("ack", { ref });
    }).then(() => this.goOn());
    return ref;
  }

  next() {
    this.count += 1;
    return `local-${this.count}`;
  }

  /** @param {string} ref @param {string} rule @param {import("../wire.js").Sent} sent */
  refuse(ref, rule, sent) {
    this.fire("refused", { ref, d: { rule, source: null, text: t("That cannot be done now.") }, sent });
  }

  /** @param {number[][]} steps */
  why(steps) {
    const ref = this.next();
    void this.then(async () => {
      const { why } = await this.ask({ kind: "why", steps });
      const text = t("The rules of this game do not allow this step now.");
      const said =
        why === null ? null : await refusalIn(this.match.code.split(".")[0], why).catch(() => null);
      this.fire("because", {
        ref,
        d: why === null ? null : (said ?? { rule: "", source: null, text }),
        sent: { t: "why", d: { steps } },
      });
    });
    return ref;
  }

  /** Whether plays can be judged here. */
  get hasCore() {
    return localEngine.canRun;
  }

  /** The numbers by which the turn is judged. */
  async question() {
    return (await this.ask({ kind: "question" })).question;
  }

  /** The tutor's advice. @returns {Promise<import("../analysis/here.js").Told | null>} */
  async advice() {
    const question = await this.question();
    return question ? answerHere({ question }, true) : null;
  }

  hint() {
    const ref = this.next();
    const { key } = this;
    void this.then(async () => {
      const told = await this.advice().catch(() => null);
      if (!told) this.refuse(ref, "tutor.silent", { t: "hint" });
      else if (key === this.key) this.fire("hint", { ...told, ref });
    });
    return ref;
  }

  /** The play of a bear-off that leaves nothing to decide. */
  finish() {
    const ref = this.next();
    void this.then(async () => {
      const { play } = await this.ask({ kind: "finish" });
      if (play) this.fire("finish", { ref, d: { play } });
      else this.refuse(ref, "finish.choice", { t: "finish" });
    });
    return ref;
  }

  /** Nothing else answers. @param {string} what */
  fallBack(what) {
    if (what === "hint") this.refuse(this.next(), "tutor.silent", { t: "hint" });
  }

  say() {}

  /** Sentences are the page's own. @param {string} _lang */
  setLanguage(_lang) {
    if (this.live) this.fire("connection", { live: true });
  }

  bye() {
    this.close();
  }

  close() {
    this.closed = true;
    this.live = false;
    this.release();
  }
}
