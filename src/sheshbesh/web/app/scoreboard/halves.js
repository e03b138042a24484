/**
 * The score board beside a real board: two halves to tap, one for each player, with clock, score and dice as wished.
 */

import { PIPS } from "../../board/pips.js";
import { other } from "../../board/types.js";
import { t, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { readClock } from "../clock-code.js";
import { icon } from "../icons.js";
import { html, named, nothing } from "../view.js";
import { breaksLeft, lateAt, timeLeft } from "./clock.js";
import { isCrawford, scoreAfter, sideName, winnerOf } from "./score.js";

/**
 * @typedef {import("./score.js").Side} Side
 * @typedef {import("./store.js").Table} Table
 * @typedef {{press: (side: Side) => void, roll: (side: Side) => void, open: () => void, stop: () => void, go: () =>
 *   void, rest: (side: Side) => void, finish: () => void, show: (shows: Partial<Table["shows"]>) => void, turn: () =>
 *   void, close: () => void}} Moves
 */

/** @param {Table} table @param {number} now @param {Moves} moves */
export function scoreboard(table, now, moves) {
  const timed = readClock(table.clock).kind !== "n";
  return html`<div class="beside ${table.facing ? "facing" : ""}" role="group" aria-label=${t("Beside the board")}>
    ${half(table, "black", now, moves, timed)}
    ${bar(table, now, moves, timed)}
    ${half(table, "white", now, moves, timed)}
  </div>`;
}

/** @param {Table} table @param {Side} side @param {number} now @param {Moves} moves @param {boolean} timed */
function half(table, side, now, moves, timed) {
  const { clocks, match, shows } = table;
  const name = sideName(match, side);
  const late = timed && lateAt(clocks, now) === side;
  const on = clocks.turn === side;
  return html`<section
    class="half ${side} ${on ? "on" : ""} ${on && clocks.since !== null ? "runs" : ""} ${late ? "late" : ""}"
    aria-label=${name}
  >
    ${
      timed
        ? html`<button class="press" ?disabled=${clocks.turn === other(side) || late} @click=${() => moves.press(side)}
            aria-label=${t("{name}: my turn is over", { name })}></button>`
        : nothing
    }
    <p class="name">${named(name)}</p>
    ${timed ? time(table, side, now, late) : nothing}
    ${
      shows.score
        ? html`<p class="figures" aria-label=${t("Points of {name}", { name })}>
          ${words().figure(scoreAfter(match)[side])}
        </p>`
        : nothing
    }
    ${shows.dice ? throwing(table, side, moves, timed) : nothing}
  </section>`;
}

/** @param {Table} table @param {Side} side @param {number} now @param {boolean} late */
function time({ clocks }, side, now, late) {
  const { bank, free } = timeLeft(clocks, side, now);
  const start = clocks.turn === null ? t("Tap when your turn is over.") : "";
  return html`<p class="time" role="timer">${words().clock(bank)}</p>
    <p class="free">
      ${late ? t("The time has run out") : free > 0 ? t("{n} s free", { n: Math.ceil(free / 1000) }) : start}
    </p>`;
}

/** @param {Table} table @param {Side} side @param {Moves} moves @param {boolean} timed */
function throwing({ dice, clocks, onePair, match }, side, moves, timed) {
  // Where a clock runs, only the player whose turn it is throws.
  const waits = timed && clocks.turn === other(side);
  const shown = onePair && !dice.opening && dice.last !== side ? [] : dice[side];
  return html`<div class="throwing">
    ${diceFaces(shown, onePair ? "white" : side)}
    <button
      ?disabled=${waits}
      aria-label=${t("{name} throws", { name: sideName(match, side) })}
      @click=${() => moves.roll(side)}
    >${t("Roll")}</button>
  </div>`;
}

/**
 * Two dice, the larger first, as throws are called.
 * @param {number[]} dice
 * @param {Side} set whose pair it is
 */
function diceFaces(dice, set) {
  if (!dice.length) return html`<span class="faces none"></span>`;
  const shown = [...dice].sort((a, b) => b - a);
  return html`<span class="faces ${set}" role="img" aria-label=${t("{dice} thrown", { dice: shown.join("-") })}>
    ${shown.map(
      (value) =>
        html`<svg viewBox="-20 -20 40 40" aria-hidden="true">
          <rect x="-18" y="-18" width="36" height="36" rx="8" />
          ${PIPS[value].map(([x, y]) => svg`<circle cx=${x * 10} cy=${y * 10} r="3.6"/>`)}
        </svg>`,
    )}
  </span>`;
}

/** @param {Table} table @param {number} now @param {Moves} moves @param {boolean} timed */
function bar(table, now, moves, timed) {
  const { clocks, match, shows } = table;
  const runs = clocks.since !== null;
  const button = (
    /** @type {Parameters<typeof icon>[0]} */ sign,
    /** @type {string} */ text,
    /** @type {() => void} */ does,
    /** @type {{pressed?: boolean, off?: boolean, called?: string}} */ {
      pressed,
      off = false,
      called = "",
    } = {},
  ) =>
    html`<button
      class="icon ${called}"
      aria-label=${text}
      title=${text}
      aria-pressed=${pressed ?? nothing}
      ?disabled=${off}
      @click=${does}
    >${icon(sign)}</button>`;
  return html`<div class="middle" role="group" aria-label=${t("Actions")}>
      ${button("close", t("Close"), moves.close)}
      ${
        timed
          ? runs
            ? button("pause", t("Stop the clock"), moves.stop)
            : clocks.turn === null
              ? nothing
              : button("play", t("Go on"), moves.go, { off: Boolean(lateAt(clocks, now)) })
          : nothing
      }
      <p class="told" role="status">${statusLine(table, now)}</p>
      ${
        clocks.turn === null && shows.dice && !winnerOf(match)
          ? html`<button class="first" @click=${moves.open}>${t("Who begins?")}</button>`
          : nothing
      }
      ${button("dice", t("Dice"), () => moves.show({ dice: !shows.dice }), { pressed: shows.dice })}
      ${button("flip", t("Turn the upper half to the player opposite"), moves.turn, {
        pressed: table.facing,
        called: "turning",
      })}
      ${button("flag", t("The game is over"), moves.finish)}
    </div>
    ${
      timed && !runs && clocks.turn === null && match.games.length && !winnerOf(match)
        ? breaks(table, now, moves)
        : nothing
    }`;
}

/** The text in the middle of the score board. @param {Table} table @param {number} now */
function statusLine({ clocks, match, dice }, now) {
  const winner = winnerOf(match);
  if (winner) return t("{name} wins the match", { name: sideName(match, winner) });
  if (clocks.rest && clocks.rest.until > now)
    return t("Break: {time}", { time: words().clock(clocks.rest.until - now) });
  const [white, black] = [dice.white[0] ?? 0, dice.black[0] ?? 0];
  if (dice.opening && white && black) {
    if (white === black) return t("Equal dice: throw once more.");
    return t("{name} has the higher die", { name: sideName(match, white > black ? "white" : "black") });
  }
  return isCrawford(match) && clocks.turn === null ? t("Crawford game") : "";
}

/** Between two games each may take a break. @param {Table} table @param {number} now @param {Moves} moves */
function breaks({ clocks, match }, now, moves) {
  if (clocks.rest && clocks.rest.until > now) return nothing;
  const may = /** @type {const} */ (["black", "white"]).filter((side) =>
    breaksLeft(clocks, side, match.length),
  );
  return may.length
    ? html`<div class="breaks">
      ${may.map(
        (side) =>
          html`<button @click=${() => moves.rest(side)}>
            ${t("Break for {name}", { name: sideName(match, side) })}
          </button>`,
      )}
    </div>`
    : nothing;
}
