/** A reviewed match, decision by decision. */

import { t, tn, words } from "../../i18n/i18n.js";
import { call, del, get, post, put } from "../api.js";
import { AT_ONCE, boardElement } from "../board-view.js";
import "../deeper.js";
import { called, isWrong, playArrows, sign } from "../grades.js";
import {
  answered,
  candidateFor,
  candidates,
  playerOf,
  question,
  repairs,
  roll,
  standing,
  verdict,
} from "../review/detail.js";
import { graph, numbers } from "../review/graph.js";
import { ownerPart, sideChoice } from "../review/owner-settings.js";
import { boardFrame, StepView } from "../step-view.js";
import { html, ltr, nothing, states, thousandths } from "../view.js";

/**
 * @typedef {import("../review/detail.js").Review} Found
 * @typedef {import("../review/detail.js").Decision} Decision
 * @typedef {import("../review/detail.js").Detail} Detail
 */

const AGAIN = 1500;
/** Points of equity from which a roll is called lucky. */
const LUCKY = 0.3;

const FILTERS = /** @type {const} */ (["errors", "white", "black", "cube", "lucky", "all"]);

class ReviewView extends StepView {
  static properties = states("found", "detail", "filter", "trying", "answer");

  constructor() {
    super();
    /** @type {Found | null} */
    this.found = null;
    /** @type {Detail | null} */
    this.detail = null;
    /** @type {Map<number, Promise<Detail>>} */
    this.kept = new Map();
    /** Those that were judged before the review was done. @type {Decision[]} */
    this.early = [];
    /** Whether the visitor has chosen what is shown. */
    this.moved = false;
    /** @type {typeof FILTERS[number]} */
    this.filter = "errors";
    this.trying = false;
    /** @type {import("../review/detail.js").Answer | null} */
    this.answer = null;
  }

  get heading() {
    return t("Review");
  }

  get shared() {
    return "secret" in this.place.params;
  }

  get path() {
    const { id, secret } = this.place.params;
    return this.shared ? `/shared/${encodeURIComponent(secret)}` : `/reviews/${encodeURIComponent(id)}`;
  }

  async languageChanged() {
    this.kept.clear();
    this.early = [];
    this.detail = null;
    await this.fetch();
    return this.found !== null;
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    /** @type {Found | null} */
    const found = await this.load(get(`${this.path}?lang=${words().tag}&since=${this.early.length}`));
    if (!this.isConnected) return;
    if (!found) {
      // The review shown is marked as old, and is requested again.
      if (this.found) this.later(() => this.fetch(), AGAIN);
      return;
    }
    if (!this.found) this.filter = found.you ?? "errors";
    this.found = found;
    const { begun, state } = found;
    if (state === "waiting" || state === "running") this.later(() => this.fetch(), AGAIN);
    if (begun) {
      const early = [...this.early];
      for (const each of begun.decisions) early[each.n] = each;
      this.early = early;
      if (!this.decisions.length)
        this.showTurn(
          { side: "white", board: begun.board, dice: null, dice_steps: 2, choices: null },
          { playable: false },
        );
    }
    const at = this.moved ? this.at : this.opened;
    if (this.decisions.length && (at !== this.at || !this.detail)) await this.show(at);
  }

  /** @returns {Decision[]} */
  get decisions() {
    return this.found?.report?.decisions ?? this.early;
  }

  get layout() {
    return this.found?.report?.layout ?? this.found?.begun?.layout ?? null;
  }

  get places() {
    return this.asking ? 0 : this.decisions.length;
  }

  /** Those of a filter. @param {typeof FILTERS[number]} filter */
  chosen(filter) {
    return this.decisions.filter((each) => {
      if (filter === "all") return true;
      if (filter === "lucky") return (each.luck ?? 0) >= LUCKY;
      return (
        each.counted &&
        isWrong(each) &&
        (filter === "errors" || (filter === "cube" ? each.type !== "play" : each.side === filter))
      );
    });
  }

  /** @param {number} n */
  go(n) {
    this.moved = true;
    return this.show(n);
  }

  /** @param {number} n */
  async show(n) {
    const at = Math.max(0, Math.min(this.decisions.length - 1, n));
    this.at = at;
    this.answer = null;
    let detail = this.kept.get(at);
    if (!detail) {
      detail = get(`${this.path}/decisions/${at}?lang=${words().tag}`);
      this.kept.set(at, detail);
      detail.catch(() => this.kept.delete(at));
    }
    const found = await this.load(detail);
    if (!found || at !== this.at) return;
    this.detail = found;
    this.pose();
    await this.updateComplete;
    this.showCurrent();
  }

  /** The decision to begin with: that of the address, or the dearest error, of the visitor's own where they played. */
  get opened() {
    const asked = this.place.query.get("n");
    if (asked) return Number(asked) || 0;
    const [first] = this.chosen(this.filter).sort((one, two) => two.loss - one.loss);
    return first?.n ?? 0;
  }

  /** The next one of the filter; after the last the first, since the review begins at the worst. */
  jump() {
    const all = this.chosen(this.filter).map(({ n }) => n);
    const next = all.find((n) => n > this.at) ?? all[0];
    if (next !== undefined) void this.go(next);
  }

  /** Whether the visitor is asked before the verdict is shown. */
  get asking() {
    const decision = this.decisions[this.at];
    return this.trying && !this.answer && decision?.open && (this.detail?.candidates.length ?? 0) > 1;
  }

  /** What the board shows now. */
  pose() {
    const { detail, found } = this;
    if (!detail || !found) return;
    const playing = this.asking && detail.dice !== null;
    const decider = playing ? detail.decider : (found.you ?? "white");
    this.showTurn(detail, { decider, playable: playing });
  }

  /** Arrows of the best play and of the one that was made. */
  get advice() {
    const { detail } = this;
    if (!detail?.dice || this.asking) return null;
    const decision = this.decisions[this.at];
    const [best, ...others] = detail.candidates;
    const made = others.find((each) => each.made);
    return playArrows(detail, best?.steps, made && { steps: made.steps, verdict: decision.verdict });
  }

  /** @param {Event} event */
  onPlay(event) {
    const { detail, found } = this;
    const board = /** @type {import("../../board/board.js").Board} */ (event.target).position;
    const layout = this.layout;
    if (!detail || !found || !board || !layout) return;
    this.settle(candidateFor(detail, layout, board), /** @type {CustomEvent} */ (event).detail.play);
  }

  /** @param {import("../review/detail.js").Candidate | null} candidate @param {string} text */
  settle(candidate, text) {
    this.answer = { candidate, text };
    this.pose();
  }

  toggle() {
    this.trying = !this.trying;
    this.answer = null;
    this.pose();
  }

  async share() {
    const names = this.querySelector("#share-names");
    const body = { names: names instanceof HTMLInputElement && names.checked };
    await this.attempt(async () => {
      const reply = await put(`${this.path}/share`, body);
      if (this.found) this.found = { ...this.found, ...reply };
      await navigator.clipboard?.writeText(location.origin + reply.share).catch(() => {});
    });
  }

  async unshare() {
    await this.attempt(async () => {
      const reply = await del(`${this.path}/share`);
      if (this.found) this.found = { ...this.found, ...reply };
    });
  }

  async deleteIt() {
    if (!confirm(t("Delete this review? An uploaded file is deleted with it."))) return;
    if (await this.attempt(() => call("DELETE", this.path))) this.app.go("/reviews");
  }

  /** @param {"white" | "black"} side */
  name(side) {
    return this.found ? playerOf(this.found, side) : "";
  }

  // What is shown

  progress() {
    const { state, progress, before, error } = /** @type {Found} */ (this.found);
    const { done = 0, total = 0 } = progress;
    if (state === "failed")
      return html`<p role="alert">${t("This match could not be reviewed.")} <bdi>${error}</bdi></p>${this.retry()}`;
    if (this.problem) return this.missing(() => this.fetch());
    return html`<p role="status">
        ${
          state === "running"
            ? t("Being reviewed: {done} of {total} decisions", {
                done: words().figure(done),
                total: words().figure(total),
              })
            : tn(
                "Waiting: {n} review is before this one.",
                "Waiting: {n} reviews are before this one.",
                before ?? 0,
              )
        }
      </p>
      <progress max=${total || 1} value=${done} aria-label=${t("Progress of the review")}></progress>
      <p class="small quiet">${t("You may leave this page: the review goes on.")}</p>`;
  }

  /** What could not be had, and the way to ask again. @param {() => Promise<void>} again */
  missing(again) {
    return this.problem
      ? html`<p role="alert">${this.problem} <button @click=${() => void again()}>${t("Try again")}</button></p>`
      : nothing;
  }

  /** Request another review of a match of this site; a file has to be uploaded again. */
  retry() {
    const { source, source_id, plies } = /** @type {Found} */ (this.found);
    const again = () =>
      this.attempt(() => post("/reviews", { match: source_id, plies })).then(() => this.fetch());
    return html`<p>${
      source === "match"
        ? html`<button @click=${() => void again()}>${t("Try again")}</button>`
        : html`<a class="button" href="/reviews">${t("Choose a file")}</a>`
    }</p>`;
  }

  asked() {
    const { detail } = this;
    if (!detail) return nothing;
    if (detail.dice) return html`<p class="quiet">${t("Enter your play on the board.")}</p>`;
    return html`<div class="row">${[...detail.candidates]
      .sort((a, b) => ((a.action ?? "") < (b.action ?? "") ? -1 : 1))
      .map(
        (each) => html`<button @click=${() => this.settle(each, each.name)}>${each.name}</button>`,
      )}</div>`;
  }

  /** A decision as the engine in this browser is asked about it. @param {Detail} detail */
  decision({ address, ...turn }) {
    const query = Object.fromEntries(new URLSearchParams(address ?? ""));
    const { layout } = this;
    return { query, game: this.found?.variant ?? "", layout, turn };
  }

  judgement() {
    const { detail } = this;
    const decision = this.decisions[this.at];
    if (!detail || !decision) return nothing;
    const name = this.name(decision.side);
    return html`<section class="judgement" aria-live="polite">
      <h2>${question(decision, detail, name)}</h2>
      ${standing(detail, (side) => this.name(side))}
      ${
        this.asking
          ? this.asked()
          : html`${this.answer ? answered(detail, this.answer) : nothing}
            ${verdict(decision, detail, name)}${candidates(detail, this.answer)}
            <p class="small quiet id">${ltr(detail.position)}</p>`
      }${
        detail.address && !this.asking
          ? html`<p><a class="button" href="/analysis?${detail.address}">${t("Analyse this position")}</a></p>
            <ssb-deeper .of=${this.decision(detail)}></ssb-deeper>`
          : nothing
      }
    </section>`;
  }

  list() {
    const names = { white: this.name("white"), black: this.name("black") };
    const called = {
      errors: t("All errors"),
      white: t("Errors of {name}", { name: names.white }),
      black: t("Errors of {name}", { name: names.black }),
      cube: t("Cube errors"),
      lucky: t("Lucky rolls"),
      all: t("All decisions"),
    };
    const shown = this.chosen(this.filter);
    return html`<section class="list">
      <div class="chips">
        ${FILTERS.map(
          (each) =>
            html`<button class="chip" aria-pressed=${this.filter === each} @click=${() => (this.filter = each)}>
              <bdi>${called[each]}</bdi> ${words().figure(this.chosen(each).length)}
            </button>`,
        )}
      </div>
      <ol class="errors places" tabindex="0" aria-label=${called[this.filter]}>
        ${shown.map((each) => this.item(each))}
      </ol>
      ${shown.length ? nothing : html`<p class="empty">${t("There are none.")}</p>`}
    </section>`;
  }

  /** @param {Decision} each */
  item(each) {
    const hidden = this.trying && each.open;
    return html`<li>
      <button aria-current=${each.n === this.at ? "true" : nothing} @click=${() => void this.go(each.n)}>
        ${hidden ? html`<span class="sign none"></span>` : sign(each)}<span
          class="quiet"
        >${words().figure(each.game)}.${words().figure(each.number)}</span><i
          class="disc ${each.side}"
        ></i>
        <span>${each.dice ? roll(each.dice) : nothing} ${hidden ? nothing : ltr(each.done)}
          ${each.tried ? html`<span class="badge">${t("taken back")}</span>` : nothing}</span><span
          class="sr"
        >${hidden ? nothing : called(each)}</span>
        <b class="num">${
          hidden || !(each.counted || each.tried) || each.loss < 0.0005
            ? nothing
            : ltr(thousandths(-each.loss))
        }</b>
      </button>
    </li>`;
  }

  controls() {
    return html`<div class="controls">
      ${this.stepButtons(false)}
      <button class="pri" @click=${() => this.jump()}>${
        this.filter === "all"
          ? t("Next decision")
          : this.filter === "lucky"
            ? t("Next lucky roll")
            : t("Next error")
      }</button>
      <button aria-pressed=${this.trying} @click=${() => this.toggle()}>${t("Let me try first")}</button>
    </div>`;
  }

  render() {
    const { found, state } = this;
    if (!found) return html`<div class="page">${this.waiting()}</div>`;
    const title = `${this.name("white")} – ${this.name("black")}`;
    const { report } = found;
    const { layout } = this;
    if (!layout)
      return html`<div class="page narrow">
        <h1><bdi>${title}</bdi></h1>
        ${this.progress()}${repairs(found)}${this.shared ? nothing : ownerPart(this, found)}
      </div>`;
    const decision = this.decisions[this.at];
    const names = { white: this.name("white"), black: this.name("black") };
    const where = decision
      ? t("Game {game}, decision {n} of {total}", {
          game: words().figure(decision.game),
          n: words().figure(this.at + 1),
          total: words().figure(this.decisions.length),
        })
      : "";
    const { advice } = this;
    const play = (/** @type {CustomEvent} */ event) => this.onPlay(event);
    return boardFrame("decisions", {
      head: html`<h1><bdi>${title}</bdi> <span class="small quiet">${where}</span></h1>`,
      board: state
        ? boardElement({
            game: found.variant,
            layout,
            state,
            prefs: AT_ONCE,
            advice,
            on: { play },
          })
        : nothing,
      below: html`${report ? nothing : this.progress()}${this.controls()}${
        this.decisions.length > 1 ? graph(this.decisions, this.at, names, (n) => void this.go(n)) : nothing
      }`,
      told: html`${this.shared ? nothing : sideChoice(this, found, (side) => this.name(side))}
        ${report ? this.missing(() => this.show(this.at)) : nothing}${this.judgement()}${this.list()}
        ${report ? numbers(report, names) : nothing}${repairs(found)}${this.shared ? nothing : ownerPart(this, found)}`,
    });
  }
}

customElements.define("ssb-review", ReviewView);
