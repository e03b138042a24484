/** The buttons of the match: exactly what the server allows now, in words. */
import { t } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";
import { nameOf, other, proposalText } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{state: State, seat: Side | null, allowed: string[], done: number, whole: boolean, waiting: boolean,
 *   act: (action: Action, side?: Side) => void, allowedOf: (side: Side) => string[], undo: (all: boolean) => void, confirm: () => void,
 *   open: (dialog: string) => void, hint: () => void, finish: () => void, again: () => void}} Table
 */

/**
 * What a button does, with the key that does the same.
 * @param {string} text
 * @param {string} key
 */
const keyed = (text, key) => `${text} (${key})`;

/** @param {Table} table */
export function mainButtons(table) {
  const { state, allowed, act, waiting } = table;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const plain = (/** @type {string} */ type, /** @type {string} */ text, /** @type {{first?: boolean, key?: string, called?: string}} */ { first = false, key, called = key } = {}) =>
    html`<button class=${first ? "pri" : ""} title=${called ? keyed(text, called) : text} aria-keyshortcuts=${key ?? nothing} ?disabled=${waiting} @click=${() => act({ type })}>${text}</button>`;

  if (state.phase === "over") return html`<button class="pri" title=${t("Result")} @click=${() => table.open("result")}>${t("Result")}</button>`;
  if (may("resume")) return plain("resume", t("Go on"), { first: true });
  if (may("take")) {
    return html`${plain("take", t("Take"), { first: true, key: "T" })}${plain("drop", t("Drop"), { key: "X" })}${may("beaver") ? plain("beaver", t("Beaver"), { key: "B" }) : nothing}`;
  }
  if (state.phase === "resigned" && may("accept")) return html`${plain("accept", t("Accept"), { first: true })}${plain("refuse", t("Refuse"))}`;
  if (may("ready")) return plain("ready", state.game ? t("Next game") : t("Ready"), { first: true });
  if (may("choose")) {
    return html`<div class="dicepad" role="group" aria-label=${t("Name your double")}>${[1, 2, 3, 4, 5, 6].map((die) => html`<button title="${die}-${die}" @click=${() => act({ type: "choose", die })}>${die}</button>`)}</div>`;
  }
  if (may("dice")) return html`<button class="pri" title=${t("Type the dice")} @click=${() => table.open("dice")}>${t("Type the dice")}</button>`;
  if (may("roll")) return html`${may("double") ? plain("double", t("Double"), { key: "D" }) : nothing}${plain("roll", t("Roll"), { first: true, key: "Space", called: t("Space") })}`;
  if (state.phase === "move" && (may("play") || may("confirm") || may("step"))) return movingButtons(table);
  return nothing;
}

/** The buttons of a turn in progress. @param {Table} table */
function movingButtons(table) {
  const { state, allowed, waiting, done, whole } = table;
  const touch = Boolean(state.card.touch_move);
  // Once the sides have passed each other most throws leave nothing to decide.
  const passed = Boolean(state.race) && allowed.includes("play") && !touch && !done;
  return html`
    ${passed ? html`<button title=${t("Bear off: the throw is played for you where there is nothing to decide")} ?disabled=${waiting} @click=${() => table.finish()}>${t("Bear off")}</button>` : nothing}
    ${touch ? nothing : html`<button title=${keyed(t("Undo"), "U")} aria-keyshortcuts="U" ?disabled=${!done || waiting} @click=${() => table.undo(false)}>${t("Undo")}</button>`}
    <button class="pri" title=${keyed(t("Confirm"), t("Space"))} aria-keyshortcuts="Space" ?disabled=${!whole || waiting} @click=${() => table.confirm()}>${t("Confirm")}</button>`;
}

/** @param {Table} table */
export function moreButtons(table) {
  const { state, allowed, act, open } = table;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const small = (/** @type {string} */ text, /** @type {() => void} */ does, /** @type {string} */ title = text) => html`<button title=${title} @click=${does}>${text}</button>`;
  const hint = state.tutor && state.phase !== "over" && (may("play") || may("step") || may("roll") || may("take"));
  const claim = state.clock ? t("Claim the time") : t("Your opponent is gone: claim the match");
  return html`
    ${hint ? small(t("Hint"), () => table.hint(), keyed(t("Hint"), "H")) : nothing}
    ${may("break") ? small(t("Take a break"), () => act({ type: "break" })) : nothing}
    ${may("time") ? small(claim, () => act({ type: "time" })) : nothing}
    ${may("propose") ? small(t("Propose"), () => open("propose"), t("Settle the game, end the session or pause the clock by consent")) : nothing}
    ${may("resign") && state.resign_kinds.length ? small(t("Resign"), () => open("resign"), keyed(t("Resign"), "R")) : nothing}`;
}

/** An open proposal, for whoever may answer it or take it back. @param {Table} table */
export function proposal(table) {
  const { state, act } = table;
  const offer = state.proposal;
  if (!offer) return nothing;
  const shared = state.you.length > 1;
  const mine = !shared && state.you.includes(offer.by);
  const [what, means] = proposalText(state, offer);
  const said = mine ? t("You proposed: {what}", { what }) : t("{name} proposes: {what}", { name: nameOf(state, offer.by), what });
  // At a shared screen both see it; it is the other one's to answer.
  const answering = other(offer.by);
  const answers = state.you.includes(answering) && table.allowedOf(answering).includes("accept");
  const withdraws = mine && table.allowedOf(offer.by).includes("refuse");
  const button = (/** @type {string} */ type, /** @type {string} */ text, /** @type {Side} */ side) => html`<button title=${text} @click=${() => act({ type }, side)}>${text}</button>`;
  return html`<div class="advice"><p>${said}</p><p class="small">${means}</p>
    <div class="more">${answers ? html`${button("accept", t("Accept"), answering)}${button("refuse", t("Refuse"), answering)}` : nothing}
    ${withdraws ? button("refuse", t("Take back"), offer.by) : nothing}</div></div>`;
}
