/** What a director prints: brackets on sheets that join, and result sheets, four a page. */

import { t, words } from "../../i18n/i18n.js";
import { breaksText } from "../clock-code.js";
import { guestName } from "../names.js";
import { html, named } from "../view.js";
import { bracketList } from "./parts.js";
import { termsOf, titleOf } from "./words.js";

/** @import { Brackets, Pairings, Pairing, Slot, WholeTournament } from "../wire.js" */

/** @param {Brackets | null} found */
export function bracketSheets(found) {
  return (found?.brackets ?? []).map(({ name, rounds }) => {
    const sheets = sheetsOf(rounds);
    return sheets.map(
      (sheet, index) => html`<div class="bracket-sheet">
        ${bracketList({ n: found?.n ?? 0, brackets: [{ name, rounds: sheet }], names: found?.names ?? {} })}
        ${
          sheets.length > 1
            ? html`<p class="small">${t("Sheet {n} of {all}", { n: index + 1, all: sheets.length })}</p>`
            : ""
        }
      </div>`,
    );
  });
}

const A_PAGE = 4;
/** The most lines for games that have room on a sheet to be written in. */
const LINES = 13;

/** How many games a match can have, as far as a sheet has lines. @param {number} length @param {string} contest */
const gamesOf = (length, contest) => Math.min(contest === "games" ? length : 2 * length - 1, LINES);

/**
 * Four result sheets a page; the winner hands theirs in. A match of a bracket has its name there, since the rounds of
 * its pairings are those in which matches were made, not those of the bracket.
 * @param {WholeTournament} found
 * @param {Pick<Pairings, "pairings" | "names" | "breaks">} of
 * @param {string} path
 */
export function resultSheets(found, { pairings, names, breaks }, path) {
  const facts = (/** @type {Pairing} */ each) => [
    each.slot || t("Round {n}", { n: each.round }),
    t("Table {n}", { n: each.number }),
    ...termsOf({
      ...found.settings,
      system: found.system,
      contest: found.card.contest,
      length: each.length,
      clock: found.card.clock.code,
    }),
    ...(breaks[each.length]
      ? [t("for each player: {breaks}", { breaks: breaksText(...breaks[each.length]) })]
      : []),
  ];
  const line = html`<i></i>`;
  const pages = Array.from({ length: Math.ceil(pairings.length / A_PAGE) }, (_, page) =>
    pairings.slice(page * A_PAGE, (page + 1) * A_PAGE),
  );
  return pages.map(
    (page) => html`<div class="sheets">
    ${page.map(
      (each) => html`<section class="result">
        <img alt="" src=${`/api/v1${path}/qr.svg?pairing=${each.number}`} width="84" height="84">
        <h3>${named(titleOf(found))}</h3>
        <p class="facts"><span>${facts(each).map((fact) => html`<span>${fact}</span> `)}</span></p>
        <table .style=${`--lines: ${gamesOf(each.length, found.card.contest)}`}>
          <thead>
            <tr>
              <th>${t("Game")}</th>
              <th>${named(guestName(names[each.white] ?? ""))}</th>
              <th>${named(guestName(names[each.black] ?? ""))}</th>
            </tr>
          </thead>
          <tbody>
            ${Array.from(
              { length: gamesOf(each.length, found.card.contest) },
              (_, i) => html`<tr><td>${words().figure(i + 1)}</td><td></td><td></td></tr>`,
            )}
            <tr><th>${t("Result")}</th><td></td><td></td></tr>
          </tbody>
        </table>
        <p class="signed">${t("Signatures")} ${line}${line}</p>
        <p class="small">${t("The winner hands this sheet in.")}</p>
      </section>`,
    )}
  </div>`,
  );
}

/**
 * @typedef {{round: number, slots: Slot[]}} Round
 */

/** The rounds of a sheet, and its matches in the first of them: sixteen entrants. */
const ROUNDS = 4;
const MATCHES = 8;

/**
 * The sheets of a bracket. One that is too large for a page is cut into parts of four rounds; the winners of a sheet
 * stand, by the names of their matches, on the one that joins it.
 * @param {Round[]} rounds
 * @returns {Round[][]}
 */
export function sheetsOf(rounds) {
  if (!rounds.length) return [];
  const most = Math.max(...rounds.slice(0, ROUNDS).map(({ slots }) => slots.length));
  if (most <= MATCHES && rounds.length <= ROUNDS + 1) return [rounds];
  const [these, later] = [rounds.slice(0, ROUNDS), rounds.slice(ROUNDS)];
  const count = Math.ceil(most / MATCHES);
  const cut = (/** @type {Slot[]} */ slots, /** @type {number} */ part) =>
    slots.slice(Math.floor((part * slots.length) / count), Math.floor(((part + 1) * slots.length) / count));
  const sheets = Array.from({ length: count }, (_, part) =>
    these.map(({ round, slots }) => ({ round, slots: cut(slots, part) })),
  );
  return [...sheets, ...sheetsOf(later)];
}
