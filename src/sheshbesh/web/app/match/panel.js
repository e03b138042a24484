/** The sheet beside the board: what is played, the moves, what is to be done now, and the buttons for it. */
import { t, tn } from "../../i18n/i18n.js";
import { icon } from "../icons.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { html, ltr, nothing } from "../view.js";
import { mainButtons, moreButtons, proposal } from "./actions.js";
import { hintText, verdictText } from "./advice.js";
import { chat, tabs } from "./chat.js";
import { moves } from "./moves.js";
import { outcome } from "./result.js";
import { agreed, meta, situation } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./actions.js").Table} Controls
 * @typedef {{table: Table, controls: Controls, name: string, tab: string, typing: string, turn: (tab: string) => void,
 *   flip: () => void, progress: {done: number, whole: boolean}}} Sheet
 */

/** A button that is a picture. @param {Parameters<typeof icon>[0]} drawing @param {string} text @param {() => void} act @param {string} [keys] */
const pictured = (drawing, text, act, keys) => {
  const title = keys ? `${text} (${keys})` : text;
  return html`<button class="icon" aria-label=${text} title=${title} @click=${act}>${icon(drawing)}</button>`;
};

/** @param {Sheet} sheet */
function head({ table, controls, name, flip }) {
  const { state } = controls;
  const watchers = Number(table.presence.watchers ?? 0);
  const { sounds } = settings.prefs;
  return html`<div class="head"><div><h1>${name}</h1>
      <p class="meta">${meta(state)}${watchers ? ` · ${tn("{n} watcher", "{n} watchers", watchers)}` : ""}</p>
      ${agreed(state).map(([text, means]) => html`<span class="badge" title=${means}>${text}</span>`)}</div>
    ${pictured("flip", t("Turn the board"), flip, "F")}
    ${pictured("rules", t("Rules"), () => controls.open("rules"), "?")}
    <button class="icon" aria-label=${t("Sounds")} aria-pressed=${sounds} title=${sounds ? t("Turn the sounds off") : t("Turn the sounds on")} @click=${() => settings.set({ sounds: !sounds })}>${icon(sounds ? "sound" : "mute")}</button></div>`;
}

/** What is to be done, why something is not, and what the tutor says. @param {Sheet} sheet */
function saying({ table, controls, typing, progress }) {
  const { state, allowed } = controls;
  const { tutor } = table;
  const [first, second] = situation({ ...state, allowed }, { ...progress, calls: settings.prefs.calls });
  // Between games what was won stays to be read, whatever else is waited for.
  const between = state.phase === "ready" && state.results.length > 0;
  const title = between ? outcome(state) : first;
  const below = state.phase === "over" ? outcome(state) : second || (between ? first : "");
  const how = {
    explain: () => controls.open("numbers"),
    shown: tutor.shown,
    show: tutor.advice ? (/** @type {boolean} */ shown) => table.point(shown) : null,
  };
  const advice = tutor.hint ? hintText(tutor.hint, how) : tutor.verdict ? verdictText(tutor.verdict, how) : nothing;
  const queued = tutor.place ? html`<p>${t("Your place in the tutor's queue: {place}", { place: tutor.place })}</p>` : nothing;
  return html`<div class="say" aria-live="polite"><b>${title}</b>${below ? html`<p>${below}</p>` : nothing}
    ${typing ? html`<p>${ltr(typing)}</p>` : nothing}
    ${table.reason ? html`<p class="reason" role="alert">${table.reason}</p>` : nothing}${queued}${advice}${proposal(controls)}</div>`;
}

/** @param {Sheet} sheet */
export function panel(sheet) {
  const { table, controls, tab, turn } = sheet;
  const { state } = controls;
  const people = state.you.length < 2 && Object.values(state.players).every(({ kind }) => kind !== "engine");
  const talk = tab === "chat";
  return html`<section class="sheet" aria-label=${t("Game")}>
    ${head(sheet)}
    ${people ? tabs(tab, table.unread, turn) : nothing}
    <div class="scroll ${tab}" tabindex="0" role="region" aria-label=${talk ? t("Chat") : t("Moves")}>${talk
      ? chat(table.chat, guestName, state.you.length ? (said) => void table.line.say(said) : null)
      : moves(state, table.turns, table.tutor.grades)}</div>
    ${saying(sheet)}
    <div class="actions">${state.you.length || state.phase === "over" ? mainButtons(controls) : html`<p class="quiet">${t("You are watching.")}</p>`}</div>
    ${state.you.length ? html`<div class="more">${moreButtons(controls)}</div>` : nothing}
  </section>`;
}
