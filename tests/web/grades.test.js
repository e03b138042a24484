import assert from "node:assert/strict";
import { test } from "node:test";
import "./elements.js";
import { called, drawn, gradeOf, isWrong, playArrows } from "../../src/sheshbesh/web/app/grades.js";

test("tutor, review and puzzles have one scale of losses", () => {
  const rows = [
    [{ grade: "best" }, { verdict: "best" }, "best", "best", "best", false],
    [{ grade: "fine", close: false }, { verdict: "fine" }, "fine", "fine", "ok", false],
    [{ grade: "fine", close: true }, { verdict: null }, "close", "too close to call", "ok", false],
    [{ grade: "error" }, { verdict: "inaccuracy" }, "error", "error", "error", true],
    [{ grade: "error" }, { verdict: "error" }, "error", "error", "error", true],
    [{ grade: "blunder" }, { verdict: "blunder" }, "blunder", "blunder", "blunder", true],
  ];
  for (const [told, reviewed, grade, name, arrows, wrong] of rows)
    for (const judged of [told, reviewed])
      assert.deepEqual(
        [gradeOf(judged), called(judged), drawn(judged), isWrong(judged)],
        [grade, name, arrows, wrong],
      );
});

test("arrows are those of the best play and of the one that was made, where there are any", () => {
  const position = { side: "white", board: null, dice: [6, 2] };
  const [best, made] = [[[24, 18, 6, 0]], [[13, 7, 6, 0]]];
  assert.deepEqual(playArrows(position, best, { verdict: "inaccuracy", steps: made }), {
    ...position,
    alone: true,
    options: [
      { grade: "best", steps: best },
      { grade: "error", steps: made },
    ],
  });
  assert.equal(playArrows(position, best, null)?.options.length, 1);
  assert.equal(playArrows(position, [], null), null);
});
