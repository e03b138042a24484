/** The buttons of the match: exactly what the server allows now, in words. */
import { t, tn } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";
import { kindName, proposalName } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{state: State, seat: Side | null, allowed: string[], done: number, whole: boolean, waiting: boolean,
 *   act: (action: Action) => void, undo: (all: boolean) => void, confirm: () => void,
 *   open: (dialog: string) => void, hint: () => void, finish: () => void, again: () => void}} Table
 */

/** @param {Table} table */
export function mainButtons(table) {
  const { state, allowed, act, waiting } = table;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const plain = (/** @type {string} */ type, /** @type {string} */ text, /** @type {boolean} */ first = false) =>
    html`<button class=${first ? "pri" : ""} ?disabled=${waiting} @click=${() => act({ type })}>${text}</button>`;

  if (state.phase === "over") return html`<button class="pri" @click=${() => table.open("result")}>${t("Result")}</button>`;
  if (may("resume")) return plain("resume", t("Go on"), true);
  if (may("take")) {
    return html`${plain("take", t("Take"), true)}${plain("drop", t("Drop"))}${may("beaver") ? plain("beaver", t("Beaver")) : nothing}`;
  }
  if (state.phase === "resigned" && may("accept")) return html`${plain("accept", t("Accept"), true)}${plain("refuse", t("Refuse"))}`;
  if (may("ready")) return plain("ready", state.game ? t("Next game") : t("Ready"), true);
  if (may("choose")) {
    return html`<div class="dicepad">${[1, 2, 3, 4, 5, 6].map((die) => html`<button @click=${() => act({ type: "choose", die })}>${die}</button>`)}</div>`;
  }
  if (may("dice")) return html`<button class="pri" @click=${() => table.open("dice")}>${t("Type the dice")}</button>`;
  if (may("roll")) return html`${may("double") ? plain("double", t("Double")) : nothing}${plain("roll", t("Roll"), true)}`;
  if (state.phase === "move" && (may("play") || may("confirm") || may("step"))) {
    const touch = Boolean(state.card.touch_move);
    // Once the sides have passed each other most throws leave nothing to decide.
    const passed = Boolean(state.race) && may("play") && !touch && !table.done;
    return html`${passed ? html`<button ?disabled=${waiting} @click=${() => table.finish()}>${t("Bear off")}</button>` : nothing}${touch ? nothing : html`<button ?disabled=${!table.done || waiting} @click=${() => table.undo(false)}>${t("Undo")}</button>`}
      <button class="pri" ?disabled=${!table.whole || waiting} @click=${() => table.confirm()}>${t("Confirm")}</button>`;
  }
  return nothing;
}

/** @param {Table} table */
export function moreButtons(table) {
  const { state, allowed } = table;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const hint = state.tutor && state.phase !== "over" && (may("play") || may("step") || may("roll") || may("take"));
  return html`
    ${hint ? html`<button @click=${() => table.hint()}>${t("Hint")}</button>` : nothing}
    ${may("break") ? html`<button @click=${() => table.act({ type: "break" })}>${t("Take a break")}</button>` : nothing}
    ${may("time") ? html`<button @click=${() => table.act({ type: "time" })}>${state.clock ? t("Claim the time") : t("Your opponent is gone: claim the match")}</button>` : nothing}
    ${may("propose") && (state.clock || state.card.contest === "money") ? html`<button @click=${() => table.open("propose")}>${t("Propose")}</button>` : nothing}
    ${may("resign") && state.resign_kinds.length ? html`<button @click=${() => table.open("resign")}>${t("Resign")}</button>` : nothing}`;
}

/** An open proposal, for whoever may answer it or take it back. @param {Table} table */
export function proposal(table) {
  const { state, allowed, act } = table;
  const offer = state.proposal;
  if (!offer) return nothing;
  const mine = table.seat === offer.by;
  return html`<div class="advice"><p>${mine ? t("You proposed {what}.", { what: proposalName(offer.what, offer.points) }) : t("Your opponent proposes {what}.", { what: proposalName(offer.what, offer.points) })}</p>
    <div class="more">${!mine && allowed.includes("accept") ? html`<button @click=${() => act({ type: "accept" })}>${t("Accept")}</button>` : nothing}
    ${allowed.includes("refuse") ? html`<button @click=${() => act({ type: "refuse" })}>${mine ? t("Take back") : t("Refuse")}</button>` : nothing}</div></div>`;
}

/** @param {Table} table @param {() => void} close */
export function resignDialog(table, close) {
  const { state, act } = table;
  return html`<h2>${t("Resign the game?")}</h2>
    <p class="quiet">${t("Your opponent may refuse if more is to be won.")}</p>
    <div class="actions">${state.resign_kinds.map(
      (kind) => html`<button @click=${() => { close(); act({ type: "resign", kind }); }}>${kindName(kind)}</button>`,
    )}</div>
    <div class="actions"><button class="pri" @click=${close}>${t("Play on")}</button></div>`;
}

/** @param {Table} table @param {() => void} close */
export function proposeDialog(table, close) {
  const { state, act } = table;
  const money = state.card.contest === "money";
  const send = (/** @type {Action} */ action) => { close(); act(action); };
  return html`<h2>${t("Propose")}</h2>
    <div class="stack">
      ${state.clock ? html`<button @click=${() => send({ type: "propose", what: "pause" })}>${t("A pause of the clock")}</button>` : nothing}
      ${money ? html`<button @click=${() => send({ type: "propose", what: "draw" })}>${t("To end the session as a draw")}</button>
        <form class="row" @submit=${(/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const points = Number(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("points"));
          send({ type: "propose", what: "settle", points });
        }}><label for="settle">${t("Settle this game; points to you (negative: to your opponent)")}</label>
          <input id="settle" name="points" type="number" min="-64" max="64" value="1" required><button>${t("Propose")}</button></form>` : nothing}
    </div>
    <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
}

/**
 * The dice of a real board, typed in.
 * @param {Table} table
 * @param {number[]} chosen
 * @param {(dice: number[]) => void} choose
 * @param {() => void} close
 */
export function diceDialog(table, chosen, choose, close) {
  const opening = table.state.phase === "opening";
  const names = opening ? [t("light"), t("dark")] : [t("First die"), t("Second die")];
  return html`<h2>${t("What do the dice show?")}</h2>
    <div class="stack">${[0, 1].map(
      (i) => html`<fieldset class="field"><legend>${names[i]}</legend><div class="dicepad">${[1, 2, 3, 4, 5, 6].map(
        (die) => html`<button type="button" aria-pressed=${chosen[i] === die} @click=${() => choose(chosen.map((old, j) => (i === j ? die : old)))}>${die}</button>`,
      )}</div></fieldset>`,
    )}</div>
    <div class="actions"><button @click=${close}>${t("Back")}</button>
    <button class="pri" ?disabled=${!chosen[0] || !chosen[1]} @click=${() => { close(); table.act({ type: "dice", first: chosen[0], second: chosen[1] }); }}>${t("Done")}</button></div>`;
}

/** @param {number} points */
export const pointsText = (points) => tn("{n} point", "{n} points", points);
