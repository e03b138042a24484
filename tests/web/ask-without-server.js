// What a page answers without a server, in node; `tests/engine/test_without_server.py` compares with the site.

import { Core } from "../../src/sheshbesh/web/engine/core.js";
import { situation } from "../../src/sheshbesh/web/engine/position.js";

/** The answers to `requests`, [method, path, body]; `copies` are the files of the copy, `read` gives others. */
export async function answer({ module, requests, copies }, read) {
  const json = async (name) =>
    JSON.parse(new TextDecoder().decode(await read(`src/sheshbesh/web/engine/${name}`)));
  const [rules, games, equities] = await Promise.all(["rules.json", "games.json", "equities.json"].map(json));
  const core = await Core.start(await WebAssembly.compile(await read(module)));
  globalThis.location = { pathname: "/" };
  globalThis.fetch = async (path) => new Response(copies[path], { status: path in copies ? 200 : 404 });
  const { localEngine } = await import("../../src/sheshbesh/web/engine/client.js");
  const { answered } = await import("../../src/sheshbesh/web/app/without-server.js");
  localEngine.place = async (asked) => situation(core, asked, { rules, games, equities });
  localEngine.refusal = async ({ rules: set, row, dice, steps, whole }) =>
    core.refusal(core.rules(set), row, dice, steps, whole);
  const found = [];
  for (const request of requests) found.push((await answered(...request)) ?? null);
  return found;
}
