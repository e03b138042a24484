/** One line of a rule card: a rule as the server says it, a house rule with its values in the page's words. */
import { t } from "../i18n/i18n.js";
import { optionName, valueName } from "./option-words.js";
import { html, nothing } from "./view.js";

/**
 * @typedef {{ids: string[], topic: string, text: string, source: string | null,
 *   option?: {name: string, doc: string, values: string[], value: string} | null}} RuleLine
 */

/** What stands for a source where the program itself decided. */
const OWN = "family default";

/**
 * A source as players read it: "rules.md B 8: Khalili (004)" is a place on our own sheets, which names another.
 * @param {string} source
 */
export function sourceName(source) {
  if (source === OWN) return t("as in all games of the family");
  const [, place, further] = /^(?:rules\.md|kin\.md|rule sheet) ([^:]+)(?:: (.*))?$/.exec(source) ?? [];
  if (!place) return source;
  return [further, t("rule sheet {place}", { place })].filter(Boolean).join(" · ");
}

/** @param {RuleLine} rule */
export function ruleLine({ ids, topic, text, source, option }) {
  const said = option
    ? html`<p>${option.values.map((each, i) => html`${i ? " · " : ""}${each === option.value ? html`<strong>✓ ${valueName(each)}</strong>` : valueName(each)}`)}</p>
        <p class="small quiet">${option.doc}</p>`
    : html`<p>${text}</p>`;
  return html`<div class="rule" id=${ids[0]}>${ids.slice(1).map((id) => html`<span id=${id}></span>`)}<h3>${option ? optionName(option.name) : topic}</h3>${said}
    ${source ? html`<p class="source">${t("Source:")} <bdi>${sourceName(source)}</bdi></p>` : nothing}</div>`;
}
