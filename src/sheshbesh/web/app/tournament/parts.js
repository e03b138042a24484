/** Parts of a tournament's page that its desk and its prints have too: standings, brackets, pairings. */

import { t, words } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { html, named, nothing } from "../view.js";
import { bracketName, howName, scoreText, tieBreakName } from "./words.js";

/** @param {any} entrant */
export const entrantName = (entrant) =>
  html`${named(guestName(entrant.name))}${entrant.kind === "bot" ? html` <span class="badge">${t("bot")}</span>` : nothing}`;

/** Score of a pairing, White's first. @param {any} result */
export function resultText(result) {
  if (!result) return "";
  const score = result.score
    ? result.score.map((/** @type {number} */ n) => words().figure(n)).join("–")
    : "";
  return [score, howName(result.how)].filter(Boolean).join(" · ");
}

/**
 * @param {{rows: any[], tie_breaks: string[]} | null} standings
 * @param {number | undefined} mine the number of this player
 */
export function standingsTable(standings, mine) {
  if (!standings?.rows.length)
    return html`<p class="empty">${t("There are no standings before the start.")}</p>`;
  const { rows, tie_breaks: order } = standings;
  // Brackets have places alone.
  const sums = /** @type {const} */ (["score", "wins", "losses"]).filter((name) =>
    rows.some((row) => row[name]),
  );
  const names = { score: t("Score"), wins: t("Won"), losses: t("Lost") };
  const ties = order.filter((name) => rows.some((row) => Number.isFinite(row.ties?.[name])));
  /** @type {Map<string, any[]>} */
  const parts = new Map();
  for (const row of rows) {
    const part = row.group ? t("Group {n}", { n: row.group }) : row.bracket ? bracketName(row.bracket) : "";
    parts.set(part, [...(parts.get(part) ?? []), row]);
  }
  const head = (/** @type {string} */ text) => html`<th scope="col" class="num">${text}</th>`;
  const cell = (/** @type {any} */ value) =>
    html`<td class="num">${Number.isFinite(value) ? scoreText(value) : ""}</td>`;
  const line = (/** @type {any} */ row) => html`<tr class=${row.entrant.number === mine ? "mine" : ""}>
    <td class="num">${words().figure(row.place)}</td><th scope="row">${entrantName(row.entrant)}${outOf(row.entrant)}</th>
    ${sums.map((name) => cell(row[name] ?? 0))}${ties.map((name) => cell(row.ties?.[name]))}</tr>`;
  return [...parts].map(
    ([
      part,
      of,
    ]) => html`<div class="wide" tabindex="0" role="group" aria-label=${part || t("Standings")}><table class="standings">
    <caption>${part || html`<span class="sr">${t("Standings")}</span>`}</caption>
    <thead><tr>${head(t("Place"))}<th scope="col">${t("Player")}</th>${sums.map((name) => head(names[name]))}
      ${ties.map((name) => head(tieBreakName(name)))}</tr></thead><tbody>${of.map(line)}</tbody></table></div>`,
  );
}

/** How somebody went out, but for losing. @param {any} entrant */
const outOf = ({ status, why }) =>
  status === "out" && why !== "lost" ? html` <span class="small quiet">${outName(why)}</span>` : nothing;

/** @param {string} why */
export function outName(why) {
  const known = {
    withdrawn: t("withdrawn"),
    absent: t("did not come"),
    disqualified: t("disqualified"),
    not_checked_in: t("did not check in"),
    full: t("no place"),
  };
  return known[/** @type {keyof typeof known} */ (why)] ?? why;
}

/** One of the two places of a bracket match. @param {any} slot @param {number} index @param {Record<string, string>} names */
function place(slot, index, names) {
  const number = index ? slot.second : slot.first;
  const from = slot.from[index];
  const won = slot.winner !== null && slot.winner === number && number > 0;
  const score = slot.pairing?.result?.score;
  // The pairing names White first, which need not be the one whom the first source sends.
  const at = slot.pairing?.white === number ? 0 : 1;
  const text =
    number > 0
      ? named(guestName(names[number] ?? ""))
      : number === 0
        ? html`<span class="quiet">${t("bye")}</span>`
        : html`<span class="quiet">${from.kind === "loser" ? t("loser of {slot}", { slot: from.slot }) : t("winner of {slot}", { slot: from.slot })}</span>`;
  return html`<span class="player ${won ? "won" : ""}">${text}${score && number > 0 ? html`<bdi>${words().figure(score[at])}</bdi>` : nothing}</span>`;
}

/**
 * All brackets: each a row of rounds, which screens too narrow for it scroll sideways. It is a list of headings
 * and matches for a reader.
 * @param {{brackets: any[], names: Record<string, string>} | null} found
 */
export function bracketList(found) {
  if (!found?.brackets.length) return nothing;
  return found.brackets.map(
    ({ name, rounds }) =>
      html`<section class="bracket"><h3>${bracketName(name)}</h3><div class="rounds" tabindex="0" role="group" aria-label=${bracketName(name)}>${rounds.map(
        (/** @type {any} */ { round, slots }) =>
          html`<section><h4>${t("Round {n}", { n: round })}</h4><ol>${slots.map(
            (/** @type {any} */ slot) =>
              html`<li>${slot.pairing?.url ? html`<a class="slot" href=${slot.pairing.url}>${slotLines(slot, found.names)}</a>` : html`<div class="slot">${slotLines(slot, found.names)}</div>`}</li>`,
          )}</ol></section>`,
      )}</div></section>`,
  );
}

/** @param {any} slot @param {Record<string, string>} names */
const slotLines = (slot, names) =>
  html`<span class="small quiet">${slot.slot}</span>${place(slot, 0, names)}${place(slot, 1, names)}`;

/**
 * @param {any[]} pairings
 * @param {Record<string, string>} names
 * @param {(pairing: any) => unknown} [more] what stands at the end of a row
 */
export function pairingsTable(pairings, names, more) {
  if (!pairings.length) return html`<p class="empty">${t("Nobody is paired just now.")}</p>`;
  return html`<div class="wide" tabindex="0" role="group" aria-label=${t("Pairings")}><table><thead><tr><th scope="col" class="num">${t("Table")}</th><th scope="col">${t("White")}</th><th scope="col">${t("Black")}</th><th scope="col">${t("Result")}</th><th></th></tr></thead>
    <tbody>${pairings.map(
      (
        each,
      ) => html`<tr><td class="num">${words().figure(each.number)}</td><td>${named(guestName(names[each.white] ?? ""))}</td><td>${each.black ? named(guestName(names[each.black] ?? "")) : t("bye")}</td>
      <td>${each.result ? html`${each.result.winner && each.result.how !== "bye" ? html`${named(guestName(names[each.result.winner] ?? ""))} · ` : nothing}<bdi>${resultText(each.result)}</bdi>` : each.status === "live" ? t("being played") : t("not begun")}</td>
      <td class="num">${more ? more(each) : each.url ? html`<a class="button" href=${each.url}>${each.result ? t("Look") : t("Watch")}</a>` : nothing}</td></tr>`,
    )}</tbody></table></div>`;
}
