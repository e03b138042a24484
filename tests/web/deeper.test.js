import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { Deeper } from "../../src/sheshbesh/web/app/deeper.js";
import { judgeTried } from "../../src/sheshbesh/web/app/match/trial.js";
import { localEngine, NoAnswer } from "../../src/sheshbesh/web/engine/client.js";

const STEP = { origin: 6, landing: 5, die: 1, takes: false };
const PLAY = { row: new Uint8Array(116), dice: [2, 1], steps: [STEP], chances: [1] };
const FOUND = { plies: 2, chances: [1], plays: [PLAY], of: 1 };
const ROLLED = { entries: [{ chances: [{}], equity: { mean: 0 } }], behind: [[0]], cube: null };
const QUESTION = { net: {}, classes: [["win", "single", 1]] };
const CHOICES = [
  { whole: false, next: [[6, 5, 1, 0, 1]] },
  { whole: true, next: [] },
];

test("a play is tried where data are saved: no server is there to judge it instead", async () => {
  const answers = { analyse: FOUND, advise: { done: "play", kind: "cube", loss: 0.1 } };
  const asked = [];
  globalThis.Worker = class {
    postMessage({ id, ask, ...rest }) {
      asked.push([ask, rest.made?.row.length]);
      queueMicrotask(() => {
        this.onmessage({ data: { id, found: answers[ask] } });
        this.onmessage({ data: { id, done: true, build: "simd" } });
      });
    }
  };
  const value = { connection: { saveData: true } };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  const told = await judgeTried(QUESTION, CHOICES, 1, new AbortController().signal);
  assert.equal(told?.loss, 0.1);
  assert.deepEqual(asked, [
    ["analyse", undefined],
    ["advise", 116],
  ]);
});

/** Everything that can happen by itself has happened. */
const idle = () => new Promise((done) => setImmediate(done));

/** A decision that is looked at; what the engine is asked is answered by hand. */
function looking() {
  const asked = [];
  const ask = (what) => (_question, plies, how) =>
    new Promise((resolve, reject) => {
      const { signal, report } = how ?? plies;
      const answer = (found) => {
        report?.(found);
        resolve({ found, build: "simd" });
      };
      asked.push({ what, signal, report, answer, fail: () => reject(new NoAnswer("no")), ...plies });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  localEngine.analyse = ask("analyse");
  localEngine.rollOut = ask("roll");
  localEngine.advise = async () => ({ found: { done: "play", kind: "cube" }, build: "simd" });
  const deeper = new Deeper();
  Object.defineProperty(deeper, "board", { value: null });
  deeper.question = async () => QUESTION;
  deeper.of = { turn: { side: "white", choices: CHOICES } };
  return { deeper, asked, all: () => asked.map(({ what }) => what) };
}

/** The same with a rollout under way. */
async function rolling() {
  const { deeper, asked, all } = looking();
  const first = deeper.ask("roll", deeper.roll);
  await idle();
  asked[0].answer(FOUND);
  await idle();
  assert.deepEqual(all(), ["analyse", "roll"]);
  assert.equal(asked[1].plays.length, 1);
  return { deeper, asked, all, first };
}

test("a rollout begins again once a play that was tried is judged", async () => {
  const { deeper, asked, all, first } = await rolling();
  const tried = deeper.tried({ detail: { steps: [[6, 5, 1, 0]] } });
  await first;
  await idle();
  assert.equal(asked[1].signal.aborted, true);
  asked[2].answer(FOUND);
  await tried;
  await idle();
  assert.deepEqual(all(), ["analyse", "roll", "analyse", "roll"]);
  void deeper.ask("roll", deeper.roll);
  await idle();
  assert.deepEqual([asked[3].signal.aborted, asked.length], [true, 5]);
  assert.equal(deeper.rolls, true, "the end of one is not said of the next");
  asked[4].answer(ROLLED);
  await idle();
  assert.equal(deeper.rolls, false);
});

test("nothing is rolled out of a decision that was left while a play was judged", async () => {
  const { deeper, asked, all } = await rolling();
  const tried = deeper.tried({ detail: { steps: [[6, 5, 1, 0]] } });
  await idle();
  deeper.reset();
  asked[2].answer(FOUND);
  await tried;
  await idle();
  assert.deepEqual(all(), ["analyse", "roll", "analyse"]);
  assert.equal(deeper.rolls, false);
});

test("a rollout of a decision that could not be looked at looks again, and rolls out plays or nothing", async () => {
  const { deeper, asked, all } = looking();
  const look = deeper.look();
  await idle();
  asked[0].fail();
  await look;
  const roll = deeper.ask("roll", deeper.roll);
  await idle();
  assert.deepEqual(all(), ["analyse", "analyse"]);
  asked[1].fail();
  await roll;
  assert.deepEqual(all(), ["analyse", "analyse"]);
  assert.equal(deeper.silent, "The engine cannot be run in this browser.");
  void deeper.ask("roll", deeper.roll);
  await idle();
  asked[2].report({ ...FOUND, plies: 0 });
  await idle();
  assert.equal(asked.length, 3, "a look that is under way is waited for");
  asked[2].answer(FOUND);
  await idle();
  assert.deepEqual([asked[3].what, asked[3].plays.length], ["roll", 1]);
  deeper.picked = new Set();
  void deeper.ask("roll", deeper.roll);
  await idle();
  assert.deepEqual([asked[4].what, asked[4].plays.length], ["roll", 1], "the best where none is picked");
});
