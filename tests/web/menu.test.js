import assert from "node:assert/strict";
import { test } from "node:test";

import "./elements.js";
import { SteadyEntries } from "../../src/sheshbesh/web/app/table/actions.js";

const texts = (shown) => shown.map(({ entry, allowed }) => (allowed ? entry.text : `(${entry.text})`));

test("entries keep their places while the menu is open", () => {
  const menu = new SteadyEntries();
  const did = [];
  const entry = (text, value = text) => ({ text, act: () => did.push(value) });
  assert.deepEqual(
    menu.arrange(false, () => assert.fail("nothing is shown")),
    [],
  );
  menu.arrange(true, () => [entry("Settle"), entry("Resign"), entry("Stop")]);
  const shown = menu.arrange(true, () => [entry("Double"), entry("Resign"), entry("Stop", "later")]);
  assert.deepEqual(texts(shown), ["(Settle)", "Resign", "Stop", "Double"]);
  shown[2].entry.act();
  assert.deepEqual(did, ["later"], "an entry does what it means now");
  const again = menu.arrange(true, () => [entry("Settle"), entry("Stop")]);
  assert.deepEqual(texts(again), ["Settle", "(Resign)", "Stop", "(Double)"]);
  menu.arrange(false, () => []);
  assert.deepEqual(texts(menu.arrange(true, () => [entry("Double")])), ["Double"]);
});
