/** The dialogs of the match: which one is open, and what it is shown. */
import { t } from "../../i18n/i18n.js";
import { ruleLine } from "../rule-text.js";
import { html, named, nothing } from "../view.js";
import { numbersDialog } from "./advice.js";
import { keysDialog } from "./keys.js";
import { disc, isTied } from "./moves.js";
import { proposeDialog, resignDialog } from "./offers.js";
import { resultDialog } from "./result.js";
import { nameOf } from "./wording.js";

/** @typedef {import("./actions.js").Controls} Controls */

/**
 * @typedef {{name: string, controls: import("./actions.js").Controls, title: string, rules: any[], offers: import("./offers.js").Offers | null,
 *   typed: number[], type: (dice: number[]) => void, ready: () => void, offer: {url?: string} | null,
 *   willing: import("../types.js").Side[], last: import("../history.js").Turn | null, chat: () => unknown, close: () => void}} Open
 */

/** @param {Open} open */
export function dialog(open) {
  const { name, controls, close } = open;
  const { state, allowed } = controls;
  switch (name) {
    case "resign":
      return resignDialog(controls, open.offers, close);
    case "propose":
      return proposeDialog(controls, open.offers, close);
    case "dice":
      return diceDialog(controls, open.typed, open.type, close);
    case "rules":
      return rulesDialog(state, open.title, open.rules, close);
    case "keys":
      return keysDialog(close);
    case "numbers":
      return numbersDialog(close);
    case "chat":
      return html`<h2 id="dialog-title" tabindex="-1" autofocus>${t("Chat")}</h2>${open.chat()}
        <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
    case "result":
      return resultDialog({
        state,
        ready: allowed.includes("ready")
          ? () => {
              close();
              open.ready();
            }
          : null,
        waiting: state.phase === "ready",
        rematch: state.you.length ? controls.again : null,
        review: state.you.length ? controls.review : null,
        offer: open.offer,
        willing: open.willing,
        last: open.last,
        close,
      });
    default:
      return nothing;
  }
}

/**
 * Which throw of a match is asked for: after equal dice at the start it is another one.
 * @param {import("./match-model.js").MatchModel} controls
 */
export const throwOf = ({ state, turns }) =>
  JSON.stringify([state?.game, state?.phase, state?.opening?.throws.length, turns.length]);

/**
 * @param {Controls} controls
 * @param {number[]} chosen
 * @param {(dice: number[]) => void} choose
 * @param {() => void} close
 */
export function diceDialog(controls, chosen, choose, close) {
  const { state } = controls;
  const opening = state.phase === "opening";
  const thrower = (/** @type {import("../types.js").Side} */ side) =>
    html`${disc(side)} ${named(nameOf(state, side))}`;
  const names = opening ? [thrower("white"), thrower("black")] : [t("First die"), t("Second die")];
  return html`<h2 id="dialog-title">${t("What do the dice show?")}</h2>
    ${isTied(state) ? html`<p role="status">${t("Equal dice: throw once more.")}</p>` : nothing}
    ${!opening && state.on_roll ? html`<p class="quiet">${thrower(state.on_roll)}</p>` : nothing}
    <div class="stack">${[0, 1].map(
      (i) =>
        html`<fieldset class="field"><legend>${names[i]}</legend><div class="dicepad">${[
          1, 2, 3, 4, 5, 6,
        ].map(
          (die) =>
            html`<button type="button" aria-pressed=${chosen[i] === die} @click=${() => choose(chosen.map((old, j) => (i === j ? die : old)))}>${die}</button>`,
        )}</div></fieldset>`,
    )}</div>
    <div class="actions"><button @click=${close}>${t("Back")}</button>
    <button class="pri" ?disabled=${!chosen[0] || !chosen[1]} @click=${() => {
      close();
      controls.act({ type: "dice", first: chosen[0], second: chosen[1] });
    }}>${t("Done")}</button></div>`;
}

/**
 * @param {import("../types.js").State} state
 * @param {string} name of the game, in the language of the page
 * @param {import("../rule-text.js").RuleLine[]} rules
 * @param {() => void} close
 */
export function rulesDialog(state, name, rules, close) {
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${name}</h2>
    <p class="small quiet">${t("The rules of this table")} · <bdi dir="ltr"><code>${state.card.code}</code></bdi></p>
    ${state.clock ? html`<p class="small quiet">${t("Should the server be interrupted, the clocks stand still until it is back.")}</p>` : nothing}
    ${rules.map(ruleLine)}
    <div class="actions"><a class="button" href="/rules/${state.card.game}">${t("All rules of the game")}</a><button class="pri" @click=${close}>${t("Back")}</button></div>`;
}
