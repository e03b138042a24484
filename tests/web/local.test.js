import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LocalConnection } from "../../src/sheshbesh/web/app/local/connection.js";
import { KeptMatches, recordOf } from "../../src/sheshbesh/web/app/local/kept.js";
import { Core } from "../../src/sheshbesh/web/engine/core.js";

/** A storage for so many letters. */
function storage(room = Infinity) {
  const kept = new Map();
  const used = () => [...kept].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem(name, value) {
      const before = kept.get(name);
      kept.set(name, value);
      if (used() <= room) return;
      if (before === undefined) kept.delete(name);
      else kept.set(name, before);
      throw new Error("QuotaExceededError");
    },
    removeItem: (name) => void kept.delete(name),
  };
}

const events = (count, first = 1) =>
  Array.from({ length: count }, (_, i) => ({ n: first + i, at: i, actor: "white", type: "roll" }));

test("events are kept in pieces, and read as far as they follow each other", () => {
  const store = storage();
  const kept = new KeptMatches(store);
  const all = events(120);
  assert.equal(kept.append("a", all, 0), true);
  assert.deepEqual(kept.events("a"), all);
  store.setItem("sheshbesh.local.a.1", JSON.stringify(events(50, 61)));
  assert.deepEqual(kept.events("a"), all.slice(0, 50));
});

test("matches that are over make room in a full storage, the oldest first", () => {
  const kept = new KeptMatches(storage(8000));
  for (const id of ["old", "new", "open"]) {
    kept.put({ id, over: id !== "open" });
    assert.equal(kept.append(id, events(45), 0), true);
  }
  assert.equal(kept.append("open", events(90), 45), true);
  assert.deepEqual(
    kept.list.map(({ id }) => id),
    ["open", "new"],
  );
  assert.equal(kept.events("open").length, 90);
  assert.equal(kept.append("open", events(500), 90), false);
  assert.deepEqual(
    kept.list.map(({ id }) => id),
    ["open"],
  );
});

test("a record says which level the computer plays", () => {
  const match = { code: "backgammon.p1", id: "local-a", you: "white", level: "club-bold" };
  const tags = (of) => JSON.parse(recordOf(of, [], {}).split("\n")[0]).tags;
  assert.deepEqual(tags(match), { BlackLevel: "club-bold" });
  assert.deepEqual(tags({ ...match, you: "black" }), { WhiteLevel: "club-bold" });
});

test("no event of a record is before another one", () => {
  const card = { code: "backgammon.p1", id: "local-a" };
  const found = recordOf(
    card,
    [
      { n: 1, at: 9 },
      { n: 2, at: -4 },
      { n: 3, at: 12 },
    ],
    {},
  );
  const lines = found.trim().split("\n").slice(1).map(JSON.parse);
  assert.deepEqual(
    lines.map(({ at }) => at),
    [9, 9, 12],
  );
});

test("a match goes on once the engine can be loaded, also where data are saved", async () => {
  const view = { phase: "move", to_act: ["white"], you: ["white"] };
  let failures = 5;
  let told = () => {};
  globalThis.Worker = class {
    postMessage({ id }) {
      queueMicrotask(() => {
        if (failures-- > 0) return this.onmessage({ data: { id, failed: "offline", unreached: true } });
        this.onmessage({ data: { id, found: { view, layout: {}, title: "" } } });
        this.onmessage({ data: { id, done: true, build: "simd" } });
      });
    }
  };
  const value = { connection: { saveData: true } };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  const match = { id: "a", code: "backgammon.p1", you: "white", level: "club", seed: "1", began: 0 };
  const waited = [];
  const later = async (ms) => void waited.push(ms);
  const connection = new LocalConnection(match, new KeptMatches(storage()), { later });
  connection.addEventListener("connection", () => told());
  await new Promise((live) => {
    told = live;
    connection.open();
  });
  assert.deepEqual([connection.live, connection.wait, waited.length, waited[0]], [true, 0, 5, 0]);
  assert.ok(waited[4] > waited[1]);
  connection.close();
});

test("what is no step is not thrown, and the core lives on", async () => {
  const read = (name) => readFileSync(new URL(`../../src/sheshbesh/web/engine/${name}`, import.meta.url));
  const core = await Core.start(await WebAssembly.compile(read("core-simd.wasm")));
  const { axes: names, games } = JSON.parse(read("rules.json").toString());
  const { answers, setup } = games.backgammon;
  const rules = core.rules({ axes: Object.fromEntries(names.map((name, i) => [name, answers[i]])), setup });
  const row = core.start(rules, false);
  for (const step of [
    [6, 25],
    [6, 26],
    [0, 5],
    [27, 24],
  ])
    assert.equal(core.refusal(rules, row, [3, 1], [[8, 5], step]), -3, String(step));
  assert.equal(core.refusal(rules, row, [3, 1], Array(40).fill([24, 1])), -3);
  assert.equal(core.refusal(rules, row, [3, 1], [[8, 5]]), null);
});
