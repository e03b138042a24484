/** What stands beside the board: what is played, the moves, what is to be done now, and what the tutor says. */
import { t, tn } from "../../i18n/i18n.js";
import { icon } from "../icons.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { html, ltr, nothing } from "../view.js";
import { proposal, proposalLine } from "./actions.js";
import { hintLine, hintText, verdictLine, verdictText } from "./advice.js";
import { chat, tabs } from "./chat.js";
import { moves } from "./moves.js";
import { outcome } from "./result.js";
import { agreed, meta, situation } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./actions.js").Table} Controls
 * @typedef {{table: Table, controls: Controls, name: string, tab: string, typing: string, turn: (tab: string) => void,
 *   progress: {done: number, whole: boolean}, opened: boolean, toggle: () => void}} Sheet
 * `opened`: the words behind the one line are shown
 */

/** A button that is a picture. @param {Parameters<typeof icon>[0]} drawing @param {string} text @param {() => void} act @param {string} [keys] */
const pictured = (drawing, text, act, keys) => {
  const title = keys ? `${text} (${keys})` : text;
  return html`<button class="icon" aria-label=${text} title=${title} @click=${act}>${icon(drawing)}</button>`;
};

/** @param {Sheet} sheet */
function head({ table, controls, name }) {
  const { state } = controls;
  const watchers = Number(table.presence.watchers ?? 0);
  const { sounds } = settings.prefs;
  return html`<div class="head"><a class="icon button way-home" href="/" aria-label=${t("Home")} title=${t("Home")}>${icon("home")}</a>
    <div class="titles"><h1>${name}</h1>
      <p class="meta">${meta(state)}${watchers ? ` · ${tn("{n} watcher", "{n} watchers", watchers)}` : ""}</p>
      ${agreed(state).map(([text, means]) => html`<span class="badge" title=${means}>${text}</span>`)}</div>
    <span class="pictured">${pictured("flip", t("Turn the board"), controls.flip, "F")}
    ${pictured("rules", t("Rules"), () => controls.open("rules"), "?")}
    <button class="icon" aria-label=${t("Sounds")} aria-pressed=${sounds} title=${sounds ? t("Turn the sounds off") : t("Turn the sounds on")} @click=${() => settings.set({ sounds: !sounds })}>${icon(sounds ? "sound" : "mute")}</button></span></div>`;
}

/** What the tutor says at length, and an open proposal with its answers; nothing where there is neither. @param {Sheet} sheet */
function words({ table, controls }) {
  const { tutor } = table;
  const how = {
    explain: () => controls.open("numbers"),
    shown: tutor.arrows !== null,
    show: tutor.advice ? (/** @type {boolean} */ shown) => table.point(shown) : null,
  };
  const advice = tutor.hint ? hintText(tutor.hint, how) : tutor.verdict ? verdictText(tutor.verdict, how) : null;
  const offer = controls.state.proposal ? proposal(controls) : null;
  return advice || offer ? html`${offer ?? nothing}${advice ?? nothing}` : null;
}

/** What is to be done, and below it why something is not, or what the tutor says: two lines that keep their place. @param {Sheet} sheet */
export function saying(sheet) {
  const { table, controls, typing, progress, opened, toggle } = sheet;
  const { state, allowed } = controls;
  const { tutor } = table;
  const [first, second] = situation({ ...state, allowed }, { ...progress, calls: settings.prefs.calls });
  // Between games what was won stays to be read, whatever else is waited for.
  const between = state.phase === "ready" && state.results.length > 0;
  const title = between ? outcome(state) : first;
  const below = state.phase === "over" ? outcome(state) : second || (between ? first : "");
  const more = words(sheet) !== null;
  const told = state.proposal ? proposalLine(controls) : tutor.place ? t("Your place in the tutor's queue: {place}", { place: tutor.place }) : tutor.hint ? hintLine(tutor.hint) : tutor.verdict ? verdictLine(tutor.verdict) : null;
  const line = table.reason
    ? html`<p class="reason" role="alert">${table.reason}</p>`
    : typing ? html`<p class="typing">${ltr(typing)}</p>` : told ? html`<p class="told">${told}</p>` : nothing;
  return html`<div class="say ${line === nothing ? "" : "two"}">
    <div class="words" aria-live="polite"><div class="status"><b>${title}</b>${below ? html` <p>${below}</p>` : nothing}</div>${line}</div>
    ${more ? html`<button class="unfold" aria-expanded=${opened ? "true" : "false"} aria-controls="detail" aria-label=${t("Details")} title=${t("Details")} @click=${toggle}>${icon("open")}</button>` : nothing}</div>`;
}

/** @param {Sheet} sheet */
export function panel(sheet) {
  const { table, controls, tab, turn, opened } = sheet;
  const { state } = controls;
  const talk = tab === "chat";
  const said = opened ? words(sheet) : null;
  return html`<section class="sheet" aria-label=${t("Game")}>
    ${head(sheet)}
    ${controls.people ? tabs(tab, table.unread, turn) : nothing}
    <div class="turns"><div class="scroll ${tab}" tabindex="0" role="region" aria-label=${talk ? t("Chat") : t("Moves")}>${talk
      ? talking(table, state)
      : moves(state, table.turns, table.tutor.grades)}</div></div>
    <div class="detail" id="detail" ?hidden=${!said} tabindex="0" role="region" aria-label=${t("Details")}>${said ?? nothing}</div>
  </section>`;
}

/** The chat of the match. @param {Table} table @param {State} state */
export const talking = (table, state) => chat(table.chat, guestName, state.you.length ? (said) => void table.line.say(said) : null);
