/** The HTTP side of the server: JSON in, JSON out, and errors that can be shown. */
import { t, words } from "../i18n/i18n.js";
import { traffic } from "./traffic.js";

/**
 * @typedef {any} Answer  what the server answers: the caller says what it is
 * @typedef {{error?: {code?: string, text?: string, where?: string, rule?: string}}} Problem
 */

/** Milliseconds after which an answer is no longer waited for: the longest that the server takes is far below. */
const PATIENCE = 60_000;

/** An answer that was no success; `text` is meant for the player. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} text
   * @param {string} [where] the field that is wrong
   * @param {string} [rule] the id of the rule by which it was refused
   */
  constructor(status, code, text, where, rule) {
    super(text);
    this.status = status;
    this.code = code;
    this.where = where;
    this.rule = rule;
  }

  /**
   * Whether the same may be answered otherwise later: nobody was reached, the server failed, or too much was asked
   * for.
   */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Whether this is a copy of the page on a host of files (`sheshbesh static`). */
export const STATIC = globalThis.document?.querySelector?.('meta[name="static"]') != null;

/** Answers that were made here for want of the server's. @type {WeakSet<object>} */
const madeHere = new WeakSet();

/**
 * What can be answered without a server; an error where it cannot.
 * @param {string} method @param {string} path @param {unknown} body @param {ApiError} error
 * @returns {Promise<Answer>}
 */
async function withoutServer(method, path, body, error) {
  const here = await import("./without-server.js").catch(() => null);
  await here?.ready();
  const answer = await here?.answered(method, path, body);
  if (answer === undefined) throw error;
  if (answer.error) throw new ApiError(422, "here", answer.error.text);
  if (!STATIC) madeHere.add(answer);
  return answer;
}

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {unknown} [body]
 * @param {RequestInit} [how]
 * @returns {Promise<Answer>}
 */
export async function call(method, path, body, how) {
  if (STATIC)
    return withoutServer(
      method,
      path,
      body,
      new ApiError(404, "static", t("This copy of the site has no server.")),
    );
  /** @type {RequestInit} */
  const options = {
    ...how,
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json", "Accept-Language": words().tag },
  };
  if (method !== "GET") {
    options.headers = { ...options.headers, "Content-Type": "application/json" };
    options.body = JSON.stringify(body ?? {});
  }
  /** @type {Response} */
  let answer;
  try {
    answer = await traffic.track(
      fetch(`/api/v1${path}`, { ...options, signal: AbortSignal.timeout(PATIENCE) }),
    );
  } catch (error) {
    const late = error instanceof DOMException && error.name === "TimeoutError";
    if (late) throw new ApiError(0, "offline", t("The server does not answer."));
    return withoutServer(method, path, body, unreached());
  }
  if (answer.status === 204) return null;
  const data = await traffic.track(answer.json()).catch(() => null);
  if (!answer.ok) throw refusal(answer, data);
  return data;
}

/** The error that an answer of the server says. @param {Response} answer @param {Problem | null} data */
export function refusal({ status }, data) {
  const { code = String(status), text, where, rule } = data?.error ?? {};
  const said = text ?? t("The server answered with an error ({status}).", { status: String(status) });
  return new ApiError(status, code, said, where, rule);
}

/** Nobody was reached. */
export const unreached = () => new ApiError(0, "offline", t("The server cannot be reached."));

/** @param {string} path */
export const get = (path) => call("GET", path);

/** @param {string} path @param {unknown} [body] */
export const post = (path, body) => call("POST", path, body);

/** @param {string} path @param {unknown} [body] @param {RequestInit} [how] */
export const put = (path, body, how) => call("PUT", path, body, how);

/** @param {string} path */
export const del = (path) => call("DELETE", path);

/** The player of this browser; a guest account is created for new ones. @returns {Promise<User>} */
export async function me() {
  return person(await post("/guest"));
}

/**
 * @typedef {{id: string, name: string, kind: string, settings?: Record<string, unknown>, [more: string]: Answer}} User
 * @param {Answer} answer
 * @returns {User}
 */
const person = (answer) => answer.user ?? answer;

/** @type {Map<string, Promise<Answer>>} */
const kept = new Map();

/**
 * What does not change while the page is open, such as the list of games: asked for once.
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export function once(path) {
  let answer = kept.get(path);
  if (!answer) {
    answer = get(path).then(
      (found) => {
        if (madeHere.has(found)) kept.delete(path);
        return found;
      },
      (error) => {
        kept.delete(path);
        throw error;
      },
    );
    kept.set(path, answer);
  }
  return answer;
}

/**
 * A game for its board, by the card of a match: layout, title and rules, in the language of the page.
 * @param {{game: string, code: string}} card
 * @returns {Promise<Answer>}
 */
export const variantOf = ({ game, code }) =>
  once(`/variants/${encodeURIComponent(game)}?card=${encodeURIComponent(code)}&lang=${words().tag}`);

/** The names of all games in the language of the page. @returns {Promise<Map<string, string>>} */
export async function gameTitles() {
  const variants = await once(`/variants?lang=${words().tag}`);
  return new Map(
    variants.map((/** @type {{name: string, title: string}} */ each) => [each.name, each.title]),
  );
}

/** Forget what was asked for once, as after a change of language. */
export const forget = () => kept.clear();

/** @param {number} seconds @returns {Promise<void>} */
export const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/**
 * A picture, asked for again while it is being made.
 * @param {string} address
 * @param {(text: string) => void} [told] hears how far it is
 * @returns {Promise<Blob>}
 */
export async function made(address, told = () => {}) {
  for (;;) {
    const headers = { "Accept-Language": words().tag, Prefer: "respond-async" };
    const answer = await traffic
      .track(fetch(address, { credentials: "same-origin", headers }))
      .catch(() => null);
    if (!answer) throw unreached();
    if (answer.ok) return answer.blob();
    const { error } = await answer.json();
    if (error.code !== "making") throw new ApiError(answer.status, error.code, error.text);
    told(error.text);
    await pause(Number(answer.headers.get("Retry-After") ?? 5));
  }
}

/** Let the browser save a file. @param {Blob} content @param {string} name */
export function save(content, name) {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
