import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Frame } from "../../../src/sheshbesh/web/board/geometry.js";

const layoutOf = (game) =>
  JSON.parse(readFileSync(new URL(`../../data/wire/states/${game}.json`, import.meta.url), "utf8")).layout;
const seat = (prefs = {}) => ({ home: "right", mine: "bottom", seating: "R", ...prefs });
const frameOf = (game, viewer = "white", prefs = {}, shape = "wide") =>
  new Frame(layoutOf(game), viewer, seat(prefs), shape);
const corner = (cell) => `${cell.dir < 0 ? "near" : "far"}-${cell.column >= 6 ? "right" : "left"}`;

test("the four orientations put my home where I want it", () => {
  for (const home of ["right", "left"]) {
    for (const mine of ["bottom", "top"]) {
      const cell = frameOf("backgammon", "white", { home, mine }).cellOfNumber(1);
      assert.equal(corner(cell), `${mine === "bottom" ? "near" : "far"}-${home}`);
    }
  }
});

test("a game in one direction: my head far right and his near left, or turned about", () => {
  const right = frameOf("long_nardy");
  assert.equal(corner(right.cell(24)), "far-right");
  assert.equal(corner(right.cell(12)), "near-left");
  const left = frameOf("long_nardy", "white", { seating: "L" });
  assert.equal(corner(left.cell(24)), "near-left");
  assert.equal(corner(left.cellOfNumber(1)), "far-left");
  assert.equal(left.diceField("white"), 1, "whoever sits near has his dice on his right");
});

test("either side sees itself near, with the dice on its right and the tray at its home", () => {
  for (const viewer of ["white", "black"]) {
    const frame = frameOf("backgammon", viewer);
    const enemy = viewer === "white" ? "black" : "white";
    assert.deepEqual(frame.home(viewer), { right: true, bottom: true });
    assert.deepEqual(frame.home(enemy), { right: true, bottom: false });
    assert.equal(frame.diceField(viewer), 1);
    assert.equal(frame.diceField(enemy), 0);
    assert.equal(frame.tray(viewer, "off").bottom, true);
    assert.ok(frame.cube(viewer).y > frame.mid && frame.cube(enemy).y < frame.mid);
    assert.ok(frame.barDir(viewer) < 0, "my checkers on the bar point to where they enter");
  }
});

test("every point is hit over its whole column, and nothing twice", () => {
  for (const [game, prefs] of [["backgammon", {}], ["long_nardy", { seating: "L" }], ["tapa", { home: "left" }]]) {
    for (const shape of ["wide", "narrow", "low"]) {
      const frame = frameOf(game, "black", prefs, shape);
      for (let place = 1; place <= 24; place++) {
        const { x, base, dir } = frame.cell(place);
        for (const dx of [-48, 0, 48]) {
          for (const dy of [2, 200, frame.m.length]) {
            assert.deepEqual(frame.spot(x + dx, base + dir * dy), { kind: "point", place }, `${game} ${place}`);
          }
        }
      }
    }
  }
});

test("bar, trays and the middle are told apart", () => {
  const frame = frameOf("acey_deucey");
  assert.equal(frame.spot(frame.barX, 300).kind, "bar");
  assert.deepEqual(frame.spot(frame.width - 20, frame.height - 200), { kind: "off", side: "white" });
  assert.deepEqual(frame.spot(frame.width - 20, 200), { kind: "off", side: "black" });
  assert.deepEqual(frame.spot(20, frame.height - 200), { kind: "hand", side: "white" });
  assert.deepEqual(frame.spot(frame.fields[1] + 300, frame.mid), { kind: "field", half: 1 });
});

test("five of a pile are drawn, a head condensed, and four over a captive's crescent", () => {
  const frame = frameOf("tapa");
  assert.equal(frame.pile(24, 12).length, 5);
  const loose = frame.pile(24, 5);
  const tight = frame.pile(24, 5, { tight: true });
  assert.ok(tight[4].y < loose[4].y);
  assert.ok(frame.pile(24, 1, { pinned: true })[0].y > loose[0].y);
  for (const pile of [loose, frame.pile(24, 9, { pinned: true })]) {
    assert.ok(pile.at(-1).y + frame.m.r < frame.mid - frame.m.die / 2, "no pile reaches the dice");
  }
});
