import assert from "node:assert/strict";
import { test } from "node:test";
import { face } from "../../src/sheshbesh/web/app/face.js";
import { botName, levelName, levelParts } from "../../src/sheshbesh/web/app/names.js";
import { playerName } from "../../src/sheshbesh/web/app/table/wording.js";
import { nothing } from "../../src/sheshbesh/web/vendor/lit.js";

const LEVELS = ["beginner", "casual", "club", "advanced", "expert", "master", "strongest"];
const STYLES = ["bold", "safe", "racer", "builder"];

test("every level in every style has a face and a name, and is marked as a computer", () => {
  const names = new Set();
  for (const level of [...LEVELS, ...LEVELS.flatMap((each) => STYLES.map((style) => `${each}-${style}`))]) {
    assert.notEqual(face(level), nothing, level);
    const shown = playerName({ kind: "engine", name: level, level }, "white");
    assert.match(shown, /, computer, /);
    names.add(shown);
  }
  assert.equal(names.size, LEVELS.length * (STYLES.length + 1));
  assert.equal(new Set(STYLES.map(botName)).size, STYLES.length);
});

test("a level is called with its style", () => {
  assert.deepEqual(levelParts("club"), ["club", ""]);
  assert.deepEqual(levelParts("club-bold"), ["club", "bold"]);
  assert.deepEqual([levelName("club"), levelName("club-bold")], ["club", "club · bold"]);
  assert.equal(face("nobody"), nothing);
  assert.equal(face(null), nothing);
});
