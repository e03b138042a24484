/** A table of a chouette that has not begun: who has sat down, what was agreed on, and the link for others. */
import { t } from "../../i18n/i18n.js";
import { del, post } from "../api.js";
import { clockName } from "../clock-code.js";
import { joiningLink } from "../joining-link.js";
import { guestName, levelName } from "../names.js";
import { html, named, nothing } from "../view.js";

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
    "The box and the team have a clock each, set anew for every game. A side whose time runs out loses the game; the chouette goes on.",
  );

/**
 * A choice of the level of a bot.
 * @param {readonly string[]} levels
 * @param {string} level the chosen one
 * @param {string} label
 * @param {(name: string) => void} choose
 */
export const levelSelect = (levels, level, label, choose) =>
  html`<select class="level" aria-label=${label} @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>${levels.map((name) => html`<option value=${name} ?selected=${name === level}>${levelName(name)}</option>`)}</select>`;

/** What was agreed on, in words. @param {any} about */
function agreed({ card, consultation, chosen_members }) {
  const advice = `${t("Advice to the captain")}: ${adviceRules()[consultation] ?? consultation}`;
  const clock =
    card.clock.kind === "none" ? "" : ` · ${t("Clock")}: ${clockName(card.clock.code)}. ${clockRule()}`;
  return html`<p class="quiet small">${card.cube ? html`${chosen_members ? t("The box chooses whom to double") : t("The box doubles all members at once")} · ` : nothing}${advice}${clock}</p>`;
}

/** @param {import("../views/chouette.js").Chouette} view */
export function gathering(view) {
  const { about, path } = view;
  const sits = about.you.length > 0;
  const leave = (/** @type {string} */ name) =>
    view.change(() => del(`${path}/people/${encodeURIComponent(name)}`));
  return html`<div class="page narrow stack"><h1>${t("Chouette")}</h1>
    <p class="lead">${t(about.card.title)} · <bdi dir="ltr"><code>${about.card.code}</code></bdi></p>
    <p>${t("One plays as the box against all others, who have a cube each. Three to ten people may sit down.")}</p>${agreed(about)}
    ${about.private ? html`<p class="small quiet">${t("A table that is not in the list is not secret: anyone with its link may look and sit down.")}</p>` : nothing}
    <ul class="people gathered">${about.people.map(
      (/** @type {any} */ person) =>
        html`<li>${named(guestName(person.name))} ${person.bot ? html`<span class="badge">${levelName(person.level ?? "")}</span>` : nothing}<span class="spring"></span>
        ${person.you || person.bot || about.owner ? html`<button @click=${() => leave(person.name)}>${t("Remove")}</button>` : nothing}</li>`,
    )}</ul>
    ${
      sits
        ? html`<div class="row">${levelSelect(view.levels, view.level, t("Level"), (name) => (view.level = name))}<button ?disabled=${about.people.length >= 10} @click=${() => view.change(() => post(`${path}/bots`, { level: view.level }))}>${t("Add a bot")}</button></div>
      <div class="actions"><button class="pri" ?disabled=${about.people.length < 3} @click=${() => view.change(() => post(`${path}/begin`))}>${t("Begin")}</button></div>`
        : html`<div class="actions"><button class="pri" @click=${() => view.sit()}>${t("Sit down")}</button></div>`
    }
    <section class="card invite"><h2>${t("Send this link to the others")}</h2>${joiningLink(view.app, path)}</section></div>`;
}
