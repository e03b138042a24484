/**
 * The people around the board of a chouette: plates of those who play, seats with cubes and advice, the score sheet.
 */
import { t, words } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { plate } from "../table/plate.js";
import { html, ltr, named, nothing } from "../view.js";
import { offered } from "./settling.js";

/**
 * @import { Member, Person, Shown, Side, Terms } from "../wire.js"
 * @typedef {import("../table/model.js").TableModel} Model
 */

/** Points with their sign. @param {number} n */
const signed = (n) => ltr(`${n > 0 ? "+" : n < 0 ? "−" : ""}${words().figure(Math.abs(n))}`);

/** The plate of the box or of the captain. @param {Model} model @param {Side} side @param {boolean} own */
export function handPlate(model, side, own) {
  const player = model.playerFor(side);
  const pips = model.state?.pips[side];
  return plate(model, side, {
    own,
    name: guestName(player),
    below: html`<span class="badge">${side === "white" ? t("Box") : t("Captain")}</span>
      ${pips ? html`<span>${words().figure(pips)}</span>` : nothing}`,
    score: html`<b>${signed(model.around.sheet[player] ?? 0)}</b>`,
  });
}

/** The letter by which somebody is found at a glance. @param {string} name */
const initial = (name) => ([...name.trim()][0] ?? "").toLocaleUpperCase(words().tag);

/**
 * A settlement beside its member: what they would get, with the whole sentence for who asks.
 * @param {string} box @param {Member} member @param {Terms} terms
 */
function proposal(box, member, { by, points }) {
  const label = offered(box, member);
  const gain = signed(by === "white" ? -points : points);
  return html`<span class="small terms" title=${label} aria-label=${label} role="img">${t("offer")} ${gain}</span>`;
}

/** The cube of a member, and with whom it is. @param {Member} member */
function cube({ owner, value, offered, terms }) {
  const where =
    owner === null ? t("in the middle") : owner === "white" ? t("with the box") : t("with the team");
  return html`<span class="cube" title=${where}>${words().figure(value)}</span>
    ${terms ? nothing : html`<span class="small where">${offered ? t("doubled") : where}</span>`}`;
}

/** @param {Shown} shown @param {Person} person */
function seat({ members, box, cubes }, person) {
  const member = members.find(({ name }) => name === person.name);
  const roles = /** @type {Record<string, string>} */ ({ box: t("Box"), captain: t("Captain") });
  const role = roles[person.role];
  const name = guestName(person.name);
  const quiet = person.role === "gone" || (member && !member.playing);
  const status =
    person.bot || person.stand_in
      ? html`<span class="badge">${t("bot")}</span>`
      : html`<span class="dot away" role="img" aria-label=${t("away")}></span>`;
  return html`<li class="${quiet ? "quiet" : ""} ${person.you ? "mine" : ""}">
    <span class="name">
      <span class="initial" aria-hidden="true">${initial(name)}</span><b>${named(name)}</b>
      ${role ? html`<span class="badge role">${role}</span>` : nothing}
      ${person.here && !person.bot && !person.stand_in ? nothing : status}
    </span>
    <span class="tells">
      ${member?.terms ? proposal(box, member, member.terms) : nothing}
      ${member?.advice ? ltr(member.advice) : nothing}
      ${member && !member.playing ? html`<span class="small">${t("out of the game")}</span>` : nothing}
      ${member?.playing && cubes ? cube(member) : nothing}
    </span>
  </li>`;
}

/** Everybody with role, cube and advice. @param {Shown} shown */
export const seats = (shown) =>
  html`<ul class="chouette-seats">
    ${shown.people.filter(({ role }) => role !== "gone").map((person) => seat(shown, person))}
  </ul>`;

/** The gains of each game and their sum. @param {Shown} shown */
export function sheet({ people, rows, sheet }) {
  const line = (/** @type {Record<string, number>} */ row) =>
    people.map(({ name }) => html`<td class="num">${signed(row[name] ?? 0)}</td>`);
  return html`<div class="chouette-sheet"><table class="numbers">
    <thead>
      <tr><th>${t("Game")}</th>${people.map(({ name }) => html`<th class="num">${named(guestName(name))}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map((row, n) => html`<tr><td>${words().figure(n + 1)}</td>${line(row)}</tr>`)}
      <tr class="sum"><th>${t("Sum")}</th>${line(sheet)}</tr>
    </tbody>
  </table></div>`;
}
