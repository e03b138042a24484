/** A table of a chouette that has not begun: who has sat down, what was agreed on, and the link for others. */

import { t } from "../../i18n/i18n.js";
import { del, post } from "../api.js";
import { clockName } from "../clock-code.js";
import { list } from "../fields.js";
import { joiningLink } from "../joining-link.js";
import { guestName, levelName } from "../names.js";
import { html, named, nothing } from "../view.js";

/**
 * @import { Gathering } from "../wire.js"
 * @typedef {import("../views/chouette.js").Chouette} View
 */

/** The level of a bot that nobody has chosen another for. */
export const LEVEL = "club";

/** When the others may advise the captain. @returns {Record<string, string>} */
export const adviceRules = () => ({
  free: t("at any time"),
  after_cube: t("once one’s own cube was turned"),
  never: t("never"),
});

/** How a clock counts at a table of several. */
export const clockRule = () =>
  t(
    "The box and the team have a clock each, set anew for every game. A side whose time runs out " +
      "loses the game; the chouette goes on.",
  );

/**
 * A choice of the level of a bot.
 * @param {readonly string[]} levels
 * @param {string} level the chosen one
 * @param {string} label
 * @param {(name: string) => void} choose
 */
export const levelList = (levels, level, label, choose) =>
  list(
    { label, kind: "level" },
    levels.map((name) => [name, levelName(name)]),
    level,
    choose,
  );

/** What was agreed on, in words. @param {Gathering} about */
function agreed({ card, consultation, chosen_members }) {
  const doubling = chosen_members
    ? t("The box chooses whom to double")
    : t("The box doubles all members at once");
  const advice = `${t("Advice to the captain")}: ${adviceRules()[consultation] ?? consultation}`;
  const clock = `${t("Clock")}: ${clockName(card.clock.code)}. ${clockRule()}`;
  const parts = [card.cube && doubling, advice, card.clock.kind !== "none" && clock];
  return html`<p class="quiet small">${parts.filter(Boolean).join(" · ")}</p>`;
}

/** @param {View} view @param {Gathering} about */
function seated(view, about) {
  const leave = (/** @type {string} */ name) => () =>
    view.change(() => del(`${view.path}/people/${encodeURIComponent(name)}`));
  return html`<ul class="people gathered">${about.people.map(
    ({ name, bot, level, you }) => html`<li>
      ${named(guestName(name))} ${bot ? html`<span class="badge">${levelName(level ?? "")}</span>` : nothing}
      <span class="spring"></span>
      ${you || bot || about.owner ? html`<button @click=${leave(name)}>${t("Remove")}</button>` : nothing}
    </li>`,
  )}</ul>`;
}

/** What those who sit here may do. @param {View} view @param {Gathering} about */
function beginning(view, { people }) {
  const { levels, level, path } = view;
  const add = () => view.change(() => post(`${path}/bots`, { level: view.level }));
  const begin = () => view.change(() => post(`${path}/begin`));
  return html`<div class="row">
      ${levelList(levels, level, t("Level"), (name) => (view.level = name))}
      <button ?disabled=${people.length >= 10} @click=${add}>${t("Add a bot")}</button>
    </div>
    <div class="actions">
      <button class="pri" ?disabled=${people.length < 3} @click=${begin}>${t("Begin")}</button>
    </div>`;
}

/** @param {View} view @param {Gathering} about */
export function gathering(view, about) {
  const { card, you } = about;
  const unlisted = t(
    "A table that is not in the list is not secret: anyone with its link may look and sit down.",
  );
  const sit = html`<div class="actions">
    <button class="pri" @click=${() => view.sit()}>${t("Sit down")}</button>
  </div>`;
  return html`<div class="page narrow stack">
    <h1>${t("Chouette")}</h1>
    <p class="lead">${t(card.title)}</p>
    <p>
      ${t("One plays as the box against all others, who have a cube each. Three to ten people may sit down.")}
    </p>
    ${agreed(about)}
    ${about.private ? html`<p class="small quiet">${unlisted}</p>` : nothing}
    ${seated(view, about)}
    ${you.length ? beginning(view, about) : sit}
    <section class="card invite">
      <h2>${t("Send this link to the others")}</h2>
      ${joiningLink(view.app, view.path)}
    </section>
  </div>`;
}
