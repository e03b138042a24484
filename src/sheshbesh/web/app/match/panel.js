/** What stands beside the board: what is played, the moves, what is to be done now, and what the tutor says. */
import { other } from "../../board/types.js";
import { words as spoken, t, tn } from "../../i18n/i18n.js";
import { guard } from "../../vendor/lit.js";
import { icon } from "../icons.js";
import { guestName } from "../names.js";
import "../report.js";
import { settings } from "../settings.js";
import { html, nothing } from "../view.js";
import { proposal, proposalLine } from "./actions.js";
import { hintLine, hintText, verdictText } from "./advice.js";
import { chat, tabs } from "./chat.js";
import { moves } from "./moves.js";
import { outcome } from "./result.js";
import { verdictLine } from "./verdict-line.js";
import { agreed, meta, situation } from "./wording.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("./match-model.js").MatchModel} MatchModel
 * @typedef {import("./actions.js").Controls} Controls
 * @typedef {{model: MatchModel, controls: Controls, name: string, tab: string, turn: (tab: string) => void,
 *   progress: {done: number, whole: boolean}, opened: boolean, toggle: () => void}} PanelProps
 * `opened`: the words behind the one line are shown
 */

/** While checkers and dice are all that changes, the board says it in words; hearing it twice helps nobody. */
const TOLD_BY_BOARD = new Set(["roll", "throwing", "move"]);

/** A button that is a picture. @param {Parameters<typeof icon>[0]} drawing @param {string} text @param {() => void} act @param {string} [keys] */
const pictured = (drawing, text, act, keys) => {
  const title = keys ? `${text} (${keys})` : text;
  return html`<button class="icon" aria-label=${text} title=${title} @click=${act}>${icon(drawing)}</button>`;
};

/** @param {PanelProps} props */
function head({ model, controls, name }) {
  const { state } = controls;
  const watchers = Number(model.presence.watchers ?? 0);
  const { sounds } = settings.prefs;
  return html`<div class="head"><a class="icon button way-home" href="/" aria-label=${t("Home")} title=${t("Home")}>${icon("home")}</a>
    <div class="titles"><h1>${name}</h1>
      <p class="meta">${meta(state)}${watchers ? ` · ${tn("{n} watcher", "{n} watchers", watchers)}` : ""}</p>
      ${agreed(state).map(([text, means]) => html`<span class="badge" title=${means}>${text}</span>`)}</div>
    <span class="pictured">${pictured("flip", t("Turn the board"), controls.flip, "F")}
    ${pictured("rules", t("Rules"), () => controls.open("rules"), "G")}
    <button class="icon" aria-label=${t("Sounds")} aria-pressed=${sounds} title=${sounds ? t("Turn the sounds off") : t("Turn the sounds on")} @click=${() => settings.set({ sounds: !sounds })}>${icon(sounds ? "sound" : "mute")}</button></span></div>`;
}

/** What the tutor says at length, and an open proposal with its answers; nothing where there is neither. @param {PanelProps} props */
function words({ model, controls }) {
  const { tutor } = model;
  const how = {
    explain: () => controls.open("numbers"),
    shown: tutor.arrows !== null,
    show: tutor.advice ? (/** @type {boolean} */ shown) => model.point(shown) : null,
  };
  const advice = tutor.hint
    ? hintText(tutor.hint, how)
    : tutor.verdict
      ? verdictText(tutor.verdict, how)
      : null;
  const offer = controls.state.proposal ? proposal(controls) : null;
  return advice || offer ? html`${offer ?? nothing}${advice ?? nothing}` : null;
}

/** What is shown in one line: an offer, what is waited for, what the tutor says. @param {PanelProps} props */
function toldLine({ model, controls }) {
  const { tutor } = model;
  if (controls.state.proposal) return proposalLine(controls);
  if (model.late) return t("No engine answers: heuristics decide soon.");
  if (tutor.place) return t("Your place in the tutor's queue: {place}", { place: tutor.place });
  if (tutor.asked) return t("The tutor is thinking; you can play on.");
  if (tutor.hint) return hintLine(tutor.hint);
  if (tutor.verdict) return verdictLine(tutor.verdict);
  return controls.ahead ? t("Rolls when your turn comes.") : null;
}

/** What is to be done, and below it why something is not, or what the tutor says: two lines that keep their place. @param {PanelProps} props */
export function saying(props) {
  const { model, controls, progress, opened, toggle } = props;
  const { state, allowed } = controls;
  const [first, second] = situation({ ...state, allowed }, { ...progress, calls: settings.prefs.calls });
  // Between games what was won stays to be read, whatever else is waited for.
  const between = state.phase === "ready" && state.results.length > 0;
  const title = between ? outcome(state) : first;
  const below = state.phase === "over" ? outcome(state) : second || (between ? first : "");
  const more = words(props) !== null;
  const notice = toldLine(props);
  const line = model.reason
    ? html`<p class="reason" role="alert">${model.reason}</p>`
    : notice
      ? html`<p class="told" title=${typeof notice === "string" ? notice : nothing}>${notice}</p>`
      : nothing;
  return html`<div class="say ${line === nothing ? "" : "two"}">
    <div class="words" aria-live="polite"><div class="status" aria-live=${TOLD_BY_BOARD.has(state.phase) ? "off" : nothing}><b>${title}</b>${below ? html` <p>${below}</p>` : nothing}</div>${line}</div>
    ${more ? html`<button class="unfold" aria-expanded=${opened ? "true" : "false"} aria-controls="detail" aria-label=${t("Details")} title=${t("Details")} @click=${toggle}>${icon("open")}</button>` : nothing}</div>`;
}

/** @param {PanelProps} props */
export function panel(props) {
  const { model, controls, tab, turn, opened } = props;
  const { state } = controls;
  const isChat = tab === "chat";
  const details = opened ? words(props) : null;
  return html`<section class="sheet" aria-label=${t("Game")}>
    ${head(props)}
    ${controls.people ? tabs(tab, model.unread, turn) : nothing}
    <div class="turns"><div class="scroll ${tab}" tabindex="0" role="region" aria-label=${isChat ? t("Chat") : t("Moves")}>${
      isChat
        ? talking(model, state)
        : guard([state, model.tutor.grades, spoken()], () => moves(state, model.turns, model.tutor.grades))
    }</div></div>
    <div class="detail" id="detail" ?hidden=${!details} tabindex="0" role="region" aria-label=${t("Details")}>${details ?? nothing}</div>
  </section>`;
}

/** The chat of the match. @param {MatchModel} model @param {State} state */
export const talking = (model, state) =>
  html`${chat(model.chat, guestName, state.you.length ? (text) => void model.connection.say(text) : null)}${reporting(state)}`;

/** The button by which a player reports the other one. @param {State} state */
function reporting(state) {
  const them = state.you.length === 1 ? state.players[other(state.you[0])] : null;
  if (!them?.id) return nothing;
  return html`<p class="row end"><ssb-report .name=${them.name} .match=${state.match}></ssb-report></p>`;
}

/**
 * Keeps the keyboard at the bar while its buttons change: one that is gone, or waits for an answer, has lost it, and
 * the next Tab would begin at the top of the page.
 */
export class BarFocus {
  #held = false;

  /** @param {ParentNode} view */
  constructor(view) {
    this.view = view;
  }

  /** Something has got the keyboard, or was pressed with a pointer. @param {Event} event */
  notice = ({ type, target }) => {
    this.#held =
      type === "focusin" && target instanceof Element && target.matches(".actions > button:focus-visible");
  };

  /** The bar was drawn anew. */
  follow() {
    if (!this.#held || document.activeElement !== document.body) return;
    const primary = this.view.querySelector(".actions > .pri:not([disabled])");
    if (primary instanceof HTMLElement) primary.focus({ preventScroll: true });
  }
}

/** Keeps lists scrolled to their newest row. */
export class StickToBottom {
  /** How long each list was when it was last looked at. @type {Record<string, number>} */
  #lengths = {};

  /** @param {ParentNode} view */
  constructor(view) {
    this.view = view;
  }

  /** Every list is to be followed anew. */
  forget() {
    this.#lengths = {};
  }

  /** Scroll a list to its end if it has grown. @param {string} list  its selector @param {number} length */
  follow(list, length) {
    if (this.#lengths[list] === length) return;
    this.#lengths[list] = length;
    // Just before the frame is laid out: here it would be laid out once more, since the board is not drawn yet.
    requestAnimationFrame(() => {
      const element = this.view.querySelector(list);
      if (element) element.scrollTop = element.scrollHeight;
    });
  }
}
