import assert from "node:assert/strict";
import { test } from "node:test";
import { readClock, writeClock } from "../../src/sheshbesh/web/app/clock-code.js";
import * as clock from "../../src/sheshbesh/web/app/scoreboard/clock.js";
import {
  evening,
  isCrawford,
  outcome,
  scoreAfter,
  throwDie,
  winnerOf,
} from "../../src/sheshbesh/web/app/scoreboard/score.js";
import { freshTable, rematchOf, TableStore } from "../../src/sheshbesh/web/app/scoreboard/store.js";

const S = 1000;
const match = (changes = {}) => ({ ...freshTable().match, ...changes });
const won = (winner, points, how = {}) => ({ winner, worth: 1, cube: points, points, ...how });
const begun = (code, length = 5) => clock.press(clock.freshClocks(code, length), "black", 0);

test("a clock's code is read and written the same", () => {
  for (const code of [
    "n",
    "d12-120",
    "b8-60",
    "f10-60",
    "t30",
    "t86400",
    "d12.5-120",
    "d12-120-b1x300",
    "d12-120-bx600",
  ])
    assert.equal(writeClock(readClock(code)), code);
  assert.deepEqual(readClock("nonsense"), readClock("n"));
});

test("the free time of a turn costs nothing, what is over it comes from the store, and none is saved up", () => {
  let clocks = begun("d12-120");
  assert.equal(clocks.turn, "white");
  assert.deepEqual(clock.timeLeft(clocks, "white", 5 * S), { bank: 600 * S, free: 7 * S });
  clocks = clock.press(clocks, "white", 5 * S);
  assert.deepEqual(clocks.bank, { white: 600 * S, black: 600 * S });
  clocks = clock.press(clocks, "black", 25 * S);
  assert.equal(clocks.bank.black, 592 * S);
  assert.deepEqual(clock.timeLeft(clocks, "white", 25 * S), { bank: 600 * S, free: 12 * S });
});

test("of the other clocks one gives back what a turn used, one adds to it, and one has turns alone", () => {
  const after = (code, ms) => clock.press(begun(code, 1), "white", ms).bank.white;
  assert.equal(after("b12-120", 5 * S), 120 * S);
  assert.equal(after("b12-120", 20 * S), 112 * S);
  assert.equal(after("f12-120", 5 * S), 127 * S);
  assert.equal(clock.lateAt(begun("t30"), 29 * S), null);
  assert.equal(clock.lateAt(begun("t30"), 30 * S), "white");
});

test("a side whose time has run out can end no turn, and the other one has won", () => {
  const clocks = begun("d12-120", 1);
  assert.equal(clock.lateAt(clocks, 131 * S), null);
  assert.equal(clock.lateAt(clocks, 132 * S), "white");
  assert.equal(clock.press(clocks, "white", 132 * S), clocks);
  assert.equal(winnerOf(match({ late: "white" })), "black");
});

test("nobody ends the other one's turn, a pause costs nothing, and between games both clocks stand", () => {
  const clocks = begun("d12-120");
  assert.equal(clock.press(clocks, "black", S), clocks);
  const paused = clock.pause(clocks, 20 * S);
  assert.equal(clock.timeLeft(paused, "white", 900 * S).bank, 592 * S);
  const on = clock.resume(paused, 900 * S);
  assert.equal(clock.timeLeft(on, "white", 901 * S).bank, 591 * S);
  const over = clock.gameOver(on, 901 * S);
  assert.deepEqual([over.turn, over.since, over.bank.white], [null, null, 591 * S]);
});

test("breaks are as many as was agreed on, or go by the length of the match", () => {
  const left = (code, length) => clock.breaksLeft(clock.freshClocks(code, length), "white", length);
  assert.deepEqual(
    [left("d12-120", 5), left("d12-120", 7), left("d12-120", 13), left("d12-120-b3x60", 1)],
    [0, 1, 2, 3],
  );
  const taken = clock.takeBreak(clock.freshClocks("d12-120", 7), "white", S);
  assert.equal(taken.rest.until, 301 * S);
  assert.deepEqual([clock.breaksLeft(taken, "white", 7), clock.breaksLeft(taken, "black", 7)], [0, 1]);
});

test("the score is counted by points or by games, and who has enough wins", () => {
  const games = [won("white", 2), won("black", 4), won(null, 0), won("white", 1)];
  assert.deepEqual(scoreAfter(match({ games })), { white: 3, black: 4 });
  assert.deepEqual(scoreAfter(match({ games, by: "games" })), { white: 2, black: 1 });
  assert.equal(winnerOf(match({ games })), null);
  assert.equal(winnerOf(match({ games, length: 4 })), "black");
  assert.equal(winnerOf(match({ games, length: 3, by: "games" })), "white");
  assert.equal(winnerOf(match({ games, length: null })), null);
});

test("the score board marks the one game after a side came within a point", () => {
  const games = [won("white", 4)];
  assert.equal(isCrawford(match({ games })), true);
  assert.equal(isCrawford(match({ games: [...games, won("black", 1)] })), false);
  assert.equal(isCrawford(match({ games: [], length: 1 })), false);
});

test("an evening counts the matches of each name", () => {
  const names = { white: "Ann", black: "Bea" };
  const matches = [match({ names, length: 1, games: [won("black", 1)] }), match({ names, late: "white" })];
  assert.deepEqual(evening(matches), [
    ["Bea", 2],
    ["Ann", 0],
  ]);
});

test("a die leaves out the bytes that would favour low numbers", () => {
  const bytes = [252, 255, 251, 0];
  const fill = (into) => into.fill(bytes.shift());
  assert.deepEqual([throwDie(fill), throwDie(fill)], [6, 1]);
});

test("what was written down comes back, and what cannot be read is a table like any other", () => {
  const kept = new Map();
  const store = new TableStore({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  });
  const table = { ...freshTable(), match: match({ games: [won("white", 2)] }), evening: [match()] };
  store.keep(table);
  assert.deepEqual(store.read(), table);
  for (const text of [
    "{",
    "null",
    '{"match": 7}',
    JSON.stringify({ ...table, match: { ...table.match, games: [7] } }),
    JSON.stringify({ ...table, evening: {} }),
  ]) {
    kept.set("sheshbesh.table", text);
    assert.deepEqual(store.read(), freshTable());
  }
});

test("a record tells the score board how each game was won, and how the match ended", () => {
  const played = (winner, kind, points, changes = {}) => ({
    winner,
    kind,
    points,
    cube: 1,
    reason: "played",
    ...changes,
  });
  const games = [
    played("white", "gammon", 4, { cube: 2 }),
    played("black", "mother", 2),
    played("white", "gammon", 3, { reason: "settlement" }),
    played(null, "tie", 0),
  ];
  const running = outcome({ state: "live", winner: null, ending: null, games });
  assert.deepEqual(
    running.games.map(({ worth, kind = "" }) => [worth, kind]),
    [
      [2, ""],
      [0, "mother"],
      [0, ""],
      [0, "tie"],
    ],
  );
  assert.deepEqual(scoreAfter(match({ games: running.games })), { white: 7, black: 2 });
  assert.equal(winnerOf(match({ ...running, length: 9 })), null);
  const late = outcome({ state: "over", winner: "black", ending: "time", games });
  assert.deepEqual([late.late, winnerOf(match(late))], ["white", "black"]);
  const drawn = outcome({ state: "over", winner: null, ending: "draw", games });
  assert.equal(winnerOf(match({ ...drawn, length: 5 })), null, "a match that was drawn has no winner");
});

test("a table that an older page kept is not lost for want of what it did not know", () => {
  const { record, ...older } = freshTable();
  assert.equal(record, null);
  older.match.names.white = "Nava";
  const store = new TableStore({ getItem: () => JSON.stringify(older), setItem: () => {} });
  assert.equal(store.read().match.names.white, "Nava");
});

test("a rematch goes on with the score of the evening, and who had light has dark", () => {
  const names = { white: "Ann", black: "Bob" };
  const table = { ...freshTable(), match: match({ names, length: 1 }), record: "first" };
  const players = (white, black) => ({ players: { white: { name: white }, black: { name: black } } });
  const game = { winner: "black", kind: "single", points: 1, cube: 1, reason: "played" };
  const recorded = {
    ...players("Ann", "Bob"),
    state: "over",
    winner: "black",
    ending: "points",
    games: [game],
  };
  const next = rematchOf(table, recorded, players("Bob", "Ann"));
  assert.deepEqual(next.match, {
    ...match({ length: 1, ended: null }),
    names: { white: "Bob", black: "Ann" },
  });
  assert.deepEqual(evening(next.evening), [
    ["Bob", 1],
    ["Ann", 0],
  ]);
  assert.deepEqual(rematchOf(table, recorded, players("Ann", "Bob")).match.names, names);
});
