/** Parts of a tournament's page that its desk and its prints have too: standings, brackets, pairings. */

import { t, words } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { html, named, nothing } from "../view.js";
import { bracketName, howName, placeText, scoreText, tieBreakName } from "./words.js";

/** @import { Brackets, Entrant, OwnLine, Pairing, Ranked, Slot, Standings } from "../wire.js" */

/** @param {Pick<Entrant, "name" | "kind">} entrant */
export const entrantName = ({ name, kind }) =>
  html`${named(guestName(name))}${kind === "bot" ? html` <span class="badge">${t("bot")}</span>` : nothing}`;

/** The name of an entrant by number. @param {Record<string, string>} names @param {number | null} number */
const nameIn = (names, number) => named(guestName(names[String(number)] ?? ""));

/** Lines of the standings that are seen without scrolling, about. */
const SEEN = 8;

/**
 * @param {Pick<Standings, "rows" | "tie_breaks"> | null} standings
 * @param {string} system
 * @param {number | undefined} mine the number of this player
 * @param {OwnLine | null} own their line, which stands at the top where it would not be seen
 */
export function standingsTable(standings, system, mine, own = null) {
  if (!standings?.rows.length)
    return html`<p class="empty">${t("There are no standings before the start.")}</p>`;
  const { rows, tie_breaks: order } = standings;
  // Brackets have places alone; elsewhere than in an arena each win is a point, which stands there already.
  const sums = /** @type {const} */ (["score", "wins", "losses"]).filter(
    (name) => !rows[0].bracket && (name !== "wins" || system === "arena"),
  );
  const names = { score: t("Points"), wins: t("Won"), losses: t("Lost") };
  const ties = order.filter((name) => rows.some((row) => Number.isFinite(row.ties?.[name])));
  /** @type {Map<string, Ranked[]>} */
  const parts = new Map();
  for (const row of rows) {
    const part = row.group ? t("Group {n}", { n: row.group }) : row.bracket ? bracketName(row.bracket) : "";
    parts.set(part, [...(parts.get(part) ?? []), row]);
  }
  const head = (/** @type {string} */ text) => html`<th scope="col" class="num">${text}</th>`;
  const cell = (/** @type {number | undefined} */ value) =>
    html`<td class="num">${value !== undefined && Number.isFinite(value) ? scoreText(value) : ""}</td>`;
  const line = (/** @type {Ranked} */ row) =>
    html`<tr class=${row.entrant.number === mine ? "mine" : ""}>
      <td class="num"><bdi>${placeText(row)}</bdi></td>
      <th scope="row">${entrantName(row.entrant)}${outOf(row.entrant)}</th>
      ${sums.map((name) => cell(row[name] ?? 0))}${ties.map((name) => cell(row.ties?.[name]))}
    </tr>`;
  const ownLine = (/** @type {OwnLine} */ { score, name, ...row }) =>
    html`<tr class="mine">
      <td class="num"><bdi>${placeText(row)}</bdi></td>
      <th scope="row">${named(guestName(name))}</th>
      ${sums.map((sum) => cell(sum === "score" ? score : undefined))}${ties.map(() => cell(undefined))}
    </tr>`;
  /** What stands above a part of the standings: one's own line, if it is far below or on another page. */
  const pinned = (/** @type {Ranked[]} */ of, /** @type {boolean} */ isFirst) => {
    const at = of.findIndex((row) => row.entrant.number === mine);
    if (at >= SEEN) return html`<tbody class="own">${line(of[at])}</tbody>`;
    // Their line is that of the first part: there their place is the one of the tournament.
    const isElsewhere =
      isFirst && own && own.number === mine && rows.every((row) => row.entrant.number !== mine);
    return isElsewhere ? html`<tbody class="own">${ownLine(own)}</tbody>` : nothing;
  };
  return [...parts].map(
    ([part, of], at) =>
      html`<div class="wide" tabindex="0" role="group" aria-label=${part || t("Standings")}>
        <table class="standings">
          <caption>${part || html`<span class="sr">${t("Standings")}</span>`}</caption>
          <thead>
            <tr>
              ${head(t("Place"))}<th scope="col">${t("Player")}</th>
              ${sums.map((name) => head(names[name]))}${ties.map((name) => head(tieBreakName(name)))}
            </tr>
          </thead>
          ${pinned(of, at === 0)}<tbody>${of.map(line)}</tbody>
        </table>
      </div>`,
  );
}

/** How somebody went out, but for losing. @param {Entrant} entrant */
const outOf = ({ status, why }) =>
  status === "out" && why !== "lost" ? html` <span class="small quiet">${outName(why)}</span>` : nothing;

/** @param {string} why */
function outName(why) {
  const known = {
    withdrawn: t("withdrawn"),
    absent: t("did not come"),
    disqualified: t("disqualified"),
    not_checked_in: t("did not check in"),
    full: t("no place"),
  };
  return known[/** @type {keyof typeof known} */ (why)] ?? why;
}

/**
 * One of the two places of a bracket match.
 * @param {Slot} slot
 * @param {0 | 1} index
 * @param {Record<string, string>} names
 */
function place(slot, index, names) {
  const number = (index ? slot.second : slot.first) ?? -1;
  const won = number > 0 && slot.winner === number;
  const score = number > 0 ? slot.pairing?.result?.score : null;
  // The pairing names White first, which need not be the one whom the first source sends.
  const at = slot.pairing?.white === number ? 0 : 1;
  return html`<span class="player ${won ? "won" : ""}">
    ${number > 0 ? nameIn(names, number) : unnamed(number ? sourceName(slot.from[index]) : t("bye"))}
    ${score ? html`<bdi>${words().figure(score[at])}</bdi>` : nothing}
  </span>`;
}

/** @param {string} text */
const unnamed = (text) => html`<span class="quiet">${text}</span>`;

/** Who comes to a place of a bracket that is not decided yet. @param {Slot["from"][number]} source */
const sourceName = ({ kind, slot }) =>
  kind === "loser" ? t("loser of {slot}", { slot }) : t("winner of {slot}", { slot });

/** Show a round of a bracket, on a screen that has no place for all. @param {Event} event @param {number} at */
function turnTo(event, at) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const rounds = button.closest(".bracket")?.querySelector(".rounds");
  if (!rounds) return;
  const left = (/** @type {Element} */ of) => of.getBoundingClientRect().left;
  rounds.scrollBy({ left: left(rounds.children[at]) - left(rounds) });
}

/** Mark the round that is shown among the tabs. @param {Event} event */
function marked(event) {
  const rounds = /** @type {HTMLElement} */ (event.currentTarget);
  const middle = (/** @type {Element} */ of) => of.getBoundingClientRect().left + of.clientWidth / 2;
  const off = [...rounds.children].map((each) => Math.abs(middle(each) - middle(rounds)));
  const shown = off.indexOf(Math.min(...off));
  for (const [at, tab] of [...(rounds.previousElementSibling?.children ?? [])].entries())
    tab.setAttribute("aria-pressed", String(at === shown));
}

/**
 * All brackets: each a row of rounds. A screen that is too narrow for it shows one at a time, by a swipe or by the tabs
 * above. It is a list of headings and matches for a reader.
 * @param {Brackets | null} found
 */
export function bracketList(found) {
  if (!found?.brackets.length) return nothing;
  /** @typedef {Brackets["brackets"][number]["rounds"][number]} Round */
  const round = (
    /** @type {Round} */ { round, slots },
    /** @type {number} */ at,
    /** @type {Round[]} */ all,
  ) =>
    html`<section class=${joins(slots, all[at + 1]?.slots ?? [])}>
      <h4>${t("Round {n}", { n: round })}</h4>
      <ol>${slots.map((slot) => html`<li>${slotBox(slot, found.names)}</li>`)}</ol>
    </section>`;
  const tabs = (/** @type {Round[]} */ rounds) =>
    html`<div class="row round-tabs" role="group" aria-label=${t("Rounds")}>
      ${rounds.map(
        (each, at) =>
          html`<button class="small" aria-pressed=${at ? "false" : "true"}
            aria-label=${t("Round {n}", { n: each.round })}
            @click=${(/** @type {Event} */ event) => turnTo(event, at)}>
            ${words().figure(each.round)}
          </button>`,
      )}
    </div>`;
  return found.brackets.map(
    ({ name, rounds }) =>
      html`<section class="bracket">
        <h3>${bracketName(name)}</h3>
        ${rounds.length > 1 ? tabs(rounds) : nothing}
        <div class="rounds" @scroll=${marked} tabindex="0" role="group" aria-label=${bracketName(name)}>
          ${rounds.map(round)}
        </div>
      </section>`,
  );
}

/**
 * How lines join the matches of a round to those of the next: two to each, one to each, or none.
 * @param {Slot[]} these @param {Slot[]} next
 */
export function joins(these, next) {
  const leads = (/** @type {number} */ to, /** @type {number} */ from) =>
    next[to].from.some(({ kind, slot }) => kind !== "loser" && slot === these[from].slot);
  const all = (/** @type {number} */ each) =>
    next.length * each === these.length && these.every((_, from) => leads(Math.floor(from / each), from));
  return !next.length ? "" : all(2) ? "paired" : all(1) ? "single" : "";
}

/** @param {Slot} slot @param {Record<string, string>} names */
function slotBox(slot, names) {
  const lines = html`<span class="small quiet">${slot.slot}</span>${place(slot, 0, names)}${place(slot, 1, names)}`;
  return slot.pairing?.url
    ? html`<a class="slot" href=${slot.pairing.url}>${lines}</a>`
    : html`<div class="slot">${lines}</div>`;
}

/** The number of the pairing that the address names, as the code on its result sheet does; 0 where it names none. */
export const soughtTable = () => Number(/^#table-(\d+)$/.exec(location.hash)?.[1] ?? 0);

/**
 * @param {Pairing[]} pairings
 * @param {Record<string, string>} names
 * @param {(pairing: Pairing) => unknown} [more] what stands at the end of a row
 * @param {typeof standing} [result] what stands in the column of results
 */
export function pairingsTable(pairings, names, more = watchLink, result = standing) {
  if (!pairings.length) return html`<p class="empty">${t("Nobody is paired just now.")}</p>`;
  const row = (/** @type {Pairing} */ each) =>
    html`<tr aria-current=${each.number === soughtTable() ? "location" : nothing}>
      <td class="num">${words().figure(each.number)}</td>
      <td>${nameIn(names, each.white)}</td>
      <td>${each.black ? nameIn(names, each.black) : t("bye")}</td>
      <td>${result(each, names)}</td>
      <td class="num">${more(each)}</td>
    </tr>`;
  return html`<div class="wide pairings" tabindex="0" role="group" aria-label=${t("Pairings")}>
    <table>
      <thead>
        <tr>
          <th scope="col" class="num">${t("Table")}</th>
          <th scope="col">${t("White")}</th>
          <th scope="col">${t("Black")}</th>
          <th scope="col">${t("Result")}</th>
          <th></th>
        </tr>
      </thead>
      <tbody>${pairings.map(row)}</tbody>
    </table>
  </div>`;
}

/** The way to the match of a pairing. @param {Pairing} pairing */
const watchLink = ({ url, result }) =>
  url ? html`<a class="button" href=${url}>${result ? t("Look") : t("Watch")}</a>` : nothing;

/**
 * How a pairing stands: who has won and how, or that it is not over.
 * @param {Pairing} pairing
 * @param {Record<string, string>} names
 * @returns {unknown}
 */
function standing({ result, status }, names) {
  if (status === "annulled") return t("annulled");
  if (!result) return status === "live" ? t("being played") : t("not begun");
  if (result.how === "bye") return nothing;
  const winner = result.winner ? html`${nameIn(names, result.winner)} · ` : nothing;
  const score = result.score?.map((n) => words().figure(n)).join("–");
  const how = howName(result.how);
  return html`${winner}${score ? html`<bdi class="score">${score}</bdi>` : nothing}${score && how ? " · " : ""}${how}`;
}
