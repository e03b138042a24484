import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const SOURCES = new URL("../../src/sheshbesh/", import.meta.url);
const NET = readFileSync(new URL("engines/nets/hypergammon.net", SOURCES));
const NET_ADDRESS = `/engine/${createHash("sha256").update(NET).digest("hex")}.net`;
const DAMAGED = Uint8Array.from(NET, (byte, i) => (i === 5000 ? byte ^ 1 : byte));
const JUDGED = { ask: "position", asked: { card: "hypergammon.m", dice: "31" } };

/** What the site and the browser's own memory of it send for the net, and how each was asked for. */
const site = { net: NET, remembered: NET, asked: [] };
/** The browser's cache of nets. */
const kept = new Map();

globalThis.self = globalThis;
globalThis.caches = {
  open: async () => ({
    match: async (name) => (kept.has(name) ? new Response(kept.get(name)) : undefined),
    put: async (name, answer) => void kept.set(name, new Uint8Array(await answer.arrayBuffer())),
    keys: async () => [...kept.keys()],
    delete: async (name) => kept.delete(name),
  }),
};
globalThis.fetch = async (address, { cache }) => {
  if (address === NET_ADDRESS) {
    site.asked.push(cache);
    await site.ready;
    return new Response(cache === "reload" ? site.net : site.remembered);
  }
  const type = address.endsWith(".wasm") ? "application/wasm" : "application/json";
  const file = readFileSync(new URL(`web${address}`, SOURCES));
  return new Response(file, { headers: { "Content-Type": type } });
};
/** @type {(message: any) => void} */
let hear = () => {};
globalThis.postMessage = (message) => hear(message);
await import("../../src/sheshbesh/web/engine/worker.js");

let last = 0;

/** What the worker finds in the end, or why it fails; `heard` is told each message. */
function ask(question, heard = () => {}) {
  const id = ++last;
  return new Promise((resolve) => {
    let found;
    hear = (message) => {
      if (message.id !== id) return;
      heard(message);
      found = message.found ?? found;
      if (message.done) resolve(found);
      else if (message.failed) resolve({ failed: message.failed, unreached: message.unreached });
    };
    globalThis.onmessage({ data: { ...question, id } });
  });
}

const question = (await ask(JUDGED)).scene.core;
const look = { ask: "analyse", question, plies: 0, most: 4, isAlone: true };

test("a damaged copy of a net is replaced, whoever kept it", async () => {
  kept.set(NET_ADDRESS, DAMAGED);
  site.remembered = DAMAGED;
  const found = await ask(look);
  assert.equal(found.plays.length, 4);
  assert.deepEqual(site.asked.splice(0), ["reload"]);
  assert.deepEqual(Buffer.from(kept.get(NET_ADDRESS)), NET);
});

test("a net that is damaged at the site too is named, and the next question answered", async () => {
  // Of other classes, so that the engine at hand is not the one that is asked for.
  const other = { ...look, question: { ...question, classMap: [...question.classMap].reverse() } };
  kept.set(NET_ADDRESS, DAMAGED);
  site.net = DAMAGED;
  const { failed, unreached } = await ask(other);
  assert.match(failed, /^net: the checksum does not match/);
  assert.equal(unreached, false);
  assert.deepEqual(site.asked.splice(0), ["reload"]);
  site.net = site.remembered = NET;
  assert.equal((await ask(look)).plays.length, 4);
});

test("what no position can be ends the core, and the next question has a fresh one", async () => {
  const row = btoa(String.fromCharCode(...new Uint8Array(116).fill(16)));
  const { failed } = await ask({ ask: "analyse", question: { ...question, row }, plies: 0 });
  assert.match(failed, /^place 0 of a row holds 16/);
  assert.equal((await ask(look)).plays.length, 4);
});

test("no more plays are told than are asked for, and of advice nothing before its end", async () => {
  const messages = [];
  const all = await ask({ ...look, most: undefined });
  const found = await ask({ ask: "analyse", question, plies: 1, most: 3 });
  assert.deepEqual([found.plays.length, found.of], [3, all.plays.length]);
  await ask({ ask: "advise", question }, ({ found: piece }) => piece && messages.push(piece));
  assert.ok(messages.slice(0, -1).every((piece) => Object.keys(piece).join() === "done"));
  assert.equal(messages.at(-1).done, true);
});

test("while a net is on its way the server is asked, where there is one", async () => {
  const { caches } = globalThis;
  for (const [i, keeping] of [caches, undefined].entries()) {
    globalThis.caches = keeping;
    if (!keeping) delete globalThis.caches; // as on a page without https
    kept.clear();
    site.asked.length = 0;
    // Classes of another order, so that none of the engines at hand is the one that is asked for.
    const classMap = [...question.classMap.slice(i + 1), ...question.classMap.slice(0, i + 1)];
    const shared = { ...look, question: { ...question, classMap }, isAlone: false };
    let send = () => {};
    site.ready = new Promise((done) => (send = done));
    for (const { failed, unreached } of [await ask(shared), await ask(shared)])
      assert.deepEqual([failed, unreached], [`${NET_ADDRESS}: on its way`, true]);
    send();
    assert.equal((await ask({ ...shared, isAlone: true })).plays.length, 4);
    assert.equal((await ask(shared)).plays.length, 4);
    assert.deepEqual(site.asked, ["default"], "it was fetched once");
  }
  globalThis.caches = caches;
});

test("a browser without vectors of 128 bits is not asked", async () => {
  const { localEngine, NoAnswer } = await import("../../src/sheshbesh/web/engine/client.js");
  const { MatchConnection } = await import("../../src/sheshbesh/web/app/match-connection.js");
  globalThis.Worker = class {};
  globalThis.sessionStorage = { getItem: () => null };
  globalThis.navigator ??= {};
  const table = new MatchConnection("m1", "wss://example.org");
  assert.deepEqual([localEngine.canRun, table.hasCore], [true, true]);
  const { validate } = WebAssembly;
  try {
    WebAssembly.validate = () => false;
    assert.deepEqual([localEngine.canRun, table.hasCore], [false, false]);
    await assert.rejects(localEngine.place(JUDGED.asked), NoAnswer);
  } finally {
    WebAssembly.validate = validate;
  }
});
