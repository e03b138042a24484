/** The line of the front page that names the tournament to be played next, or the one that is being played. */

import { t } from "../i18n/i18n.js";
import { get } from "./api.js";
import { away, titleOf, when } from "./tournament/words.js";
import { html, named, nothing, states, View } from "./view.js";

/** @import { ListedTournament } from "./wire.js" */

class NextTournament extends View {
  static properties = states("found");

  constructor() {
    super();
    /** @type {ListedTournament | null | undefined} */
    this.found = null;
  }

  async fetch() {
    /** @type {Record<"now" | "soon", ListedTournament[]> | null} */
    const lists = await get("/tournaments").catch(() => null);
    if (!lists) return;
    const coming = lists.soon.filter((each) => each.starts);
    this.found = lists.now.find((each) => each.system === "arena") ?? coming[0] ?? lists.now[0];
  }

  render() {
    const { found } = this;
    if (!found) return nothing;
    const time =
      found.status === "running" || !found.starts
        ? t("under way")
        : `${away(found.starts)} · ${when(found.starts)}`;
    return html`<p class="beside-link">
      ${t("Next tournament")}: <a href=${found.url}>${named(titleOf(found))}</a> · ${time}
    </p>`;
  }
}

customElements.define("ssb-next-tournament", NextTournament);
