/** Practice from one's own errors: the cards that are due, and all of them. */

import { t, tn, words } from "../../i18n/i18n.js";
import { ApiError, del, get, post, put } from "../api.js";
import { areaLinks } from "../drill/area.js";
import "../drill/session.js";
import { html, ltr, nothing, states, thousandths, View } from "../view.js";

/**
 * @typedef {import("../drill/session.js").Question} Question
 * @typedef {import("../drill/session.js").Entry} Entry
 * @typedef {{cards: number, suspended: number, due: number, next: number | null, today: {done: number, of: number}}}
 *   Numbers
 */

/** Cards of one sitting. */
const SITTING = 5;

class PracticeView extends View {
  static properties = states("numbers", "questions", "entries", "finished", "missing");

  constructor() {
    super();
    /** @type {Numbers | null} */
    this.numbers = null;
    /** @type {Question[]} */
    this.questions = [];
    /** All cards, once they were asked for. @type {Entry[] | null} */
    this.entries = null;
    this.finished = false;
    /** Why the server has not said what is asked next. */
    this.missing = "";
    this.right = 0;
    this.asked = 0;
  }

  get heading() {
    return t("Practice");
  }

  /** Get the next cards. */
  async fetch() {
    await this.app.identity.catch(() => {});
    const wanted = Promise.all([get("/practice"), get(`/practice/due?limit=${SITTING}&lang=${words().tag}`)]);
    // What is shown already stays, and the view is not made anew when the line is back.
    const found = await (this.numbers ? this.tried(wanted) : this.load(wanted));
    if (!found || !this.isConnected) return;
    [this.numbers, this.questions] = found;
    this.finished = false;
    this.right = this.asked = 0;
    if (this.entries) await this.list();
  }

  /** @template T @param {Promise<T>} wanted @returns {Promise<T | null>} */
  async tried(wanted) {
    this.missing = "";
    try {
      return await wanted;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.missing = error.message;
      return null;
    }
  }

  async list() {
    await this.attempt(async () => (this.entries = await get(`/practice/cards?lang=${words().tag}`)));
  }

  async count() {
    this.numbers = (await this.tried(get("/practice"))) ?? this.numbers;
  }

  /** The sitting is over: what was right is said, whether or not the server says what is due now. */
  async end() {
    this.finished = true;
    await this.count();
    if (this.entries) await this.list();
  }

  /** @param {Question} question @param {string} answer @param {boolean} again */
  judge = (question, answer, again) =>
    post(`/practice/cards/${question.id}/answers?lang=${words().tag}`, { answer, again });

  /** @param {Event} event */
  onAnswered(event) {
    this.asked += 1;
    this.right += Number(/** @type {CustomEvent} */ (event).detail.answer.right);
  }

  /** @param {string} id @param {"active" | "suspended" | "removed"} state */
  async set(id, state) {
    if (state === "removed" && !confirm(t("Remove this card for good?"))) return;
    const done = await this.attempt(() =>
      state === "removed" ? del(`/practice/cards/${id}`) : put(`/practice/cards/${id}`, { state }),
    );
    if (!done) return;
    if (state !== "active")
      /** @type {import("../drill/session.js").Drill | null} */ (this.querySelector("ssb-drill"))?.drop(id);
    await this.count();
    if (this.entries) await this.list();
  }

  /** @param {Question} question */
  more = (question) =>
    html`<div class="row after">
      <a class="button" href="/review/${question.review}?n=${question.n}">${t("To the review")}</a>
      <button @click=${() => void this.set(question.id, "suspended")}>${t("Suspend")}</button>
      <button class="danger" @click=${() => void this.set(question.id, "removed")}>${t("Remove")}</button>
    </div>`;

  /** The content when there is no card to ask. */
  rest() {
    const numbers = /** @type {Numbers} */ (this.numbers);
    const failed = html`<div role="alert">
      <p>${this.missing}</p>
      <p><button class="pri" @click=${() => void this.fetch()}>${t("Try again")}</button></p>
    </div>`;
    if (!numbers.cards && !numbers.suspended)
      return html`<section class="card stack">
        <p>
          ${t(
            "There are no cards yet. They are made of your errors when a match is reviewed: one that " +
              "you played here, or a file.",
          )}
        </p>
        <div class="row">
          <a class="button pri" href="/reviews">${t("Reviews")}</a>
          <a class="button" href="/puzzles">${t("Puzzles")}</a>
        </div>
      </section>`;
    const next = numbers.next
      ? html`<p>${t("The next card is due {when}.", { when: words().moment(numbers.next) })}</p>`
      : nothing;
    return html`<section class="card stack">
      ${
        this.finished && this.asked
          ? html`<p>
            <b>${t("{right} of {total} were right.", {
              right: words().figure(this.right),
              total: words().figure(this.asked),
            })}</b>
          </p>`
          : nothing
      }
      ${
        this.missing
          ? failed
          : numbers.due
            ? html`<p>${tn("{n} card is due.", "{n} cards are due.", numbers.due)}</p>
              <div class="row">
                <button class="pri" @click=${() => void this.fetch()}>${t("Go on")}</button>
              </div>`
            : html`<p>${t("Nothing is due.")}</p>
              ${next}
              <div class="row"><a class="button" href="/puzzles">${t("Puzzles")}</a></div>`
      }
    </section>`;
  }

  /** @param {Entry} each */
  entry(each) {
    const suspended = each.state === "suspended";
    return html`<div class="line">
      <div>
        <a href="/review/${each.review}?n=${each.n}"><bdi>${each.source}</bdi></a><br>
        <span class="small quiet">${ltr(thousandths(-each.loss))} ·
          ${suspended ? t("suspended") : t("due {when}", { when: words().moment(each.due) })} ·
          ${t("{right} of {total} right", {
            right: words().figure(each.right),
            total: words().figure(each.asked),
          })}</span>
      </div>
      <div class="row">
        <button @click=${() => void this.set(each.id, suspended ? "active" : "suspended")}>
          ${suspended ? t("Ask again") : t("Suspend")}
        </button>
        <button class="danger" @click=${() => void this.set(each.id, "removed")}>${t("Remove")}</button>
      </div>
    </div>`;
  }

  cards() {
    const numbers = /** @type {Numbers} */ (this.numbers);
    const all = numbers.cards + numbers.suspended;
    if (!all) return nothing;
    return html`<details class="card all-cards" @toggle=${() => this.entries ?? void this.list()}>
      <summary>${t("My cards")} <span class="quiet">${words().figure(all)}</span></summary>
      <div class="stack">
        ${
          this.entries
            ? html`<div class="lines">${this.entries.map((each) => this.entry(each))}</div>`
            : nothing
        }
        <p>
          <a class="button" download="sheshbesh.apkg" href="/api/v1/practice/anki?lang=${words().tag}">
            ${t("Download as an Anki deck")}
          </a>
        </p>
      </div>
    </details>`;
  }

  render() {
    if (!this.numbers) return html`<div class="page">${this.waiting()}</div>`;
    const drilling = this.questions.length > 0 && !this.finished;
    return html`<div class="page narrow practice-head">
        <h1>${t("Practice")}</h1>
        ${areaLinks("practice")}${drilling ? nothing : this.rest()}
      </div>
      ${
        drilling
          ? html`<ssb-drill
            .questions=${this.questions}
            .judge=${this.judge}
            .more=${this.more}
            @answered=${(/** @type {Event} */ event) => this.onAnswered(event)}
            @finished=${() => void this.end()}
          ></ssb-drill>`
          : nothing
      }
      <div class="page narrow">${this.cards()}</div>`;
  }
}

customElements.define("ssb-practice", PracticeView);
