import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** @type {Map<string, string>} */
const kept = new Map();
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => void kept.set(name, value),
};
/** What is asked for and not answered yet; `answer` ends the oldest. */
const asked = [];
globalThis.fetch = (_path, { body }) => new Promise((done) => asked.push({ ...JSON.parse(body), done }));

const { ResultQueue } = await import("../../src/sheshbesh/web/app/tournament/director_queue.js");

const stored = () => JSON.parse(kept.get("sheshbesh-desk-t") ?? "[]").map(({ ref }) => ref);
const result = (ref) => ({ ref, kind: "enter_result", fields: {}, text: ref });
const settled = () => new Promise((done) => setImmediate(done));

/** Answer what was asked for first, and return its ref. */
async function answer(status = 200, rule = "") {
  const { ref, done } = asked.shift();
  done({
    ok: status === 200,
    status,
    json: async () => ({ error: { code: "refused", rule, text: `no: ${rule}` } }),
  });
  await settled();
  return ref;
}

beforeEach(() => {
  kept.clear();
  asked.length = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("what waits is sent one after the other, once, and nothing that was taken back", async () => {
  kept.set("sheshbesh-desk-t", JSON.stringify(["a", "b", "c"].map(result)));
  const queue = new ResultQueue("t", "/t");
  let sent = 0;
  queue.addEventListener("sent", () => {
    sent += 1;
    void queue.sendAll();
  });
  void queue.sendAll();
  void queue.sendAll();
  assert.equal(queue.posting, "a");
  queue.takeBack(queue.waiting[0]);
  queue.takeBack(queue.waiting[1]);
  assert.deepEqual(stored(), ["a", "c"], "what is being sent cannot be taken back");
  queue.add(result("d"));
  assert.equal(await answer(), "a");
  mock.timers.tick(10_000);
  assert.equal(asked.length, 1);
  assert.deepEqual([await answer(), await answer()], ["c", "d"]);
  assert.deepEqual([stored(), asked, sent], [[], [], 1]);
});

test("a result is kept while nobody is reached, or who sends it is not signed in; a refused one is not", async () => {
  const queue = new ResultQueue("t", "/t");
  const refused = [];
  queue.addEventListener("refused", ({ detail }) => refused.push(detail));
  queue.add(result("a"));
  mock.timers.tick(10_000);
  for (const [status, rule, away] of [
    [503, "unavailable", true],
    [401, "unknown", false],
    [403, "forbidden", false],
    [409, "wire.busy", false],
  ]) {
    assert.equal(await answer(status, rule), "a");
    assert.deepEqual([stored(), queue.away, queue.problem], [["a"], away, away ? "" : `no: ${rule}`]);
    assert.equal(asked.length, 0);
    mock.timers.tick(15_000);
  }
  await answer(409, "result.length");
  assert.deepEqual([stored(), queue.problem, refused], [[], "", ["a: no: result.length"]]);
});

test("the line is no longer called interrupted once nothing waits for it", async () => {
  const queue = new ResultQueue("t", "/t");
  queue.add(result("a"));
  mock.timers.tick(10_000);
  await answer(503, "unavailable");
  queue.takeBack(queue.waiting[0]);
  assert.deepEqual([queue.away, stored()], [false, []]);
});

test("a desk that was left sends once more, and never overwrites what another has kept", async () => {
  const left = new ResultQueue("t", "/t");
  left.add(result("a"));
  left.close();
  const other = new ResultQueue("t", "/t");
  other.add(result("b"));
  assert.deepEqual(stored(), ["a", "b"]);
  await answer(503, "unavailable");
  mock.timers.tick(9_000);
  assert.deepEqual([stored(), asked], [["a", "b"], []], "nothing is sent by who has left");
  void left.sendAll();
  await answer();
  assert.deepEqual(stored(), ["b"]);
});
