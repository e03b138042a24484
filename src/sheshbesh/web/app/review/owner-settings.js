/** What the owner of a review sets: which player they are, and whether others may find its positions. */

import { SIDES } from "../../board/types.js";
import { t } from "../../i18n/i18n.js";
import { put } from "../api.js";
import { html, ltr, nothing } from "../view.js";

/**
 * @typedef {import("./detail.js").Review} Review
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {import("../view.js").View & {found: Review | null, filter: string, path: string,
 *   share: () => unknown, unshare: () => unknown, deleteIt: () => unknown}} ReviewView
 */

/**
 * Which player of an uploaded match they are: cards are made of that side's errors.
 * @param {ReviewView} view
 * @param {Review} found
 * @param {(side: Side) => string} name
 */
export function sideChoice(view, found, name) {
  if (found.source !== "upload") return nothing;
  const choose = (/** @type {Side} */ side) =>
    view.attempt(async () => {
      const reply = await put(`${view.path}/side`, { side });
      if (view.found) view.found = { ...view.found, ...reply };
      view.filter = side;
    });
  const label = found.you
    ? t("I played")
    : t("Which player are you? Your errors become cards to practise with.");
  return html`<section class="who-am-i">
    <p class="small quiet" id="who-am-i">${label}</p>
    <div class="row" role="group" aria-labelledby="who-am-i">
      ${SIDES.map(
        (side) =>
          html`<button class="chip" aria-pressed=${found.you === side} @click=${() => void choose(side)}>
            <i class="disc ${side}"></i><bdi>${name(side)}</bdi>
          </button>`,
      )}
      ${found.you ? html`<a class="button" href="/practice">${t("Practice")}</a>` : nothing}
    </div>
  </section>`;
}

/** Whether others may find its positions. @param {ReviewView} view @param {Review} found */
function publicChoice(view, found) {
  const change = (/** @type {Event} */ event) =>
    view.attempt(async () => {
      const reply = await put(`${view.path}/public`, {
        public: /** @type {HTMLInputElement} */ (event.target).checked,
      });
      if (view.found) view.found = { ...view.found, ...reply };
    });
  return html`<label class="check">
    <input type="checkbox" .checked=${found.public} @change=${change}>
    ${t("Make its positions searchable, without names")}
  </label>`;
}

/** What its owner can do with a review. @param {ReviewView} view @param {Review} found */
export function ownerPart(view, found) {
  const { share, source, source_id, names } = found;
  return html`<section class="owner">
    <h2>${t("Share")}</h2>
    <label class="check">
      <input type="checkbox" id="share-names" .checked=${names}>${t("Show the names of all players")}
    </label>
    <div class="row">
      <button @click=${() => void view.share()}>${share ? t("Copy the link") : t("Make a link")}</button>
      ${share ? html`<button @click=${() => void view.unshare()}>${t("Close the link")}</button>` : nothing}
      ${source === "match" ? html`<a class="button" href="/replay/${source_id}">${t("Replay")}</a>` : nothing}
      <button class="danger" @click=${() => void view.deleteIt()}>${t("Delete")}</button>
    </div>
    ${share ? html`<p class="small"><a href=${share}>${ltr(location.origin + share)}</a></p>` : nothing}
    ${found.report ? publicChoice(view, found) : nothing}
  </section>`;
}
