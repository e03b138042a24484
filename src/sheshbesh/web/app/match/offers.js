/** Ending a game before its end: resigning it, settling it by consent, and pausing the clock. */
import { other } from "../../board/types.js";
import { t, tn } from "../../i18n/i18n.js";
import { back, settled } from "../table/dialogs.js";
import { kindName, nameOf, proposalText, settlement } from "../table/wording.js";
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

/**
 * One thing to offer: a button that says what it means, or why it cannot be had.
 * @param {string} text
 * @param {string} means
 * @param {string | null} refused
 * @param {() => void} act
 */
const choice = (text, means, refused, act) =>
  html`<button class="choice" ?disabled=${refused !== null} @click=${act}>
    <b>${text}</b>${[means, refused].filter(Boolean).map((line) => html`<span class="small">${line}</span>`)}
  </button>`;

const waiting = () => html`<p class="quiet" role="status">${t("One moment")}<span class="dots"></span></p>`;

/** @param {string} title @param {string} told @param {unknown} content @param {unknown} out the way out */
const offering = (title, told, content, out) =>
  html`<h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
    <p class="quiet">${told}</p>
    ${content}
    <div class="actions">${out}</div>`;

/** @param {View} view */
export function resignDialog(view) {
  const { state, seat, offers } = view;
  const shared = state.you.length > 1;
  const [own, theirs] = seat ? [nameOf(state, seat), nameOf(state, other(seat))] : ["", ""];
  const losses = (seat && offers?.resign[seat]) ?? null;
  const price = (/** @type {Loss} */ { points, ends }) => {
    const label = shared
      ? tn("{name} loses {n} point", "{name} loses {n} points", points, { name: own })
      : tn("you lose {n} point", "you lose {n} points", points);
    return ends ? t("{what}, and the match with it", { what: label }) : label;
  };
  const one = (/** @type {Loss} */ loss) =>
    choice(kindName(loss.kind), price(loss), loss.refused, () =>
      view.closeAnd({ type: "resign", kind: loss.kind }),
    );
  return offering(
    shared ? t("{name} resigns the game?", { name: own }) : t("Resign the game?"),
    shared
      ? t("{name} may refuse if more is to be won.", { name: theirs })
      : t("Your opponent may refuse if more is to be won."),
    html`<div class="choices">${losses ? losses.map(one) : waiting()}</div>`,
    html`<button class="pri" @click=${view.close}>${t("Play on")}</button>`,
  );
}

/** @param {View} view */
export function proposeDialog(view) {
  const { state, seat, offers } = view;
  if (!offers || !seat) return html`<h2 id="dialog-title">${t("Propose")}</h2>${waiting()}`;
  const free = offers.propose.some(({ what, refused }) => what === "settle" && refused === null);
  const one = (/** @type {Proposal} */ each) => {
    const [text, means] = proposalText(state, { ...each, by: seat });
    const { what, points } = each;
    return choice(text, means, each.refused, () =>
      view.closeAnd({ type: "propose", what, ...(points ? { points } : {}) }),
    );
  };
  return offering(
    t("Propose"),
    state.you.length > 1
      ? t("{name} has to agree.", { name: nameOf(state, other(seat)) })
      : t("Your opponent has to agree."),
    html`<div class="choices">${offers.propose.map(one)}</div>
      ${free ? otherNumber(view, seat, offers.most) : nothing}`,
    back(view.close),
  );
}

/** Any other number of points. @param {View} view @param {Side} seat @param {number} most */
function otherNumber(view, seat, most) {
  const submit = (/** @type {SubmitEvent} */ event) =>
    view.closeAnd({ type: "propose", what: "settle", points: settled(event) });
  const who = (/** @type {-1 | 1} */ sign) => settlement(view.state, seat, sign, t("a number of points"));
  return html`<details>
    <summary>${t("Another number of points")}</summary>
    <form class="row" @submit=${submit}>
      <select name="who" aria-label=${t("Who pays")}>
        <option value="theirs">${who(1)}</option>
        <option value="own">${who(-1)}</option>
      </select>
      <input
        name="points"
        type="number"
        inputmode="numeric"
        min="1"
        max=${most}
        value="1"
        required
        aria-label=${t("Points")}
      >
      <button>${t("Propose")}</button>
    </form>
  </details>`;
}

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
