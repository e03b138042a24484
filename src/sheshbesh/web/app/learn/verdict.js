/** What the referee says to an answer, and what there is to know about a lesson once it is answered. */
import { t } from "../../i18n/i18n.js";
import { html, ltr, nothing } from "../view.js";

/**
 * @typedef {import("./types.js").Lesson} Lesson
 * @typedef {import("./types.js").Judgement} Judgement
 */

/** A sentence in which no throw is torn apart at the end of a line. @param {string} text */
export const unbroken = (text) => text.replace(/(\d)-(?=\d)/g, "$1\u2011");

/** @param {string} source */
const cited = (source) => (source ? html`<p class="small quiet"><bdi>${source}</bdi></p>` : nothing);

/** The judgement, with the rule and its source where one forbids the answer. @param {Judgement} judgement */
export function judged({ right, said, refusal }) {
  const sign = right ? "✓" : refusal ? "⊘" : "–";
  return html`<div class="said ${right ? "right" : "wrong"}"><p><b><span aria-hidden="true">${sign}</span> ${said}</b></p>
    ${refusal ? html`<p class="reason">${refusal.text}</p>${cited(refusal.source)}` : nothing}</div>`;
}

/** Why it is so: the explanation, what would be refused, what other games allow, the source. @param {Lesson} lesson */
export const explained = ({ why, refused, elsewhere, source }) => html`<div class="because">
  ${why ? html`<p>${unbroken(why)}</p>` : nothing}
  ${refused.map(({ play, text, source: cites }) => html`<p>${t("Refused:")} ${play === "pass" ? t("There is no play") : ltr(play)}: ${text}${cites ? html` <span class="small quiet"><bdi>(${cites})</bdi></span>` : nothing}</p>`)}
  ${elsewhere.map((each) => html`<p>${each}</p>`)}
  ${cited(source)}</div>`;
