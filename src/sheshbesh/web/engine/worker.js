/**
 * The worker that asks the core: one question at a time, as `client.js` sends them.
 *
 * A message is {id, ask: "analyse" | "rollOut" | "advise", question, ...}, answered by {id, found} for what is known
 * so far, then {id, done} or {id, failed}; {cancel: id} ends the question under way at its next pause. The first
 * message may hold the compiled module; else it is fetched, and goes back to the page for the next worker. While a net
 * is on its way, questions that a server can answer instead fail at once.
 */

import { advise } from "./advice.js";
import { DecisionAnalysis } from "./analysis.js";
import { buildFor } from "./builds.js";
import { Core, CoreError } from "./core.js";
import { situation } from "./position.js";
import { rollOut } from "./rollout.js";
import { LocalTable, Refused } from "./table.js";

/**
 * @typedef {import("./analysis.js").Question} Question
 * @typedef {{id: number, question: Question, isAlone: boolean}} Judged  `isAlone`: no server can be asked instead
 * @typedef {Judged & {ask: "analyse", plies: number, most?: number}} Analyse  with `most` plays
 * @typedef {Judged & {ask: "rollOut", trials: number, seed: number, plays: Uint8Array[]}} RollOut
 * @typedef {Judged & {ask: "advise", said?: import("./advice.js").Done, made?: import("./analysis.js").Made}} Advise
 * @typedef {{id: number, ask: "table", agreed: import("./table.js").Agreed, todo: Todo, events?: Event[]}} Table
 * @typedef {{id: number, ask: "position", asked: import("./position.js").Asked}} Placed
 * @typedef {{id: number, ask: "why", rules: import("./core.js").Rules, row: Uint8Array, dice: number[],
 *   steps: number[][], whole: boolean}} Why
 * @typedef {import("./table.js").Event} Event
 * @typedef {{kind: "look" | "decide" | "question" | "losses" | "finish"} | {kind: "why", steps: number[][]}
 *   | {kind: "act", actor: import("./core.js").Side | "server", action: import("./game.js").Action, at: number,
 *   judged: boolean}} Todo  `judged`: with the question whose answer is the verdict on it
 * @typedef {Analyse | RollOut | Advise} Judging
 * @typedef {Judging | Table | Placed | Why} Asked
 * @typedef {{module: WebAssembly.Module} | {cancel: number} | Asked} ToWorker
 * @typedef {{module: WebAssembly.Module} | {id: number, found: object} | {id: number, done: true, build: string}
 *   | {id: number, failed: string, unreached: boolean}} FromWorker  `unreached`: a file of the site could not be had
 */

/** Milliseconds of work after which the worker looks for messages, and says what it has found. */
const SPELL = 40;
/**
 * Nets that are kept by the browser, each some 400 KB: all that are shipped, and some of the release before. An
 * installed page keeps those of its own release alone (`sw.js`).
 */
const KEPT_NETS = 32;
/** The name of their cache. The page's own begin with `sheshbesh-` and go with each release; nets stay. */
const NETS = "nets";
/** Engines that stay ready, 17 MB each. */
const READY = 2;

const build = buildFor();
/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;
/** @type {Core | undefined} */
let core;
/** The matches that are played here, by their ids. @type {Map<string, LocalTable>} */
const tables = new Map();
/** What they are played by, once it was asked for. @type {Map<string, Promise<any>>} */
const files = new Map();
/** Engines by what they are of, those asked last at the end. @type {Map<string, import("./analysis.js").Handles>} */
const engines = new Map();
/** The question that is to end. */
let cancelled = 0;
/** What is under way. */
let work = Promise.resolve();
/** Nets that are on their way, with the module, by digest. @type {Map<string, Promise<void>>} */
const coming = new Map();
/** Those that have come and no engine was made of yet. @type {Map<string, Uint8Array>} */
const come = new Map();

/** @param {FromWorker} message */
const say = (message) => self.postMessage(message);

/** A file of the site that could not be had. */
class Unreached extends Error {}

/**
 * Fetch a file of the site; an error says which could not be had.
 * @param {string} address @param {RequestCache} [cache]
 */
async function fetched(address, cache = "default") {
  const answer = await fetch(address, { cache }).catch((error) => {
    throw new Unreached(`${address}: ${error.message}`);
  });
  if (!answer.ok) throw new Unreached(`${address}: ${answer.status}`);
  return answer;
}

async function compile() {
  const module = await WebAssembly.compileStreaming(fetched(`/engine/core-${build}.wasm`));
  say({ module });
  return module;
}

/** Compiled once; after a failure it is tried again. */
function theModule() {
  compiled ??= compile().catch((error) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/** The nets that the browser keeps; undefined where it keeps none, as on pages without https. */
async function netCache() {
  return "caches" in self ? caches.open(NETS).catch(() => undefined) : undefined;
}

/** Return the address of a net. @param {string} digest */
const addressOf = (digest) => `/engine/${digest}.net`;

/**
 * Fetch a net from the site, which the browser then keeps. It keeps what it was sent of such an address, too: `reload`
 * asks past that.
 * @param {string} digest @param {RequestCache} [how]
 */
async function sentNet(digest, how) {
  const cache = await netCache();
  const answer = await fetched(addressOf(digest), how);
  await cache?.put(addressOf(digest), answer.clone()).catch(() => {});
  const names = (await cache?.keys()) ?? [];
  for (const old of names.slice(0, -KEPT_NETS)) await cache?.delete(old);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Fetch a net and the module, once. @param {string} digest */
function send(digest) {
  let sent = coming.get(digest);
  if (!sent) {
    sent = Promise.all([sentNet(digest), theModule()])
      .then(([file]) => void come.set(digest, file))
      .finally(() => coming.delete(digest));
    sent.catch(() => {});
    coming.set(digest, sent);
  }
  return sent;
}

/**
 * Return a net, from the browser's cache or from the site. One that is on its way is waited for where there is no
 * server to ask meanwhile.
 * @param {string} digest @param {boolean} isAlone
 */
async function net(digest, isAlone) {
  const kept =
    come.has(digest) || coming.has(digest) ? undefined : await (await netCache())?.match(addressOf(digest));
  if (kept) return new Uint8Array(await kept.arrayBuffer());
  if (!come.has(digest)) {
    const sent = send(digest);
    if (!isAlone) throw new Unreached(`${addressOf(digest)}: on its way`);
    await sent;
  }
  const file = /** @type {Uint8Array} */ (come.get(digest));
  come.delete(digest);
  return file;
}

/** The core; a fresh one after a failure. */
async function alive() {
  if (!core || core.dead) {
    engines.clear();
    tables.clear();
    core = await Core.start(await theModule());
  }
  return core;
}

/** What the core makes of the rules and the net of a question. @param {Question} question @param {Uint8Array} file */
async function made({ rules, classMap }, file) {
  const used = await alive();
  const set = used.rules(rules);
  const weights = used.net(file);
  const handles = { rules: set, engine: used.engine(set, weights, classMap) };
  used.free("net", weights);
  return handles;
}

/** The same, kept ready. @param {Question} question @param {boolean} isAlone  there is no server to ask meanwhile */
async function handlesOf(question, isAlone) {
  if (core?.dead) engines.clear();
  const { rules, net: used, classMap } = question;
  const key = JSON.stringify([rules, used.sha256, classMap]);
  let handles = engines.get(key);
  if (!handles) {
    const file = await net(used.sha256, isAlone);
    try {
      handles = await made(question, file);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      // What the browser has kept may be damaged: another copy, once.
      handles = await made(question, await sentNet(used.sha256, "reload"));
    }
  }
  engines.delete(key);
  engines.set(key, handles);
  for (const [old, { rules: set, engine }] of engines) {
    if (engines.size <= READY) break;
    engines.delete(old);
    core?.free("engine", engine);
    core?.free("rules", set);
  }
  return handles;
}

/** Settled after the messages that wait have been taken. */
function looked() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(undefined);
    };
    port2.postMessage(null);
  });
}

/**
 * What a question is answered with, piece by piece.
 * @param {Judging} asked @param {import("./analysis.js").Handles} handles
 */
function pieces(asked, handles) {
  const used = /** @type {Core} */ (core);
  if (asked.ask === "advise") return advise(used, handles, asked);
  const analysis = new DecisionAnalysis(used, handles, asked.question);
  if (asked.ask === "analyse") return analysis.analyse(asked.plies, { most: asked.most });
  const { trials, seed, plays } = asked;
  return rollOut(used, handles, analysis, asked.question, { trials, seed, plays });
}

/** A file beside this one, asked for once. @param {string} name @returns {Promise<any>} */
function file(name) {
  let found = files.get(name);
  if (!found) {
    found = fetched(`/engine/${name}`).then((answer) => answer.json());
    found.catch(() => files.delete(name));
    files.set(name, found);
  }
  return found;
}

/** What a card is played by. @param {string} code @returns {Promise<import("./table.js").Files>} */
async function filesFor(code) {
  const [rules, games] = await Promise.all([file("rules.json"), file("games.json")]);
  // A match to one point, or for money, has no scores to weigh.
  const needs = !/\.(m|[pg]1)(\.|$)/.test(code);
  return { rules, games, equities: needs ? await file("equities.json") : null };
}

/** A position by itself. @param {Placed} asked @returns {AsyncGenerator<object>} */
async function* placed({ asked }) {
  const files = await filesFor(asked.card ?? "");
  yield situation(await alive(), asked, files);
}

/** Why steps may not be made. @param {Why} asked @returns {AsyncGenerator<object>} */
async function* refused({ rules, row, dice, steps, whole }) {
  const used = await alive();
  const set = used.rules(rules);
  yield { rule: used.refusal(set, row, dice, steps, whole) };
  used.free("rules", set);
}

/** The table of a match, as far as its events go. @param {Table} asked */
async function tableOf({ agreed, events = [] }) {
  const used = await alive();
  let table = tables.get(agreed.id);
  if (!table || table.length > events.length) {
    table = new LocalTable(used, agreed, await filesFor(agreed.code));
    tables.set(agreed.id, table);
  }
  table.replay(events);
  return table;
}

/**
 * What is done at a table without a server.
 * @param {Table} asked
 * @returns {AsyncGenerator<object>}
 */
async function* played(asked) {
  const table = await tableOf(asked);
  const { todo } = asked;
  switch (todo.kind) {
    case "act": {
      const { actor, action, at, judged } = todo;
      try {
        const judge = judged && actor !== "server" ? table.judgement(actor, action) : null;
        const event = table.act(actor, action, at);
        yield { event, judge, view: table.view() };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        yield { refused: error.message };
      }
      return;
    }
    case "decide": {
      const { question, level } = { question: table.scores.question(table.state), level: table.level };
      const handles = await handlesOf(question, true);
      if (!level) throw new Error("there is no such level");
      for (const action of table.decide(handles)) yield { action };
      return;
    }
    case "question":
      yield { question: table.question() };
      return;
    case "finish":
      yield { play: table.finish() };
      return;
    case "losses":
      yield { losses: table.losses() };
      return;
    case "why":
      yield { why: table.why(todo.steps) };
      return;
    default:
      yield { view: table.view(), layout: table.about.layout, title: table.about.title };
  }
}

/** @param {Asked} asked @returns {Promise<Iterable<any> | AsyncIterable<any>>} */
async function answering(asked) {
  if (asked.ask === "table") return played(asked);
  if (asked.ask === "position") return placed(asked);
  if (asked.ask === "why") return refused(asked);
  return pieces(asked, await handlesOf(asked.question, asked.isAlone));
}

/** @param {Asked} asked */
async function answer(asked) {
  const { id } = asked;
  try {
    if (!build) throw new Error("this browser has no vectors of 128 bits");
    const found = await answering(asked);
    let since = performance.now();
    let said = 0;
    for await (const piece of found) {
      const now = performance.now();
      // The first piece at once, then no more than the page can show.
      const isLast = asked.ask === "table" ? "action" in piece && piece.action !== null : piece.done;
      if (said && !isLast && now - since < SPELL) continue;
      say({ id, found: piece });
      said += 1;
      await looked();
      if (cancelled === id) break;
      since = performance.now();
    }
    say({ id, done: true, build });
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    say({ id, failed, unreached: error instanceof Unreached });
  }
}

self.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  if ("module" in data) compiled = Promise.resolve(data.module);
  else if ("cancel" in data) cancelled = data.cancel;
  else work = work.then(() => answer(data));
};
