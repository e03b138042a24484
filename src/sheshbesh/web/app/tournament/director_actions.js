/** What a director does, in words: each action says to whom it happens before it is done. */

import { t } from "../../i18n/i18n.js";

/**
 * @typedef {{kind: string, text: string, ask?: string, reason?: boolean, fields?: Record<string, unknown>}} Action
 *   `ask`: what is asked before it is done; `reason`: whether a reason has to be given
 */

/**
 * What concerns the whole tournament.
 * @param {string[]} allowed
 * @param {{held: number | null, status: string}} found
 * @returns {Action[]}
 */
export function wholeActions(allowed, found) {
  /** @type {Action[]} */
  const all = [
    { kind: "announce", text: t("Announce and open entries") },
    {
      kind: "start",
      text: t("Start: close entries, draw"),
      ask: t("Close the entries, draw the seeds and begin?"),
    },
    found.held
      ? { kind: "hold", text: t("Go on"), fields: { on: false } }
      : {
          kind: "hold",
          text: t("Hold: nobody is paired or forfeited"),
          ask: t("Hold the tournament until you let it go on?"),
          fields: { on: true },
        },
    { kind: "repair", text: t("Pair the present round anew"), reason: true },
    {
      kind: "extend",
      text: t("Put the deadline off by five minutes"),
      fields: { by: 300_000 },
    },
    {
      kind: "confirm",
      text: t("Confirm the standings"),
      ask: t("Confirm the standings? The tournament is over then."),
    },
    { kind: "cancel", text: t("Cancel the tournament"), reason: true },
  ];
  return all.filter(({ kind }) => allowed.includes(kind));
}

/**
 * What concerns one entrant.
 * @param {string[]} allowed
 * @param {import("../wire.js").Entrant} entrant
 * @returns {Action[]}
 */
export function entrantActions(allowed, entrant) {
  const name = entrant.name;
  const fields = { entrant: entrant.number };
  const isOut = entrant.status === "out";
  /** @type {Action[]} */
  const all = [
    { kind: "remove", text: t("Remove {name}", { name }), reason: true, fields },
    { kind: "disqualify", text: t("Disqualify {name}", { name }), reason: true, fields },
    { kind: "reinstate", text: t("Take {name} back", { name }), reason: true, fields },
  ];
  return all.filter(({ kind }) => allowed.includes(kind) && (kind === "reinstate") === isOut);
}

/**
 * What decides a pairing without a result sheet.
 * @param {string[]} allowed
 * @param {import("../wire.js").Pairing} pairing
 * @param {Record<string, string>} names
 * @returns {Action[]}
 */
export function pairingActions(allowed, pairing, names) {
  if (!allowed.includes("ruling")) return [];
  const wins = (/** @type {number} */ winner) => ({
    kind: "ruling",
    text: t("{name} wins without play", { name: names[winner] ?? "" }),
    reason: true,
    fields: { pairing: pairing.number, winner },
  });
  const both = {
    kind: "ruling",
    text: t("Both lose"),
    reason: true,
    fields: { pairing: pairing.number, winner: 0 },
  };
  return [wins(pairing.white), wins(pairing.black), both];
}
