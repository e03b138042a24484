import assert from "node:assert/strict";
import test from "node:test";
import { latinKey } from "../../../src/sheshbesh/web/board/keys.js";

const at = (key, code) => latinKey({ key, code });

test("letters of a Cyrillic, Persian or Arabic keyboard stand for the Latin ones of the same keys", () => {
  assert.equal(at("е", "KeyT"), "t"); // Russian
  assert.equal(at("Ч", "KeyX"), "x");
  assert.equal(at("ف", "KeyT"), "t"); // Persian
  assert.equal(at("لا", "KeyB"), "b"); // Arabic: one key, two letters
});

test("native digits are digits, and the key of the slash is one", () => {
  assert.equal(at("۸", "Digit8"), "8");
  assert.equal(at("٥", "Digit5"), "5");
  assert.equal(at(".", "Slash"), "/");
  assert.equal(at("،", "Slash"), "/");
});

test("what a Latin keyboard says stays what it is, wherever its keys are", () => {
  assert.equal(at("d", "KeyE"), "d"); // Dvorak
  assert.equal(at("a", "KeyQ"), "a"); // French
  assert.equal(at(" ", "Space"), " ");
  assert.equal(at("Enter", "Enter"), "Enter");
  assert.equal(at(".", "Period"), ".");
  assert.equal(at("/", "NumpadDivide"), "/");
});
