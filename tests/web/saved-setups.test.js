import assert from "node:assert/strict";
import { test } from "node:test";
import { Setups, USUAL } from "../../src/sheshbesh/web/app/saved-setups.js";

const option = { name: "mother", values: ["true", "false"] };
const tapa = { name: "tapa", lengths: [3, 1, 5], options: [option] };
const race = { name: "race", lengths: [31], options: [] };

function shelf(text = null) {
  const kept = new Map(text === null ? [] : [["sheshbesh.setups", text]]);
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) };
}

test("a game never played is set up as usual, to its own first length", () => {
  assert.deepEqual(new Setups(shelf()).recall(tapa), { ...USUAL, points: 3 });
  assert.equal(new Setups(shelf()).recall(race).points, 31);
});

test("a game is set up as it was the last time, house rules and all", () => {
  const store = shelf();
  const setup = {
    ...USUAL,
    contest: "games",
    points: 7,
    clock: "d12-120",
    typed: true,
    side: "white",
    options: { mother: "true" },
  };
  new Setups(store).keep("tapa", { ...setup, variant: tapa, changed: () => {} });
  assert.deepEqual(new Setups(store).recall(tapa), setup);
});

test("another game takes over the clock and the dice, but neither length nor house rules", () => {
  const store = shelf();
  new Setups(store).keep("tapa", {
    ...USUAL,
    points: 7,
    clock: "t30",
    tutor: false,
    private: true,
    options: { mother: "true" },
  });
  assert.deepEqual(new Setups(store).recall(race), { ...USUAL, points: 31, clock: "t30", tutor: false });
});

test("what is no longer offered, spoilt or foreign is left out", () => {
  const own = {
    contest: "chess",
    points: 0.5,
    clock: 7,
    options: { mother: "perhaps", gone: "true" },
    hack: 1,
  };
  const setups = new Setups(shelf(JSON.stringify({ games: { tapa: own }, last: "tapa" })));
  assert.deepEqual(setups.recall(tapa), { ...USUAL, points: 3 });
  for (const text of [
    "{",
    "7",
    "null",
    JSON.stringify({ games: 3 }),
    JSON.stringify({ games: { tapa: { options: null } } }),
  ]) {
    assert.deepEqual(new Setups(shelf(text)).recall(tapa), { ...USUAL, points: 3 });
  }
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  new Setups(full).keep("tapa", USUAL);
});
