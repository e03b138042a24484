import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

test("no element has a method of its own by the name of one that Lit or the page calls on nodes", async () => {
  const folder = new URL("../../src/sheshbesh/web/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(app|board)\b.*\.js$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf-8")));
  const classes = texts.flatMap((text) => [
    ...text.matchAll(/^(?:export )?class (\w+) extends (\w+) \{\n(.*?)^\}/gms),
  ]);
  const elements = new Set(["LitElement", "HTMLElement"]);
  for (let size = 0; size < elements.size; ) {
    size = elements.size;
    for (const [, name, base] of classes) if (elements.has(base)) elements.add(name);
  }
  assert.ok(elements.has("ReviewView") && elements.has("Board"));
  const taken =
    "addEventListener|after|animate|append|appendChild|before|blur|click|closest|contains|dispatchEvent|focus|" +
    "getAttribute|getElementsByTagName|hasAttribute|insertBefore|matches|normalize|prepend|querySelector|" +
    "querySelectorAll|remove|removeAttribute|removeChild|removeEventListener|replaceChild|replaceChildren|" +
    "replaceWith|scroll|scrollBy|scrollIntoView|scrollTo|setAttribute|toggleAttribute";
  const own = new RegExp(`^  (?:async |get )?(?:${taken})(?:\\(| =)`, "m");
  const wrong = classes.filter(([, , base, body]) => elements.has(base) && own.test(body));
  assert.deepEqual(
    wrong.map(([, name]) => name),
    [],
  );
});
