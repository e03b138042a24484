/** The dialogs of the match: which one is open, and what it is shown. */
import { t } from "../../i18n/i18n.js";
import { html, nothing } from "../view.js";
import { numbersDialog } from "./advice.js";
import { diceDialog } from "./dice-dialog.js";
import { proposeDialog, resignDialog } from "./offers.js";
import { resultDialog } from "./result.js";
import { rulesDialog } from "./rules-dialog.js";

/**
 * @typedef {{name: string, controls: import("./actions.js").Table, title: string, rules: any[], offers: import("./offers.js").Offers | null,
 *   typed: number[], type: (dice: number[]) => void, ready: () => void, offer: {url?: string} | null,
 *   willing: import("../types.js").Side[], chat: () => unknown, close: () => void}} Open
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
    case "numbers":
      return numbersDialog(close);
    case "chat":
      return html`<h2 tabindex="-1" autofocus>${t("Chat")}</h2>${open.chat()}
        <div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div>`;
    case "result":
      return resultDialog({
        state,
        ready: allowed.includes("ready") ? () => { close(); open.ready(); } : null,
        waiting: state.phase === "ready",
        rematch: state.you.length ? controls.again : null,
        offer: open.offer,
        willing: open.willing,
        close,
      });
    default:
      return nothing;
  }
}
