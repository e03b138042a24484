import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchConnection } from "../../src/sheshbesh/web/app/match-connection.js";
import { backoff } from "../../src/sheshbesh/web/app/traffic.js";

/** A world in which time passes by hand and lines are held by the test. */
class World {
  constructor() {
    this.clock = 0;
    this.timers = new Map();
    this.next = 1;
    this.lines = [];
    this.kept = new Map();
    this.store = {
      getItem: (name) => this.kept.get(name) ?? null,
      setItem: (name, value) => void this.kept.set(name, value),
      removeItem: (name) => void this.kept.delete(name),
    };
    this.open = (url) => {
      const line = {
        url,
        sent: [],
        readyState: 1,
        send: (text) => line.sent.push(JSON.parse(text)),
        close: () => (line.readyState = 3),
      };
      this.lines.push(line);
      return line;
    };
    this.later = (run, ms) => {
      this.timers.set(this.next, { run, at: this.clock + ms });
      return this.next++;
    };
    this.cancel = (timer) => void this.timers.delete(timer);
    this.now = () => this.clock;
    this.random = () => 0.5;
  }

  pass(ms) {
    const until = this.clock + ms;
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.clock = due[1].at;
      due[1].run();
    }
    this.clock = until;
  }

  get line() {
    return this.lines.at(-1);
  }

  hear(message, line = this.line) {
    line.onmessage({ data: JSON.stringify(message) });
  }

  drop() {
    this.line.readyState = 3;
    this.line.onclose({ code: 1006 });
  }
}

function connected() {
  const world = new World();
  const connection = new MatchConnection("m1", "ws://x", "tr", world);
  const heard = [];
  for (const name of ["state", "ack", "refused", "error", "line"])
    connection.addEventListener(name, (event) => heard.push([name, event.detail]));
  connection.open();
  world.line.onopen();
  world.hear({ t: "state", v: 3, key: "k3", d: {} });
  return { world, connection, heard };
}

const actions = (line) => line.sent.filter(({ t }) => t === "do");

test("it attaches at once, then with growing patience, never above eight seconds", () => {
  assert.equal(backoff(0, 0.5), 0);
  assert.deepEqual(
    [1, 2, 3].map((n) => backoff(n, 1)),
    [250, 500, 1000],
  );
  assert.equal(backoff(20, 1), 8000);
  assert.ok(backoff(5, 0) < backoff(5, 1));
});

test("an action carries the key of what was seen, and a link of dice none", () => {
  const { world, connection } = connected();
  assert.match(world.line.url, /\/ws\/match\/m1\?lang=tr$/);
  connection.act({ type: "roll" });
  connection.act({ type: "link", link: "ab" });
  connection.act({ type: "ready" }, "black");
  const [roll, link, ready] = actions(world.line);
  assert.equal(roll.key, "k3");
  assert.equal(link.key, undefined);
  assert.equal(ready.as, "black");
  assert.equal(new Set([roll.ref, link.ref, ready.ref]).size, 3);
});

test("what is done again before it was answered is sent once, and upon another state again", () => {
  const { world, connection } = connected();
  const ref = connection.act({ type: "roll", link: "ab" }, "black");
  assert.equal(connection.act({ type: "roll", link: "ab" }, "black"), ref);
  connection.act({ type: "roll", link: "cd" }, "white");
  assert.equal(actions(world.line).length, 2);
  world.hear({ t: "state", v: 4, key: "k4", d: {} });
  connection.act({ type: "roll", link: "ab" }, "black");
  world.hear({ t: "ack", ref });
  world.hear({ t: "state", v: 5, key: "k3", d: {} });
  connection.act({ type: "roll", link: "ab" }, "black");
  assert.deepEqual(
    actions(world.line).map(({ key, as }) => [key, as]),
    [
      ["k3", "black"],
      ["k3", "white"],
      ["k4", "black"],
      ["k3", "black"],
    ],
  );
});

test("what was not answered is sent again with the same ref after the state has come, in order", () => {
  const { world, connection } = connected();
  connection.act({ type: "double" });
  connection.act({ type: "roll" });
  const before = actions(world.line);
  world.hear({ t: "ack", ref: before[0].ref });
  world.drop();
  assert.equal(connection.live, false);
  connection.act({ type: "resign", kind: "single" });
  world.pass(0);
  assert.match(world.line.url, /&v=3$/);
  world.line.onopen();
  assert.equal(actions(world.line).length, 0, "nothing before the server is in step");
  world.hear({ t: "state", v: 4, key: "k4", d: {} });
  assert.deepEqual(
    actions(world.line).map(({ d }) => d.type),
    ["roll", "resign"],
  );
  assert.equal(actions(world.line)[0].ref, before[1].ref);
  assert.equal(actions(world.line)[0].key, "k3", "the key stays that of the decision");
});

test("what was not answered survives a reload of the page", () => {
  const { world, connection } = connected();
  connection.act({ type: "play", play: "8/5 6/5" });
  const ref = actions(world.line)[0].ref;
  connection.close();
  const again = new MatchConnection("m1", "ws://x", "en", world);
  again.open();
  world.hear({ t: "state", v: 3, key: "k3", d: {} });
  assert.deepEqual(
    actions(world.line).map((message) => message.ref),
    [ref],
  );
  world.hear({ t: "ack", ref });
  assert.equal(world.kept.size, 0);
  assert.equal(again.busy, false);
});

test("a refusal names the action it refuses, and ends the waiting", () => {
  const { world, connection, heard } = connected();
  connection.act({ type: "roll" });
  assert.equal(connection.busy, true);
  const { ref } = actions(world.line)[0];
  world.hear({ t: "refused", ref, d: { rule: "wire.stale", text: "…" } });
  assert.equal(connection.busy, false);
  assert.equal(heard.at(-1)[1].sent.d.type, "roll");
});

/** The server closes the line on a message that it cannot read; the milliseconds until the next one is settled. */
function misread(world) {
  world.line.readyState = 3;
  world.line.onclose({ code: 4400 });
  const from = world.clock;
  while (world.line.readyState === 3) world.pass(10);
  world.line.onopen();
  world.hear({ t: "state", v: 3, key: "k3", d: {} });
  return world.clock - from;
}

test("a question that the server cannot read is not sent again; an action is, with growing pauses", async () => {
  const { world, connection, heard } = connected();
  const sent = (line) => line.sent.filter(({ t }) => t !== "ping").map(({ t }) => t);
  const refuse = () => misread(world);
  const question = connection.question();
  const why = connection.why([[6, 25]]);
  refuse();
  assert.deepEqual(sent(world.line), []);
  assert.equal(await question, null);
  const [refused] = heard.filter(([name, { ref }]) => name === "refused" && ref === why);
  assert.deepEqual(refused[1].sent.d.steps, [[6, 25]]);
  assert.equal(connection.attempts, 0, "nothing is left that could not be read");
  connection.act({ type: "roll" });
  const waits = [refuse(), refuse(), refuse(), refuse()];
  assert.deepEqual(sent(world.line), ["do"]);
  assert.ok(waits[3] > waits[2] && waits[2] > waits[1], String(waits));
  world.hear({ t: "ack", ref: actions(world.line)[0].ref });
  world.hear({ t: "state", v: 4, key: "k4", d: {} });
  assert.equal(connection.attempts, 0);
});

test("of several actions the one that no server reads is given up after some tries, and no other", () => {
  const { world, connection, heard } = connected();
  const types = () => actions(world.line).map(({ d }) => d.type);
  const answer = () => world.hear({ t: "ack", ref: actions(world.line).at(-1).ref });
  for (const type of ["ready", "sneeze", "roll"]) connection.act({ type });
  misread(world);
  assert.deepEqual(types(), ["ready"], "one at a time, since any may be the one");
  answer();
  assert.deepEqual(types(), ["ready", "sneeze", "roll"]);
  for (let tries = 0; tries < 4; tries += 1) {
    misread(world);
    assert.deepEqual(types(), ["sneeze"]);
    assert.equal(heard.filter(([name]) => name === "refused").length, 0);
  }
  connection.act({ type: "confirm" });
  misread(world);
  const [[, { sent, d }], ...more] = heard.filter(([name]) => name === "refused");
  assert.deepEqual([sent.d.type, d.rule, more], ["sneeze", "wire.unread", []]);
  assert.ok(d.text);
  answer();
  assert.deepEqual(types(), ["roll", "confirm"]);
  answer();
  assert.equal(connection.busy, false);
});

test("a line that has gone silent is given up, and the next one is opened", () => {
  const { world } = connected();
  world.pass(11_000);
  assert.equal(world.lines.length, 2);
  assert.equal(world.lines[0].readyState, 3);
});

test("pongs keep a line alive, and are echoed at once where the server measures the line", () => {
  const { world } = connected();
  world.pass(2500);
  for (let i = 0; i < 8; i++) {
    world.pass(40);
    world.hear(i === 3 ? { t: "pong", n: 7 } : { t: "pong" });
    world.pass(2460);
  }
  assert.equal(world.lines.length, 1);
  assert.deepEqual(
    world.line.sent.filter(({ t }) => t === "pong"),
    [{ t: "pong", n: 7 }],
  );
});

test("heartbeats come as often as a state asks for, and only where nothing else was sent", () => {
  const { world, connection } = connected();
  const pings = () => world.line.sent.filter(({ t }) => t === "ping").length;
  const heard = () => world.hear({ t: "pong" });
  world.hear({ t: "state", v: 3, key: "k", now: 0, events: [], d: { beat: 15 } });
  assert.equal(pings(), 1, "that of a new line");
  world.pass(14_900);
  assert.equal(pings(), 1);
  world.pass(100);
  assert.equal(pings(), 2);
  heard();
  world.hear({ t: "state", v: 4, key: "k", now: 0, events: [], d: { beat: 2.5 } });
  assert.equal(pings(), 2);
  world.pass(2500);
  assert.equal(pings(), 3);
  heard();
  world.pass(2000);
  connection.act({ type: "roll" });
  world.pass(500);
  assert.equal(pings(), 3, "the action says as much");
  world.pass(2500);
  assert.equal(pings(), 4);
});

test("a line that is asked for little is given up as soon as a heartbeat has no answer", () => {
  const { world } = connected();
  world.hear({ t: "state", v: 3, key: "k", now: 0, events: [], d: { beat: 15 } });
  world.pass(20_000);
  assert.equal(world.lines.length, 1);
  world.pass(3000);
  assert.deepEqual([world.lines.length, world.lines[0].readyState], [2, 3]);
});

test("messages of an old line, late states and nonsense change nothing", () => {
  const { world, connection, heard } = connected();
  const old = world.line;
  world.drop();
  world.pass(0);
  world.hear({ t: "state", v: 9, key: "k9", d: {} }, old);
  assert.equal(connection.version, 3);
  world.line.onmessage({ data: "<html>" });
  world.hear({ t: "state", v: 5, key: "k5", d: {} });
  const before = heard.length;
  world.hear({ t: "state", v: 4, key: "k4", d: {} });
  assert.equal(connection.key, "k5");
  assert.equal(heard.length, before);
});

test("a server that lost its last moments is followed from where it stands, and what waits is sent there", () => {
  const { world, connection, heard } = connected();
  world.hear({ t: "state", v: 40, key: "k40", d: {} });
  connection.act({ type: "roll" });
  world.drop();
  world.pass(0);
  assert.match(world.line.url, /&v=40$/);
  world.hear({ t: "state", v: 31, key: "k31", d: { history: [] }, events: [{ n: 30 }, { n: 31 }] });
  assert.deepEqual([connection.live, connection.version, connection.key], [true, 31, "k31"]);
  assert.deepEqual(heard.at(-1)[1].events, []);
  assert.deepEqual(
    actions(world.line).map(({ d, key }) => [d.type, key]),
    [["roll", "k40"]],
  );
  world.hear({ t: "refused", ref: actions(world.line)[0].ref, d: { rule: "wire.stale", text: "" } });
  world.hear({ t: "state", v: 32, key: "k32", d: {}, events: [{ n: 32 }] });
  assert.equal(connection.version, 32);
  assert.deepEqual(heard.at(-1)[1].events, [{ n: 32 }]);
});

test("a match that is not there is not asked for again; after goodbye nothing is opened", () => {
  const { world, connection } = connected();
  world.hear({ t: "error", d: { code: "not_found", text: "there is no such match" } });
  world.drop();
  world.pass(60_000);
  assert.equal(world.lines.length, 1);
  const other = connected();
  other.connection.bye();
  assert.equal(other.world.line.sent.at(-1).t, "bye");
  other.world.pass(60_000);
  assert.equal(other.world.lines.length, 1);
  assert.ok(connection.closed);
});

test("another language opens another line, and the old one is closed when that is there", () => {
  const { world, connection, heard } = connected();
  const [old] = world.lines;
  connection.act({ type: "roll" });
  connection.setLanguage("fa");
  assert.equal(world.lines.length, 2);
  assert.match(world.line.url, /lang=fa&v=3$/);
  assert.deepEqual([old.readyState, connection.live], [1, false], "nobody is away meanwhile");
  world.line.onopen();
  world.hear({ t: "state", v: 3, key: "k3", d: {} });
  assert.deepEqual([old.readyState, connection.live], [3, true]);
  assert.deepEqual(
    actions(world.line).map(({ ref }) => ref),
    actions(old).map(({ ref }) => ref),
    "what was not answered is asked again",
  );
  old.onclose({ code: 1000 });
  assert.equal(world.lines.length, 2, "the end of the old line is none of the new one's");
  assert.equal(heard.filter(([name, detail]) => name === "line" && !detail.live).length, 0);
  connection.setLanguage("fa");
  assert.equal(world.lines.length, 2, "the same language needs nothing");
});

test("a question about numbers is answered by them, and a hint that comes instead is not shown", async () => {
  const { world, connection } = connected();
  const shown = [];
  for (const name of ["ask", "hint", "queued", "refused"])
    connection.addEventListener(name, ({ detail }) => shown.push([name, detail.ref]));
  const answered = ["ask", "hint", "refused"].map(async (t, i) => {
    const found = connection.question();
    const { ref } = world.line.sent.at(-1);
    if (t === "hint") world.hear({ t: "queued", ref, d: { place: 2 } });
    world.hear({ t, ref, d: { question: i } });
    return [ref, await found];
  });
  const [[, asked], [, hinted], [refused, none]] = await Promise.all(answered);
  assert.deepEqual([asked, hinted, none], [0, null, null]);
  const ref = connection.hint();
  world.hear({ t: "queued", ref, d: { place: 1 } });
  world.hear({ t: "hint", ref, d: {} });
  assert.deepEqual(shown, [
    ["refused", refused],
    ["queued", ref],
    ["hint", ref],
  ]);
});
