import assert from "node:assert/strict";
import { test } from "node:test";
import { DiceShares } from "../../src/sheshbesh/web/app/table/dice-shares.js";

const theirs = {
  you: ["white"],
  game: 1,
  phase: "move",
  on_roll: "black",
  proposal: null,
  paused: false,
  dice: { source: "server" },
};
const mine = { ...theirs, phase: "roll", on_roll: "white", allowed: ["roll", "double"] };

/** Shares at a model that only writes down what is done. */
function seated(state) {
  const done = [];
  const model = {
    match: "m1",
    state,
    seat: "white",
    allowed: () => model.state.allowed ?? [],
    act: (action, side) => done.push([action.type, side]),
  };
  const shares = new DiceShares(model);
  return {
    shares,
    done,
    come: (next) => {
      model.state = next;
      shares.serve();
    },
  };
}

test("a throw that was asked for ahead is made when the turn comes, once, and also where one may double", () => {
  const { shares, done, come } = seated(theirs);
  assert.equal(shares.mayAsk, true);
  shares.ahead = true;
  come({ ...theirs, on_roll: "black", phase: "throwing" });
  assert.deepEqual([shares.ahead, done], [true, []]);
  come(mine);
  assert.deepEqual([shares.ahead, done], [false, [["roll", "white"]]]);
  come(mine);
  assert.equal(done.length, 1);
});

test("without being asked for, or taken back, nothing is thrown over a cube", () => {
  const { shares, done, come } = seated(theirs);
  shares.ahead = true;
  shares.ahead = false;
  come(mine);
  assert.deepEqual(done, []);
});

for (const [what, change] of [
  ["a double", { phase: "doubled" }],
  ["an offer", { proposal: { by: "black" } }],
  ["a pause", { paused: true }],
  ["the end of the game", { phase: "ready" }],
])
  test(`${what} ends what was asked for ahead`, () => {
    const { shares, done, come } = seated(theirs);
    shares.ahead = true;
    come({ ...theirs, ...change });
    come(mine);
    assert.deepEqual([shares.ahead, done], [false, []]);
  });

test("nobody asks ahead in their own turn, at a shared screen, or while only watching", () => {
  for (const change of [{ on_roll: "white" }, { you: ["white", "black"] }, { you: [] }, { on_roll: null }])
    assert.equal(seated({ ...theirs, ...change }).shares.mayAsk, false);
});
