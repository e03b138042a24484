/** The analysis board: any position of any game, put up by hand or pasted; judged, compared, rolled out. */

import { other } from "../../board/types.js";
import { localEngine } from "../../engine/client.js";
import { t, words } from "../../i18n/i18n.js";
import { guard } from "../../vendor/lit.js";
import {
  cardCode,
  gameField,
  lengthFields,
  optionFields,
  scoreFields,
  turnFields,
} from "../analysis/card.js";
import { cleared } from "../analysis/editing.js";
import { toolField } from "../analysis/editor.js";
import { judgeHere, rollOutHere, sceneOf, sceneOfText } from "../analysis/here.js";
import { LONGEST, pasting, rollOut, sharing, verdicts } from "../analysis/rollout.js";
import { ApiError, once, post, STATIC } from "../api.js";
import { BoardView } from "../board-view.js";
import { playArrows } from "../grades.js";
import { icon } from "../icons.js";
import { settings } from "../settings.js";
import { boardFrame } from "../step-view.js";
import { html, ltr, nothing, states } from "../view.js";

/**
 * @typedef {import("../analysis/card.js").Card} Card
 * @typedef {import("../analysis/results.js").Analysis} Analysis
 * @typedef {import("../analysis/results.js").Rollout} Rollout
 * @typedef {import("../../board/types.js").Board} Board
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{ card: Card, board: Board, side: Side, dice: number[], cube: { value: number, owner: Side | null },
 *   score: Record<Side, number>, crawford: boolean }} Draft
 */

/** Milliseconds for which a hand may go on before the server is asked. */
const PAUSE = 150;

export class AnalysisView extends BoardView {
  static properties = states(
    "draft",
    "scene",
    "problems",
    "tool",
    "found",
    "chosen",
    "rollout",
    "busy",
    "unanswered",
    "refused",
    "viewer",
  );

  constructor() {
    super();
    /** The position on the board now, possible or not. @type {Draft | null} */
    this.draft = null;
    /** The server's answer for the last one that was possible. @type {any} */
    this.scene = null;
    /** The draft made of it. @type {Draft | null} */
    this.answered = null;
    /** @type {string[]} */
    this.problems = [];
    /** @type {import("../analysis/editing.js").Tool} */
    this.tool = "white";
    /** @type {Analysis | null} */
    this.found = null;
    this.chosen = 0;
    /** Plays to be rolled out. @type {Set<string>} */
    this.picked = new Set();
    /** Whether somebody has picked them. */
    this.marked = false;
    /** @type {Rollout | null} */
    this.rollout = null;
    this.busy = "";
    /** What had no answer, and why. @type {{what: "board" | "evaluate" | "rollout", text: string} | null} */
    this.unanswered = null;
    this.refused = "";
    /** @type {Side} */
    this.viewer = "white";
    this.plies = 2;
    this.trials = 324;
    this.seed = 1;
    /** What can be taken back. @type {Draft[]} */
    this.past = [];
    /** @type {import("../analysis/card.js").Variant[]} */
    this.variants = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The question to the server that is under way. @type {Promise<void>} */
    this.settling = Promise.resolve();
    /** Counts what is put on the board and asked about it: an answer about something earlier comes too late. */
    this.turn = 0;
    /** The game that was chosen or pasted last; its board may not have come yet. */
    this.game = "";
    /** @type {AbortController | null} */
    this.rolling = null;
    /** The engine in this browser at the position on the board. @type {AbortController | null} */
    this.looking = null;
  }

  get heading() {
    return t("Analysis board");
  }

  connectedCallback() {
    if (this.place.query.get("view") === "black") this.viewer = "black";
    super.connectedCallback();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.forget();
  }

  async languageChanged() {
    this.variants = (await this.load(once(`/variants?lang=${words().tag}`))) ?? this.variants;
    if (this.draft) void this.ask(this.draft);
    return this.draft !== null;
  }

  /** Get the situation of the address. */
  async fetch() {
    await this.app.identity.catch(() => {});
    this.variants = (await this.load(once(`/variants?lang=${words().tag}`))) ?? [];
    const asked = new URLSearchParams(this.place.query);
    for (const name of ["view", "look"]) asked.delete(name);
    const text = asked.get("text");
    asked.delete("text");
    const fields = Object.fromEntries(asked);
    const scene = (text && (await this.read(text))) || (await this.load(sceneOf(fields)));
    if (!scene) return;
    this.show(scene);
    if ((asked.has("id") || asked.has("match")) && !this.isHere) void this.evaluate();
  }

  /** A text that another program has shared; null where it holds no position. @param {string} text */
  async read(text) {
    try {
      return await sceneOfText(text.slice(0, LONGEST));
    } catch (error) {
      this.refused = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  /** The position on the board is possible. @param {any} scene */
  show(scene) {
    const { query, board, side, dice, cube, score, crawford, game, options, length, jacoby, beavers } = scene;
    this.turn += 1;
    this.scene = scene;
    this.problems = [];
    this.unanswered = null;
    this.draft = this.answered = {
      card: { game, options, length, jacoby, beavers },
      board,
      side,
      dice: dice ?? [],
      cube: { value: cube.value, owner: cube.owner },
      score,
      crawford,
    };
    const shown = new URLSearchParams(query);
    if (this.viewer === "black") shown.set("view", "black");
    if (this.isConnected) history.replaceState(null, "", `/analysis?${shown}`);
    void this.look();
  }

  /** Whether the position on the board is the one that was answered last, and can be. */
  get isKnown() {
    return Boolean(this.scene) && !this.problems.length && !this.isUnanswered;
  }

  /** Whether nothing was edited since. */
  get isSettled() {
    return this.isKnown && this.draft === this.answered;
  }

  /** Whether the question what is on the board had no answer. */
  get isUnanswered() {
    return this.unanswered?.what === "board";
  }

  /** Judge the position on the board in this browser; where it does not, the server is asked. */
  async look() {
    this.looking?.abort();
    const { core, side } = this.scene;
    if (!this.isHere) return;
    const looking = new AbortController();
    this.looking = looking;
    const how = { signal: looking.signal, report: (/** @type {Analysis} */ found) => this.take(found) };
    if (!(await judgeHere(core, side, this.plies, how)) && looking === this.looking) void this.evaluate();
  }

  /** What has been found for the position on the board; the play that was chosen stays so. @param {Analysis} found */
  take(found) {
    const chosen = this.found?.plays?.[this.chosen]?.play;
    const plays = found.plays ?? [];
    this.chosen = this.chosen
      ? Math.max(
          plays.findIndex(({ play }) => play === chosen),
          0,
        )
      : 0;
    if (!this.marked) this.picked = new Set(plays.slice(0, 3).map(({ play }) => play));
    this.found = found;
  }

  /** The draft without its board, as the fields of a query. @param {Draft} draft */
  fields({ card, dice, cube, score, crawford }) {
    const fits = card.length !== null && card.length > 1;
    return {
      card: cardCode(card),
      dice: dice.length === 2 && dice.every(Boolean) ? dice.join("") : "",
      cube: this.hasCube && cube.value > 1 ? `${cube.value}${cube.owner?.[0] ?? ""}` : "",
      score: fits ? `${score.white}.${score.black}` : "",
      crawford: fits && crawford && this.hasCube ? "1" : "",
    };
  }

  /** Whether this browser judges what is on the board; else the server does. */
  get isHere() {
    return Boolean(this.scene?.core) && localEngine.isHere;
  }

  get hasCube() {
    return Boolean(this.scene?.layout.cube);
  }

  /** @param {Partial<Draft>} change */
  edit(change) {
    if (!this.draft) return;
    this.past = [...this.past.slice(-99), this.draft];
    this.draft = { ...this.draft, ...change };
    this.forget();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.settle(), PAUSE);
  }

  /** What was edited last is known to the server, or is asked now. */
  async settle() {
    clearTimeout(this.timer);
    if (this.timer !== undefined && this.draft) this.settling = this.ask(this.draft);
    this.timer = undefined;
    await this.settling;
  }

  back() {
    const draft = this.past.pop();
    if (!draft) return;
    this.draft = draft;
    this.forget();
    this.settling = this.ask(draft);
  }

  /** Results for another position do not apply here, nor do those under way. */
  forget() {
    this.turn += 1;
    this.stop();
    this.looking?.abort();
    this.looking = null;
    this.marked = false;
    this.found = null;
    this.rollout = null;
    this.chosen = 0;
    this.picked = new Set();
  }

  /** Whether the board can be, and what it is. @param {Draft} draft */
  async ask(draft) {
    const turn = ++this.turn;
    const { board, side } = draft;
    const body = { ...this.fields(draft), board, turn: side, lang: words().tag, core: localEngine.isHere };
    await this.wait("board", async () => {
      const checked = await post("/analysis/board", body).catch((error) => {
        if (turn !== this.turn) return;
        this.problems = []; // they are those of the board before
        throw error;
      });
      if (turn !== this.turn) return;
      this.problems = checked.problems;
      if (!checked.problems.length) this.show(checked);
    });
  }

  /** Another game, or other rules of it. @param {Card} card */
  async choose(card) {
    const { draft } = this;
    if (!draft) return;
    this.game = card.game;
    if (card.game === draft.card.game) return this.edit({ card });
    const isDone = await this.attempt(async () => {
      const scene = await sceneOf({ card: cardCode({ ...card, options: {} }) });
      if (this.game !== card.game) return;
      this.past = [];
      this.forget();
      this.show(scene);
    });
    if (isDone || this.game !== card.game) return;
    // The board that stays is one of the game before.
    const games = /** @type {HTMLSelectElement | null} */ (this.querySelector("#a-game"));
    if (games) games.value = this.draft?.card.game ?? "";
  }

  /** @param {Event} event */
  async paste(event) {
    event.preventDefault();
    const input = /** @type {HTMLTextAreaElement} */ (this.querySelector("#a-text"));
    if (!input.value.trim() || !this.draft) return;
    this.refused = "";
    try {
      const scene = await sceneOfText(input.value, cardCode(this.draft.card));
      this.game = scene.game;
      this.past = [];
      this.forget();
      this.show(scene);
      input.value = "";
      if (!this.isHere) void this.evaluate();
    } catch (error) {
      this.refused = error instanceof Error ? error.message : String(error);
    }
  }

  async start() {
    const { draft } = this;
    if (!draft) return;
    const code = cardCode(draft.card);
    await this.attempt(async () => {
      const { board } = await sceneOf({ card: code });
      // Another game, or other rules, may have been chosen meanwhile.
      if (this.draft && cardCode(this.draft.card) === code) this.edit({ board });
    });
  }

  // What is asked of the engine

  /**
   * Ask the engine, or whether the board can be; where there is no answer that stays to be read.
   * @param {"board" | "evaluate" | "rollout"} what
   * @param {() => Promise<unknown>} work
   */
  async wait(what, work) {
    this.unanswered = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Of a board that is not known nothing else can be asked: that stays to be read.
      if (what === "board" || !this.isUnanswered) this.unanswered = { what, text: error.message };
    }
  }

  /**
   * Why there is no answer, and the way to ask again.
   * @param {"board" | "evaluate" | "rollout"} what
   * @param {() => Promise<void>} again
   */
  silence(what, again) {
    return this.unanswered?.what === what
      ? html`<section role="alert" class="problems">
        <p>${this.unanswered.text}</p>
        <button @click=${() => void again()}>${t("Try again")}</button>
      </section>`
      : nothing;
  }

  async evaluate() {
    this.busy = "evaluate";
    await this.settle();
    if (!this.isKnown) {
      this.busy = "";
      return;
    }
    const { settling } = this;
    const { query, address } = this.scene;
    await this.wait("evaluate", async () => {
      const found = await post("/analysis/ask", { ...query, plies: this.plies, lang: words().tag });
      // The answer is for another position than the one on the board now.
      if (address !== this.scene?.address || this.timer !== undefined || settling !== this.settling) return;
      this.looking?.abort();
      this.take(found);
    });
    this.busy = "";
  }

  async roll() {
    await this.settle();
    if (!this.isKnown || this.rolling) return;
    const rolling = new AbortController();
    this.rolling = rolling;
    this.rollout = null;
    this.busy = "rollout";
    const { trials, seed } = this;
    const plays = this.scene.can.play ? [...this.picked].slice(0, 4) : [];
    const { signal } = rolling;
    const report = (/** @type {Rollout} */ found) =>
      void (rolling === this.rolling && (this.rollout = found));
    await this.wait("rollout", async () => {
      const here = await this.rollHere(plays, { signal, report });
      if (!here)
        await rollOut({ ...this.scene.query, trials, seed, plays, lang: words().tag }, signal, report);
    });
    if (this.rolling === rolling) this.rolling = null;
    if (this.busy === "rollout") this.busy = "";
  }

  /**
   * A rollout in this browser; false where the server is to be asked.
   * @param {string[]} picked @param {Parameters<typeof rollOutHere>[2]} how
   */
  async rollHere(picked, how) {
    const { scene, found, trials, seed } = this;
    const known = found?.plays?.filter(({ play, row }) => row && picked.includes(play)) ?? [];
    const plays = known.map(({ play, row }) => ({ play, row: /** @type {Uint8Array} */ (row) }));
    const lacking = scene.can.play && (!plays.length || plays.length < picked.length);
    if (!this.isHere || lacking) return false;
    return rollOutHere(scene.core, { trials, seed, plays }, how);
  }

  stop() {
    this.rolling?.abort();
    this.rolling = null;
    if (this.busy === "rollout") this.busy = "";
  }

  // What is shown

  /** What the board shows. */
  get pictured() {
    const draft = /** @type {Draft} */ (this.draft);
    const dice = draft.dice.length === 2 && draft.dice.every(Boolean) ? draft.dice : null;
    return {
      you: [this.viewer],
      phase: "move",
      on_roll: draft.side,
      to_act: [],
      allowed: [],
      board: draft.board,
      turn: dice ? { dice, done: [], touched: null } : null,
      dice_steps: this.scene.dice_steps,
      cube: { ...draft.cube, offered: null, by: null, in_play: this.hasCube },
      card: { game: draft.card.game },
    };
  }

  /** Arrows of the best play and of another that was chosen. */
  get advice() {
    const { found, scene, chosen, problems } = this;
    const plays = found?.plays;
    if (!plays?.length || !scene.dice || problems.length) return null;
    return playArrows(scene, plays[0].steps, chosen ? plays[chosen] : null);
  }

  /** What the arrows depend on: an answer that changes none of it leaves the board as it is. */
  get #advised() {
    const { found, scene, chosen, problems } = this;
    const [best, other] = [0, chosen].map((i) => found?.plays?.[i]);
    return [scene, problems.length, best?.play, other?.play, other?.grade, other?.close];
  }

  /** A play is to be rolled out, or not. @param {string} play @param {boolean} on */
  pick(play, on) {
    this.marked = true;
    this.picked = new Set([...this.picked].filter((each) => each !== play));
    if (on) this.picked.add(play);
    this.requestUpdate();
  }

  render() {
    const { draft, scene, viewer } = this;
    if (!draft || !scene) return html`<div class="page">${this.waiting()}</div>`;
    const variant = this.variants.find(({ name }) => name === draft.card.game);
    const changed = (/** @type {Card} */ card) => void this.choose(card);
    return boardFrame("analysis", {
      head: html`<h1>${t("Analysis board")}</h1>`,
      board: html`<ssb-board-editor
          .state=${guard([draft, scene, viewer], () => this.pictured)}
          .layout=${scene.layout}
          .advice=${guard(this.#advised, () => this.advice)}
          .tool=${this.tool}
          @ssb-edited=${(/** @type {CustomEvent} */ event) => this.edit({ board: event.detail.board })}
        ></ssb-board-editor>`,
      below: html`<div class="tools">
          ${toolField(scene.layout, this.tool, (tool) => (this.tool = tool))}
          <div class="row">
            <button
              class="icon"
              aria-label=${t("Take back")}
              title=${t("Take back")}
              ?disabled=${!this.past.length}
              @click=${() => this.back()}
            >${icon("back")}</button>
            <button @click=${() => this.edit({ board: cleared(draft.board, scene.layout) })}>
              ${t("Empty")}
            </button>
            <button @click=${() => void this.start()}>${t("Start position")}</button>
            <button @click=${() => (this.viewer = other(this.viewer))}>${t("Turn the board")}</button>
          </div>
        </div>`,
      told: html`<section class="setup">
          ${gameField(this.variants, draft.card, changed)}${turnFields(draft, (change) => this.edit(change))}
        </section>
        ${verdicts(this)}
        <section>
          <details>
            <summary>${t("Score, cube and house rules")}</summary>
            <div class="stack">
              ${lengthFields(draft.card, this.hasCube, changed)}
              ${scoreFields({ ...draft, length: draft.card.length, hasCube: this.hasCube }, (change) =>
                this.edit(change),
              )}
              ${STATIC ? nothing : optionFields(variant, draft.card, changed)}
            </div>
          </details>
        </section>
        ${pasting(this)}
        <section class="shared" ?hidden=${!this.isKnown} ?inert=${!this.isSettled}>
          ${sharing({
            address: scene.address,
            ids: scene.ids,
            game: scene.game,
            viewer: this.viewer,
            material: settings.prefs.material,
            copy: (text) => void this.copy(text),
          })}
          <p class="small quiet id">${ltr(scene.ids.own)}</p>
        </section>`,
    });
  }
}

customElements.define("ssb-analysis", AnalysisView);
