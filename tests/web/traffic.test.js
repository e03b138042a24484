import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Traffic } from "../../src/sheshbesh/web/app/traffic.js";

test("what is answered soon is not spoken of, what is late is, until it is answered", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const traffic = new Traffic();
  const said = [];
  traffic.addEventListener("change", () => said.push(traffic.slow));
  await traffic.track(Promise.resolve());
  mock.timers.tick(1000);
  assert.deepEqual(said, []);
  let answer = () => {};
  const late = traffic.track(new Promise((done) => (answer = done)));
  mock.timers.tick(1000);
  assert.deepEqual(said, [true]);
  answer();
  await late;
  assert.deepEqual(said, [true, false]);
  await assert.rejects(traffic.track(Promise.reject(new Error("refused"))), /refused/);
  mock.timers.reset();
});

test("a line that is interrupted is told of once, and once when all are there again", () => {
  const traffic = new Traffic();
  const said = [];
  traffic.addEventListener("change", () => said.push(traffic.away));
  const [one, other] = [{}, {}];
  traffic.setLost(one, true);
  traffic.setLost(one, true);
  traffic.setLost(other, true);
  traffic.setLost(one, false);
  assert.deepEqual(said, [true]);
  traffic.setLost(other, false);
  assert.deepEqual(said, [true, false]);
});
