/** A player's plate: name, line, score, pips, clock. */

import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { botName, levelName, levelParts } from "../names.js";
import { settings } from "../settings.js";
import { html, named, nothing } from "../view.js";
import { nameOf } from "./wording.js";

/** @import { Side, State } from "../wire.js" */

/** Compensated time is shown from this many ms on; a latency below SLOW is hidden where there is little room. */
const SHOWN = 100;
const SLOW = 150;

const DRAWN = {
  white: svg`<circle r="44" fill="#FBF2DD" stroke="#3A2514" stroke-width="4" /><g
      fill="none"
      stroke="#9A7A4A"
      stroke-width="2.5"
    >
      <circle r="31" />
      <path d="M-14-14H14V14H-14Z" />
      <path d="M-14-14H14V14H-14Z" transform="rotate(45)" />
    </g>`,
  black: svg`<circle r="44" fill="#33231B" stroke="#DDBD78" stroke-width="4" /><g
      fill="none"
      stroke="#B08D4C"
      stroke-width="3"
    >
      <circle r="31" />
      <circle r="13" />
    </g>`,
};
const FELT = {
  white: svg`<circle r="44" fill="#F6EFDF" stroke="#22302E" stroke-width="4" /><circle
      r="29"
      fill="none"
      stroke="#B9AC8C"
      stroke-width="3"
    />`,
  black: svg`<circle r="44" fill="#8E2931" stroke="#F2D9C8" stroke-width="4" /><circle
      r="29"
      fill="none"
      stroke="#C77B78"
      stroke-width="3"
    />`,
};
const PAPER = {
  white: svg`<circle r="44" fill="#FFF" stroke="#000" stroke-width="5" /><circle
      r="22"
      fill="none"
      stroke="#000"
      stroke-width="6"
    />`,
  black: svg`<circle r="44" fill="#111" stroke="#777" stroke-width="3" /><path
      d="M-17-17 17 17M17-17-17 17"
      stroke="#FFF"
      stroke-width="10"
      stroke-linecap="round"
    />`,
};

/** A checker of a side, in the look of the board. @param {Side} side @param {string} material */
function swatch(side, material) {
  const drawn = { wood: DRAWN, felt: FELT, paper: PAPER }[material] ?? DRAWN;
  const name = side === "white" ? t("light checkers") : t("dark checkers");
  return html`<svg class="swatch" viewBox="-50 -50 100 100" role="img" aria-label=${name}>${drawn[side]}</svg>`;
}

/** Time is low below so many ms of what is left for a match, and of what is left for a turn alone. */
const LOW = 30_000;
const LOW_TURN = 10_000;

/**
 * What a clock shows now: the bank and what is left of the free time of the turn, in ms, and whether it runs low.
 * @param {NonNullable<State["clock"]>} clock
 * @param {Side} side
 * @param {number} passed ms since the figures were made
 * @param {boolean} paused
 */
export function timeLeft(clock, side, passed, paused) {
  if (clock.running !== side) return { bank: clock[side], free: 0, low: false };
  // The clock of a player who is away is not running.
  const runs = paused ? 0 : Math.max(0, passed - (clock.away ?? 0));
  const free = paused ? 0 : Math.max(0, clock.delay - runs);
  const bank = Math.max(0, clock[side] - Math.max(0, runs - clock.delay));
  return { bank, free, low: bank < (clock.kind === "per_turn" ? LOW_TURN : LOW) };
}

const HOUR = 3_600_000;

/** A time as a clock shows it, in days and hours where it is longer than a day. @param {number} ms */
export function timeWords(ms) {
  const hours = Math.floor(ms / HOUR);
  return hours < 24
    ? words().clock(ms)
    : t("{days} d {hours} h", { days: Math.floor(hours / 24), hours: hours % 24 });
}

/** That a player is away, and until when. @param {number} ms from now */
export const awayWords = (ms) => t("away until {moment}", { moment: words().moment(Date.now() + ms) });

/**
 * The plate of a side in the checkers that the player has chosen: who plays it, what else is to be said, score and
 * clock.
 * @param {import("./model.js").TableModel} model @param {Side} side
 * @param {{own: boolean, name: string, title?: unknown, below: unknown, score: unknown}} about
 *   `title`: what is shown for the name
 */
export function plate(model, side, { own, name, title = named(name), below, score }) {
  const state = /** @type {State} */ (model.state);
  const tone = settings.colour(state.card.game, side, own ? side : other(side));
  const active =
    state.phase !== "over" && (state.on_roll ? state.on_roll === side : state.to_act.includes(side));
  return html`<section class="plate ${own ? "own" : "opp"} ${active ? "on" : ""}" aria-label=${name}>
    ${swatch(tone, settings.prefs.material)}
    <div class="name">${title}</div>
    <div class="sub">${below}${fallback(model, side)}</div>
    <div class="score">${score}</div>
    ${timer(state, side, model.passed)}
  </section>`;
}

/**
 * That the program of a side plays without an engine, while that lasts.
 * @param {import("./model.js").TableModel} model @param {Side} side
 */
function fallback(model, side) {
  const { fallback, phase } = /** @type {State} */ (model.state);
  if (phase === "over" || !fallback?.includes(model.playerFor(side))) return nothing;
  const label = t("The engine does not answer at present: simple rules decide.");
  const words = t("plays by simple rules");
  return html`<span class="badge" role="status" title=${label} aria-label=${label}>${words}</span>`;
}

/**
 * The plate of a player of a match.
 * @param {import("./model.js").TableModel} model
 * @param {Side} side
 * @param {boolean} own
 * @param {Record<Side, number> | null} tried the pips after steps that are not confirmed yet
 */
export function playerPlate(model, side, own, tried) {
  const state = /** @type {State} */ (model.state);
  const player = state.players[side];
  const presence = model.presence[side];
  const { clock } = state;
  const pips = (tried ?? state.pips)[side];
  const people = player.kind === "guest" || player.kind === "user";
  const name = nameOf(state, side);
  // Of a program the face, its name and the badge say who it is, and its level stands below.
  const level = player.kind === "engine" ? (player.level ?? player.name) : null;
  const { length } = state.card;
  const link = player.kind === "user" ? `/u/${encodeURIComponent(player.name)}` : "";
  const away = clock?.running === side ? (clock.away ?? 0) - model.passed : 0;
  const of = length ? html`<span class="of">/${words().figure(length)}</span>` : nothing;
  return plate(model, side, {
    own,
    name,
    title: html`${level ? html`<ssb-face level=${level}></ssb-face>` : nothing}${
      link ? html`<a href=${link}>${named(name)}</a>` : named(level ? botName(levelParts(level)[1]) : name)
    }
      ${presence && people ? line(presence) : nothing}`,
    below: html`${people ? nothing : html`<span class="badge">${t("bot")}</span>`}
      ${level ? html`<span>${levelName(level)}</span>` : nothing}
      ${pips === null || pips === undefined ? nothing : html`<span>${tn("{n} pip", "{n} pips", pips)}</span>`}
      ${clock && people ? lag(presence?.rtt ?? null, clock.given?.[side] ?? 0) : nothing}
      ${player.rating ? html`<span>${t("rating {n}", { n: Math.round(player.rating) })}</span>` : nothing}
      ${away > 0 ? html`<span>${awayWords(away)}</span>` : nothing}
      ${
        model.thinking === side
          ? html`<span role="status">${t("thinking")}<span class="dots"></span></span>`
          : nothing
      }`,
    score: html`<span>
      <span class="label">${t("score")}</span>
      <bdi dir="ltr"><b>${words().figure(state.score[side])}</b>${of}</bdi>
    </span>`,
  });
}

/**
 * The clock of a side; nothing where time is not measured.
 * @param {State} state @param {Side} side @param {number} passed ms since the figures were made
 */
function timer({ clock, paused }, side, passed) {
  if (!clock) return nothing;
  const { bank, free, low } = timeLeft(clock, side, passed, paused);
  const more =
    free > 0 ? html`<span class="free">${t("+{s} s", { s: Math.ceil(free / 1000) })}</span>` : nothing;
  return html`<div class="time ${low ? "low" : ""}" role="timer">${more}<bdi>${timeWords(bank)}</bdi></div>`;
}

/**
 * A player's latency, and how much of it was compensated after their last turn.
 * @param {number | null} rtt @param {number} given in ms
 */
function lag(rtt, given) {
  if (rtt === null) return nothing;
  const label = given
    ? t("line {n} ms there and back; {given} ms were not counted in the last turn", { n: rtt, given })
    : t("line {n} ms there and back", { n: rtt });
  const back = given >= SHOWN ? html` ${t("+{s} s", { s: Math.round(given / 100) / 10 })}` : nothing;
  return html`<span
    class="ping small quiet ${rtt < SLOW && given < SHOWN ? "quick" : ""}"
    role="img"
    aria-label=${label}
    title=${label}
  >${t("{n} ms", { n: rtt })}${back}</span>`;
}

/** @param {{here: boolean, rtt?: number | null}} presence */
function line({ here, rtt }) {
  const label = here ? (rtt ? t("here, {n} ms", { n: rtt }) : t("here")) : t("away");
  return html`<span class="dot ${here ? "" : "away"}" role="img" aria-label=${label} title=${label}></span>`;
}
