/** One's own numbers of a match that is over: the error rate, the luck, the costliest decision; and a card to share. */
import { t, words } from "../../i18n/i18n.js";
import { ApiError, get, post, save } from "../api.js";
import { boardElement, turnState } from "../board-view.js";
import { playArrows, sign } from "../grades.js";
import { settings } from "../settings.js";
import { diceText, html, ltr, nothing, signedText, states, tenths, thousandths, View } from "../view.js";
import { drawCard } from "./card.js";

/**
 * @import { Decision, Detail, Review } from "../review/detail.js"
 * @import { Side } from "../wire.js"
 * @typedef {{decision: Decision, detail: Detail}} Chosen
 */

/** Milliseconds after which a review that is being made is looked at again. */
const AGAIN = 1500;

export class MatchEnding extends View {
  static properties = {
    match: { type: String },
    side: { type: String },
    told: { attribute: false },
    ...states("review", "worst", "card"),
  };

  constructor() {
    super();
    this.match = "";
    /** @type {Side} */
    this.side = "white";
    /** How the match has ended, in words, and the score: for the card. @type {{title: string, score: string}} */
    this.told = { title: "", score: "" };
    /** @type {Review | null} */
    this.review = null;
    /** The decision that cost the most, with its board. @type {Chosen | null} */
    this.worst = null;
    /** The card, once it was asked for. @type {HTMLCanvasElement | null} */
    this.card = null;
  }

  /** Have the match judged; one that was judged already is not judged again. */
  async fetch() {
    const made = await this.load(post("/reviews", { match: this.match }));
    if (made) await this.follow(made.id);
  }

  /** @param {string} id */
  async follow(id) {
    // Of its decisions nothing is told here before it is done.
    const since = this.review?.progress.total ?? 0;
    const path = `/reviews/${encodeURIComponent(id)}?lang=${words().tag}&since=${since}`;
    let isRefused = false;
    const asked = get(path).catch((error) => {
      isRefused = error instanceof ApiError && !error.passing;
      throw error;
    });
    /** @type {Review | null} */
    const found = await this.load(asked);
    if (!this.isConnected || isRefused) return;
    this.review = found ?? this.review;
    const { state } = this.review ?? {};
    if (!found || state === "waiting" || state === "running") this.later(() => this.follow(id), AGAIN);
    else if (found.report) this.worst = await this.load(this.chosen("worst"));
  }

  /** The numbers of one's own side. */
  get numbers() {
    return this.review?.report?.sides[this.side];
  }

  /**
   * A decision with its board; null where there is none of this kind.
   * @param {"worst" | "best"} which @returns {Promise<Chosen | null>}
   */
  async chosen(which) {
    const { review, numbers } = this;
    const n = numbers?.[which] ?? null;
    const decision = n === null ? null : review?.report?.decisions[n];
    if (!decision || !review) return null;
    return { decision, detail: await get(`/reviews/${review.id}/decisions/${n}?lang=${words().tag}`) };
  }

  /** Draw the card, once the plays are judged: the result, one's own numbers, the costliest error, the best play. */
  async draw() {
    const { review, problem } = this;
    if (review?.state === "failed")
      return this.app.toast(`${t("This match could not be reviewed.")} ${review.error}`);
    if (!this.numbers) return this.app.toast(problem || t("Your plays are being judged …"));
    const { material } = settings.prefs;
    const picture = (/** @type {Chosen | null} */ chosen, /** @type {string} */ title) =>
      chosen?.detail.address
        ? {
            title,
            line: this.done(chosen.decision),
            more: chosen.decision.loss ? this.bestWas(chosen) : "",
            address: `/pictures/board.svg?${chosen.detail.address}&${new URLSearchParams({
              view: this.side,
              look: material,
              play: (chosen.decision.dice && chosen.detail.candidates[0]?.name) ?? "",
            })}`,
          }
        : null;
    await this.attempt(async () => {
      const best = await this.chosen("best");
      this.card = await drawCard({
        site: t("Sheshbesh"),
        rtl: words().language.dir === "rtl",
        ...this.told,
        lines: this.lines().map(([name, value]) => `${name}: ${value}`),
        boards: [picture(best, t("Best play")), picture(this.worst, t("Costliest error"))].filter(
          (each) => each !== null,
        ),
      });
    });
  }

  /** Share the card, or let the browser save it. @param {boolean} share */
  async send(share) {
    const content = await new Promise((/** @type {(made: Blob | null) => void} */ done) =>
      this.card?.toBlob(done),
    );
    if (!content) return;
    const name = `sheshbesh-${this.match}.png`;
    const file = new File([content], name, { type: "image/png" });
    if (!share) return save(content, name);
    // Closing the system's dialog is no fault of anybody's.
    await navigator.share({ files: [file], title: this.told.title }).catch(() => {});
  }

  /** Return the performance rating with its error, and the luck. @returns {[string, string][]} */
  lines() {
    const { numbers } = this;
    if (!numbers) return [];
    const { pr, error, luck } = numbers;
    return [
      [
        t("Performance rating"),
        `\u2066${tenths(pr)}${error === null ? "" : `\u00a0±\u00a0${tenths(error)}`}\u2069`,
      ],
      [t("Luck"), `\u2066${signedText(luck)}\u2069`],
    ];
  }

  /** Say what was best: a play is read from left to right, an answer about the cube is words. @param {Chosen} chosen */
  bestWas({ decision, detail }) {
    const name = detail.candidates[0]?.name ?? "";
    return t("Best was {play}.", { play: `${decision.dice ? "\u2066" : "\u2068"}${name}\u2069` });
  }

  /** Say what was done: a play with its dice, or an answer about the cube. @param {Decision} decision */
  done({ dice, played, done }) {
    return dice ? `${diceText(dice)}: ${played}` : done;
  }

  /** The costliest decision on its board, with one sentence. */
  mistake() {
    const { worst, review } = this;
    const layout = review?.report?.layout;
    if (!layout || !review?.report) return nothing;
    if (!worst) return html`<p>${t("No error of yours was found.")}</p>`;
    const { decision, detail } = worst;
    const [best] = detail.candidates;
    const made = detail.candidates.find((each) => each.made);
    const board = boardElement({
      game: review.variant,
      layout,
      state: turnState(detail, { decider: this.side, playable: false }),
      advice: playArrows(detail, best?.steps, made && made !== best ? { ...made, ...decision } : null),
      inert: true,
    });
    return html`<figure class="costliest">
      ${board}
      <figcaption>
        <b>${t("Your costliest decision")}</b> ${sign(decision)}
        ${decision.dice ? ltr(this.done(decision)) : html`<bdi>${decision.done}</bdi>`}
        ${ltr(thousandths(-decision.loss))}
        <p><bdi>${detail.reason || this.bestWas(worst)}</bdi></p>
      </figcaption>
    </figure>`;
  }

  /** The card, once it is drawn, and what can be done with it. */
  sharing() {
    if (!this.card) return nothing;
    const file = new File([], "card.png", { type: "image/png" });
    return html`<div class="drawn">${this.card}</div>
      <div class="row">
        ${
          navigator.canShare?.({ files: [file] })
            ? html`<button @click=${() => void this.send(true)}>${t("Share")}</button>`
            : nothing
        }
        <button @click=${() => void this.send(false)}>${t("Save the picture")}</button>
      </div>`;
  }

  render() {
    const { review } = this;
    if (this.problem && !review) return nothing;
    if (!review || review.state === "failed")
      return review ? nothing : html`<p class="quiet small">${t("One moment")}<span class="dots"></span></p>`;
    const { done = 0, total = 0 } = review.progress;
    if (!review.report)
      return html`<p class="quiet small" role="status">${t("Your plays are being judged …")}</p>
        <progress max=${total || 1} value=${done} aria-label=${t("Progress of the review")}></progress>`;
    return html`<dl class="numbers-line">${this.lines().map(
      ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    )}</dl>
      ${this.card ? nothing : this.mistake()}
      <div class="card-line">${this.sharing()}</div>`;
  }
}

customElements.define("ssb-match-ending", MatchEnding);
