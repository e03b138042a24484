/** The users that one has blocked, and one's private notes. */

import { t, words } from "../../i18n/i18n.js";
import { del, get } from "../api.js";
import { guestName } from "../names.js";
import { byId, html, nothing, personLink, states } from "../view.js";
import { Section } from "./section.js";

class OtherPlayers extends Section {
  static properties = states("blocked", "notes");

  constructor() {
    super();
    /** @type {{id: string, name: string}[] | null} */
    this.blocked = null;
    /** @type {{id: string, name: string, text: string, at: number}[]} */
    this.notes = [];
  }

  async fetch() {
    this.notes = (await this.load(get("/me/notes"))) ?? [];
    this.blocked = await this.load(get("/me/blocks"));
  }

  render() {
    const { blocked, notes } = this;
    if (!blocked) return this.card(t("Other players"), nothing);
    return this.card(
      t("Other players"),
      html`<h3>${t("Blocked")}</h3>
        ${
          blocked.length
            ? html`<ul class="lines">
              ${byId(
                blocked,
                ({ name }) => html`<li class="line">
                  ${personLink(name)}
                  <button
                    aria-label=${t("Unblock {name}", { name: guestName(name) })}
                    @click=${() => this.change(() => del(`/users/${encodeURIComponent(name)}/block`))}
                  >${t("Unblock")}</button>
                </li>`,
              )}
            </ul>`
            : html`<p class="small quiet">${t("You have blocked nobody.")}</p>`
        }
        <h3>${t("My notes")}</h3>
        ${
          notes.length
            ? html`<ul class="lines">
              ${byId(
                notes,
                ({ name, text, at }) =>
                  html`<li class="line">
                    <div>
                      ${personLink(name)} <span class="small quiet">${words().moment(at)}</span>
                      <p class="note"><bdi>${text}</bdi></p>
                    </div>
                  </li>`,
              )}
            </ul>`
            : html`<p class="small quiet">${t("You have written none. They are written on the pages of players.")}</p>`
        }`,
    );
  }
}

customElements.define("ssb-other-players", OtherPlayers);
