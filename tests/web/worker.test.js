import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const SOURCE = await readFile(new URL("../../src/sheshbesh/web/sw.js", import.meta.url), "utf-8");
const HERE = "http://x";

/** A service worker of a build, over caches that outlive it and a server that can be gone. */
function worker(build, server, stores = new Map()) {
  const heard = {};
  const self = {
    addEventListener: (name, hear) => (heard[name] = hear),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
  };
  const address = (asked) => asked.url ?? HERE + asked;
  const caches = {
    open: async (name) => {
      const store = stores.get(name) ?? new Map();
      stores.set(name, store);
      return {
        match: async (asked) => store.get(address(asked)),
        put: async (asked, answer) => void store.set(address(asked), answer),
        add: async (asked) => void store.set(address(asked), await fetch(asked)),
        keys: async () => [...store.keys()].map((url) => ({ url })),
        delete: async (asked) => store.delete(address(asked)),
      };
    },
    keys: async () => [...stores.keys()],
    delete: async (name) => stores.delete(name),
  };
  const fetch = async () => {
    if (server.gone) throw new TypeError("the server is gone");
    return {
      ok: true,
      build: server.build,
      json: async () => server.list,
      headers: new Map([["Sheshbesh-Build", server.build]]),
      clone() {
        return this;
      },
    };
  };
  const source = SOURCE.replace("(the build served)", build).replace("(the files kept)", "/app/main.js");
  const Answer = class extends Response {
    static redirect = (where) => where;
  };
  new Function("self", "caches", "fetch", "location", "Response", source)(
    self,
    caches,
    fetch,
    { origin: HERE },
    Answer,
  );
  const live = async (name, data) => {
    let done;
    heard[name]({ data, waitUntil: (work) => (done = work) });
    await done;
  };
  /** Of which build the file is that a page gets at an address; null for none. */
  const ask = (path, mode = "cors") => {
    let answer;
    heard.fetch({
      request: { url: HERE + path, method: "GET", mode },
      respondWith: (work) => (answer = work),
    });
    return answer
      ? answer.then(
          (found) => found.build,
          () => null,
        )
      : "not ours";
  };
  /** Where the page goes that was given something by another program. */
  const share = async (fields) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    let answer;
    heard.fetch({
      request: { url: `${HERE}/share`, method: "POST", formData: async () => form },
      respondWith: (work) => (answer = work),
    });
    return answer;
  };
  return { stores, live, ask, share };
}

test("without a line a page is made of what was kept", async () => {
  const server = { build: "one", gone: false };
  const one = worker("one", server);
  await one.live("install");
  assert.equal(await one.ask("/", "navigate"), "one");
  assert.equal(await one.ask("/app/views/home.js"), "one");
  assert.equal(await one.ask("/api/v1/me"), "not ours");
  server.gone = true;
  assert.equal(await one.ask("/m/x", "navigate"), "one");
  assert.equal(await one.ask("/app/views/home.js"), "one");
  assert.equal(await one.ask("/app/never-asked-for.js"), null);
});

test("nothing old is given beside what is new, and nothing new is kept beside what is old", async () => {
  const server = { build: "one", gone: false };
  const one = worker("one", server);
  await one.live("install");
  assert.equal(await one.ask("/app/views/home.js"), "one");
  server.build = "two";
  assert.equal(await one.ask("/", "navigate"), "two");
  server.gone = true;
  assert.equal(await one.ask("/app/views/home.js"), null, "the page is newer than what is kept");
  assert.equal(await one.ask("/", "navigate"), "one", "a page that is kept is whole");
  assert.equal(await one.ask("/app/views/home.js"), "one");
  server.gone = false;
  const two = worker("two", server, one.stores);
  await two.live("install");
  await two.live("activate");
  assert.deepEqual([...one.stores.keys()], ["sheshbesh-two"]);
  server.gone = true;
  assert.equal(await two.ask("/", "navigate"), "two");
});

test("an installed page keeps the nets of its own release alone", async () => {
  const server = {
    build: "one",
    list: { files: ["/app/views/local.js"], nets: ["/engine/a.net", "/engine/b.net"] },
  };
  const one = worker("one", server);
  await one.live("message", { installed: "en" });
  assert.deepEqual([...one.stores.get("sheshbesh-one").keys()], [`${HERE}/app/views/local.js`]);
  server.build = "two";
  server.list = { files: [], nets: ["/engine/b.net", "/engine/c.net"] };
  await worker("two", server, one.stores).live("message", { installed: "en" });
  assert.deepEqual([...one.stores.get("nets").keys()], [`${HERE}/engine/b.net`, `${HERE}/engine/c.net`]);
});

test("what another program shares goes where it is read: a file to the reviews, a text to the board", async () => {
  const one = worker("one", { build: "one", gone: false });
  const file = await one.share({ match: new File(["5 point match"], "älter.mat"), text: "from a friend" });
  assert.equal(file, "/reviews?shared");
  const kept = one.stores.get("shared").get(`${HERE}/shared-file`);
  assert.equal(await kept.text(), "5 point match");
  assert.equal(decodeURIComponent(kept.headers.get("File-Name")), "älter.mat");
  assert.equal(await one.share({ title: "A position", text: "XGID=-b&c" }), "/analysis?text=XGID%3D-b%26c");
  await one.live("activate");
  assert.ok(one.stores.has("shared"), "a new build leaves it there");
});

test("a worker whose build the server has no more is not installed", async () => {
  await assert.rejects(worker("one", { build: "two", gone: false }).live("install"), /another build/);
});
