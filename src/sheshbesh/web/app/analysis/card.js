/** What a position is played by: the game with its house rules, money or a match, score and cube. */

import { t, words } from "../../i18n/i18n.js";
import { optionName, valueName } from "../option-words.js";
import { html, nothing } from "../view.js";

/**
 * @typedef {{ name: string, doc: string, values: string[], default: string }} Option
 * @typedef {{ name: string, title: string, has_cube: boolean, options: Option[] }} Variant
 * @typedef {{ game: string, options: Record<string, string>, length: number | null, jacoby: boolean, beavers: boolean
 *   }} Card
 */

/** The code of a card. @param {Card} card */
export function cardCode({ game, options, length, jacoby, beavers }) {
  const parts = [game, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)];
  parts.push(length === null ? "m" : `p${length}`);
  if (length === null && !jacoby) parts.push("nojacoby");
  if (length === null && beavers) parts.push("beavers");
  return parts.join(".");
}

/** @param {Event} event */
const valueIn = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
/** @param {Event} event */
const isChecked = (event) => /** @type {HTMLInputElement} */ (event.target).checked;

/** @param {Variant[]} variants @param {Card} card @param {(card: Card) => void} change */
export const gameField = (variants, card, change) =>
  html`<div class="field">
    <label for="a-game">${t("Game")}</label>
    <select
      id="a-game"
      @change=${(/** @type {Event} */ event) => change({ ...card, game: valueIn(event), options: {} })}
    >
      ${variants.map(
        (each) =>
          html`<option value=${each.name} ?selected=${each.name === card.game}>${each.title}</option>`,
      )}
    </select>
  </div>`;

/**
 * The house rules of a game.
 * @param {Variant | undefined} variant
 * @param {Card} card
 * @param {(card: Card) => void} change
 */
export function optionFields(variant, card, change) {
  if (!variant?.options.length) return nothing;
  return variant.options.map((option) => {
    const value = card.options[option.name] ?? option.default;
    const id = `a-${option.name}`;
    return html`<div class="field">
      <label for=${id}>${optionName(option.name)}</label>
      <select
        id=${id}
        @change=${(/** @type {Event} */ event) => {
          const chosen = option.values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
          const { [option.name]: _, ...others } = card.options;
          change({
            ...card,
            options: chosen === option.default ? others : { ...others, [option.name]: chosen },
          });
        }}
      >
        ${option.values.map((each) => html`<option ?selected=${each === value}>${valueName(each)}</option>`)}
      </select>
    </div>`;
  });
}

/**
 * Money or a match, and the laws of money.
 * @param {Card} card
 * @param {boolean} cube
 * @param {(card: Card) => void} change
 */
export function lengthFields(card, cube, change) {
  const money = card.length === null;
  return html`<div class="field">
      <label for="a-length">${t("Match to")}</label>
      <select
        id="a-length"
        @change=${(/** @type {Event} */ event) =>
          change({ ...card, length: valueIn(event) ? Number(valueIn(event)) : null })}
      >
        <option value="" ?selected=${money}>${t("No end")}</option>
        ${Array.from({ length: 25 }, (_, i) => i + 1).map(
          (n) => html`<option value=${n} ?selected=${card.length === n}>${words().figure(n)}</option>`,
        )}
      </select>
    </div>
    ${
      money && cube
        ? html`<label class="check">
            <input
              type="checkbox"
              .checked=${card.jacoby}
              @change=${(/** @type {Event} */ event) => change({ ...card, jacoby: isChecked(event) })}
            >
            ${t("Jacoby: gammons count only after a double")}
          </label>
          <label class="check">
            <input
              type="checkbox"
              .checked=${card.beavers}
              @change=${(/** @type {Event} */ event) => change({ ...card, beavers: isChecked(event) })}
            >
            ${t("Beavers")}
          </label>`
        : nothing
    }`;
}

/**
 * Points of a match, and the cube.
 *
 * @typedef {{ value: number, owner: "white" | "black" | null }} Cube
 * @param {{ length: number | null, hasCube: boolean, cube: Cube, score: Record<"white" | "black", number>, crawford:
 *   boolean }} now
 * @param {(change: { cube?: Cube, score?: Record<"white" | "black", number>, crawford?: boolean }) => void} change
 */
export function scoreFields({ length, hasCube, cube, score, crawford }, change) {
  // A cube has no last value: a higher one than these comes from an id, and stays among the choices.
  const cubes = Array.from({ length: Math.max(11, Math.log2(cube.value) + 1) }, (_, n) => 2 ** n);
  const points = (/** @type {"white" | "black"} */ side, /** @type {string} */ name) =>
    html`<div class="field">
      <label for="a-${side}">${name}</label>
      <select
        id="a-${side}"
        @change=${(/** @type {Event} */ event) =>
          change({ score: { ...score, [side]: Number(valueIn(event)) } })}
      >
        ${Array.from(
          { length: length ?? 0 },
          (_, n) => html`<option value=${n} ?selected=${score[side] === n}>${words().figure(n)}</option>`,
        )}
      </select>
    </div>`;
  const owners = /** @type {[string, string][]} */ ([
    ["", t("in the middle")],
    ["white", t("White")],
    ["black", t("Black")],
  ]);
  return html`${
    length !== null && length > 1
      ? html`${points("white", t("Points of White"))}${points("black", t("Points of Black"))}`
      : nothing
  }
    ${
      hasCube && length !== null && length > 1
        ? html`<label class="check">
          <input
            type="checkbox"
            .checked=${crawford}
            @change=${(/** @type {Event} */ event) => change({ crawford: isChecked(event) })}
          >
          ${t("Crawford game")}
        </label>`
        : nothing
    }
    ${
      hasCube
        ? html`<div class="field">
            <label for="a-cube">${t("Doubling cube")}</label>
            <select
              id="a-cube"
              @change=${(/** @type {Event} */ event) => {
                const value = Number(valueIn(event));
                change({ cube: { value, owner: value === 1 ? null : (cube.owner ?? "white") } });
              }}
            >
              ${cubes.map(
                (n) => html`<option value=${n} ?selected=${cube.value === n}>${words().figure(n)}</option>`,
              )}
            </select>
          </div>
          <div class="field">
            <label for="a-owner">${t("The cube is")}</label>
            <select
              id="a-owner"
              @change=${(/** @type {Event} */ event) => {
                const owner = /** @type {Cube["owner"]} */ (valueIn(event) || null);
                change({ cube: { owner, value: owner ? Math.max(cube.value, 2) : 1 } });
              }}
            >
              ${owners.map(
                ([value, name]) =>
                  html`<option value=${value} ?selected=${(cube.owner ?? "") === value}>${name}</option>`,
              )}
            </select>
          </div>`
        : nothing
    }`;
}

/**
 * Who is on roll, and with which dice.
 *
 * @param {{ side: "white" | "black", dice: number[] }} now
 * @param {(change: { side?: "white" | "black", dice?: number[] }) => void} change
 */
export function turnFields({ side, dice }, change) {
  const die = (/** @type {number} */ i) =>
    html`<select
      aria-label=${i ? t("Second die") : t("First die")}
      @change=${(/** @type {Event} */ event) => {
        const value = Number(valueIn(event));
        const [first = 0, second = 0] = dice;
        const thrown = i ? [first || value, value] : [value, second || value];
        change({ dice: value ? thrown : [] });
      }}
    >
      <option value="0" ?selected=${!dice[i]}>–</option>
      ${[1, 2, 3, 4, 5, 6].map(
        (n) => html`<option value=${n} ?selected=${dice[i] === n}>${words().figure(n)}</option>`,
      )}
    </select>`;
  const sides = /** @type {["white" | "black", string][]} */ ([
    ["white", t("White")],
    ["black", t("Black")],
  ]);
  return html`<fieldset class="field">
      <legend>${t("On roll")}</legend>
      <div class="segments">
        ${sides.map(
          ([each, name]) =>
            html`<label><input
                type="radio"
                name="side"
                .checked=${side === each}
                @change=${() => change({ side: each })}
              ><span><i class="disc ${each}"></i> ${name}</span></label>`,
        )}
      </div>
    </fieldset>
    <fieldset class="field">
      <legend>${t("Dice")}</legend>
      <div class="row" dir="ltr">${die(0)}${die(1)}</div>
    </fieldset>`;
}
