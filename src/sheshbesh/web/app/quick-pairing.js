/** Presets to find an opponent by one tap. */

import { t, tn } from "../i18n/i18n.js";
import { get, post } from "./api.js";
import { contestOf, readCode } from "./match-setup.js";
import { html } from "./view.js";

/** @typedef {import("./app.js").App} App */

/** Cards of presets: two minutes a point, but where no clock is usual. */
export const PRESETS = [
  "backgammon.p1.clock-d12-120",
  "backgammon.p3.clock-d12-120",
  "backgammon.p5.clock-d12-120",
  "backgammon.p7.clock-d12-120",
  "tavla.g3.clock-d12-120",
  "long_nardy.p3.clock-d12-120",
  "takhte.g5",
  "tapa.p3.clock-d12-120",
];

/** The time of a whole match, rounded, or that there is no clock. @param {string} code */
function timeOf(code) {
  const { clock, length } = readCode(code);
  const bank = Number(/-(\d+)$/.exec(clock)?.[1] ?? 0);
  return bank ? t("{n} min", { n: Math.round((bank * (length ?? 1)) / 60) }) : t("No clock");
}

/** The length of a match in few words. @param {string} code */
function lengthOf(code) {
  const { contest, length } = readCode(code);
  return contest === "points" && length ? tn("{n} point", "{n} points", length) : contestOf(code);
}

/**
 * Accept an open seek by this card and go to the match, or else open one, which waits in the lobby.
 * @param {App} app
 * @param {string} card
 * @returns {Promise<string | null>} the id of the seek that was opened
 */
export async function pair(app, card) {
  await app.identity;
  const { seeks } = await get("/lobby");
  const open = seeks.find(
    (/** @type {import("./wire.js").Seek} */ seek) =>
      seek.card === card && !seek.rated && seek.by.id !== app.user?.id,
  );
  if (open) {
    const { id, url } = await post(`/seeks/${encodeURIComponent(open.id)}/accept`);
    app.go(url ?? `/m/${id}`);
    return null;
  }
  const { id } = await post("/seeks", { card, side: "random", rated: false });
  if (app.challenges) app.challenges.seeking = true;
  return id;
}

/**
 * @param {Map<string, string>} titles of games
 * @param {(card: string) => void} choose
 * @param {ReadonlySet<string>} [waiting] the cards of this player's open seeks
 */
export const presets = (titles, choose, waiting = new Set()) =>
  html`<div class="presets">
    ${PRESETS.map((card) => {
      const game = card.split(".")[0];
      return html`<button aria-pressed=${waiting.has(card)} @click=${() => choose(card)}>
        <b>${titles.get(game) ?? game}</b><span class="small quiet">${lengthOf(card)} ·
          ${waiting.has(card) ? html`${t("waiting")}<span class="dots"></span>` : timeOf(card)}</span>
      </button>`;
    })}
  </div>`;
