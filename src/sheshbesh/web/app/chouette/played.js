/** Chouettes that are over: what was played, when, with whom, and a link to the replay. */
import { t, words } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { html } from "../view.js";

/** @param {import("../wire.js").ListedChouette[]} tables @param {Map<string, string>} titles of games */
export const playedChouettes = (tables, titles) =>
  html`<ul class="people">
    ${tables.map(
      ({ url, game, ended, people }) =>
        html`<li>
          <span>${titles.get(game) ?? game}<br><span class="small quiet">${words().moment(ended)} ·
              ${words().joined(people.map(guestName))}</span></span>
          <span class="spring"></span>
          <a class="button" href="${url}/replay">${t("Replay")}</a>
        </li>`,
    )}
  </ul>`;
