import assert from "node:assert/strict";
import { test } from "node:test";
import { setGames, update } from "../../src/sheshbesh/web/app/waiting.js";

test("the badge follows the games that wait, those of the list and that which is open", () => {
  const shown = [];
  const setAppBadge = async (count) => void shown.push(count);
  Object.defineProperty(globalThis, "navigator", { value: { setAppBadge }, configurable: true });
  update("a", true);
  assert.deepEqual(shown, [], "how many others wait is not known yet");
  const game = { you: ["white"], to_act: ["white"], paused: false };
  setGames([
    { ...game, id: "a" },
    { ...game, id: "b" },
    { ...game, id: "c", to_act: ["black"] },
    { ...game, id: "d", paused: true },
  ]);
  update("a", false);
  update("a", false);
  update("c", true);
  assert.deepEqual(shown, [2, 1, 2]);
});
