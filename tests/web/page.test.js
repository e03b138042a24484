import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import "./elements.js";
import { extend, numbered, pinnedSince } from "../../src/sheshbesh/web/app/history.js";
import { named, nearest } from "../../src/sheshbesh/web/app/names.js";
import { agentName } from "../../src/sheshbesh/web/app/passkeys.js";
import { find, wayBack } from "../../src/sheshbesh/web/app/router.js";
import { Settings } from "../../src/sheshbesh/web/app/settings.js";
import { setRead, unread } from "../../src/sheshbesh/web/app/table/chat.js";
import { timeLeft } from "../../src/sheshbesh/web/app/table/plate.js";
import { View } from "../../src/sheshbesh/web/app/view.js";
import {
  choose,
  LANGUAGES,
  readNumber,
  use,
  Words,
  widen,
  words,
} from "../../src/sheshbesh/web/i18n/i18n.js";

/** An empty storage. */
function storage() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

const language = (code) => LANGUAGES.find((each) => each.code === code);

test("a number is read in the digits of any language, and what is none is not taken for 0", () => {
  const written = ["1", " 1.5 ", "1,5", "۱٫۵", "١٢", "", "one", "1.5.2"];
  assert.deepEqual(written.map(readNumber), [1, 1.5, 1.5, 1.5, 12, NaN, NaN, NaN]);
});

test("every address leads to its view, and others to none", () => {
  const views = [
    "/",
    "/play/tavla",
    "/m/x1",
    "/j/t",
    "/lobby",
    "/watch",
    "/u/Nava",
    "/settings",
    "/rules/",
    "/rules/tapa",
    "/learn",
    "/learn/tapa",
    "/dice/x",
    "/replay/x/",
    "/chouette/x",
    "/chouette/x/replay",
    "/login",
    "/account",
  ];
  assert.deepEqual(
    views.map((path) => find(path).view),
    [
      "home",
      "home",
      "match",
      "invite",
      "lobby",
      "watch",
      "profile",
      "settings",
      "rules",
      "rules",
      "learn",
      "learn",
      "dice",
      "replay",
      "chouette",
      "chouette-replay",
      "login",
      "account",
    ],
  );
  assert.equal(find("/u/%D9%86%D9%88%D8%A7").params.name, "نوا");
  assert.equal(find("/replay/x", "?game=2").query.get("game"), "2");
  assert.equal(find("/tournaments/calendar").params.mode, "calendar");
  for (const path of ["/nothing", "/m/", "/m/a/b", "/u/%E0%A4%A", "/tournaments/zzz"])
    assert.equal(find(path).view, "lost");
});

test("texts are found, filled and counted as the language counts", () => {
  const russian = new Words(language("ru"), {
    messages: {
      Roll: "Бросить",
      "{n} point": { one: "{n} очко", few: "{n} очка", many: "{n} очков", other: "{n} очка" },
      "hi {name}": "привет, {name}",
    },
  });
  assert.equal(russian.t("Roll"), "Бросить");
  assert.equal(russian.t("not there"), "not there");
  assert.deepEqual(
    [1, 3, 5, 21].map((n) => russian.tn("{n} point", "{n} points", n)),
    ["1 очко", "3 очка", "5 очков", "21 очко"],
  );
  assert.equal(russian.t("hi {name}", { name: "{x}" }), "привет, {x}");
  const english = new Words(language("en"), {});
  assert.deepEqual(
    [1, 2].map((n) => english.tn("{n} point", "{n} points", n)),
    ["1 point", "2 points"],
  );
});

test("a clock gives the free time first, rests for who is away, and is low in its last seconds", () => {
  const clock = { kind: "delay", delay: 12_000, running: "white", white: 60_000, black: 5_000, away: 1_000 };
  const left = (passed, changes = {}, side = "white", paused = false) => {
    const { bank, free, low } = timeLeft({ ...clock, ...changes }, side, passed, paused);
    return [bank, free, low];
  };
  assert.deepEqual(left(500), [60_000, 12_000, false]);
  assert.deepEqual(left(11_000), [60_000, 2_000, false]);
  assert.deepEqual(left(43_000), [30_000, 0, false]);
  assert.deepEqual(left(43_001), [29_999, 0, true]);
  assert.deepEqual(left(999_000), [0, 0, true]);
  assert.deepEqual(left(999_000, {}, "black"), [5_000, 0, false], "who is not to act has no low time");
  assert.deepEqual(left(999_000, { white: 9_000 }, "white", true), [9_000, 0, true]);
  const turn = { kind: "per_turn", delay: 0, away: 0 };
  assert.deepEqual(left(50_000, turn), [10_000, 0, false]);
  assert.deepEqual(left(50_001, turn), [9_999, 0, true]);
});

test("digits, clocks and isolates are the language's own", () => {
  const persian = new Words(language("fa"), {});
  assert.equal(persian.figure(1234), "۱۲۳۴");
  assert.equal(persian.clock(127_000), "۲:۰۷");
  assert.equal(persian.t("{name} moves", { name: "Nava" }), "\u2068Nava\u2069 moves");
  assert.equal(persian.t("{name} moves", { name: "\u2066Nava\u2069" }), "\u2066Nava\u2069 moves");
  assert.equal(new Words(language("ar"), {}).figure(15), "١٥");
  assert.equal(new Words(language("fa"), {}, "latin").figure(15), "15");
  const english = new Words(language("en"), { dice: { "6-5": "shesh-besh" } });
  assert.deepEqual(
    [3_723_000, 65_000, 9_870, 0, -5].map((ms) => english.clock(ms)),
    ["1:02:03", "1:05", "0:09.8", "0:00", "0:00"],
  );
  assert.equal(english.call([5, 6]), "shesh-besh");
  assert.equal(english.call([1, 2]), "");
});

test("Latin digits, once chosen, are those of every sentence", () => {
  const messages = {
    "1 to 6 pick a die": "۱ تا ۶ تاس را برمی‌گزیند",
    "{n} point": { one: "{n} امتیاز از ۱۰", other: "{n} امتیاز از ۱۰" },
  };
  const native = new Words(language("fa"), { messages });
  assert.equal(native.t("1 to 6 pick a die"), "۱ تا ۶ تاس را برمی‌گزیند");
  assert.equal(native.tag, "fa");
  const latin = new Words(language("fa"), { messages }, "latin");
  assert.equal(latin.t("1 to 6 pick a die"), "1 تا 6 تاس را برمی‌گزیند");
  assert.equal(latin.tn("{n} point", "{n} points", 3), "3 امتیاز از 10");
  assert.equal(
    latin.t("{name}", { name: "نوا ۷" }),
    "\u2068نوا ۷\u2069",
    "what people wrote stays as they wrote it",
  );
  assert.equal(latin.tag, "fa-u-nu-latn", "and the server is asked for them");
  assert.equal(new Words(language("ru"), {}, "latin").tag, "ru");
});

test("the language is the one chosen, else the browser's first that is spoken here", () => {
  assert.equal(choose("tr", ["fa"]).code, "tr");
  assert.equal(choose(null, ["de-DE", "fa-IR"]).code, "fa");
  assert.equal(choose("", []).code, "en");
});

test("a language that cannot be loaded leaves its direction and English texts", async () => {
  const problem = await use(language("fa"), "native", "home", async () => new Response("", { status: 503 }));
  assert.match(problem.message, /503/);
  assert.equal(words().t("Roll"), "Roll");
  assert.equal(words().language.dir, "rtl");
  assert.equal(
    await use(language("en"), "native", "home", async () => Response.json({ messages: {} })),
    null,
  );
});

test("another view brings its texts once, and what was there stays", async () => {
  const asked = [];
  const load = async (path) => {
    asked.push(path);
    return Response.json({ messages: path.includes("home") ? { Play: "Oyna" } : { Roll: "At" } });
  };
  await use(language("tr"), "native", "home", load);
  await widen("home", load);
  await widen("match", load);
  await widen("match", load);
  assert.deepEqual(asked, ["/i18n/tr/home.json", "/i18n/tr/match.json"]);
  assert.deepEqual([words().t("Play"), words().t("Roll")], ["Oyna", "At"]);
  await assert.rejects(widen("lobby", async () => new Response("", { status: 503 })));
  await use(language("en"), "native", "home", async () => Response.json({ messages: {} }));
  await widen("lobby", () => assert.fail("English needs none"));
});

test("a part of a view comes with its texts, or it is said that it does not", async () => {
  const { fetch } = globalThis;
  const [asked, said] = [[], []];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return Response.json({ messages: { "A play to try": "Denenecek oyun" } });
  };
  await use(language("tr"), "native", "local");
  const view = { place: { view: "local" }, app: { toast: (text) => said.push(text) } };
  const part = (module) => View.prototype.loadPart.call(view, module);
  assert.equal(await part(Promise.resolve("module")), "module");
  assert.deepEqual(asked, ["/i18n/tr/local.json", "/i18n/tr/local-later.json"]);
  assert.equal(words().t("A play to try"), "Denenecek oyun");
  assert.equal(await part(Promise.reject(new TypeError("Failed to fetch"))), null);
  assert.deepEqual(said, ["This part of the page could not be loaded. Are you offline?"]);
  await use(language("en"), "native", "home");
  globalThis.fetch = fetch;
});

test("a browser is named by what it says of itself", () => {
  const names = {
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36":
      "Chrome · Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 Edg/125.0":
      "Edge · Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1":
      "Safari · iPhone",
    "Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0": "Firefox · Android",
    "curl/8.7.1": "curl/8.7.1",
  };
  for (const [agent, name] of Object.entries(names)) assert.equal(agentName(agent), name);
});

test("what was learned here and what the account knows are put together", () => {
  const kept = new Map([["sheshbesh.settings", JSON.stringify({ learned: { tapa: ["pin"], tavla: 3 } })]]);
  const store = {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => void kept.set(name, value),
    removeItem: (/** @type {string} */ name) => void kept.delete(name),
  };
  const settings = new Settings(store);
  settings.receive({ learned: { tapa: ["pin", "mars"], irish: ["double"] } }, "u1");
  assert.deepEqual(settings.prefs.learned, { tapa: ["pin", "mars"], tavla: [], irish: ["double"] });
  settings.set({ learned: { ...settings.prefs.learned, tapa: [] } });
  assert.deepEqual(new Settings(store).prefs.learned.tapa, []);
});

test("a course that was begun anew on one device is begun anew on the others", () => {
  const other = new Settings(storage());
  other.set({ learned: { tapa: ["pin"], irish: ["double"] } });
  const sends = other.receive({ learned: { tapa: [], irish: ["double"] } }, "u1");
  assert.deepEqual([other.prefs.learned, sends], [{ tapa: [], irish: ["double"] }, false]);
  other.set({ learned: { tapa: [], irish: [] } });
  other.chosen(["learned"], "u1");
  assert.equal(other.receive({ learned: { tapa: ["mars"], irish: ["double"], tavla: ["bar"] } }, "u1"), true);
  assert.deepEqual(other.prefs.learned, { tapa: [], irish: [], tavla: ["bar"] }, "before it was sent");
});

test("where nothing more can be stored a choice holds while the page is open", () => {
  const store = storage();
  const settings = new Settings(store);
  settings.set({ material: "felt" });
  const { setItem } = store;
  store.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  settings.set({ material: "paper" });
  settings.set({ sounds: false });
  settings.follow();
  assert.deepEqual([settings.prefs.material, settings.prefs.sounds], ["paper", false]);
  Object.assign(store, { setItem });
  settings.set({ speed: 500 });
  assert.equal(new Settings(store).prefs.material, "paper", "and is stored once there is room");
});

test("whoever signs in goes on where they were, on this site alone", () => {
  const back = (/** @type {string} */ path) => wayBack(find("/login", `?back=${encodeURIComponent(path)}`));
  assert.equal(back("/t/x1"), "/t/x1");
  assert.equal(back("/analysis?card=tapa.m&id=x"), "/analysis?card=tapa.m&id=x");
  for (const other of ["", "https://evil.example/", "//evil.example/m/x", "/login?back=/lobby", "/nowhere"])
    assert.equal(back(other), "/account", other);
});

test("what was chosen here and not sent stands against the account, and nothing else does", () => {
  const kept = new Map();
  const store = {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => void kept.set(name, value),
    removeItem: (/** @type {string} */ name) => void kept.delete(name),
  };
  const settings = new Settings(store);
  settings.chosen(["last"], "u1");
  assert.equal(settings.unsent, null);
  settings.set({ sounds: false, last: { game: "tapa" } });
  settings.chosen(["sounds", "last"], "u1");
  settings.chosen(["volume"], "u1");
  const other = { sounds: true, material: "felt", last: { game: "tavla" } };
  const later = new Settings(store);
  assert.deepEqual(later.unsent, { user: "u1", names: ["sounds", "volume"] });
  assert.equal(later.receive(other, "u1"), true);
  const { sounds, material, last } = later.prefs;
  assert.deepEqual([sounds, material, last], [false, "felt", { game: "tavla" }]);
  assert.equal(later.receive(other, "u2"), false);
  assert.deepEqual([later.prefs.sounds, later.unsent], [true, null]);
  assert.equal(later.receive({ learned: { tapa: ["pin"] } }, "u2"), false);
  later.set({ learned: { tapa: ["pin", "mars"] } });
  later.unsent = null;
  assert.equal(later.receive({ learned: { tapa: ["pin"] } }, "u2"), true, "what was learned as a stranger");
});

test("a page that was open for long keeps what another one has chosen, and follows it", () => {
  const kept = new Map();
  const store = {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => void kept.set(name, value),
  };
  const [old, other] = [new Settings(store), new Settings(store)];
  /** @type {unknown[]} */
  const changes = [];
  old.addEventListener("change", (event) => changes.push(/** @type {CustomEvent} */ (event).detail));
  other.set({ material: "felt" });
  old.set({ sounds: false });
  const { material, sounds } = new Settings(store).prefs;
  assert.deepEqual([material, sounds], ["felt", false]);
  other.set({ speed: 500 });
  old.follow();
  assert.deepEqual([old.prefs.speed, changes.at(-1)], [500, { names: ["speed"], remote: true }]);
  old.follow();
  assert.equal(changes.length, 2, "nothing new");
});

test("checkers are named as they look to whoever sits there", () => {
  const settings = new Settings({ getItem: () => null, setItem: () => {}, removeItem: () => {} });
  assert.equal(settings.colour("tapa", "black", "white"), "black");
  settings.setSeat("tapa", { colours: "dark" });
  assert.equal(settings.colour("tapa", "white", "white"), "black");
  assert.equal(settings.colour("tapa", "black", "white"), "white");
  assert.equal(settings.colour("tapa", "black", "black"), "black");
});

test("messages of others count until they were read, one's own never", () => {
  const said = [
    { n: 1, at: 0, by: "Nava", id: "a", text: "hello" },
    { n: 2, at: 0, by: "Dara", id: "b", phrase: "hello" },
    { n: 3, at: 0, by: "Dara", id: "b", text: "again" },
  ];
  assert.equal(unread("m1", said, "a"), 2);
  setRead("m1", said.slice(0, 2));
  assert.equal(unread("m1", said, "a"), 1);
  assert.equal(unread("m2", said, "a"), 2);
  setRead("m1", said);
  assert.equal(unread("m1", said, "a"), 0);
});

test("settings are kept, foreign and spoilt values are left out", () => {
  const kept = new Map([
    ["sheshbesh.settings", JSON.stringify({ material: "felt", speed: "fast", hack: 1 })],
  ]);
  const store = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  };
  const settings = new Settings(store);
  assert.deepEqual(
    [settings.prefs.material, settings.prefs.speed, "hack" in settings.prefs],
    ["felt", 250, false],
  );
  const changes = [];
  settings.addEventListener("change", (event) => changes.push(event.detail.names));
  settings.setSeat("tapa", { home: "left" });
  assert.deepEqual(changes, [["seats"]]);
  assert.equal(new Settings(store).seat("tapa").home, "left");
  assert.equal(settings.seat("tavla").home, "right");
  kept.set("sheshbesh.settings", "{");
  assert.equal(new Settings(store).prefs.material, "wood");
});

test("the list of turns grows by events, and a new game begins it anew", () => {
  const events = [
    { n: 1, type: "ready", actor: "white" },
    { n: 2, type: "link", actor: "server", then: { dice: [6, 5], starter: "white" } },
    { n: 3, type: "play", actor: "white", then: { play: "24/18 18/13" } },
    { n: 4, type: "double", actor: "black" },
    { n: 5, type: "take", actor: "white" },
    { n: 6, type: "roll", actor: "black", then: { dice: [1, 1] } },
  ];
  const grown = extend([], events, null);
  assert.deepEqual(
    grown.turns.map(({ side, kind }) => [side, kind]),
    [
      ["white", "play"],
      ["black", "double"],
      ["white", "take"],
    ],
  );
  assert.deepEqual(grown.turns[0].dice, [6, 5]);
  assert.deepEqual(grown.dice, [1, 1]);
  const more = extend(
    grown.turns,
    [{ n: 7, type: "confirm", actor: "black", then: { play: "8/7(2) 6/5(2)" } }],
    grown.dice,
  );
  assert.deepEqual(more.turns.at(-1).dice, [1, 1]);
  const guessed = extend(
    more.turns,
    [
      { n: 8, type: "play", actor: "white", guessed: true, then: { play: "24/23" } },
      { n: 9, type: "roll", actor: "white", guessed: true },
    ],
    null,
  );
  assert.deepEqual(
    guessed.turns.map((turn) => Boolean(turn.guessed)),
    [...more.turns.map(() => false), true, true],
  );
  const quiet = extend(
    [],
    [
      { n: 8, type: "roll", actor: "black", guessed: true },
      { n: 9, type: "roll", actor: "white" },
      { n: 10, type: "refuse", actor: "black", guessed: true },
    ],
    null,
  );
  assert.deepEqual(
    quiet.turns.map(({ side, kind, guessed: thumb }) => [side, kind, thumb]),
    [
      ["black", "roll", true],
      ["black", "refuse", true],
    ],
    "told where nobody thought, and only there",
  );
  // A game has ended, and the server's seat is ready at once: the player still looks at what was played.
  const end = [
    { n: 8, type: "drop", actor: "white", then: { game: { winner: "black" } } },
    { n: 9, type: "ready", actor: "server" },
  ];
  const ended = extend(more.turns, end, null);
  assert.deepEqual(
    ended.turns.map(({ kind }) => kind),
    ["play", "double", "take", "play", "drop"],
  );
  const ready = [{ n: 10, type: "ready", actor: "white" }];
  assert.deepEqual(
    extend(ended.turns, ready, null, { over: true }).turns,
    ended.turns,
    "the other one is not ready yet",
  );
  assert.deepEqual(extend(ended.turns, ready, null, { over: true, next: true }), { turns: [], dice: null });
  // All of it at once, as after a line that was broken.
  const first = { n: 11, type: "play", actor: "white", then: { play: "13/7" } };
  const both = extend(
    more.turns,
    [...end, ...ready, { n: 10, type: "link", actor: "black", then: { dice: [4, 2] } }, first],
    null,
    { next: true },
  );
  assert.deepEqual(both.turns, [{ side: "white", dice: [4, 2], play: "13/7", kind: "play" }]);
  const again = [
    { n: 12, type: "play", actor: "white", then: { play: "24/18 8/6" } },
    { n: 13, type: "retry", actor: "server", side: "white", then: { taken_back: "24/18 8/6" } },
    { n: 14, type: "play", actor: "white", then: { play: "8/2" } },
  ];
  const retried = extend([], again, [4, 2]).turns;
  assert.deepEqual(
    retried.map(({ side, dice, kind }) => [side, dice, kind]),
    [
      ["white", [4, 2], "play"],
      ["white", null, "retry"],
      ["white", [4, 2], "play"],
    ],
    "the same dice are played again",
  );
  assert.deepEqual(
    numbered(retried).map(({ number }) => number),
    [1, 1, 1],
  );
  const rows = numbered([
    { side: "black", kind: "play" },
    { side: "white", kind: "play" },
    { side: "black", kind: "play" },
    { side: "white", kind: "double" },
  ]);
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1, 1, 2, 2],
  );
});

test("games that are at home in the reader's languages come first, and are found by any name they have", () => {
  const games = [
    {
      name: "a",
      title: "Backgammon",
      native: { en: "backgammon", ru: "короткие нарды" },
      names: ["تخته نرد مدرن"],
    },
    { name: "b", title: "Tavla", native: { tr: "tavla", ru: "тавла" } },
    { name: "c", title: "Long nardy", native: { ru: "длинные нарды" } },
    { name: "d", title: "Gioul" },
    { name: "e", title: "Moultezim", native: { tr: "mültezim" } },
  ];
  const order = (...languages) =>
    nearest(games, languages)
      .map(({ name }) => name)
      .join("");
  assert.deepEqual(
    [order("ru"), order("tr-TR", "ru"), order("fa"), order("en", "ru-RU")],
    ["cabde", "becad", "abcde", "acbde"],
  );
  const found = (text) =>
    named(games, text)
      .map(({ name }) => name)
      .join("");
  assert.deepEqual(["multezim", "ТАВЛА", "نرد", "nardy ", "", "chess"].map(found), [
    "e",
    "b",
    "a",
    "c",
    "abcde",
    "",
  ]);
});

test("a captive lies where it was last taken, since the turn in which it was", () => {
  const own = Array.from({ length: 24 }, (_, i) => i + 1);
  const layout = { pins: true, numbers: { white: own, black: [...own].reverse() } };
  const turn = (side, play) => ({ side, dice: [2, 1], play, kind: play === "pass" ? "pass" : "play" });
  const turns = [
    turn("white", "24/18*"),
    turn("black", "24/20*/19"),
    turn("white", "pass"),
    turn("black", "10/7*(2)"),
    turn("white", "20/18*"),
  ];
  assert.deepEqual(
    [...pinnedSince(turns, layout)].sort(),
    [
      [18, 3],
      [5, 1],
    ].sort(),
  );
  assert.equal(pinnedSince(turns, layout), pinnedSince(turns, layout), "the same for the same list");
  assert.equal(pinnedSince([...turns], { ...layout, pins: false }).size, 0);
});

test("the page holds no inline script or style, nothing from elsewhere, and never writes HTML", async () => {
  const folder = new URL("../../src/sheshbesh/web/", import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter(
    // What is packed holds what others wrote beside our own modules, which are looked at themselves.
    (name) => /\.(js|html)$/.test(name) && !/^(vendor|packed)\b/.test(name),
  );
  for (const name of names) {
    const text = await readFile(new URL(name, folder), "utf-8");
    assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|unsafeHTML|document\.write|\beval\(/, name);
    assert.doesNotMatch(text, /<script(?![^>]*src=)|<style|\sstyle="/, name);
    assert.doesNotMatch(text, /(src|href)="https?:/, name);
  }
});
