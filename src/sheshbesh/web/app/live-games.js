/** The list of matches that may be watched now, the first of them as boards. */

import { t } from "../i18n/i18n.js";
import { repeat } from "../vendor/lit.js";
import "./living-board.js";
import { cardWords } from "./match-setup.js";
import { html, nothingYet } from "./view.js";

/** How many boards are followed at once. */
const FOLLOWED = 6;

/**
 * @param {import("./wire.js").LiveGame[]} games the ones to be seen first in front
 * @param {Map<string, string>} titles of games
 */
export const liveGames = (games, titles) =>
  games.length
    ? html`<ul class="live">${repeat(
        games,
        ({ id }) => id,
        (game, i) => html`<li>
          <a class="tile" href="/m/${game.id}">
            <b>${titles.get(game.game) ?? game.game}</b>
            <p>${cardWords(game.card)}</p>
            <ssb-living-board .game=${game} .still=${i >= FOLLOWED}></ssb-living-board>
          </a>
        </li>`,
      )}</ul>`
    : nothingYet(t("No public game is being played just now."), ["/", t("Play")]);
