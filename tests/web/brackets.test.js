/** Brackets on sheets that join. */
import assert from "node:assert/strict";
import test from "node:test";
import "./elements.js";
import { resultSheets, sheetsOf } from "../../src/sheshbesh/web/app/tournament/director_print.js";
import { joins } from "../../src/sheshbesh/web/app/tournament/parts.js";

/** The rounds of a knockout of this many entrants, its matches by number alone. @param {number} entrants */
function knockout(entrants) {
  const rounds = [];
  let number = 0;
  for (let matches = entrants / 2, round = 1; matches >= 1; matches /= 2, round++)
    rounds.push({
      round,
      slots: /** @type {any[]} */ (Array.from({ length: matches }, () => ({ slot: `M${++number}` }))),
    });
  return rounds;
}

/** How many matches each round of each sheet has. @param {ReturnType<typeof sheetsOf>} sheets */
const sizes = (sheets) => sheets.map((sheet) => sheet.map(({ slots }) => slots.length));

test("sixteen entrants stand on one sheet", () => {
  assert.deepEqual(sizes(sheetsOf(knockout(16))), [[8, 4, 2, 1]]);
});

test("more stand on sheets of sixteen, and one that joins them", () => {
  assert.deepEqual(sizes(sheetsOf(knockout(64))), [...Array.from({ length: 4 }, () => [8, 4, 2, 1]), [2, 1]]);
  assert.deepEqual(
    sheetsOf(knockout(32)).map((sheet) => sheet[0].slots.map(({ slot }) => slot)),
    [
      ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8"],
      ["M9", "M10", "M11", "M12", "M13", "M14", "M15", "M16"],
      ["M31"],
    ],
  );
});

test("every match stands on one sheet alone, in the largest bracket and where rounds do not halve", () => {
  for (const rounds of [knockout(1024), [8, 8, 4, 4, 2, 2, 1, 1], [16, 16, 8, 8, 4, 4, 2, 2, 1, 1]].map(
    (each) =>
      typeof each[0] === "number"
        ? each.map((count, index) => ({
            round: index + 1,
            slots: /** @type {any[]} */ (
              Array.from({ length: Number(count) }, (_, slot) => ({ slot: `${index}-${slot}` }))
            ),
          }))
        : /** @type {ReturnType<typeof knockout>} */ (each),
  )) {
    const all = rounds.flatMap(({ slots }) => slots.map(({ slot }) => slot)).sort();
    const sheets = sheetsOf(rounds);
    assert.deepEqual(
      sheets.flatMap((sheet) => sheet.flatMap(({ slots }) => slots.map(({ slot }) => slot))).sort(),
      all,
    );
    assert.ok(Math.max(...sizes(sheets).flat()) <= 8);
  }
});

test("lines join a match to that to which its winner goes", () => {
  const slot = (/** @type {string} */ name, ...from) =>
    /** @type {any} */ ({
      slot: name,
      from: from.map((each) => ({ kind: each.startsWith("M") ? "loser" : "winner", slot: each })),
    });
  const first = [slot("C1", "M1", "M2"), slot("C2", "M3", "M4")];
  assert.equal(joins(first, [slot("C3", "C1", "C2")]), "paired");
  assert.equal(joins(first, [slot("C3", "C1", "M6"), slot("C4", "C2", "M5")]), "single");
  assert.equal(joins(first, [slot("C3", "C2", "M6"), slot("C4", "C1", "M5")]), "");
  assert.equal(joins(first, []), "");
});

test("a result sheet has the name of a bracket's match, and the round of a match without one", () => {
  const found = /** @type {any} */ ({
    title: "Friday",
    series: null,
    system: "knockout",
    settings: { boards: "real" },
    card: { contest: "match", clock: { code: "" } },
  });
  const said = (/** @type {any} */ part) =>
    Array.isArray(part) ? part.map(said).join("|") : part?.values ? said(part.values) : String(part);
  const heads = ["M15", ""].map((slot) => {
    const pairing = /** @type {any} */ ({ number: 13, round: 5, slot, white: 1, black: 2, length: 5 });
    return said(resultSheets(found, [pairing], { 1: "Ali", 2: "Bea" }, "/tournaments/x"));
  });
  assert.deepEqual(
    heads.map((text) => [text.includes("M15"), text.includes("Round 5")]),
    [
      [true, false],
      [false, true],
    ],
  );
});
