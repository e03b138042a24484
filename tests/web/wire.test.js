import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { mock, test } from "node:test";
import "./elements.js";
import { MatchConnection } from "../../src/sheshbesh/web/app/match-connection.js";
import { TableModel } from "../../src/sheshbesh/web/app/table/model.js";

const data = new URL("../data/wire/", import.meta.url);
const messages = JSON.parse(await readFile(new URL("messages.json", data), "utf-8"));

/** A model at a connection that the test holds. */
function seated() {
  const sent = [];
  const connection = { readyState: 1, send: (text) => sent.push(JSON.parse(text)), close() {} };
  const kept = new Map();
  const store = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
  const world = {
    open: () => connection,
    later: () => 0,
    cancel() {},
    now: () => 0,
    random: () => 0.5,
    store,
  };
  const model = new TableModel("m1", new MatchConnection("m1", "ws://x", "en", world));
  model.open();
  return { model, sent, hear: (message) => connection.onmessage({ data: JSON.stringify(message) }) };
}

/** The fields of a message and of its body, with their types: what both sides must agree on. */
const shape = (message) =>
  [
    message.t,
    ...Object.entries(message)
      .map(([name, value]) => `${name}:${typeof value}`)
      .sort(),
  ].join(" ");

test("every message of the server is taken", () => {
  const { model, hear } = seated();
  for (const message of messages.server) hear(message);
  assert.equal(model.state?.card.game, "hypergammon");
  assert.deepEqual(
    model.chat.map(({ phrase }) => phrase),
    ["good_luck"],
  );
  assert.equal(model.presence.watchers, 2);
  assert.equal(model.offer.url, "/m/m7Kq2");
  assert.equal(model.tutor.hint.kind, "play");
  assert.equal(model.tutor.verdict.loss, 0.052);
  assert.equal(model.failure, "too many messages");
  model.close();
});

test("a server that can store nothing says so until it takes the page again", () => {
  const { model, hear } = seated();
  const away = { code: "unavailable", text: "the server can store nothing just now: try again in a moment" };
  hear({ t: "error", d: away });
  assert.equal(model.failure, away.text);
  assert.equal(model.isSentAway, true, "there is no board to show");
  hear(messages.server.find(({ t }) => t === "state"));
  assert.deepEqual([model.failure, model.isSentAway], ["", false]);
  hear({ t: "error", d: away });
  assert.deepEqual([model.failure, model.isSentAway], [away.text, false], "the board stays");
  hear({ t: "error", d: { code: "not_found", text: "there is no such match" } });
  assert.equal(model.isSentAway, true, "another attempt would end in the same way");
  model.close();
});

test("what the page sends has the shape of the samples", () => {
  const { model, sent, hear } = seated();
  hear(messages.server.find(({ t }) => t === "state"));
  sent.length = 0;
  const { connection } = model;
  connection.act({ type: "play", play: "24/18 13/11" });
  connection.act({ type: "step", origin: 24, target: 18, die: 6 }, "black");
  connection.act({ type: "link", link: "11" });
  connection.why([
    [24, 18],
    [18, 14],
  ]);
  connection.hint();
  connection.say({ phrase: "good_luck" });
  connection.ping(connection.socket);
  connection.bye();
  const known = new Set(messages.client.map(shape));
  for (const message of sent) assert.ok(known.has(shape(message)), JSON.stringify(message));
  assert.equal(sent.length, 8);
  model.close();
});

test("the program waits for a verdict and after an error for the player, who goes on or tries again", () => {
  const start = messages.server.find(({ t }) => t === "state");
  const played = (allowed, n) => {
    const { model, sent, hear } = seated();
    model.connection.retries = true;
    const event = { n, at: 0, actor: "white", type: "play", then: { play: "24/22 24/18" } };
    hear({ ...start, v: n, events: [event], d: { ...start.d, phase: "roll", you: ["white"], allowed } });
    sent.length = 0;
    return { model, sent, hear };
  };
  const verdict = messages.server.find(({ t }) => t === "verdict");
  assert.equal(played([], 17).model.waitsFor, null, "where nothing can be taken back");
  for (const [judged, choose, says] of [
    [{ ...verdict.d, grade: "fine" }, () => {}, { t: "on" }],
    [verdict.d, (model) => model.carryOn(), { t: "on" }],
    [verdict.d, (model) => model.retry(), { type: "retry", side: "white" }],
  ]) {
    const { model, sent, hear } = played(["retry"], 17);
    assert.deepEqual([model.waitsFor, model.tutor.withheld], ["verdict", true]);
    hear({ t: "verdict", d: { n: 15, side: "white", kind: "cube", grade: "best", loss: 0, best: "roll" } });
    assert.equal(model.waitsFor, "verdict", "what was decided before is judged too");
    hear({ t: "verdict", d: judged });
    assert.equal(model.waitsFor, judged.grade === "fine" ? null : "player");
    choose(model);
    assert.deepEqual([model.waitsFor, model.tutor.withheld], [null, false]);
    assert.deepEqual(
      sent.map((message) => message.d ?? message),
      [says],
    );
    model.close();
  }
});

test("a model takes every state of every game, and owes nothing that was not asked for", async () => {
  const names = await readdir(new URL("states/", data));
  assert.ok(names.length >= 21);
  for (const name of names) {
    const { states } = JSON.parse(await readFile(new URL(`states/${name}`, data), "utf-8"));
    const { model, sent, hear } = seated();
    for (const [i, state] of states.entries()) hear({ t: "state", events: [], now: 0, ...state, v: i + 1 });
    assert.equal(model.state?.phase, states.at(-1).d.phase, name);
    const actions = sent.filter(({ t }) => t === "do").map(({ d }) => d.type);
    assert.ok(
      actions.every((type) => type === "ready"),
      `${name}: ${actions}`,
    );
    model.close();
  }
});

const roll = {
  ...{ match: "m1", game: 1, phase: "roll", on_roll: "white", to_act: ["white"], you: ["white"], score: {} },
  ...{ cube: { value: 1 }, board: {}, turn: null, proposal: null, results: [], history: [] },
  ...{ allowed: ["roll", "double", "resign"], dice: { source: "seeded", game: "m1/1" } },
};

test("an offer that was overtaken is made again where it still says the same, and else that is said", () => {
  const move = { ...roll, phase: "move", turn: { dice: [3, 1] }, allowed: ["play", "resign"] };
  const opening = { ...roll, phase: "opening", on_roll: null, board: null, allowed: ["resign"] };
  const cases = [
    ["roll", roll, { ...roll, phase: "throwing", allowed: ["resign"] }, "resign", true],
    ["the draw", opening, move, "resign", true],
    ["dice", roll, move, "resign", false],
    ["another position", roll, { ...roll, board: { points: [] } }, "double", false],
    ["another cube", roll, { ...roll, cube: { value: 2 } }, "resign", false],
    ["not allowed", roll, { ...roll, allowed: ["roll"] }, "double", false],
    ["no offer", move, { ...move, paused: true }, "play", false],
  ];
  for (const [name, seen, now, type, again] of cases) {
    const { model, sent, hear } = seated();
    const refused = [];
    model.addEventListener("event", ({ detail }) => detail.name === "refused" && refused.push(detail));
    hear({ t: "state", v: 1, key: "a", events: [], d: seen });
    sent.length = 0;
    model.act({ type });
    hear({ t: "state", v: 2, key: "b", events: [], d: now });
    hear({ t: "refused", ref: sent[0].ref, d: { rule: "wire.stale", text: "look again" } });
    const keys = sent.filter(({ d }) => d?.type === type).map(({ key }) => key);
    assert.deepEqual([keys, refused.length], again ? [["a", "b"], 0] : [["a"], 1], name);
    assert.equal(model.reason, again ? "" : "look again", name);
    model.close();
  }
});

test("a link of a throw that is over does not cost the chain, one that is not of the chain does", () => {
  const { model, sent, hear } = seated();
  const dice = { source: "chains", game: "m1/1", index: 1, serial: 1, length: 9, owe: { white: null } };
  const opening = { ...roll, phase: "opening", on_roll: null, allowed: ["roll", "anchor"], dice };
  const keeper = model.shares.keeper("white");
  keeper.write({ game: "m1/1", serial: 1, tip: "07".repeat(32), next: null });
  const wrong = () => {
    const { ref } = sent.at(-1);
    hear({ t: "refused", ref, d: { rule: "dice.link_wrong", text: "" } });
  };
  hear({ t: "state", v: 1, key: "a", events: [], d: opening });
  model.act({ type: "roll" });
  hear({ t: "state", v: 2, key: "a", events: [], d: { ...opening, dice: { ...dice, index: 2 } } });
  wrong();
  assert.notEqual(keeper.read().tip, null);
  model.act({ type: "roll" });
  wrong();
  assert.equal(keeper.read().tip, null);
  // The throw does not come: that is said.
  model.send({ type: "link", link: "07" }, "white");
  hear({ t: "refused", ref: sent.at(-1).ref, d: { rule: "wire.unread", text: "Load the page again." } });
  assert.equal(model.reason, "Load the page again.");
  model.close();
});

test("a program that has not answered after a while is late, until it has", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { model, hear } = seated();
    hear({ t: "thinking", d: { side: "black" } });
    assert.deepEqual([model.thinking, model.late], ["black", false]);
    mock.timers.tick(60_000);
    assert.equal(model.late, true);
    hear({ t: "thinking", d: { side: "black" } });
    assert.equal(model.late, false, "it was asked something else");
    model.think(null);
    mock.timers.tick(60_000);
    assert.deepEqual([model.thinking, model.late], [null, false]);
  } finally {
    mock.timers.reset();
  }
});
