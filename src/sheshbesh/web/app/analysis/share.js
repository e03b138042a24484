/** A position taken elsewhere: as a link, as ids of other programs, as a picture, as a board in another page. */

import { t } from "../../i18n/i18n.js";
import { STATIC } from "../api.js";
import { html, ltr, nothing } from "../view.js";

/**
 * @param {{ address: string, ids: Record<string, string>, card: string, game: string, viewer: string, material: string,
 *   copy: (text: string) => void }} what
 */
export function sharing({ address, ids, game, viewer, material, copy }) {
  const look = `${viewer === "black" ? "&view=black" : ""}${material === "wood" ? "" : `&look=${material}`}`;
  const source = `${location.origin}/embed/${game}?${address}${look}`;
  const size = `width="480" height="424" loading="lazy" title="Sheshbesh"`;
  const frame = `<iframe src="${source}" ${size}></iframe>`;
  const line = (/** @type {string} */ name, /** @type {string | undefined} */ text) =>
    text
      ? html`<div class="written">
        <span>${name}</span>
        <code dir="ltr">${text}</code>
        <button @click=${() => copy(text)}>${t("Copy")}</button>
      </div>`
      : nothing;
  return html`<details class="sharing">
    <summary>${t("Share")}</summary>
    <div class="stack">
      ${line(t("Link"), `${location.origin}/analysis?${address}`)} ${line(t("Our id"), ids.own)}
      ${line("XGID", ids.xgid)}${line(t("GNU Backgammon id"), ids.gnubg)}
      ${
        STATIC
          ? nothing
          : html`${line(t("For a page of one's own"), frame)}
            <p class="row">
              <a class="button" href="/pictures/board.svg?${address}${look}" download="${game}.svg">${ltr("SVG")}</a>
              <a class="button" href="/pictures/board.png?${address}${look}" download="${game}.png">${ltr("PNG")}</a>
            </p>`
      }
    </div>
  </details>`;
}
