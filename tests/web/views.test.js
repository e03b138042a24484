import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { mock, test } from "node:test";
import "./elements.js";
import { MatchEnding } from "../../src/sheshbesh/web/app/match/ending.js";
import { Trial } from "../../src/sheshbesh/web/app/match/trial.js";
import { question } from "../../src/sheshbesh/web/app/review/detail.js";
import { AnalysisView } from "../../src/sheshbesh/web/app/views/analysis.js";
import { Match } from "../../src/sheshbesh/web/app/views/match.js";
import { SearchView } from "../../src/sheshbesh/web/app/views/search.js";
import { Tournament } from "../../src/sheshbesh/web/app/views/tournament.js";
import "../../src/sheshbesh/web/app/views/home.js";
import "../../src/sheshbesh/web/app/views/puzzles.js";
import "../../src/sheshbesh/web/app/views/settings.js";
import "../../src/sheshbesh/web/app/views/tournaments.js";

globalThis.location = { origin: "https://example.org" };
globalThis.navigator ??= {};
globalThis.matchMedia = () => ({ matches: false });

/** Answer what is asked for by its path: a number is the status of an error. @param {Record<string, any>} answers */
function serve(answers) {
  globalThis.fetch = async (path) => {
    const found = answers[path.replace("/api/v1", "")];
    const ok = typeof found === "object";
    return { ok, status: ok ? 200 : found, json: async () => (ok ? found : { error: { text: "Not now." } }) };
  };
}

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

test("a play is tried where no clock runs, and the same turn come anew leaves the trial as it is", () => {
  const state = {
    phase: "move",
    on_roll: "white",
    board: { white: [6, 5] },
    turn: { dice: [3, 1], done: [], touched: null },
    tutor: true,
    clock: null,
    card: {},
  };
  const view = new Match();
  view.may = () => true;
  view.model = { state, connection: { hasCore: true, question: async () => null } };
  assert.equal(view.mayTry, true);
  view.model.state = { ...state, clock: { running: "white" } };
  assert.equal(view.mayTry, false);

  view.model.state = state;
  view.trial = new Trial(view);
  view.trial.follow(structuredClone(state));
  assert.ok(view.trial, "after a connection that was made anew");
  const { trial } = view;
  for (const gone of [
    { phase: "over" },
    { board: { white: [5] } },
    { turn: { ...state.turn, dice: [3, 2] } },
  ]) {
    view.trial = trial;
    trial.follow({ ...state, ...gone });
    assert.equal(view.trial, null, JSON.stringify(gone));
  }
});

test("the link to one's own calendar is copied, or what went wrong is said once", async () => {
  const view = new (customElements.get("ssb-tournaments"))();
  const said = [];
  view.app = { toast: (text) => said.push(text) };
  serve({ "/me/calendar": 503 });
  await view.copyOwnCalendar();
  serve({ "/me/calendar": { url: "/me/x.ics" } });
  await view.copyOwnCalendar();
  assert.deepEqual([said, view.problem], [["Not now.", "https://example.org/me/x.ics?lang=en"], ""]);
});

test("an answer to an action that does not come is said, and nothing else stands in its place", async () => {
  const said = [];
  const app = { toast: (text) => said.push(text), identity: Promise.resolve() };
  const query = "game=backgammon&whose=all&kind=&loss=0&themes=&points=";
  const lists = { "/positions/themes/backgammon": [], "/positions/counts/backgammon": [] };
  const search = Object.assign(new SearchView(), { app });
  const each = { review: "r1", n: 4 };
  serve({ ...lists, [`/positions?${query}`]: [each], "/positions/r1/4?lang=en": 503 });
  await search.change({});
  assert.deepEqual([search.found, said], [[each], []]);
  await search.show(each);
  assert.deepEqual([search.open, search.problem, said.splice(0)], [null, "", ["Not now."]]);
  serve({ ...lists, [`/positions?${query}`]: 503 });
  await search.change({});
  assert.deepEqual([search.found, search.problem, said.splice(0)], [null, "", ["Not now."]]);

  const analysis = Object.assign(new AnalysisView(), { app, scene: { query: {}, layout: {} } });
  analysis.draft = {
    card: { game: "tapa", options: {}, length: 1 },
    board: {},
    dice: [],
    cube: { value: 1 },
  };
  serve({ "/analysis/board": 503, "/analysis/ask": 500, "/analysis?card=tapa.m&lang=en&core=false": 503 });
  await analysis.start();
  assert.deepEqual([said.splice(0), analysis.unanswered], [["Not now."], null]);
  await analysis.ask(analysis.draft);
  assert.deepEqual(analysis.unanswered, { what: "board", text: "Not now." });
  await analysis.evaluate();
  assert.equal(
    analysis.unanswered.what,
    "board",
    "no answer about another position than the one on the board",
  );

  const ending = Object.assign(new MatchEnding(), { app });
  ending.review = {
    id: "r1",
    state: "done",
    report: { sides: { white: { best: 2, pr: 1 } }, decisions: { 2: {} } },
  };
  serve({ "/reviews/r1/decisions/2?lang=en": 503 });
  await ending.draw();
  assert.deepEqual([said, ending.card, ending.problem], [["Not now."], null, ""]);
});

test("a decision about the cube is told without dice, and one to take it with its value", () => {
  const drop = { type: "drop", dice: null, played: "drop", done: "drop" };
  assert.equal(new MatchEnding().done(drop), "drop");
  const detail = { candidates: [{ name: "take" }] };
  assert.equal(new MatchEnding().bestWas({ decision: drop, detail }), "Best was \u2068take\u2069.");
  assert.equal(new MatchEnding().done({ ...drop, dice: [1, 3], played: "8/5 6/5" }), "3\u20111: 8/5 6/5");
  const offered = question(drop, { cube: { value: 2 } }, "Nava");
  assert.equal(offered, "Nava is offered the cube at 4: take or drop?");
});

test("an address of puzzles for no game shows that there are none, and nothing else of the page", () => {
  const lost = new (customElements.get("ssb-puzzles"))();
  Object.assign(lost, {
    place: { params: { game: "nothing" } },
    index: { levels: [], games: {} },
    problem: "None.",
  });
  assert.deepEqual(lost.render().strings, ['<div class="page">', "</div>"]);
});

test("a choice that cannot be shown is told, and what was shown stays with its choice", async () => {
  const said = [];
  const app = { toast: (text) => said.push(text) };
  const made = (name, shown) => Object.assign(new (customElements.get(name))(), { app }, shown);
  const listed = made("ssb-tournaments", { found: { now: [] }, game: "" });
  const puzzles = made("ssb-puzzles", {
    place: { params: { game: "tapa" } },
    level: "easy",
    index: { games: { tapa: {} } },
    questions: [{ id: "a" }],
    done: {},
  });
  const played = { n: 1, pairings: [{ number: 4 }], names: {}, more: true };
  const tournament = Object.assign(new Tournament(), { app, played, place: { params: { id: "x" } } });
  const laid = { game: "tapa", layout: {} };
  const settings = made("ssb-settings", { laid });
  const choose = async () => {
    const [game, level] = [{ value: "tapa" }, { value: "hard" }];
    await listed.filter({ target: game });
    await puzzles.choose(level);
    await tournament.readPlayed();
    return [game.value, level.value];
  };

  const [games, hard] = ["/tournaments?game=tapa", "/puzzles/tapa?level=hard&lang=en"];
  const more = "/tournaments/x/pairings?after=4";
  serve({ [games]: 503, [hard]: 503, [more]: 503 });
  assert.deepEqual(await choose(), ["", "easy"]);
  assert.deepEqual(said.splice(0), ["Not now.", "Not now.", "Not now."]);
  assert.deepEqual(
    [listed.found, listed.game, puzzles.questions, puzzles.level, tournament.played],
    [{ now: [] }, "", [{ id: "a" }], "easy", played],
  );
  await assert.rejects(settings.lay("backgammon"));
  assert.equal(settings.laid, laid);
  for (const view of [listed, puzzles, tournament, settings]) assert.equal(view.problem, "");

  // Of two that fail in a row, the second leads back to what is shown, not to the first.
  /** @type {Promise<void>[]} */
  const failing = [];
  const [portes, middle] = [{ value: "portes" }, { value: "middle" }];
  failing.push(listed.filter({ target: portes }), puzzles.choose(middle));
  assert.deepEqual(await choose(), ["", "easy"]);
  await Promise.all(failing);
  assert.deepEqual([listed.game, puzzles.level], ["", "easy"]);
  said.length = 0;

  serve({
    [games]: { now: [1] },
    [hard]: [{ id: "b" }],
    [more]: { n: 1, pairings: [{ number: 5 }], names: {} },
  });
  assert.deepEqual(await choose(), ["tapa", "hard"]);
  assert.deepEqual([said, listed.found, puzzles.questions], [[], { now: [1] }, [{ id: "b" }]]);
  assert.deepEqual(tournament.played.pairings, [{ number: 4 }, { number: 5 }]);
});

test("what is read in parts is of one state, however it changes meanwhile", async () => {
  const tournament = Object.assign(new Tournament(), { place: { params: { id: "x" } } });
  const numbers = Array.from({ length: 500 }, (_, index) => ({ number: index + 1 }));
  /** @param {number[]} states the state of each answer, in turn */
  const answering = (states) => {
    const asked = [];
    globalThis.fetch = async (path) => {
      const isFirst = path.endsWith("after=0");
      const n = states[asked.push(path) - 1] ?? asked.length;
      const pairings = isFirst ? numbers : [{ number: 501 }];
      return { ok: true, status: 200, json: async () => ({ n, pairings, names: { [n]: path } }) };
    };
    return asked;
  };
  mock.timers.enable({ apis: ["setTimeout"] });
  /** Reads more than a part; whenever nothing else goes on, what was asked for so far is noted and time passes. */
  const read = async (/** @type {string[]} */ asked) => {
    let done = false;
    const reading = tournament.pairingsOf(501).finally(() => (done = true));
    reading.catch(() => {});
    const counts = [];
    while (!done) {
      await new Promise((next) => setImmediate(next));
      counts.push(asked.length);
      mock.timers.tick(8000);
    }
    return { reading, counts };
  };
  const steady = answering([7, 8, 8, 8]);
  const found = await (await read(steady)).reading;
  assert.deepEqual(
    [found.n, found.pairings.length, found.more, Object.keys(found.names)],
    [8, 501, false, ["8"]],
  );
  assert.equal(steady.length, 4);
  const restless = answering([]);
  const { reading, counts } = await read(restless);
  await assert.rejects(reading, /Results came in while this was read/);
  assert.deepEqual(counts.slice(0, 5), [2, 4, 6, 8, 10]);
  assert.equal(restless.length, 10);
  mock.timers.reset();
});

test("an address that names no game says so, and shows no other game in its place", async () => {
  const place = { params: { game: "chess" }, query: new URLSearchParams() };
  const app = { identity: Promise.resolve(), deferredRequested: false };
  const found = mock.method(document, "querySelector", () => app);
  for (const name of ["ssb-home", "ssb-puzzles"]) {
    const view = Object.assign(new (customElements.get(name))(), { place });
    const variants = [{ name: "tapa", title: "Tapa" }];
    serve({
      "/variants?lang=en": variants,
      "/variants?lang=en&brief=true": variants,
      "/variants/chess": 404,
      "/puzzles": { levels: ["easy"], games: { tapa: { easy: 1 } } },
      "/puzzles/chess?level=easy&lang=en": 404,
    });
    await view.fetch();
    assert.deepEqual([view.problem, view.questions ?? view.matchSetup?.variant ?? null], ["Not now.", null]);
  }
  found.mock.restore();
});

test("an answer about an earlier position leaves what was put on the board meanwhile", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {((found: object) => void)[]} */
  const asked = [];
  globalThis.fetch = () =>
    new Promise((answer) =>
      asked.push((found) => answer({ ok: true, status: 200, json: async () => found })),
    );
  const scene = {
    query: {},
    layout: {},
    cube: { value: 1, owner: null },
    game: "tapa",
    options: {},
    length: 1,
  };
  const view = Object.assign(new AnalysisView(), { scene: { ...scene, address: "/a" } });
  const card = { game: "tapa", options: {}, length: 1 };
  view.draft = { card, board: { n: 1 }, dice: [], cube: { value: 1, owner: null }, side: "white" };
  const first = view.ask(view.draft);
  view.edit({ board: { n: 2 } });
  asked.shift()({ ...scene, board: { n: 1 }, problems: [] });
  await first;
  assert.deepEqual(view.draft.board, { n: 2 });

  // Nor is the verdict on one taken for that on another, which is still being asked about.
  const judged = view.evaluate();
  asked.shift()({ ...scene, address: "/b", board: { n: 2 }, problems: [] });
  await view.settling;
  while (!asked.length) await Promise.resolve();
  view.edit({ board: { n: 3 } });
  void view.settle();
  asked.shift()({ plays: [], equity: 0.1 });
  await judged;
  assert.equal(view.found, null);
  assert.deepEqual(view.draft.board, { n: 3 });
  asked.shift()({ ...scene, address: "/c", board: { n: 3 }, problems: [] });
  await view.settling;
  assert.equal(view.scene.address, "/c");

  // What is shared is that of the answer: it is no more what is on the board.
  assert.equal(view.isSettled, true);
  view.edit({ board: { n: 4 } });
  assert.deepEqual([view.isKnown, view.isSettled], [true, false]);
  void view.settle();
  asked.shift()({ ...scene, problems: ["Nobody has won."] });
  await view.settling;
  assert.deepEqual([view.isKnown, view.isSettled], [false, false]);
  mock.timers.reset();
});

test("a dialog that is loaded by itself opens once it is there, and over no other one", async () => {
  const said = [];
  const view = () =>
    Object.assign(new Match(), { app: { toast: (text) => said.push(text) }, place: { view: "match" } });
  const [asking, ended, offline] = [view(), view(), view()];
  await asking.open("keys");
  assert.equal(asking.dialog, "keys");
  assert.ok(asking.dialogOf("keys"));
  const opening = ended.open("keys");
  ended.dialog = "result";
  await opening;
  assert.equal(ended.dialog, "result");
  offline.loadPart = async () => null;
  await offline.open("keys");
  assert.deepEqual([offline.dialog, said], ["", []]);
  await offline.open("chat");
  assert.equal(offline.dialog, "chat");

  for (const name of ["resign", "propose"]) {
    const late = view();
    const may = { [name]: true };
    late.model = { state: { resign_kinds: ["simple"] } };
    late.may = (action) => Boolean(may[action]);
    Object.defineProperty(late, "proposals", { value: ["draw"] });
    const slow = late.open(name);
    may[name] = false; // the other side was quicker
    await slow;
    assert.equal(late.dialog, "", name);
  }
});

test("a board that is not known is said as long as it is, whatever was asked of the one before", async () => {
  /** @type {(() => void)[]} */
  const failing = [];
  const app = { toast() {} };
  const analysis = Object.assign(new AnalysisView(), { app, scene: { query: {}, address: "/a" } });
  const card = { game: "tapa", options: {}, length: 1 };
  analysis.draft = { card, board: { n: 1 }, dice: [], cube: { value: 1, owner: null }, side: "white" };
  analysis.scene.layout = {};
  const failed = { ok: false, status: 503, json: async () => ({ error: { text: "Not now." } }) };
  globalThis.fetch = () => new Promise((answer) => failing.push(() => answer(failed)));
  const judged = analysis.evaluate();
  while (!failing.length) await Promise.resolve();
  analysis.problems = ["of the board before"];
  analysis.draft = { ...analysis.draft, board: { n: 2 } };
  const asked = analysis.ask(analysis.draft);
  while (failing.length < 2) await Promise.resolve();
  failing.pop()?.();
  await asked;
  assert.deepEqual([analysis.problems, analysis.unanswered?.what], [[], "board"]);
  failing.pop()?.();
  await judged;
  assert.equal(analysis.unanswered?.what, "board");
  assert.equal(analysis.isKnown, false);
});

test("of two games chosen the last one comes, and one that does not come leaves the board as it was", async () => {
  const said = [];
  const games = { value: "" };
  const analysis = Object.assign(new AnalysisView(), {
    app: { toast: (text) => said.push(text) },
    scene: { query: {}, layout: {} },
    querySelector: () => games,
  });
  const card = { game: "tapa", options: {}, length: 1 };
  const draft = { card, board: {}, dice: [], cube: { value: 1, owner: null }, side: "white" };
  const kept = { draft, found: { plays: [] }, past: [{ ...draft }] };
  Object.assign(analysis, kept);
  /** @type {Map<string, (found: object | null) => void>} */
  const asked = new Map();
  globalThis.fetch = (path) =>
    new Promise((answer) =>
      asked.set(path.match(/card=(\w+)/)?.[1] ?? "", (found) =>
        answer({
          ok: found !== null,
          status: found ? 200 : 503,
          json: async () => found ?? { error: { text: "Not now." } },
        }),
      ),
    );
  const choose = (game) => {
    games.value = game;
    return analysis.choose({ ...analysis.draft.card, game });
  };
  const scene = { query: {}, layout: {}, cube: { value: 1, owner: null }, options: {}, length: 1 };
  const answer = async (game, found) => {
    while (!asked.has(game)) await Promise.resolve();
    asked.get(game)(found);
  };
  const [first, second] = [choose("tavla"), choose("portes")];
  await answer("portes", null);
  await second;
  assert.deepEqual([said, games.value], [["Not now."], "tapa"]);
  for (const [name, value] of Object.entries(kept)) assert.equal(analysis[name], value);
  const third = choose("fevga");
  await answer("fevga", { ...scene, game: "fevga" });
  await third;
  await answer("tavla", { ...scene, game: "tavla" });
  await first;
  assert.deepEqual([analysis.draft.card.game, analysis.past], ["fevga", []]);

  // Nor is the start of one game put up on the board of another, or a game over a position that was pasted since.
  asked.clear();
  const start = analysis.start();
  analysis.draft = { ...analysis.draft, card };
  await answer("fevga", { ...scene, game: "fevga", board: { n: 1 } });
  await start;
  assert.equal(analysis.draft.board, undefined);
  const fourth = choose("tavla");
  games.value = "an id";
  const pasted = analysis.paste({ preventDefault() {} });
  await answer("", { ...scene, game: "tapa", board: { n: 2 } });
  await pasted;
  await answer("tavla", { ...scene, game: "tavla" });
  await fourth;
  assert.deepEqual([analysis.draft.card.game, analysis.draft.board], ["tapa", { n: 2 }]);
});

test("the result of a tournament is copied as text", () => {
  const view = new Tournament();
  view.found = { title: "Spring cup", url: "/t/x" };
  const rows = [
    { place: 1, entrant: { name: "Nava", kind: "user" } },
    { place: 2, entrant: { name: "Guest 7", kind: "guest" } },
  ];
  assert.equal(view.resultText(rows), "Spring cup\n1. Nava\n2. Guest 7\nhttps://example.org/t/x");
});

test("a part of a tournament that was not reached is asked for again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const view = new Tournament();
  view.place = { params: { id: "x" } };
  Object.defineProperty(view, "isConnected", { value: true });
  const about = { n: 2, status: "running", has_brackets: false, starts: null, me: null };
  const known = { n: 2, rows: [] };
  const pairings = { "/tournaments/x/pairings?live=1": { pairings: [], names: {} } };
  const standings = "/tournaments/x/standings?page=1";
  const again = async () => {
    mock.timers.tick(7000);
    for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
  };
  view.standings = known;
  serve({ "/tournaments/x": about, ...pairings, [standings]: 503 });
  await view.refresh();
  assert.equal(view.standings, known);
  const newer = { n: 3, rows: [] };
  serve({ "/tournaments/x": 503 });
  await again();
  assert.equal(view.found, about);
  serve({ "/tournaments/x": { ...about, n: 3 }, ...pairings, [standings]: newer });
  await again();
  assert.deepEqual([view.standings, view.timer], [newer, undefined]);
  mock.timers.reset();
});
