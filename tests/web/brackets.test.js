/** Brackets on sheets that join. */
import assert from "node:assert/strict";
import test from "node:test";
import "./elements.js";
import { resultSheets, sheetsOf } from "../../src/sheshbesh/web/app/tournament/director_print.js";
import { joins, standingsTable } from "../../src/sheshbesh/web/app/tournament/parts.js";
import { dayOfMonth, monthOf, placeText } from "../../src/sheshbesh/web/app/tournament/words.js";

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

/** What a template says, its parts joined by bars. @param {any} part @returns {string} */
const said = (part) =>
  Array.isArray(part) ? part.map(said).join("|") : part?.values ? said(part.values) : String(part);

test("a result sheet has a line for each game, and the breaks that the organiser has set", () => {
  const found = (/** @type {string} */ contest) =>
    /** @type {any} */ ({
      title: "Friday",
      series: null,
      system: "swiss",
      settings: { boards: "real" },
      card: { contest, clock: { code: "" } },
    });
  const sheet = (
    /** @type {string} */ contest,
    /** @type {number} */ length,
    /** @type {number} */ breaks,
  ) => {
    const pairing = /** @type {any} */ ({ number: 1, round: 1, slot: "", white: 1, black: 2, length });
    const of = { pairings: [pairing], names: { 1: "Ali", 2: "Bea" }, breaks: { [length]: [breaks, 300] } };
    return said(resultSheets(found(contest), /** @type {any} */ (of), "/tournaments/x"));
  };
  const lines = (/** @type {string} */ text) => Number(/--lines: (\d+)/.exec(text)?.[1]);
  assert.deepEqual(
    [sheet("match", 1, 0), sheet("match", 5, 0), sheet("games", 5, 0), sheet("match", 11, 1)].map(lines),
    [1, 9, 5, 13],
  );
  assert.ok(sheet("match", 5, 0).includes("for each player: no breaks"));
  assert.ok(sheet("match", 11, 1).includes("for each player: 1 break of 5 min"));
});

test("a month is that of the reader's calendar, with its days in their weeks", () => {
  // 25 October 2026, on which the clocks change in much of Europe.
  const { weekdays, weeks } = monthOf(0, new Date(2026, 9, 25, 23, 30).getTime());
  const days = weeks.map((week) => week.map((at) => (at ? Number(dayOfMonth(at)) : 0)));
  assert.deepEqual(
    [weekdays.length, weekdays[0], weekdays[6].name],
    [7, { name: "Monday", letter: "M" }, "Sunday"],
  );
  assert.deepEqual(days[0], [0, 0, 0, 1, 2, 3, 4]);
  assert.deepEqual(
    days.flat().filter(Boolean),
    Array.from({ length: 31 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    monthOf(2, new Date(2026, 9, 25).getTime())
      .weeks.flat()
      .filter(Boolean).length,
    31,
  );
});

test("a place that is shared or not decided goes from one to another", () => {
  assert.deepEqual([placeText({ place: 3, last: 3 }), placeText({ place: 1, last: 9 })], ["3", "1–9"]);
});

test("one's own line stands above standings in which it would not be seen", () => {
  const row = (/** @type {number} */ number) => ({
    ...{ place: number, last: number, score: 20 - number, wins: 0, losses: 0, played: 0, ties: {} },
    ...{
      bracket: "",
      group: 0,
      entrant: { number, name: `P${number}`, kind: "name", status: "in", why: "" },
    },
  });
  const rows = /** @type {any} */ (Array.from({ length: 12 }, (_, index) => row(index + 1)));
  const own = { place: 30, last: 32, number: 30, name: "Nava", score: 1 };
  const table = (/** @type {number} */ mine, /** @type {typeof own | null} */ line) =>
    said(standingsTable({ rows, tie_breaks: [] }, "swiss", mine, line));
  const count = (/** @type {string} */ text, /** @type {string} */ name) => text.split(name).length - 1;
  assert.deepEqual([count(table(2, null), "P2|"), count(table(12, null), "P12|")], [1, 2]);
  assert.ok(table(30, own).includes("30–32") && !table(2, own).includes("30–32"));
  const arena = said(standingsTable({ rows, tie_breaks: [] }, "arena", 2));
  assert.deepEqual([table(2, null).includes("Won"), arena.includes("Won")], [false, true]);
});

test("a result sheet has the name of a bracket's match, and the round of a match without one", () => {
  const found = /** @type {any} */ ({
    title: "Friday",
    series: null,
    system: "knockout",
    settings: { boards: "real" },
    card: { contest: "match", clock: { code: "" } },
  });
  const heads = ["M15", ""].map((slot) => {
    const pairing = /** @type {any} */ ({ number: 13, round: 5, slot, white: 1, black: 2, length: 5 });
    const of = { pairings: [pairing], names: { 1: "Ali", 2: "Bea" }, breaks: {} };
    return said(resultSheets(found, of, "/tournaments/x"));
  });
  assert.deepEqual(
    heads.map((text) => [text.includes("M15"), text.includes("Round 5")]),
    [
      [true, false],
      [false, true],
    ],
  );
});
