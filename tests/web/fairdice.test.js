import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "../../src/sheshbesh/web/fairdice/audit.js";
import { Chain, diceFromLinks, diceFromSeed, hexToBytes } from "../../src/sheshbesh/web/fairdice/chain.js";
import { DiceKeeper } from "../../src/sheshbesh/web/fairdice/dice-keeper.js";
import { atLeast, compare, runAtLeast, tail } from "../../src/sheshbesh/web/fairdice/statistics.js";

/** The worked example of docs/guide/fair-dice.md. */
const tip = (byte) => new Uint8Array(32).fill(byte);
const [SERVER, WHITE, BLACK] = [1, 2, 3].map((byte) => new Chain(tip(byte)));
const linksOf = (n) => ({
  server: hexToBytes(SERVER.link(n)),
  white: hexToBytes(WHITE.link(n)),
  black: hexToBytes(BLACK.link(n)),
});

/** A store like localStorage. */
function memory() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
}

test("the worked example of the guide comes out", () => {
  assert.equal(SERVER.anchor, "9dbcd35d981a49cdcccf52b41de6faa91fb41d515ae65c01851a467a8cc51463");
  assert.equal(WHITE.link(1), "bed4d428b611924945979e0699b8c9c882b2d05a2f98ed52fd33a278e9c9042b");
  assert.deepEqual(
    [1, 2, 3].map((n) => diceFromLinks("demo/1", n, linksOf(n))),
    [
      [3, 1],
      [4, 2],
      [1, 6],
    ],
  );
  assert.deepEqual(diceFromLinks("demo/1", 2, { ...linksOf(2), white: new Uint8Array() }), [2, 3]);
  assert.deepEqual(
    [1, 2].map((n) => diceFromSeed(hexToBytes("68656c6c6f"), "demo/1", n)),
    [
      [3, 6],
      [5, 5],
    ],
  );
});

test("a chain has no link 0 and none beyond its end", () => {
  for (const index of [0, 401, 1.5]) assert.throws(() => WHITE.link(index), RangeError);
});

function transcript({ change = (event) => event } = {}) {
  const anchors = {
    type: "anchors",
    game: "demo/1",
    epoch: 1,
    first: 1,
    mode: "normal",
    length: 400,
    reason: "start",
  };
  const events = [{ ...anchors, server: SERVER.anchor, white: WHITE.anchor, black: BLACK.anchor }];
  for (const [i, dice] of [
    [3, 1],
    [4, 2],
    [1, 6],
  ].entries()) {
    const links = { server: SERVER.link(i + 1), white: WHITE.link(i + 1), black: BLACK.link(i + 1) };
    events.push({
      type: "throw",
      source: "chains",
      game: "demo/1",
      number: i + 1,
      roller: i ? "white" : null,
      dice,
      ...links,
    });
  }
  const lines = [{ format: "sheshbesh-dice", version: 1 }, ...events.map(change)];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

test("an honest transcript holds, also within a record and with its last line cut off", () => {
  const found = verify(transcript());
  assert.equal(found.good, true);
  assert.deepEqual(
    found.throws.map(({ dice, good }) => [...dice, good]),
    [
      [3, 1, true],
      [4, 2, true],
      [1, 6, true],
    ],
  );
  const wrapped = transcript({ change: (event) => ({ n: 1, type: "roll", then: { transcript: [event] } }) });
  assert.equal(verify(wrapped.replace("sheshbesh-dice", "sheshbesh-record")).good, true);
  assert.equal(verify(`${transcript()}{"type":"thr`).good, true);
});

test("each forgery is found where it is", () => {
  const at = (number, change) =>
    transcript({ change: (event) => (event.number === number ? { ...event, ...change } : event) });
  const codes = (text) => verify(text).problems.map(({ number, code }) => [number, code]);
  assert.deepEqual(codes(at(2, { dice: [6, 6] })), [[2, "other_dice"]]);
  assert.deepEqual(codes(at(2, { white: BLACK.link(2) }))[0], [2, "wrong_link"]);
  assert.deepEqual(codes(at(2, { number: 5 }))[0], [5, "wrong_number"]);
  assert.deepEqual(codes(at(3, { white: null }))[0], [3, "marks"]);
  assert.deepEqual(codes(at(3, { source: "typed" }))[0], [3, "other_source"]);
  assert.deepEqual(
    codes("not a file"),
    [
      [0, "no_json"],
      [0, "no_header"],
    ].slice(0, codes("not a file").length),
  );
  assert.equal(verify("[]\n{}").good, false);
});

test("the keeper gives anchors and links, and goes on after a reload", () => {
  const store = memory();
  const dice = { source: "strict", game: "m/1", index: 0, serial: 0, length: 400, owe: { white: "anchor" } };
  const keeper = new DiceKeeper("m", "white", store, () => tip(2));
  const ready = keeper.withShare({ type: "ready" }, dice);
  assert.equal(ready.anchor, WHITE.anchor);
  const open = { ...dice, serial: 1, index: 1, owe: { white: "link" } };
  const reloaded = new DiceKeeper("m", "white", store, () => assert.fail("nothing new is drawn"));
  assert.deepEqual(reloaded.dueAction(open, ["link", "anchor"])?.action, {
    type: "link",
    link: WHITE.link(1),
  });
  assert.equal(reloaded.withShare({ type: "roll" }, { ...open, index: 7 }).link, WHITE.link(7));
  assert.equal(
    reloaded.withShare({ type: "play", play: "8/5" }, open).link,
    undefined,
    "strict dice ask later",
  );
  assert.equal(
    reloaded.withShare({ type: "play", play: "8/5" }, { ...open, source: "chains" }).link,
    WHITE.link(1),
  );
  assert.equal(reloaded.dueAction({ ...open, owe: { white: null } }, ["anchor"]), null);
});

test("a device without the chain says so, and the new chain is used once it is open", () => {
  const keeper = new DiceKeeper("m", "black", memory(), () => tip(3));
  const dice = { source: "strict", game: "m/1", index: 4, serial: 1, length: 400, owe: { black: "link" } };
  const due = keeper.dueAction(dice, ["link", "anchor"]);
  assert.deepEqual(due, { action: { type: "anchor", anchor: BLACK.anchor, lost: true }, lost: true });
  assert.equal(keeper.withShare({ type: "roll" }, dice).link, undefined);
  assert.equal(keeper.link({ ...dice, serial: 2, index: 1 }), BLACK.link(1));
});

test("each game has a new chain", () => {
  let drawn = 0;
  const keeper = new DiceKeeper("m", "white", memory(), () => tip(++drawn));
  const dice = { source: "chains", game: "m/1", index: 0, serial: 0, length: 400, owe: { white: "anchor" } };
  const first = keeper.withShare({ type: "ready" }, dice).anchor;
  keeper.sync({ ...dice, serial: 1, index: 1 });
  const second = keeper.withShare({ type: "ready" }, { ...dice, game: "m/2" }).anchor;
  assert.notEqual(first, second);
  assert.equal(keeper.link({ ...dice, game: "m/2", serial: 1, index: 1 }), new Chain(tip(2)).link(1));
});

test("typed dice need no keeper", () => {
  const keeper = new DiceKeeper("m", "white", memory(), () => assert.fail("nothing is drawn"));
  const dice = { source: "typed", game: "m/1", index: 0, serial: 0, length: 0 };
  assert.deepEqual(keeper.withShare({ type: "ready" }, dice), { type: "ready" });
  assert.equal(keeper.dueAction(dice, ["dice"]), null);
});

test("statistics agree with tables and with counting", () => {
  // Upper 5 % and 1 % points of χ² with 5 degrees of freedom: 11.070 and 15.086.
  assert.ok(Math.abs(tail(11.0705, 5) - 0.05) < 1e-4);
  assert.ok(Math.abs(tail(15.0863, 5) - 0.01) < 1e-4);
  assert.ok(Math.abs(tail(1.1455, 5) - 0.95) < 1e-4);
  assert.ok(Math.abs(atLeast(3, 1, 1 / 6) - (1 - (5 / 6) ** 3)) < 1e-7);
  assert.ok(Math.abs(runAtLeast(3, 2, 0.5) - 3 / 8) < 1e-12);
  assert.equal(runAtLeast(10, 0, 1 / 6), 1);
  const found = compare([
    [1, 1],
    [2, 2],
    [3, 4],
  ]);
  assert.deepEqual(
    [found.doubles, found.longest, found.pips, found.faces.join("")],
    [2, 2, 4 + 8 + 7, "221100"],
  );
});
