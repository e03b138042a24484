import assert from "node:assert/strict";
import { test } from "node:test";
import { botName, engineName, levelName, levelParts } from "../../src/sheshbesh/web/app/names.js";

const LEVELS = ["beginner", "casual", "club", "advanced", "expert", "master", "strongest"];
const STYLES = ["bold", "safe", "racer", "builder"];

test("every level in every style has a name of its own, marked as a computer", () => {
  const names = new Set();
  for (const level of [...LEVELS, ...LEVELS.flatMap((each) => STYLES.map((style) => `${each}-${style}`))]) {
    const shown = engineName(level);
    assert.match(shown, /computer/);
    names.add(shown);
  }
  assert.equal(names.size, LEVELS.length * (STYLES.length + 1));
  assert.equal(new Set(["", ...STYLES].map(botName)).size, STYLES.length + 1);
});

test("a level is called with its style", () => {
  assert.deepEqual(
    [levelParts("club"), levelParts("club-bold")],
    [
      ["club", ""],
      ["club", "bold"],
    ],
  );
  assert.deepEqual([levelName("club"), levelName("club-bold")], ["club", "club · bold"]);
});
