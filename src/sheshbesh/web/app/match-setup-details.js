/** The details of a match set-up, loaded on demand: the style of a program, clock, dice, side, house rules. */

import { t } from "../i18n/i18n.js";
import { clockFields } from "./clock-fields.js";
import { check, field, takeNumber, textOf } from "./fields.js";
import "./face.js";
import { botName, levelParts, pairsOfDice, styleName, wishedSides } from "./names.js";
import { optionName, valueName } from "./option-words.js";
import { html, nothing, radios } from "./view.js";

/**
 * @typedef {import("./match-setup.js").MatchSetup} MatchSetup
 * @typedef {import("./match-setup.js").Option} Option
 */

/** Opponents with whom a match may go on for days. */
const DISTANT = ["friend", "seek", "challenge"];

/**
 * Whether an option of the card bears on a match of this length, counted in this way.
 * @param {MatchSetup} setup
 * @param {Option} option
 */
function bears(setup, { name }) {
  const money = setup.contest === "money";
  switch (name) {
    case "settle":
      return money;
    case "agreements":
      return !money;
    case "later_start":
      return money || setup.points > 1;
    case "cube":
      return setup.contest !== "games";
    case "cube_limit":
      return setup.cube;
    case "allow_dead_double":
      return setup.cube && !money;
    default:
      return true;
  }
}

/** @param {MatchSetup} setup @param {Option} option */
function choice(setup, option) {
  const fallback = option.default;
  const value = setup.options[option.name] ?? fallback;
  const id = `option-${option.name}`;
  return html`<div class="field" ?hidden=${!setup.bears(option)}><label for=${id}>${optionName(option.name)}</label>
    <select id=${id} aria-describedby="${id}-doc" @change=${(/** @type {Event} */ event) => {
      const chosen = option.values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex];
      const { [option.name]: _, ...others } = setup.options;
      setup.set({ options: chosen === fallback ? others : { ...others, [option.name]: chosen } });
    }}>${option.values.map((each) => html`<option ?selected=${each === value}>${valueName(each)}</option>`)}</select>
    <span class="small quiet" id="${id}-doc">${option.doc}</span></div>`;
}

/**
 * Everything that is agreed on besides game, opponent and length.
 * @param {MatchSetup} setup
 * @param {string} kind who plays against us
 * @param {boolean} guest guests have no ratings
 */
export function details(setup, kind, guest) {
  const money = setup.contest === "money";
  return html`${kind === "engine" ? styles(setup) : nothing} ${
    money || setup.points === 1 || setup.traditional
      ? nothing
      : radios(
          "contest",
          t("Counted by"),
          setup.contest,
          [
            ["points", t("points")],
            ["games", t("games, most of them win")],
          ],
          (contest) => setup.set({ contest }),
        )
  }
    ${
      money
        ? nothing
        : field(
            "points",
            t("Match to"),
            html`<input
              id="points"
              type="number"
              min="1"
              max="99"
              required
              .value=${String(setup.points)}
              @change=${(/** @type {Event} */ event) => takeNumber(event, (points) => setup.set({ points }))}
            >`,
          )
    }
    ${clockFields(setup.clock, (clock, ownClock) => setup.set({ clock, ownClock }), {
      days: DISTANT.includes(kind),
      wanted: setup.ownClock,
    })}
    ${
      setup.clock === "n"
        ? nothing
        : html`<p class="small quiet">
          ${t("Should the server be interrupted, the clocks stand still until it is back.")}
        </p>`
    }
    ${radios(
      "dice",
      t("Dice"),
      setup.typed,
      [
        [false, t("fair: verifiable, and unknown in advance")],
        [true, t("typed in from a real board")],
      ],
      (typed) => setup.set({ typed }),
    )}
    ${radios("pairs", t("Pairs of dice"), setup.onePair, pairsOfDice(), (onePair) => setup.set({ onePair }))}
    ${radios("side", t("You play"), setup.side, wishedSides(), (side) => setup.set({ side }))}
    ${
      kind === "hotseat"
        ? html`<div class="field">
          <span class="label">${t("Names")}</span>
          <div class="row">
            ${[0, 1].map(
              (i) => html`<input
                maxlength="20"
                aria-label=${i ? t("Second player") : t("First player")}
                placeholder=${i ? t("Second player") : t("First player")}
                .value=${setup.names[i]}
                @input=${(/** @type {Event} */ event) => (setup.names[i] = textOf(event))}
              >`,
            )}
          </div>
        </div>`
        : nothing
    }
    ${
      setup.cube && money
        ? html`${check(t("Jacoby: gammons count only after a double"), setup.jacoby, (jacoby) => setup.set({ jacoby }))}
      ${check(t("Beavers"), setup.beavers, (beavers) => setup.set({ beavers }))}`
        : nothing
    }
    ${
      setup.cube && !money && setup.points > 1
        ? check(t("Crawford game"), setup.crawford, (crawford) => setup.set({ crawford }))
        : nothing
    }
    ${
      kind === "engine"
        ? check(t("Tutor: a hint before and a verdict after each move"), setup.tutor, (tutor) =>
            setup.set({ tutor }),
          )
        : nothing
    }
    ${
      !guest && !setup.typed && ["friend", "seek", "challenge"].includes(kind)
        ? check(t("Rated"), setup.rated, (rated) => setup.set({ rated }))
        : nothing
    }
    ${
      ["friend", "engine", "hotseat"].includes(kind)
        ? check(t("Nobody watches"), setup.private, (only) => setup.set({ private: only }))
        : nothing
    }
    ${(setup.variant?.options ?? [])
      .filter((option) => bears(setup, option))
      .map((option) => choice(setup, option))}`;
}

/**
 * Who plays at the level: programs differ in what they prefer. The strongest looks at what is best alone.
 * @param {MatchSetup} setup
 */
function styles(setup) {
  const [level, chosen] = levelParts(setup.level);
  const { styles: all = [], levels = [] } = setup.variant ?? {};
  if (!all.length || level === levels.at(-1)?.name) return nothing;
  const about = all.find(({ name }) => name === chosen)?.description;
  return html`<fieldset class="field">
    <legend>${t("Style")}</legend>
    <div class="segments bots">
      ${["", ...all.map(({ name }) => name)].map(
        (style) =>
          html`<label>
            <input
              type="radio"
              name="style"
              value=${style}
              .checked=${style === chosen}
              @change=${() => setup.setLevel(level, style)}
            ><ssb-face level=${style ? `${level}-${style}` : level}></ssb-face>
            <span>${botName(style)}<br><span class="small">${styleName(style)}</span></span>
          </label>`,
      )}
    </div>
    ${about ? html`<span class="small quiet">${about}</span>` : nothing}
  </fieldset>`;
}
