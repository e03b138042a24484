/** What the page of a game shows before its rules: start and directions, what is special, history and words. */

import { thumbnail } from "../board/thumbnail.js";
import { t } from "../i18n/i18n.js";
import { boardElement } from "./board-view.js";
import { settings } from "./settings.js";
import { diceText, html, ltr, nothing } from "./view.js";

/**
 * @typedef {{side: import("../board/types.js").Side, board: import("../board/types.js").Board, dice: number[],
 *   play: string, steps: number[][], says: string, refused: string | null}} Picture
 * @typedef {{history: string, source: string, words: [string, string][], minutes: [number, number] | null,
 *   difficulty: string | null, picture: Picture}} About
 * @typedef {{name: string, native: Record<string, string>, start: import("../board/types.js").Board,
 *   layout: import("../board/types.js").Layout, about: About | null}} Game
 */

/** Where both sides start, which way they go, and where their homes are. @param {Game} game */
function ways({ start, layout }) {
  const one = (/** @type {"white" | "black"} */ side, /** @type {string} */ text) =>
    html`<figure>${thumbnail(start, { layout, side })}<figcaption class="small quiet">${text}</figcaption></figure>`;
  return html`<div class="ways-drawn" data-material=${settings.prefs.material}>
    ${one("white", t("Light: the way from 24 to 1, the home shaded"))}
    ${one("black", t("Dark: the way from 24 to 1, the home shaded"))}
  </div>`;
}

/** The special rule in one picture. @param {Game} game @param {Picture} picture */
function special({ name, layout }, picture) {
  const dice = diceText(picture.dice);
  const state = {
    you: [],
    phase: "over",
    on_roll: null,
    allowed: [],
    board: picture.board,
    turn: null,
    cube: { value: 1, owner: null, offered: null, by: null, in_play: false },
  };
  const advice = {
    side: picture.side,
    board: picture.board,
    dice: picture.dice,
    alone: true,
    options: [{ grade: picture.refused ? "blunder" : "best", steps: picture.steps }],
  };
  return html`<figure class="daily special">
    <div class="place">
      ${boardElement({ game: name, layout, state, advice })}
    </div>
    <figcaption>
      <p>${picture.says}</p>
      <p class="small quiet">
        ${ltr(dice)} · ${ltr(picture.play)} ·
        ${picture.refused ? html`${t("Not allowed:")} ${picture.refused}` : t("allowed")}
      </p>
    </figcaption>
  </figure>`;
}

/** Playing time and difficulty, where a source gives them. @param {About} about */
const effort = ({ minutes, difficulty }) =>
  minutes
    ? html`<p>
      ${t("{low} to {high} minutes", { low: minutes[0], high: minutes[1] })}${
        difficulty ? html` · ${t("difficulty: {level}", { level: difficulty })}` : nothing
      }
    </p>`
    : nothing;

/** @param {Game} game */
export function aboutGame(game) {
  const { about } = game;
  const names = [...new Set(Object.values(game.native ?? {}))];
  return html`<section class="card about-game" aria-labelledby="start">
      <h2 id="start">${t("Start and directions")}</h2>
      ${ways(game)}
    </section>
    ${
      about
        ? html`<section class="card about-game" aria-labelledby="special">
            <h2 id="special">${t("What is special")}</h2>
            ${special(game, about.picture)}
          </section>
          <section class="card about-game" aria-labelledby="history">
            <h2 id="history">${t("History and names")}</h2>
            <p>${about.history}</p>
            ${
              names.length
                ? html`<p>${names.map((name, i) => html`${i ? " · " : ""}<bdi>${name}</bdi>`)}</p>`
                : nothing
            }
            ${
              about.words.length
                ? html`<dl class="terms">
                  ${about.words.map(
                    ([term, means]) => html`<div><dt><bdi>${term}</bdi></dt><dd>${means}</dd></div>`,
                  )}
                </dl>`
                : nothing
            }
            ${effort(about)}
            <p class="small quiet">${about.source}</p>
          </section>`
        : nothing
    }`;
}
