/** What a director does, in words: each action says to whom it happens before it is done. */

import { t } from "../../i18n/i18n.js";
import { guestName } from "../names.js";

/**
 * @typedef {{kind: string, text: string, ask?: string, reason?: boolean, points?: boolean,
 *   fields?: Record<string, unknown>}} Action
 *   `ask`: what is asked before it is done; `reason` and `points`: whether these have to be given
 */

/**
 * What concerns the whole tournament.
 * @param {string[]} allowed
 * @param {Pick<import("../wire.js").WholeTournament, "held" | "starts" | "began" | "due_by" | "ends">} found
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
  const hasDeadline = Boolean(found.began ? found.due_by || found.ends : found.starts);
  return all.filter(({ kind }) => allowed.includes(kind) && (kind !== "extend" || hasDeadline));
}

const BRACKETS = ["knockout", "double"];

/**
 * Matches to one point for places that two share.
 * @param {string[]} allowed
 * @param {import("../wire.js").Standings | null} standings
 * @returns {Action[]}
 */
export function playoffActions(allowed, standings) {
  if (!allowed.includes("playoff") || !standings?.tie_breaks.includes("playoff")) return [];
  /** @type {Action[]} */
  const all = [];
  for (const [index, row] of standings.rows.entries())
    for (const other of standings.rows.slice(index + 1)) {
      if (other.place !== row.place || other.bracket !== row.bracket || other.group !== row.group) continue;
      const [one, two] = [guestName(row.entrant.name), guestName(other.entrant.name)];
      all.push({
        kind: "playoff",
        text: t("Playoff for place {n}: {one} – {two}", { n: row.place, one, two }),
        ask: t("Let {one} and {two} play one point for place {n}?", { n: row.place, one, two }),
        fields: { pair: [row.entrant.number, other.entrant.number] },
      });
    }
  return all;
}

/**
 * What concerns one entrant.
 * @param {string[]} allowed
 * @param {import("../wire.js").Entrant} entrant
 * @param {string} system
 * @returns {Action[]}
 */
export function entrantActions(allowed, entrant, system) {
  const name = guestName(entrant.name);
  const fields = { entrant: entrant.number };
  const isOut = entrant.status === "out";
  /** @type {Action[]} */
  const all = [
    { kind: "remove", text: t("Remove {name}", { name }), reason: true, fields },
    { kind: "disqualify", text: t("Disqualify {name}", { name }), reason: true, fields },
    { kind: "reinstate", text: t("Take {name} back", { name }), reason: true, fields },
    {
      kind: "penalty",
      text: t("Take points off {name}’s score", { name }),
      reason: true,
      points: true,
      fields,
    },
  ];
  return all.filter(
    ({ kind }) =>
      allowed.includes(kind) &&
      // A bracket has no score of which something could be taken.
      (kind === "penalty" ? !BRACKETS.includes(system) : (kind === "reinstate") === isOut),
  );
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
  const name = (/** @type {number} */ entrant) => guestName(names[entrant] ?? "");
  const wins = (/** @type {number} */ winner) => ({
    kind: "ruling",
    text: t("{name} wins without play", { name: name(winner) }),
    reason: true,
    fields: { pairing: pairing.number, winner },
  });
  const both = {
    kind: "ruling",
    text: t("Both lose"),
    reason: true,
    fields: { pairing: pairing.number, winner: 0 },
  };
  const penalty = (/** @type {number} */ entrant) => ({
    kind: "penalty",
    text: t("Points of this match against {name}", { name: name(entrant) }),
    reason: true,
    points: true,
    fields: { pairing: pairing.number, entrant },
  });
  const later = {
    kind: "extend",
    text: t("Give {one} and {two} five minutes more to come", {
      one: name(pairing.white),
      two: name(pairing.black),
    }),
    fields: { pairing: pairing.number, by: 300_000 },
  };
  return [
    ...(allowed.includes("extend") && pairing.deadline ? [later] : []),
    wins(pairing.white),
    wins(pairing.black),
    both,
    ...(allowed.includes("penalty") ? [penalty(pairing.white), penalty(pairing.black)] : []),
  ];
}
