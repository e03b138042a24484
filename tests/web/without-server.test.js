import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "../../src/sheshbesh/web/app/api.js";
import { answered } from "../../src/sheshbesh/web/app/without-server.js";
import { localEngine, NoAnswer } from "../../src/sheshbesh/web/engine/client.js";

const JUDGED = { candidates: [], answers: [], other: { text: "No." } };
const COPY = { title: "Tapa", questions: [{ id: "x", choices: [], judged: JUDGED }] };

/** A page that has its copies, on a site whose server can be gone. */
function page({ onLine = true } = {}) {
  const server = { gone: true };
  globalThis.location = { pathname: "/" };
  Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true });
  globalThis.fetch = async (path) => {
    if (path.startsWith("/copy/")) return Response.json(COPY);
    if (server.gone) throw new TypeError("the server is gone");
    return Response.json({ title: "Tapa of the server" });
  };
  return server;
}

test("the usual rules are given for no card with house rules", async () => {
  page();
  const asked = (code) => answered("GET", `/variants/tapa?card=${encodeURIComponent(code)}&lang=en`);
  assert.deepEqual(await asked("tapa.p5.dice-local"), COPY);
  assert.equal(await asked("tapa.cube=true.p5"), undefined);
});

test("an answer to a puzzle waits for a server that is away for a moment", async () => {
  const asked = () => answered("POST", "/puzzles/tapa/x/answers", { answer: "pass" });
  page({ onLine: true });
  assert.equal(await asked(), undefined);
  page({ onLine: false });
  assert.equal((await asked()).text, "No.");
});

test("what was answered here is asked for again once there is a server", async () => {
  const server = page();
  assert.equal((await once("/variants/tapa")).title, "Tapa");
  server.gone = false;
  assert.equal((await once("/variants/tapa")).title, "Tapa of the server");
  server.gone = true;
  assert.equal((await once("/variants/tapa")).title, "Tapa of the server");
});

test("an engine that does not answer is said to be away, or not to run here", async () => {
  page();
  const { place } = localEngine;
  localEngine.place = async () => {
    throw new NoAnswer("net: the checksum does not match");
  };
  const said = async () => [
    (await answered("GET", "/analysis?card=tapa.m&dice=31")).error.text,
    (await answered("POST", "/analysis/text", { text: "B4:w" })).error.text,
  ];
  assert.deepEqual(await said(), Array(2).fill("The engine cannot be run in this browser."));
  globalThis.Worker = class {};
  assert.deepEqual(await said(), Array(2).fill("The engine cannot be loaded."));
  delete globalThis.Worker;
  localEngine.place = place;
});
