import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { Tutor } from "../../src/sheshbesh/web/app/match/tutor.js";
import {
  agreed,
  announcements,
  meta,
  proposalText,
  situation,
} from "../../src/sheshbesh/web/app/table/wording.js";

const BOARD = { name: "the board before my play" };
const moving = { you: ["white"], game: 1, phase: "move", on_roll: "white", to_act: ["white"], board: BOARD };
const after = { you: ["white"], game: 1, phase: "throwing", on_roll: "black", to_act: [], board: {} };
const own = { n: 7, at: 0, actor: "white", type: "play", then: { play: "24/18 13/11" } };
const theirs = { n: 9, at: 0, actor: "black", type: "play", then: { play: "13/7", dice: [3, 1] } };
const line = { side: "white", dice: [6, 2], play: "24/18 13/11", kind: "play" };
const verdict = {
  n: 7,
  side: "white",
  kind: "play",
  grade: "error",
  loss: 0.052,
  played: { steps: [[24, 18, 6, 0]] },
  best: { steps: [[13, 7, 6, 0]] },
};

/** A tutor with a verdict on a play that the player made themselves. */
function judged() {
  const tutor = new Tutor();
  tutor.acted();
  tutor.follow(moving, after, [own], [line]);
  tutor.receiveVerdict(verdict);
  return tutor;
}

test("arrows stand while the other side answers, and never by themselves over a new throw", () => {
  const tutor = judged();
  assert.equal(tutor.arrows.board, BOARD);
  assert.deepEqual(
    tutor.arrows.options.map(({ grade }) => grade),
    ["best", "error"],
  );
  assert.deepEqual(tutor.grades, { 0: "error" });
  tutor.follow(after, { ...after, phase: "move", to_act: ["black"] }, [theirs], [line]);
  assert.ok(tutor.arrows, "the other side's throw takes nothing away");
  tutor.follow(after, moving, [theirs], [line]);
  assert.equal(tutor.arrows, null, "the own one does");
  tutor.point(true);
  assert.equal(tutor.arrows.alone, true, "on demand they come with the position they are about");
  assert.deepEqual(tutor.arrows.dice, [6, 2]);
  assert.equal(tutor.acted(), true);
  assert.equal(tutor.arrows, null);
  assert.equal(tutor.verdict.n, verdict.n, "the words stay until the next decision");
  tutor.follow(moving, after, [{ ...own, n: 12 }], [line, line]);
  assert.equal(tutor.verdict, null);
  assert.equal(tutor.advice, null);
});

test("what is played by itself is no action of the player's", () => {
  const tutor = judged();
  tutor.follow(moving, after, [{ ...own, n: 12, then: { play: "pass" } }], [line]);
  tutor.follow(moving, after, [{ ...own, n: 15 }], [line, line]);
  assert.equal(tutor.verdict.n, verdict.n);
  assert.ok(tutor.arrows);
});

test("a verdict that comes while the next checker is moving, or once there is a new throw, draws nothing", () => {
  const tutor = new Tutor();
  tutor.acted();
  tutor.follow(moving, after, [own], [line]);
  tutor.acted();
  tutor.receiveVerdict(verdict);
  assert.equal(tutor.arrows, null);
  assert.equal(tutor.verdict.n, verdict.n);
  const late = new Tutor();
  late.follow(moving, after, [own], [line]);
  late.follow(after, moving, [theirs], [line]);
  late.receiveVerdict(verdict);
  assert.equal(late.arrows, null);
});

test("a hint stands until something is decided, and comes before a verdict", () => {
  const tutor = judged();
  tutor.advise({ kind: "play", candidates: [{ steps: [[8, 5, 3, 0]] }] }, moving);
  assert.deepEqual(tutor.arrows.options, [{ grade: "best", steps: [[8, 5, 3, 0]] }]);
  tutor.acted();
  assert.ok(tutor.arrows, "taken back, the checkers stand as the hint meant them");
  tutor.shown = false;
  assert.equal(tutor.arrows, null);
  tutor.follow(moving, moving, [{ n: 8, at: 0, actor: "server", type: "link" }], []);
  assert.ok(tutor.hint, "links of dice decide nothing");
  tutor.follow(moving, after, [{ ...own, n: 12 }], [line]);
  assert.equal(tutor.hint, null);
  assert.equal(tutor.arrows, null);
});

const players = { white: { kind: "hotseat", name: "Nava" }, black: { kind: "hotseat", name: "Aslan" } };
const table = (more) => ({
  players,
  you: ["white", "black"],
  to_act: ["black"],
  allowed: [],
  phase: "resigned",
  cube: { value: 2, offered: null, by: null, automatic: 0 },
  dice: {},
  card: {},
  ...more,
});
const how = { whole: false, done: 0, calls: false };

test("at one screen both are named: nobody there is the opponent", () => {
  const resigned = table({ resignation: { by: "white", kind: "gammon", points: 2, pays: 4 } });
  assert.deepEqual(situation(resigned, how), ["Nava resigns", "gammon · 4 points"]);
  assert.deepEqual(situation({ ...resigned, you: ["black"] }, how)[0], "Your opponent resigns");
  const doubled = table({ phase: "doubled", cube: { value: 2, offered: 4, by: "white" } });
  assert.deepEqual(situation(doubled, how)[0], "Nava doubles to 4");
});

test("a settlement says who pays what", () => {
  const settle = (points, by = "white") => ({ by, what: "settle", points });
  assert.deepEqual(proposalText(table(), settle(1)), ["Settle at half the stake", "Aslan pays 1 point"]);
  assert.deepEqual(proposalText(table(), settle(-2)), ["Settle at the whole stake", "Nava pays 2 points"]);
  assert.deepEqual(proposalText(table({ you: ["white"] }), settle(-2)), [
    "Settle at the whole stake",
    "you pay 2 points",
  ]);
  assert.deepEqual(proposalText(table({ you: ["white"] }), settle(-3, "black")), [
    "Settle this game",
    "you get 3 points",
  ]);
  assert.deepEqual(proposalText(table(), settle(0)), ["Call this game off", "nobody gets a point"]);
});

test("what bears on the points of this game is shown, and said when it begins", () => {
  const card = { jacoby: true, beavers: true, raccoons: false, automatic_doubles: 1 };
  assert.deepEqual(
    agreed(table({ card })).map(([text]) => text),
    ["Jacoby", "Beavers", "Automatic doubles"],
  );
  assert.deepEqual(agreed(table({ card, cube: { automatic: 1 } })).at(-1)[0], "1 automatic double");
  const before = table({ game: 3, crawford: false });
  assert.deepEqual(announcements(before, table({ game: 4, crawford: true })), [
    "This is the Crawford game: nobody may double.",
  ]);
  assert.deepEqual(announcements(before, table({ game: 3, cube: { value: 4, automatic: 2 } })), [
    "Equal dice: the cube goes to 4.",
  ]);
  assert.deepEqual(announcements(null, table({ crawford: true })), []);
  assert.equal(
    meta(table({ game: 4, crawford: true, card: { contest: "points", length: 3 } })),
    "Match to 3 points · game 4 · Crawford game",
  );
});

test("a hint is waited for until it comes, is refused, or the match has gone on", () => {
  const tutor = new Tutor();
  tutor.waits(true);
  tutor.place = 3;
  tutor.advise({ kind: "cube" }, moving);
  assert.deepEqual([tutor.asked, tutor.place], [false, 0]);
  tutor.waits(true);
  tutor.follow(moving, after, [own], [line]);
  assert.equal(tutor.asked, false);
});
