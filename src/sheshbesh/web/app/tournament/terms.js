/** What is told of a tournament beside its play: the terms, who has entered, what was decided. */

import { t, tn, words } from "../../i18n/i18n.js";
import { clockName } from "../clock-code.js";
import { guestName } from "../names.js";
import { html, named, nothing } from "../view.js";
import { entrantName } from "./parts.js";
import { away, consolations, draws, systemName, tieBreakName, when } from "./words.js";

/** @import { WholeTournament } from "../wire.js" */

/** The systems that end in brackets, whose order is drawn. */
const BRACKETS = new Set(["knockout", "double"]);
/** How many entrants a line of the log names at most. */
const NAMED = 4;

/**
 * What was agreed on before it began.
 * @param {WholeTournament} found
 * @param {Map<string, string>} titles of games in the reader's language
 */
export function termsCard(found, titles) {
  const { settings, card } = found;
  const lines = [
    [t("Game"), titles.get(card.game) ?? card.title],
    [t("System"), systemName({ system: found.system, groups: settings.groups })],
    [
      t("Length"),
      card.contest === "games"
        ? tn("best of {n} game", "best of {n} games", found.length)
        : tn("to {n} point", "to {n} points", found.length),
    ],
    [t("Clock"), settings.boards === "real" ? t("real boards") : clockName(card.clock.code)],
    settings.groups ? [t("Groups before the bracket"), words().figure(settings.groups)] : null,
    BRACKETS.has(found.system)
      ? [t("Order in the bracket"), draws().find(([name]) => name === settings.draw)?.[1] ?? ""]
      : null,
    found.system === "knockout"
      ? [t("Consolation"), consolations().find(([name]) => name === settings.consolation)?.[1] ?? ""]
      : null,
    settings.last_chance ? [t("Last chance"), t("yes")] : null,
    settings.third_place ? [t("Third place"), t("yes")] : null,
    found.system === "losses" ? [t("Losses until elimination"), words().figure(settings.losses)] : null,
    found.ends ? [t("Ends"), when(found.ends)] : null,
    found.starts && !found.began ? [t("Starts"), `${away(found.starts)} · ${when(found.starts)}`] : null,
    found.check_in_from && !found.began ? [t("Check-in from"), when(found.check_in_from)] : null,
    found.rounds ? [t("Rounds"), words().figure(found.rounds)] : null,
    found.tie_breaks.length > 1
      ? [t("Ties are broken by"), found.tie_breaks.map(tieBreakName).join(" · ")]
      : null,
    [t("Rated"), settings.rated ? t("yes") : t("no")],
    settings.delay
      ? [t("Those who watch see the boards"), tn("{n} minute later", "{n} minutes later", settings.delay)]
      : null,
  ].filter((line) => line !== null);
  return html`<section class="card stack">
    <h2>${t("Terms")}</h2>
    <dl class="terms">${lines.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
    ${settings.text ? html`<p class="written">${named(settings.text)}</p>` : nothing}
    <p class="small quiet">${t("In a tournament there are no agreements, pauses, hints or rematches.")}</p>
    ${
      settings.boards !== "real" && settings.public
        ? html`<p class="small quiet">
          ${t("When all is played, matches of the first three are reviewed for everybody.")}
        </p>`
        : nothing
    }
  </section>`;
}

/** Who has entered, before it begins. @param {WholeTournament} found */
export function entrantsCard(found) {
  if (found.began || !found.entrants.length) return nothing;
  return html`<section class="card">
    <h2>${t("Who is in")}</h2>
    <ol class="people-in">
      ${found.entrants.map(
        (each) =>
          html`<li>
            ${entrantName(each)}
            ${each.rating ? html` <span class="quiet">${words().figure(each.rating)}</span>` : nothing}
            ${
              each.status === "checked_in"
                ? html` <span class="badge">${t("checked in")}</span>`
                : each.status === "waiting"
                  ? html` <span class="badge">${t("waiting list")}</span>`
                  : nothing
            }
          </li>`,
      )}
    </ol>
  </section>`;
}

/** What its directors and the site have decided and written. @param {WholeTournament} found */
export function logCard({ entrants, log }) {
  if (!log.length) return nothing;
  const about = (/** @type {number[]} */ numbers) =>
    numbers.length <= NAMED
      ? entrants
          .filter(({ number }) => numbers.includes(number))
          .map(({ name }, at) => html`${at ? " – " : " · "}${named(guestName(name))}`)
      : nothing;
  return html`<details class="card">
    <summary><h2>${t("Decisions and messages")}</h2></summary>
    <ul class="plain">
      ${log.map(
        (line) =>
          html`<li>
            <span class="small quiet">${when(line.at)}</span> ${logName(line.what)}${about(line.about)}
            ${line.reason ? html`: ${named(line.reason)}` : nothing}
          </li>`,
      )}
    </ul>
  </details>`;
}

/** @param {string} what */
function logName(what) {
  const known = {
    message: t("Message"),
    hold: t("Held"),
    release: t("Goes on"),
    penalty: t("Penalty"),
    ruling: t("Ruling"),
    correct: t("Result corrected"),
    disqualify: t("Disqualified"),
    reinstate: t("Taken back"),
    remove: t("Removed"),
    repair: t("Round paired anew"),
    extend: t("Time extended"),
    amend: t("Settings changed"),
    together: t("Paired although they were to be kept apart"),
    cancel: t("Cancelled"),
    put_off: t("The start was put off, since the site was away"),
    walkover: t("Decided without play"),
    forbid: t("Kept apart"),
    announce: t("Announced"),
    add: t("Name entered"),
    enter_result: t("Result entered"),
    seed: t("Seeded by hand"),
    mute: t("Muted"),
    unmute: t("May write again"),
    playoff: t("Playoff"),
    confirm: t("Standings confirmed"),
  };
  return known[/** @type {keyof typeof known} */ (what)] ?? what;
}
