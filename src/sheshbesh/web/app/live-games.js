/** The list of matches that may be watched now. */

import { t, words } from "../i18n/i18n.js";
import { cardWords } from "./match-setup.js";
import { watchedName } from "./table/wording.js";
import { html, named } from "./view.js";

/** @param {import("./wire.js").LiveGame} game @param {Map<string, string>} titles */
function tile(game, titles) {
  const side = (/** @type {"white" | "black"} */ side) =>
    html`<span class="row">
      <i class="disc ${side}"></i>${named(watchedName(game.players[side], side))}
      <span class="spring"></span>
      <b>${words().figure(game.score[side])}</b>
    </span>`;
  return html`<li>
    <a class="tile" href="/m/${game.id}">
      <b>${titles.get(game.game) ?? game.game}</b>
      <p>${cardWords(game.card)}</p>
      ${side("white")}${side("black")}
    </a>
  </li>`;
}

/** @param {import("./wire.js").LiveGame[]} games @param {Map<string, string>} titles */
export const liveGames = (games, titles) =>
  games.length
    ? html`<ul class="live">${games.map((game) => tile(game, titles))}</ul>`
    : html`<p class="empty">${t("No public game is being played just now.")}</p>`;
