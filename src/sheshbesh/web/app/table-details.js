/** The rest of what a table agrees on, fetched when somebody wants to see it: clock, dice, side, house rules. */
import { html, nothing } from "../vendor/lit.js";
import { t } from "../i18n/i18n.js";
import { optionName, valueName } from "./option-words.js";
import { clockName } from "./table-card.js";

/**
 * @typedef {import("./table-card.js").TableCard} TableCard
 * @typedef {import("./table-card.js").Option} Option
 */

const CLOCKS = ["n", "d12-120", "d8-60", "d5-30", "t30", "f10-60"];

/**
 * @param {TableCard} table
 * @param {string} label
 * @param {boolean} value
 * @param {(value: boolean) => Partial<TableCard>} change
 */
function check(table, label, value, change) {
  return html`<label class="check"><input type="checkbox" .checked=${value}
    @change=${(/** @type {Event} */ event) => table.set(change(/** @type {HTMLInputElement} */ (event.target).checked))}>${label}</label>`;
}

/** Whether an option of the card bears on a match of this length, counted in this way. @param {TableCard} table @param {Option} option */
function bears(table, { name }) {
  const money = table.contest === "money";
  switch (name) {
    case "settle":
      return money;
    case "later_start":
      return money || table.points > 1;
    case "cube":
      return table.contest !== "games";
    case "allow_dead_double":
      return table.cube && !money;
    default:
      return true;
  }
}

/** @param {TableCard} table @param {Option} option */
function choice(table, option) {
  const fallback = option.default;
  const value = table.options[option.name] ?? fallback;
  const id = `option-${option.name}`;
  return html`<div class="field"><label for=${id}>${optionName(option.name)}</label>
    <select id=${id} aria-describedby="${id}-doc" @change=${(/** @type {Event} */ event) => {
      const chosen = option.values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
      const { [option.name]: _, ...others } = table.options;
      table.set({ options: chosen === fallback ? others : { ...others, [option.name]: chosen } });
    }}>${option.values.map((each) => html`<option ?selected=${each === value}>${valueName(each)}</option>`)}</select>
    <span class="small quiet" id="${id}-doc">${option.doc}</span></div>`;
}

/**
 * Everything that is agreed on besides game, opponent and length.
 * @param {TableCard} table
 * @param {string} kind who plays against us
 * @param {boolean} guest guests have no ratings
 */
export function details(table, kind, guest) {
  const money = table.contest === "money";
  return html`
    ${money || table.points === 1 ? nothing : html`<fieldset class="field"><legend>${t("Counted by")}</legend><div class="segments">
      <label><input type="radio" name="contest" .checked=${table.contest === "points"} @change=${() => table.set({ contest: "points" })}>${t("points")}</label>
      <label><input type="radio" name="contest" .checked=${table.contest === "games"} @change=${() => table.set({ contest: "games" })}>${t("games, most of them win")}</label></div></fieldset>`}
    ${money ? nothing : html`<div class="field"><label for="points">${t("Match to")}</label><input id="points" type="number" min="1" max="99" required .value=${String(table.points)}
        @change=${(/** @type {Event} */ event) => {
          const input = /** @type {HTMLInputElement} */ (event.target);
          if (input.reportValidity()) table.set({ points: input.valueAsNumber });
        }}></div>`}
    <div class="field"><label for="clock">${t("Clock")}</label>
      <select id="clock" @change=${(/** @type {Event} */ event) => table.set({ clock: /** @type {HTMLSelectElement} */ (event.target).value })}>
        ${CLOCKS.map((code) => html`<option value=${code} ?selected=${code === table.clock}>${clockName(code)}</option>`)}</select>
      ${table.clock === "n" ? nothing : html`<span class="small quiet">${t("Should the server be interrupted, the clocks stand still until it is back.")}</span>`}</div>
    <fieldset class="field"><legend>${t("Dice")}</legend><div class="segments">
      <label><input type="radio" name="dice" .checked=${!table.typed} @change=${() => table.set({ typed: false })}>${t("fair: nobody can know them")}</label>
      <label><input type="radio" name="dice" .checked=${table.typed} @change=${() => table.set({ typed: true })}>${t("typed in from a real board")}</label></div></fieldset>
    <fieldset class="field"><legend>${t("You play")}</legend><div class="segments">
      ${/** @type {[string, string][]} */ ([["random", t("by lot")], ["white", t("light")], ["black", t("dark")]]).map(
        ([side, text]) => html`<label><input type="radio" name="side" .checked=${table.side === side} @change=${() => table.set({ side })}>${text}</label>`,
      )}</div></fieldset>
    ${kind === "hotseat" ? html`<div class="field"><span class="label">${t("Names")}</span><div class="row">${[0, 1].map(
        (i) => html`<input maxlength="20" aria-label=${i ? t("Second player") : t("First player")} placeholder=${i ? t("Second player") : t("First player")} .value=${table.names[i]}
          @input=${(/** @type {Event} */ event) => (table.names[i] = /** @type {HTMLInputElement} */ (event.target).value)}>`,
      )}</div></div>` : nothing}
    ${table.cube && money ? html`${check(table, t("Jacoby: gammons count only after a double"), table.jacoby, (jacoby) => ({ jacoby }))}
      ${check(table, t("Beavers"), table.beavers, (beavers) => ({ beavers }))}` : nothing}
    ${table.cube && !money && table.points > 1 ? check(table, t("Crawford game"), table.crawford, (crawford) => ({ crawford })) : nothing}
    ${kind === "engine" ? check(table, t("Tutor: a hint before and a verdict after each move"), table.tutor, (tutor) => ({ tutor })) : nothing}
    ${!guest && !table.typed && ["friend", "seek", "challenge"].includes(kind) ? check(table, t("Rated"), table.rated, (rated) => ({ rated })) : nothing}
    ${["friend", "engine", "hotseat"].includes(kind) ? check(table, t("Nobody watches"), table.private, (only) => ({ private: only })) : nothing}
    ${(table.variant?.options ?? []).filter((option) => bears(table, option)).map((option) => choice(table, option))}`;
}
