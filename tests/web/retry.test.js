import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { TableModel } from "../../src/sheshbesh/web/app/table/model.js";
import { Announcer } from "../../src/sheshbesh/web/board/announcer.js";
import { untranslated } from "../../src/sheshbesh/web/board/words.js";

const theirs = { side: "black", dice: [3, 1], play: "8/5 6/5", kind: "play" };
const mine = { side: "white", dice: [6, 2], play: "24/18 13/11", kind: "play" };
const retry = { side: "white", dice: null, play: mine.play, kind: "retry" };
const again = { ...mine, play: "24/16" };

test("a play that was taken back is not the last one", () => {
  const model = new TableModel("m1", new EventTarget());
  const after = (...turns) => {
    model.turns = turns;
    return [model.last, model.isRetried];
  };
  assert.deepEqual(after(theirs, mine), [mine, false]);
  assert.deepEqual(after(theirs, mine, retry), [theirs, true]);
  assert.deepEqual(after(theirs, mine, retry, again), [again, false]);
  assert.deepEqual(after(mine, retry), [null, true]);
});

test("dice that are played once more are not thrown", () => {
  const board = { t: untranslated, describe: { colour: (side) => side }, last: theirs, retried: false };
  const common = { you: ["white"], allowed: [], cube: { offered: null, owner: null }, board: {}, game: 1 };
  const moving = { ...common, phase: "move", on_roll: "white", turn: { dice: [6, 2] } };
  const away = { ...common, phase: "roll", on_roll: "black", turn: null };
  const announcer = new Announcer(board);
  announcer.announce(null, away);
  assert.deepEqual(announcer.announce(away, moving), { text: "white rolled 6 and 2", thrown: true });
  board.last = mine;
  assert.equal(announcer.announce(moving, away).text, "white played 24/18 13/11");
  Object.assign(board, { last: theirs, retried: true });
  assert.deepEqual(announcer.announce(away, moving), { text: "Taken back", thrown: false });
  Object.assign(board, { last: again, retried: false });
  assert.equal(announcer.announce(moving, away).text, "white played 24/16");
});
