/** What is offered in a game: resigning it, settling it by consent, and pausing the clock. */
import { other } from "../../board/types.js";
import { t } from "../../i18n/i18n.js";
import { nameOf, proposalText } from "../table/wording.js";
import { html, nothing } from "../view.js";

/**
 * What may be offered now, and what not and why, as the server sends it.
 *
 * @import { Side } from "../wire.js"
 * @typedef {{kind: string, points: number, ends: boolean, refused: string | null}} Loss
 * @typedef {{what: string, points: number, refused: string | null}} Proposal
 * @typedef {{resign: Partial<Record<Side, Loss[]>>, propose: Proposal[], most: number}} Offers
 * @typedef {import("../views/match.js").Match} View
 */

/** @param {View} view @param {NonNullable<View["state"]["proposal"]>} offer */
function proposed({ state }, offer) {
  const mine = state.you.length === 1 && state.you.includes(offer.by);
  const what = proposalText(state, offer)[0];
  return mine
    ? t("You proposed: {what}", { what })
    : t("{name} proposes: {what}", { name: nameOf(state, offer.by), what });
}

/** An open proposal in one line. @param {View} view */
export const proposalLine = (view) => (view.state.proposal ? proposed(view, view.state.proposal) : "");

/** An open proposal, for those who may answer it or take it back. @param {View} view */
export function proposal(view) {
  const { state } = view;
  const offer = state.proposal;
  if (!offer) return null;
  // At a shared screen both see it; it is the other one's to answer.
  const answering = other(offer.by);
  const answers = state.you.includes(answering) && view.may("accept", answering);
  const withdraws = state.you.length === 1 && state.you.includes(offer.by) && view.may("refuse", offer.by);
  const button = (/** @type {string} */ type, /** @type {string} */ text, /** @type {Side} */ side) =>
    html`<button title=${text} @click=${() => view.act({ type }, side)}>${text}</button>`;
  return html`<div class="advice proposal">
    <p>${proposed(view, offer)}</p>
    <p class="small">${proposalText(state, offer)[1]}</p>
    <div class="answers">
      ${answers ? [button("accept", t("Accept"), answering), button("refuse", t("Refuse"), answering)] : nothing}
      ${withdraws ? button("refuse", t("Take back"), offer.by) : nothing}
    </div>
  </div>`;
}
