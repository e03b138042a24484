/** The referee's guide: questions that lead two people in a dispute to its ruling, and all rulings to print. */
import { t, words } from "../../i18n/i18n.js";
import { once } from "../api.js";
import { html, nothing, states, View } from "../view.js";

/**
 * @typedef {{text: string, then: string}} Answer
 * @typedef {{text: string, answers: Answer[]}} Question
 * @typedef {{title: string, text: string | null, traditional: string | null, modern: string | null,
 *   sources: string[], topic: string | null}} Ruling
 * @typedef {{first: string, questions: Record<string, Question>, rulings: Record<string, Ruling>}} Guide
 * @typedef {{id: string, question: string, answer: string}} Step a question that was answered
 */

const PLACE = "/customs/referee";
/** The address of the list of all rulings. */
const ALL = "all";

/** @param {string} id of a question or a ruling */
const address = (id) => `${PLACE}?at=${encodeURIComponent(id)}`;

/**
 * The answers that lead to a question or a ruling; null where there is none of this name.
 * @param {Guide} guide
 * @param {string} to
 * @param {string} [from]
 * @returns {Step[] | null}
 */
function trail(guide, to, from = guide.first) {
  if (from === to) return [];
  const asked = guide.questions[from];
  for (const { text, then } of asked?.answers ?? []) {
    const rest = trail(guide, to, then);
    if (rest) return [{ id: from, question: asked.text, answer: text }, ...rest];
  }
  return null;
}

class Referee extends View {
  static properties = states("guide");

  constructor() {
    super();
    /** @type {Guide | null} */
    this.guide = null;
  }

  get heading() {
    return t("Referee’s guide");
  }

  async fetch() {
    this.guide = await this.load(once(`/customs/disputes?lang=${words().tag}`));
  }

  /** What was answered so far, each a way back to its question. @param {Step[]} steps */
  answered(steps) {
    if (!steps.length) return nothing;
    return html`<ol class="answered" aria-label=${t("Your answers")}>
      ${steps.map(
        ({ id, question, answer }) => html`<li><a href=${address(id)}>${question}</a> <b>${answer}</b></li>`,
      )}
    </ol>`;
  }

  /** @param {Question} question */
  question(question) {
    return html`<h2 id="question">${question.text}</h2>
      <ul class="answers" aria-labelledby="question">
        ${question.answers.map(
          ({ text, then }) => html`<li><a class="button" href=${address(then)}>${text}</a></li>`,
        )}
      </ul>`;
  }

  /** @param {Ruling} ruling */
  ruling(ruling) {
    const ways = [
      [t("Traditional"), ruling.traditional],
      [t("Modern"), ruling.modern],
    ].filter(([, text]) => text);
    return html`${ruling.text ? html`<p>${ruling.text}</p>` : nothing}
      ${
        ways.length
          ? html`<div class="ways">
            ${ways.map(([way, text]) => html`<div><h3>${way}</h3><p>${text}</p></div>`)}
          </div>`
          : nothing
      }
      <p class="small quiet">${words().joined(ruling.sources, ";")}</p>
      ${
        ruling.topic
          ? html`<p class="small unprinted">
            <a href="/customs/conduct#${ruling.topic}">${t("Conduct at a real board")}</a>
          </p>`
          : nothing
      }`;
  }

  /** Every ruling with the answers that lead to it. @param {Guide} guide */
  all(guide) {
    return html`<div class="card">
      ${Object.entries(guide.rulings).map(
        ([id, ruling]) => html`<section class="difference" id=${id}>
          <h2>${ruling.title}</h2>
          <p class="small quiet">
            ${(trail(guide, id) ?? []).map(({ question, answer }) => html`<span>${question} <b>${answer}.</b></span> `)}
          </p>
          ${this.ruling(ruling)}
        </section>`,
      )}
    </div>`;
  }

  /** @param {Guide} guide */
  step(guide) {
    const at = this.place.query.get("at") ?? guide.first;
    if (at === ALL) return this.all(guide);
    const steps = trail(guide, at);
    const question = guide.questions[at];
    const ruling = guide.rulings[at];
    // An address of another time leads to the beginning.
    if (!steps) return html`<section class="card">${this.question(guide.questions[guide.first])}</section>`;
    return html`<section class="card stack" aria-live="polite">
      ${this.answered(steps)}
      ${question ? this.question(question) : html`<h2>${ruling.title}</h2>${this.ruling(ruling)}`}
    </section>`;
  }

  render() {
    const { guide } = this;
    const isAll = this.place.query.get("at") === ALL;
    return html`<div class="page narrow referee">
      <h1>${this.heading}</h1>
      <p class="lead unprinted">
        ${t("For two people in a dispute: at most four questions lead to the ruling, traditional and modern.")}
      </p>
      ${guide ? this.step(guide) : this.waiting()}
      <p class="row unprinted">
        <a class="button" href=${PLACE}>${t("Start again")}</a>
        ${isAll ? nothing : html`<a class="button" href=${address(ALL)}>${t("All rulings")}</a>`}
        <button @click=${() => print()}>${t("Print")}</button>
        <a class="button" href="/customs/conduct">${t("Conduct at a real board")}</a>
      </p>
    </div>`;
  }
}

customElements.define("ssb-referee", Referee);
