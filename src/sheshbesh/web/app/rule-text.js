/** One line of a rule card: a rule in the server's words, a house rule with its values in the page's words. */
import { t } from "../i18n/i18n.js";
import { optionName, valueName } from "./option-words.js";
import { html, nothing } from "./view.js";

/**
 * @typedef {{ids: string[], topic: string, text: string, source: string | null, quote?: string, note?: string,
 *   option?: {name: string, doc: string, values: string[], value: string} | null}} RuleLine
 */

/** What a line is about: its topic, or the name of the option. @param {RuleLine} rule */
const topicOf = ({ topic, option }) => (option ? optionName(option.name) : topic);

/** A rule without its source. @param {RuleLine} rule */
function body({ text, option }) {
  return option
    ? html`<p>
        ${option.values.map(
          (each, i) =>
            html`${i ? " · " : ""}${
              each === option.value ? html`<strong>✓ ${valueName(each)}</strong>` : valueName(each)
            }`,
        )}
      </p>
      <p class="small quiet">${option.doc}</p>`
    : html`<p>${text}</p>`;
}

/** A single rule with its source. @param {RuleLine} rule */
export function ruleLine(rule) {
  const { ids, source } = rule;
  return html`<div class="rule" id=${ids[0]}>
    ${ids.slice(1).map((id) => html`<span id=${id}></span>`)}
    <h3>${topicOf(rule)}</h3>
    ${body(rule)} ${source ? html`<p class="source">${t("Source:")} ${source}</p>` : nothing}
  </div>`;
}

/**
 * The rules of a game, and what they are taken from in one disclosure below them.
 * @param {RuleLine[]} rules
 */
export function ruleCard(rules) {
  return html`${rules.map(
    (rule) =>
      html`<div class="rule" id=${rule.ids[0]}>
        ${rule.ids.slice(1).map((id) => html`<span id=${id}></span>`)}
        <h3>${topicOf(rule)}</h3>
        ${body(rule)}
      </div>`,
  )}
    <details class="rule sources">
      <summary>${t("Sources")}</summary>
      <dl>
        ${rules.map(
          (rule) =>
            html`<dt>${topicOf(rule)}</dt>
              <dd>${rule.source}${rule.quote ? html`<q>${rule.quote}</q>` : nothing}</dd>`,
        )}
      </dl>
    </details>`;
}
