/** The buttons of the match: exactly what the server allows now, in words. */
import { other } from "../../board/types.js";
import { t, words } from "../../i18n/i18n.js";
import { icon } from "../icons.js";
import { settings } from "../settings.js";
import { html, nothing } from "../view.js";
import { nameOf, proposalText } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{state: State, seat: Side | null, allowed: string[], done: number, whole: boolean, waiting: boolean,
 *   act: (action: Action, side?: Side) => void, allowedOf: (side: Side) => string[], undo: (all: boolean) => void, confirm: () => void,
 *   open: (dialog: string) => void, hint: () => void, finish: () => void, again: () => void, review: () => void, flip: () => void,
 *   menu: boolean, entries: import("../menu.js").SteadyEntries, toggleMenu: () => void, armed: boolean, arm: (armed: boolean) => void, double: () => void,
 *   ahead: boolean | null, rollAhead: (ahead: boolean) => void, people: boolean, openChat: (() => void) | null, unread: number, proposals: readonly string[]}} Controls
 * `menu`: the rarer actions are shown; `armed`: the cube was asked for once; `ahead`: whether one's next throw is asked for already, null where it cannot be; `people`: no seat is a program; `openChat`: opens the chat, where there is one; `proposals`: what can be proposed by this card
 */

/**
 * What a button does, with the key that does the same.
 * @param {string} text
 * @param {string} key
 */
const keyed = (text, key) => `${text} (${key})`;

/**
 * The three slots of the bar, always the same: the menu, a second action, the primary one. A slot without
 * an action keeps its place.
 * @param {Controls} controls
 */
export function actionBar(controls) {
  const { state, menu, toggleMenu } = controls;
  const watching = !state.you.length && state.phase !== "over";
  const more = t("More");
  return html`<div class="actions" role="group" aria-label=${t("Actions")}>
    <button class="dots-button" aria-label=${more} title=${more} aria-expanded=${menu ? "true" : "false"} aria-controls="more" @click=${toggleMenu}>${icon("more")}${
      controls.unread
        ? html`<span class="unread" role="img" aria-label=${t("Chat")}>${words().figure(controls.unread)}</span>`
        : nothing
    }</button>
    ${watching ? html`<p class="quiet watching">${t("You are watching.")}</p>` : slots(controls)}
    <div class="more" id="more" ?hidden=${!menu} @click=${toggleMenu}>${menuButtons(controls.entries.arrange(menu, () => menuEntries(controls)))}</div></div>`;
}

/** What `Undo` leaves where there is nothing to take back. */
const noSecond = () => html`<button class="second" disabled>${t("Undo")}</button>`;

/** A primary action that has to wait, and for whom. @param {Controls} controls */
function waitingFor(controls) {
  const { state } = controls;
  const side = state.to_act[0];
  const text = state.paused
    ? t("The clock is paused")
    : side
      ? t("Waiting for {name}", { name: nameOf(state, side) })
      : t("One moment");
  return html`${aheadButton(controls)}<button class="pri" disabled><span class="two-lines">${text}</span></button>`;
}

/** In the other side's turn: to have the dice thrown as soon as it is one's own, or not. @param {Controls} controls */
function aheadButton({ state, ahead, rollAhead }) {
  // Where there is no cube to think of, a setting throws by itself.
  if (ahead === null || (settings.prefs.autoroll && !state.cube.in_play)) return noSecond();
  const title = t("Throw the dice as soon as it is your turn, without doubling");
  return html`<button class="second ahead" title=${title} aria-pressed=${ahead ? "true" : "false"} @click=${() => rollAhead(!ahead)}><span class="two-lines">${t("Roll at once")}</span></button>`;
}

/** The second and the primary action of what may be done now. @param {Controls} controls */
function slots(controls) {
  const { state, allowed, act, waiting } = controls;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const plain = (
    /** @type {string} */ type,
    /** @type {string} */ text,
    /** @type {{first?: boolean, key?: string, called?: string}} */ { first = false, key, called = key } = {},
  ) =>
    html`<button class=${first ? "pri" : "second"} title=${called ? keyed(text, called) : text} aria-keyshortcuts=${key ?? nothing} ?disabled=${waiting} @click=${() => act({ type })}><span class="two-lines">${text}</span></button>`;

  if (state.phase === "over") {
    return html`<a class="button second" href="/replay/${encodeURIComponent(state.match)}">${t("Replay")}</a>
      <button class="pri" title=${t("Result")} @click=${() => controls.open("result")}>${t("Result")}</button>`;
  }
  if (may("resume")) return html`${noSecond()}${plain("resume", t("Go on"), { first: true })}`;
  if (may("take"))
    return html`${plain("drop", t("Drop"), { key: "X" })}${plain("take", t("Take"), { first: true, key: "T" })}`;
  if (state.phase === "resigned" && may("accept"))
    return html`${plain("refuse", t("Refuse"))}${plain("accept", t("Accept"), { first: true })}`;
  if (may("ready"))
    return html`${noSecond()}${plain("ready", state.game ? t("Next game") : t("Ready"), { first: true })}`;
  if (may("choose")) {
    return html`<div class="dicepad" role="group" aria-label=${t("Name your double")}>${[1, 2, 3, 4, 5, 6].map((die) => html`<button title="${die}-${die}" @click=${() => act({ type: "choose", die })}>${die}</button>`)}</div>`;
  }
  if (may("dice"))
    return html`${noSecond()}<button class="pri" title=${t("Type the dice")} @click=${() => controls.open("dice")}>${t("Type the dice")}</button>`;
  if (may("roll")) return rolling(controls, plain);
  if (state.phase === "move" && (may("play") || may("confirm") || may("step"))) return moving(controls);
  if (may("time")) return html`${noSecond()}${plain("time", claim(state), { first: true })}`;
  return waitingFor(controls);
}

/** @param {State} state */
const claim = (state) => (state.clock ? t("Claim the time") : t("Your opponent is gone: claim the match"));

/**
 * Before the throw. The cube is never turned by one tap: the first one only asks.
 * @param {Controls} controls
 * @param {(type: string, text: string, how?: {first?: boolean, key?: string, called?: string}) => unknown} plain
 */
function rolling(controls, plain) {
  const { allowed, waiting, armed, arm, double, state } = controls;
  if (!allowed.includes("double"))
    return html`${noSecond()}${plain("roll", t("Roll"), { first: true, key: "Space", called: t("Space") })}`;
  if (armed) {
    return html`<button class="second" title=${t("Cancel")} @click=${() => arm(false)}>${t("Cancel")}</button>
      <button class="pri" ?disabled=${waiting} @click=${double}>${t("Double to {n}", { n: 2 * state.cube.value })}</button>`;
  }
  return html`<button class="second" title=${keyed(t("Double"), "D")} aria-keyshortcuts="D" ?disabled=${waiting} @click=${() => arm(true)}><span>${t("Double")}<span aria-hidden="true">…</span></span></button>
    ${plain("roll", t("Roll"), { first: true, key: "Space", called: t("Space") })}`;
}

/** The buttons of a turn in progress. @param {Controls} controls */
function moving(controls) {
  const { state, allowed, waiting, done, whole } = controls;
  const touch = Boolean(state.card.touch_move);
  // Once the sides have passed each other most throws leave nothing to decide.
  const passed = Boolean(state.race) && allowed.includes("play") && !touch && !done;
  const second = passed
    ? html`<button class="second" title=${t("Bear off: the throw is played for you where there is nothing to decide")} ?disabled=${waiting} @click=${() => controls.finish()}><span class="two-lines">${t("Bear off")}</span></button>`
    : html`<button class="second" title=${keyed(t("Undo"), "U")} aria-keyshortcuts="U" ?disabled=${touch || !done || waiting} @click=${() => controls.undo(false)}><span class="two-lines">${t("Undo")}</span></button>`;
  return html`${second}
    <button class="pri" title=${keyed(t("Confirm"), t("Space"))} aria-keyshortcuts="Space" ?disabled=${!whole || waiting} @click=${() => controls.confirm()}><span class="two-lines">${t("Confirm")}</span></button>`;
}

/** @param {{entry: import("../menu.js").Entry, allowed: boolean}[]} entries of a menu that is open */
export const menuButtons = (entries) =>
  entries.map(({ entry: { text, act, title = text, href, kind = "", download = false }, allowed }) =>
    href
      ? html`<a class=${`button ${kind}`} href=${href} ?download=${download}>${text}</a>`
      : html`<button class=${kind} title=${title} ?disabled=${!allowed} @click=${act}>${text}</button>`,
  );

/** What is done more rarely. @param {Controls} controls @returns {import("../menu.js").Entry[]} */
function menuEntries(controls) {
  const { state, allowed, act, open } = controls;
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const hint =
    state.tutor && state.phase !== "over" && (may("play") || may("step") || may("roll") || may("take"));
  const { sounds } = settings.prefs;
  /** @type {[boolean, import("../menu.js").Entry][]} */
  const all = [
    [hint, { text: t("Hint"), act: () => controls.hint(), title: keyed(t("Hint"), "H") }],
    [
      may("beaver"),
      { text: t("Beaver"), act: () => act({ type: "beaver" }), title: keyed(t("Beaver"), "B") },
    ],
    [may("break"), { text: t("Take a break"), act: () => act({ type: "break" }) }],
    [may("time"), { text: claim(state), act: () => act({ type: "time" }) }],
    [
      may("propose") && controls.proposals.length > 0,
      {
        text: t("Propose"),
        act: () => open("propose"),
        title: keyed(t("Settle the game, end the session or pause the clock by consent"), "P"),
      },
    ],
    [
      may("resign") && state.resign_kinds.length > 0,
      { text: t("Resign"), act: () => open("resign"), title: keyed(t("Resign"), "R") },
    ],
    [controls.people, { text: t("Chat"), act: () => open("chat"), kind: "narrow-only" }],
    [true, { text: t("Turn the board"), act: () => controls.flip(), title: keyed(t("Turn the board"), "F") }],
    [true, { text: t("Rules"), act: () => open("rules"), title: keyed(t("Rules"), "G") }],
    [true, { text: t("Keys"), act: () => open("keys"), title: keyed(t("Keys"), "?"), kind: "keys-entry" }],
    [
      true,
      {
        text: sounds ? t("Turn the sounds off") : t("Turn the sounds on"),
        act: () => settings.set({ sounds: !sounds }),
      },
    ],
    [true, { text: t("Settings"), href: "/settings", kind: "narrow-only" }],
  ];
  return all.filter(([shown]) => shown).map(([, entry]) => entry);
}

/** An open proposal in one line. @param {Controls} controls */
export function proposalLine({ state }) {
  const offer = state.proposal;
  if (!offer) return "";
  const what = proposalText(state, offer)[0];
  const mine = state.you.length === 1 && state.you.includes(offer.by);
  return mine
    ? t("You proposed: {what}", { what })
    : t("{name} proposes: {what}", { name: nameOf(state, offer.by), what });
}

/** An open proposal, for those who may answer it or take it back. @param {Controls} controls */
export function proposal(controls) {
  const { state, act } = controls;
  const offer = state.proposal;
  if (!offer) return nothing;
  const shared = state.you.length > 1;
  const mine = !shared && state.you.includes(offer.by);
  const [what, means] = proposalText(state, offer);
  const sentence = mine
    ? t("You proposed: {what}", { what })
    : t("{name} proposes: {what}", { name: nameOf(state, offer.by), what });
  // At a shared screen both see it; it is the other one's to answer.
  const answering = other(offer.by);
  const answers = state.you.includes(answering) && controls.allowedOf(answering).includes("accept");
  const withdraws = mine && controls.allowedOf(offer.by).includes("refuse");
  const button = (/** @type {string} */ type, /** @type {string} */ text, /** @type {Side} */ side) =>
    html`<button title=${text} @click=${() => act({ type }, side)}>${text}</button>`;
  return html`<div class="advice proposal"><p>${sentence}</p><p class="small">${means}</p>
    <div class="answers">${answers ? html`${button("accept", t("Accept"), answering)}${button("refuse", t("Refuse"), answering)}` : nothing}
    ${withdraws ? button("refuse", t("Take back"), offer.by) : nothing}</div></div>`;
}
