/** What a hand does to a board on the analysis board: every checker of a side is somewhere, captives lie under others. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { carried, cleared, holder, placed, tapped } from "../../src/sheshbesh/web/app/analysis/editing.js";

/** @param {string} game */
function start(game) {
  const { layout, states } = JSON.parse(
    readFileSync(new URL(`../data/wire/states/${game}.json`, import.meta.url), "utf8"),
  );
  const { d } = states.find((/** @type {any} */ each) => each.d.board);
  return { layout, board: d.board };
}

/** @param {number} place @returns {import("../../src/sheshbesh/web/board/geometry.js").Spot} */
const at = (place) => ({ kind: "point", place });

test("an empty board has every checker off, and a tap puts one down", () => {
  const { layout, board } = start("backgammon");
  const empty = cleared(board, layout);
  assert.deepEqual(empty.off, { white: 15, black: 15 });
  const next = tapped(tapped(empty, layout, at(6), "white"), layout, at(6), "white");
  assert.equal(next.points[5].w, 2);
  assert.equal(next.off.white, 13);
  assert.equal(empty.points[5].w, 0, "the board before it stays as it was");
});

test("the enemy makes room, and what is taken away is off", () => {
  const { layout, board } = start("backgammon");
  const empty = cleared(board, layout);
  const mine = placed(empty, layout, at(6), "white", 3);
  const theirs = tapped(mine, layout, at(6), "black");
  assert.deepEqual(theirs.points[5], { w: 0, b: 1 });
  assert.deepEqual(theirs.off, { white: 15, black: 14 });
  assert.equal(tapped(theirs, layout, at(6), "none").points[5].b, 0);
  assert.equal(tapped(empty, layout, { kind: "bar" }, "black").bar.black, 1);
});

test("a checker is carried to a point, to the bar and off", () => {
  const { layout, board } = start("backgammon");
  const one = placed(cleared(board, layout), layout, at(6), "white", 2);
  const moved = carried(one, layout, at(6), at(4), "white");
  assert.deepEqual([moved.points[5].w, moved.points[3].w], [1, 1]);
  assert.equal(carried(one, layout, at(6), { kind: "bar" }, "white").bar.white, 1);
  assert.equal(carried(one, layout, at(6), { kind: "off", side: "white" }, "white").off.white, 14);
});

test("a captive is laid under those who stand there, and freed when they are gone", () => {
  const { layout, board } = start("tapa");
  const two = placed(cleared(board, layout), layout, at(6), "white", 2);
  const held = tapped(two, layout, at(6), "pin");
  assert.deepEqual(held.points[5], { w: 2, b: 1, pin: "black" });
  assert.equal(holder(held, 6), "white");
  assert.deepEqual(tapped(held, layout, at(6), "pin").points[5], { w: 2, b: 0 });
  const freed = placed(held, layout, at(6), "white", 0);
  assert.deepEqual(freed.points[5], { w: 0, b: 1 });
  assert.equal(tapped(cleared(board, layout), layout, at(6), "pin").points[5].w, 0, "nobody stands there");
});
