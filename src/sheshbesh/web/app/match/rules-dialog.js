/** The rules of the table, a click away from the board. */
import { t } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";

/**
 * @param {import("../types.js").State} state
 * @param {string} name of the game, in the language of the page
 * @param {{topic: string, text: string, source: string | null}[]} rules
 * @param {() => void} close
 */
export function rulesDialog(state, name, rules, close) {
  return html`<h2 tabindex="-1" autofocus>${name}</h2>
    <p class="small quiet">${t("Keys: Space rolls and confirms, U takes back, 1 to 6 pick a die, D doubles, T takes, X drops, B beavers, R resigns, H asks for a hint, F turns the board; or type a play such as 8/5 6/5 and Enter.")}</p>
    <p class="small quiet">${t("The rules of this table")} · <bdi dir="ltr"><code>${state.card.code}</code></bdi></p>
    ${state.clock ? html`<p class="small quiet">${t("Should the server be interrupted, the clocks stand still until it is back.")}</p>` : nothing}
    ${rules.map((rule) => html`<div class="rule"><b>${rule.topic}</b><p>${rule.text}</p>${rule.source ? html`<p class="source">${rule.source}</p>` : nothing}</div>`)}
    <div class="actions"><a class="button" href="/rules/${state.card.game}">${t("All rules of the game")}</a><button class="pri" @click=${close}>${t("Back")}</button></div>`;
}
