/** Ending a game before its end: resigning it, settling it by consent, and pausing the clock. */
import { other } from "../../board/types.js";
import { t, tn } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";
import { kindName, nameOf, proposalText, settlement } from "./wording.js";

/**
 * What may be offered now, and what not and why, as the server sends it.
 *
 * @typedef {{kind: string, points: number, ends: boolean, refused: string | null}} Loss
 * @typedef {{what: string, points: number, refused: string | null}} Proposal
 * @typedef {{resign: Partial<Record<import("../types.js").Side, Loss[]>>, propose: Proposal[], most: number}} Offers
 * @typedef {import("./actions.js").Controls} Controls
 * @typedef {import("./actions.js").Action} Action
 */

/**
 * One thing to offer: a button that says what it means, or why it cannot be had.
 * @param {string} text
 * @param {string} means
 * @param {string | null} refused
 * @param {() => void} act
 */
const choice = (
  text,
  means,
  refused,
  act,
) => html`<button class="choice" ?disabled=${refused !== null} @click=${act}>
  <b>${text}</b>${[means, refused].filter(Boolean).map((line) => html`<span class="small">${line}</span>`)}</button>`;

const waiting = () => html`<p class="quiet" role="status">${t("One moment")}<span class="dots"></span></p>`;

/** @param {Controls} controls @param {Offers | null} offers @param {() => void} close */
export function resignDialog(controls, offers, close) {
  const { state, seat, act } = controls;
  const shared = state.you.length > 1;
  const [own, theirs] = seat ? [nameOf(state, seat), nameOf(state, other(seat))] : ["", ""];
  const losses = (seat && offers?.resign[seat]) ?? null;
  const price = (/** @type {Loss} */ { points, ends }) => {
    const label = shared
      ? tn("{name} loses {n} point", "{name} loses {n} points", points, { name: own })
      : tn("you lose {n} point", "you lose {n} points", points);
    return ends ? t("{what}, and the match with it", { what: label }) : label;
  };
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${shared ? t("{name} resigns the game?", { name: own }) : t("Resign the game?")}</h2>
    <p class="quiet">${shared ? t("{name} may refuse if more is to be won.", { name: theirs }) : t("Your opponent may refuse if more is to be won.")}</p>
    <div class="choices">${
      losses
        ? losses.map((loss) =>
            choice(kindName(loss.kind), price(loss), loss.refused, () => {
              close();
              act({ type: "resign", kind: loss.kind });
            }),
          )
        : waiting()
    }</div>
    <div class="actions"><button class="pri" @click=${close}>${t("Play on")}</button></div>`;
}

/** @param {Controls} controls @param {Offers | null} offers @param {() => void} close */
export function proposeDialog(controls, offers, close) {
  const { state, seat, act } = controls;
  const send = (/** @type {Action} */ action) => {
    close();
    act(action);
  };
  if (!offers || !seat) return html`<h2 id="dialog-title">${t("Propose")}</h2>${waiting()}`;
  const free = offers.propose.some(({ what, refused }) => what === "settle" && refused === null);
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${t("Propose")}</h2>
    <p class="quiet">${state.you.length > 1 ? t("{name} has to agree.", { name: nameOf(state, other(seat)) }) : t("Your opponent has to agree.")}</p>
    <div class="choices">${offers.propose.map((each) => {
      const [text, means] = proposalText(state, { ...each, by: seat });
      return choice(text, means, each.refused, () =>
        send({ type: "propose", what: each.what, ...(each.points ? { points: each.points } : {}) }),
      );
    })}</div>
    ${free ? otherNumber(controls, offers.most, send) : nothing}
    <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
}

/** Any other number of points. @param {Controls} controls @param {number} most @param {(action: Action) => void} send */
function otherNumber({ state, seat }, most, send) {
  if (!seat) return nothing;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const points = Number(form.get("points")) * (form.get("who") === "theirs" ? 1 : -1);
    send({ type: "propose", what: "settle", points });
  };
  const who = (/** @type {-1 | 1} */ sign) => settlement(state, seat, sign, t("a number of points"));
  return html`<details><summary>${t("Another number of points")}</summary>
    <form class="row" @submit=${submit}>
      <select name="who" aria-label=${t("Who pays")}><option value="theirs">${who(1)}</option><option value="own">${who(-1)}</option></select>
      <input name="points" type="number" inputmode="numeric" min="1" max=${most} value="1" required aria-label=${t("Points")}>
      <button>${t("Propose")}</button></form></details>`;
}
