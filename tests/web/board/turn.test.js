import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import "../elements.js";
import { carry, freeOn, numberOf, pipsOf, placeOf } from "../../../src/sheshbesh/web/board/checkers.js";
import { findPlay, formatPlay, parsePlay } from "../../../src/sheshbesh/web/board/notation.js";
import { automaticStep, Play, TouchMove } from "../../../src/sheshbesh/web/board/play.js";
import { Turn } from "../../../src/sheshbesh/web/board/turn.js";
import { TurnController } from "../../../src/sheshbesh/web/board/turn-controller.js";
import { DEFAULTS } from "../../../src/sheshbesh/web/board/types.js";

const folder = new URL("../../data/wire/states/", import.meta.url);
const games = Object.fromEntries(
  readdirSync(folder).map((name) => [
    name.replace(".json", ""),
    JSON.parse(readFileSync(new URL(name, folder), "utf8")),
  ]),
);

/** The n-th state of a game in which White moves. */
const moving = (game, n = 0) => games[game].states.map((s) => s.d).filter((d) => d.choices)[n];
const playOf = (game, n = 0) => new Play(structuredClone(moving(game, n)), games[game].layout, "white");
const steps = (hops) => hops.map((hop) => [hop.origin, hop.target]);

test("pips of a board are those that the server counts, in every game", () => {
  for (const [game, { layout, states }] of Object.entries(games))
    for (const { d } of states)
      for (const side of d.board ? ["white", "black"] : [])
        assert.equal(pipsOf(d.board, layout, side), d.pips[side], `${game}: ${side}`);
});

test("an opening 3-1: tap, other die, swap, undo, whole", () => {
  const play = playOf("backgammon");
  assert.deepEqual(play.dice, [3, 1]);
  assert.deepEqual(steps(play.tap(8).made), [[8, 5]]);
  assert.equal(play.swap(), false, "not after a hop");
  assert.deepEqual(play.used, [true, false]);
  assert.deepEqual(steps(play.tap(6).made), [[6, 5]]);
  assert.equal(play.turn.whole, true);
  assert.deepEqual(play.written, {
    play: "8/5 6/5",
    steps: [
      [8, 5],
      [6, 5],
    ],
  });
  assert.equal(play.undo(true).undone.length, 2);
  assert.deepEqual(steps(play.tap(24, true).made), [[24, 23]]);
  play.undo();
  assert.equal(play.swap(), true);
  assert.deepEqual(steps(play.tap(24).made), [[24, 23]]);
});

test("a tap on a target makes the point where one way does, and nothing where several do", () => {
  const play = playOf("backgammon");
  assert.deepEqual(steps(play.tap(5).made).sort(), [
    [6, 5],
    [8, 5],
  ]);
  play.undo(true);
  assert.deepEqual(play.tap(4).made, [], "nobody comes there at all");
  assert.deepEqual(steps(play.tap(10).made), [[13, 10]], "one checker can, by one die");
});

test("dragging: any distance, back again, and onward by another way", () => {
  const play = playOf("backgammon");
  assert.deepEqual(steps(play.drop(24, 20).made), [
    [24, 21],
    [21, 20],
  ]);
  const back = play.drop(20, 24);
  assert.equal(back.undone.length, 2);
  assert.equal(play.turn.path.length, 0);
  play.tap(24, true); // 24/23
  const again = play.drop(23, 21);
  assert.deepEqual(steps(play.turn.path), [[24, 21]], "24/23 is taken back for 24/21");
  assert.deepEqual(steps(again.undone), [[24, 23]]);
});

test("a drop that is not possible is asked about with everything done before it", () => {
  const play = playOf("backgammon");
  play.tap(8);
  assert.deepEqual(play.drop(13, 1).refused, [
    [8, 5],
    [13, 1],
  ]);
  assert.deepEqual(steps(play.turn.path), [[8, 5]]);
});

test("the walk of every fixture ends in whole turns that the board can carry and notation can find", () => {
  let walked = 0;
  for (const [game, { layout, states }] of Object.entries(games)) {
    for (const { d: state } of states) {
      if (!state.choices) continue;
      const side = state.on_roll;
      const play = new Play(structuredClone(state), layout, side);
      for (let guard = 0; play.turn.next().length && guard < 12; guard++) {
        const hop = play.turn.next().at(guard % 2 ? 0 : -1);
        play.make([hop]);
        const board = play.board;
        for (const point of board.points) {
          assert.ok(point.w >= 0 && point.b >= 0, `${game}: nothing is carried that is not there`);
          const both = point.w > 0 && point.b > 0;
          assert.equal(
            both,
            point.pin !== undefined,
            `${game}: two colours share a point only with a captive`,
          );
        }
        for (const s of ["white", "black"]) {
          const all =
            board.points.reduce((n, p) => n + p[s[0]], 0) + board.bar[s] + board.hand[s] + board.off[s];
          assert.equal(all, layout.checkers, `${game}: no checker is lost`);
        }
      }
      assert.ok(play.turn.whole, `${game}: a turn with nothing left is whole`);
      if (!play.turn.path.length) continue;
      const { play: text } = play.written;
      const found = findPlay(new Turn(state.choices), parsePlay(text));
      assert.ok(found, `${game}: ${text} is found again`);
      const reached = found.reduce((board, hop) => carry(board, layout, side, hop), state.board);
      assert.deepEqual(reached, play.board, `${game}: ${text} leads where it led`);
      walked++;
    }
  }
  assert.ok(walked > 100, `${walked} turns walked`);
});

test("places and numbers are each other's inverse on either side", () => {
  for (const { layout } of Object.values(games)) {
    for (const side of ["white", "black"]) {
      for (let n = 1; n <= 24; n++) assert.equal(numberOf(layout, side, placeOf(layout, side, n)), n);
    }
  }
});

test("carrying: a hit sends to the bar, a pin imprisons, leaving frees", () => {
  const { layout } = games.backgammon;
  const board = structuredClone(moving("backgammon").board);
  board.points[4] = { w: 0, b: 1 };
  const hit = carry(board, layout, "white", { origin: 6, target: 5, takes: true });
  assert.deepEqual([hit.points[4], hit.bar.black], [{ w: 1, b: 0 }, 1]);
  const pins = games.plakoto.layout;
  const held = carry(board, pins, "white", { origin: 6, target: 5, takes: true });
  assert.deepEqual(held.points[4], { w: 1, b: 1, pin: "black" });
  assert.equal(freeOn(held, pins, "black", 20), 0, "a captive is not free");
  const freed = carry(held, pins, "white", { origin: 5, target: 1, takes: false });
  assert.deepEqual(freed.points[4], { w: 0, b: 1 });
});

test("a head's badge counts what may still leave it", () => {
  const play = playOf("long_nardy");
  const before = play.turn.mostFrom(24);
  assert.ok(before >= 1);
  play.tap(24);
  assert.ok(play.turn.mostFrom(24) < before);
});

test("notation: written as the rules write it, read back, and refused where it makes no sense", () => {
  const hop = (origin, target, takes = false) => ({ origin, target, takes, die: 1, stage: 0 });
  assert.equal(formatPlay([hop(13, 8), hop(8, 3)]), "13/3");
  assert.equal(formatPlay([hop(13, 8, true), hop(8, 3)]), "13/8*/3");
  assert.equal(formatPlay([hop(6, 5), hop(6, 5), hop(8, 5), hop(8, 5)]), "8/5(2) 6/5(2)");
  assert.equal(formatPlay([hop(26, 22, true), hop(3, 0)]), "bar/22* 3/off");
  assert.deepEqual(parsePlay("13/8*/3"), [
    { origin: 13, target: 8, takes: true },
    { origin: 8, target: 3, takes: false },
  ]);
  assert.equal(parsePlay("6/4(2)")?.length, 2);
  assert.deepEqual(parsePlay("pass"), []);
  for (const text of ["8", "8/x", "99/1", "8/5(9)", "/5", "6/25", "6/bar", "off/5", "13/bar/5"])
    assert.equal(parsePlay(text), null, text);
});

test("what is typed or dragged is asked about only where it is steps, and few enough", () => {
  const asked = [];
  const board = {
    ...{ state: moving("backgammon"), layout: games.backgammon.layout, preferences: DEFAULTS },
    t: (text, values = {}) => text.replace("{text}", values.text),
    emit: (type, detail) => type === "ssb-why" && asked.push(detail.steps),
    requestUpdate() {},
  };
  const controller = new TurnController(board);
  controller.play = playOf("backgammon");
  const said = (text) => {
    controller.typed(text);
    return controller.spoken;
  };
  for (const text of ["6/25", "6/bar", "off/5"]) assert.equal(said(text), `${text} cannot be read as a play`);
  controller.moveTo(6, 26);
  assert.deepEqual(asked, []);
  assert.equal(said("24/1"), "This cannot be played");
  assert.deepEqual(asked, [[[24, 1]]]);
  said("24/1(4) ".repeat(11));
  assert.equal(asked[1].length, 40);
  controller.stop();
});

const graph = (...next) => ({ ...structuredClone(moving("backgammon")), choices: next });

test("a dance is shown and ended; what is forced is played as far as wanted", () => {
  const layout = games.backgammon.layout;
  const dance = new Play(graph({ whole: true, next: [] }), layout, "white");
  assert.deepEqual(automaticStep(dance, DEFAULTS), { what: "confirm", after: 900 });
  const stages = [
    { whole: false, next: [[24, 21, 3, 0, 1]] },
    { whole: false, next: [[21, 20, 1, 0, 2]] },
    { whole: true, next: [] },
  ];
  const forced = new Play(graph(...stages), layout, "white");
  assert.equal(automaticStep(forced, DEFAULTS), null);
  assert.deepEqual(automaticStep(forced, { ...DEFAULTS, forced: "turns" }), { what: "hop", after: 500 });
  forced.tap(24);
  forced.tap(21);
  assert.deepEqual(automaticStep(forced, { ...DEFAULTS, forced: "turns" }), { what: "confirm", after: 500 });
  assert.equal(automaticStep(forced, DEFAULTS), null);
  assert.deepEqual(automaticStep(forced, { ...DEFAULTS, confirm: "auto" }), { what: "confirm", after: 250 });
  const free = playOf("backgammon");
  assert.equal(automaticStep(free, { ...DEFAULTS, forced: "steps" }), null);
});

test("with touch-move one thing is told at a time, the next when the one before is answered", () => {
  const state = { ...structuredClone(moving("backgammon")), card: { touch_move: true } };
  const play = new Play(state, games.backgammon.layout, "white");
  /** @type {unknown[]} */ const told = [];
  const touch = new TouchMove((type, detail) => told.push([type, detail?.origin ?? detail?.point]));
  touch.touch(24);
  play.drop(24, 20);
  touch.tell(play);
  touch.confirm(play);
  assert.deepEqual(told, [["ssb-touch", 24]]);
  touch.answered(play);
  assert.deepEqual(told.slice(1), [["ssb-step", 24]]);
  play.done = [[24, 21, 3, 0]];
  touch.answered(play);
  play.done = [
    [24, 21, 3, 0],
    [21, 20, 1, 0],
  ];
  touch.answered(play);
  touch.answered(play);
  assert.deepEqual(told.slice(2), [
    ["ssb-step", 21],
    ["ssb-confirm", undefined],
  ]);
  assert.deepEqual(play.undo().undone, [], "nothing is taken back");
});
