/** Fields of forms with their labels, and what was entered in them. */

import { t } from "../i18n/i18n.js";
import { html, nothing } from "../vendor/lit.js";

/** The text of the field in which something was entered. @param {Event} event */
export const textOf = ({ target }) => /** @type {HTMLInputElement | HTMLSelectElement} */ (target).value;

/** Whether the box that was tapped is ticked now. @param {Event} event */
export const isTicked = ({ target }) => /** @type {HTMLInputElement} */ (target).checked;

/** The number in a field, where it takes it. @param {Event} event @param {(n: number) => void} set */
export function takeNumber({ target }, set) {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input.reportValidity()) set(input.valueAsNumber);
}

/** What a form contains that is sent by the page and not by the browser itself. @param {Event} event */
export function entered(event) {
  event.preventDefault();
  return new FormData(/** @type {HTMLFormElement} */ (event.target));
}

/** A field below its label. @param {string} id of the field @param {unknown} label @param {unknown} control */
export const field = (id, label, control) =>
  html`<div class="field"><label for=${id}>${label}</label>${control}</div>`;

/** @template V @typedef {[value: V, text: unknown, lang?: string]} Choice  `lang`: the language of the text */

/** The entries of a list to choose from. @template V @param {Iterable<Choice<V>>} values @param {V} [chosen] */
export const options = (values, chosen) =>
  [...values].map(
    ([value, text, lang]) =>
      html`<option value=${value ?? ""} lang=${lang ?? nothing} ?selected=${value === chosen}>${text}</option>`,
  );

/**
 * A list to choose from; `name` is its id, or where it has none the label that is read aloud.
 * @template V
 * @param {{id?: string, label?: string, kind?: string}} name
 * @param {Iterable<Choice<V>>} values with their texts
 * @param {V} chosen
 * @param {(value: V) => void} set
 */
export function list({ id, label, kind }, values, chosen, set) {
  const all = [...values];
  const changed = (/** @type {Event} */ { target }) =>
    set(all[/** @type {HTMLSelectElement} */ (target).selectedIndex][0]);
  return html`<select
    id=${id ?? nothing}
    class=${kind ?? nothing}
    aria-label=${label ?? nothing}
    @change=${changed}
  >${options(all, chosen)}</select>`;
}

/**
 * A list to choose from, with its label.
 * @template V
 * @param {string} id
 * @param {string} label
 * @param {Iterable<Choice<V>>} values with their texts
 * @param {V} chosen
 * @param {(value: V) => void} set
 */
export const choice = (id, label, values, chosen, set) => field(id, label, list({ id }, values, chosen, set));

/** A box to tick. @param {string} label @param {boolean} value @param {(value: boolean) => void} set */
export const check = (label, value, set) =>
  html`<label class="check">
    <input type="checkbox" .checked=${value} @change=${(/** @type {Event} */ event) => set(isTicked(event))}>
    ${label}
  </label>`;

/**
 * A password: the one of now, or a new one.
 * @param {string} id
 * @param {{name?: string, label?: string, isNew?: boolean, optional?: boolean, wrong?: string | false}} [how]
 *   `wrong`: the id of what is said against it
 */
export const passwordField = (
  id,
  { name = "password", label = t("Password"), isNew = false, optional = false, wrong = false } = {},
) =>
  field(
    id,
    label,
    html`<input
      id=${id}
      name=${name}
      type="password"
      ?required=${!optional}
      minlength=${isNew ? 8 : optional ? nothing : 1}
      maxlength="200"
      autocomplete=${isNew ? "new-password" : "current-password"}
      aria-invalid=${wrong ? "true" : nothing}
      aria-describedby=${wrong || nothing}
    >`,
  );

/** Why something was refused. @param {unknown} text nothing where it was not @param {string} [id] */
export const fault = (text, id) =>
  text ? html`<p class="verdict-bad" id=${id ?? nothing} role="alert">${text}</p>` : nothing;
