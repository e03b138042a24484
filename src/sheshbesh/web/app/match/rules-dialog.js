/** The rules of the table, a click away from the board. */
import { t } from "../../i18n/i18n.js";
import { ruleLine } from "../rule-line.js";
import { html, nothing } from "../view.js";

/**
 * @param {import("../types.js").State} state
 * @param {string} name of the game, in the language of the page
 * @param {import("../rule-line.js").RuleLine[]} rules
 * @param {() => void} close
 */
export function rulesDialog(state, name, rules, close) {
  return html`<h2 tabindex="-1" autofocus>${name}</h2>
    <p class="small quiet keys">${t("Keys: Space rolls and confirms, U takes back, 1 to 6 pick a die, D doubles, T takes, X drops, B beavers, R resigns, H asks for a hint, F turns the board; or type a play such as 8/5 6/5 and Enter.")}</p>
    <p class="small quiet">${t("The rules of this table")} · <bdi dir="ltr"><code>${state.card.code}</code></bdi></p>
    ${state.clock ? html`<p class="small quiet">${t("Should the server be interrupted, the clocks stand still until it is back.")}</p>` : nothing}
    ${rules.map(ruleLine)}
    <div class="actions"><a class="button" href="/rules/${state.card.game}">${t("All rules of the game")}</a><button class="pri" @click=${close}>${t("Back")}</button></div>`;
}
