/** What is shown when a game or the match has ended. */
import { other, SIDES } from "../../board/types.js";
import { t, tn, widen, words } from "../../i18n/i18n.js";
import { post } from "../api.js";
import { recordAt } from "../scoreboard/store.js";
import { settings, store } from "../settings.js";
import { kindName, nameOf, reasonName } from "../table/wording.js";
import { html, nothing } from "../view.js";

/**
 * @import { Contest, Result, Side, State } from "../wire.js"
 * @typedef {import("../views/match.js").Match} View
 * @typedef {Pick<State, "phase" | "players" | "you" | "winner" | "ending" | "results"> & {card?: Pick<Contest,
 *   "contest">}} Ended
 */

/** @param {Ended} state */
function heading(state) {
  const over = state.phase === "over";
  const last = state.results.at(-1);
  const winner = over ? state.winner : (last?.winner ?? null);
  if (!winner && over)
    return state.card && state.card.contest !== "money" ? t("The match is drawn") : t("The session is over");
  if (!winner) return t("A draw");
  if (state.you.length === 1) {
    if (over) return winner === state.you[0] ? t("You win the match!") : t("You lose the match");
    return winner === state.you[0] ? t("You win!") : t("You lose");
  }
  const name = nameOf(state, winner);
  return over ? t("{name} wins the match", { name }) : t("{name} wins", { name });
}

/** Who has won the match, or the last game of it, and how; in one line. @param {Ended} state */
export const outcome = (state) => [heading(state), why(state)].filter(Boolean).join(" · ");

/** How it came to that. @param {Ended} state */
function why(state) {
  const last = state.results.at(-1);
  const game = last ? gameLine(last) : "";
  if (state.phase !== "over" || !state.ending || state.ending === "points") return game;
  const leaving = left(state);
  // In money play the game that was left is counted.
  return leaving && last?.reason === "abandoned"
    ? `${leaving} · ${game}`
    : leaving || reasonName(state.ending);
}

/** Who has lost the match without playing it to its end: then its score is not the result. @param {Ended} state */
function left(state) {
  const { ending, winner, you } = state;
  if (!winner || !["time", "abandoned", "forfeit"].includes(ending ?? "")) return "";
  const loser = other(winner);
  if (you.length === 1 && you[0] === loser)
    return (
      { time: t("Your time ran out, and with it the match"), forfeit: t("You forfeited the match") }[
        /** @type {string} */ (ending)
      ] ?? t("You left the table for good")
    );
  const name = nameOf(state, loser);
  return (
    {
      time: t("{name} ran out of time, and with it the match", { name }),
      forfeit: t("{name} forfeited the match", { name }),
    }[/** @type {string} */ (ending)] ?? t("{name} left the table for good", { name })
  );
}

/** How a game has ended, and what it paid. @param {Result} last */
function gameLine(last) {
  const paid = last.points ? tn("{n} point", "{n} points", last.points) : t("no points");
  const cube = last.cube > 1 ? t("cube {n}", { n: last.cube }) : "";
  // What was agreed upon is neither single nor multiplied.
  if (last.reason === "settlement") return [paid, reasonName(last.reason)].join(" · ");
  return [kindName(last.kind), cube, paid, last.reason === "played" ? "" : reasonName(last.reason)]
    .filter(Boolean)
    .join(" · ");
}

/** The last play and the score, for screen readers, behind whose dialog the board is not read. @param {View} view */
function lastPlay({ state, model }) {
  const last = model?.last;
  const by = last ? nameOf(state, /** @type {Side} */ (last.side)) : "";
  const play =
    last?.play && last.play !== "pass" ? t("{name} played {play}", { name: by, play: last.play }) : "";
  const score = t("Score: {white} {n}, {black} {m}", {
    white: nameOf(state, "white"),
    n: state.score.white,
    black: nameOf(state, "black"),
    m: state.score.black,
  });
  return [play, score].filter(Boolean).join(". ");
}

/** How it goes on after the match. @param {View} view */
function rematch({ state, model, rematch }) {
  const { event } = state;
  if (event?.forbids.includes("rematch"))
    return html`<a class="button pri" href="/t/${encodeURIComponent(event.id)}">${t("To the tournament")}</a>`;
  const url = model?.offer?.url;
  if (url) return html`<a class="button pri" href=${url}>${t("To the rematch")}</a>`;
  const willing = [...(model?.willing ?? [])];
  const asks = state.you.length && !willing.some((side) => state.you.includes(side));
  return html`${willing.map(
    (side) => html`<p class="quiet" role="status">
      ${
        state.you.includes(side)
          ? html`${t("Waiting for your opponent")}<span class="dots"></span>`
          : t("{name} would like a rematch.", { name: nameOf(state, side) })
      }
    </p>`,
  )}
  ${asks ? html`<button class="pri" @click=${rematch}>${t("Rematch")}</button>` : nothing}`;
}

/** How it goes on after a game. @param {View} view */
function next({ may, readyAll, state }) {
  if (may("ready")) return html`<button class="pri" autofocus @click=${readyAll}>${t("Next game")}</button>`;
  if (state.phase !== "ready") return nothing;
  return html`<p class="quiet">${t("Waiting for your opponent")}<span class="dots"></span></p>`;
}

/** @type {Promise<unknown> | null} */
let loading = null;

/** The part that only who has played a match to its end needs, its texts first. */
function loadEnding() {
  loading ??= widen("match-later")
    .catch(() => {})
    .then(() => import("./ending.js"))
    .catch(() => (loading = null));
}

/** Where a match that is over can be looked at, and what else can be done. @param {View} view */
function menu(view) {
  const { state, close, ownLinks } = view;
  if (ownLinks) return ownLinks;
  const ended = () =>
    /** @type {import("./ending.js").MatchEnding | null} */ (view.querySelector("ssb-match-ending"));
  const id = encodeURIComponent(state.match);
  return html`<details class="end-menu">
    <summary>${t("More")}</summary>
    <div class="more">
      <button @click=${close}>${t("Look at the board")}</button>
      ${
        state.you.length === 1
          ? html`<button @click=${() => void ended()?.draw()}>${t("Card to share")}</button>`
          : nothing
      }
      <a class="button" href="/">${t("New game")}</a>
      <a class="button" href="/replay/${id}">${t("Replay")}</a>
      <a class="button" href="/analysis?match=${id}">${t("Analysis")}</a>
      <a class="button" href="/dice/${id}">${t("The dice")}</a>
      <a class="button" href="/api/v1/matches/${id}/record" download>${t("Download the record")}</a>
    </div>
  </details>`;
}

/** The numbers of who played one side here, once their plays are judged. @param {View} view */
function ending(view) {
  const { state } = view;
  const [side] = state.you;
  if (state.phase !== "over" || state.you.length !== 1 || view.ownLinks) return nothing;
  loadEnding();
  const { white, black } = state.score;
  const figure = (/** @type {number} */ points) => words().figure(points);
  const score = `${nameOf(state, "white")} ${figure(white)} – ${figure(black)} ${nameOf(state, "black")}`;
  return html`<ssb-match-ending
    match=${state.match}
    side=${side}
    .told=${{ title: `${view.name}: ${heading(state)}`, score }}
  ></ssb-match-ending>`;
}

/**
 * A checker for each of how many times the game counted, in the look of who has won it; they fall into their places for
 * the winner and for who watched.
 * @param {View} view
 */
function moment({ state, look }) {
  const last = state.results.at(-1);
  if (!last?.winner || !last.points) return nothing;
  const times = Math.min(3, Math.max(1, Math.round(last.points / last.cube)));
  const falls = settings.prefs.speed && (!state.you.length || state.you.includes(last.winner));
  return html`<p class="moment ${falls ? "falls" : ""}" aria-hidden="true">${Array.from(
    { length: times },
    () => html`<i class="disc ${look(/** @type {Side} */ (last.winner))}"></i>`,
  )}</p>`;
}

/** @param {View} view */
export function resultDialog(view) {
  const { state } = view;
  const over = state.phase === "over";
  const won = html`<span class="badge">${t("winner of the match")}</span>`;
  const figure = (/** @type {Side} */ side) =>
    html`<div>
      <b>${words().figure(state.score[side])}</b>
      <span class="small quiet"><i class="disc ${view.look(side)}"></i> <bdi>${nameOf(state, side)}</bdi></span>
      ${over && state.winner === side ? won : nothing}
    </div>`;
  return html`<div class="result">
    ${moment(view)}
    <h2 id="dialog-title">${heading(state)}</h2>
    <p class="quiet" id="dialog-told">${why(state)}</p>
    <p class="sr" id="dialog-ending">${lastPlay(view)}</p>
    <div class="figures">${SIDES.map(figure)}</div>
    ${ending(view)}
    <div class="actions">
      ${over ? rematch(view) : next(view)}
      ${
        over && state.you.length && !view.ownLinks
          ? html`<button @click=${view.review}>${t("Review")}</button>`
          : html`<button @click=${view.close}>${t("Look at the board")}</button>`
      }
    </div>
    ${
      recordAt(store) === state.match
        ? html`<p class="center"><a class="button" href="/table">${t("Score board")}</a></p>`
        : nothing
    }
    ${over ? menu(view) : nothing}
  </div>`;
}

/**
 * Request the review of a match that has ended, and go to it.
 * @param {import("../view.js").View} view
 * @param {string} match
 */
export const requestReview = (view, match) =>
  view.attempt(async () => {
    const { url } = await post("/reviews", { match });
    view.app.go(url);
  });
