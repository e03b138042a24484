/** The player's settings, kept in this browser and with their account, and the document's appearance. */

/**
 * @import { Side } from "../board/types.js"
 * @typedef {{home: "right" | "left", mine: "bottom" | "top", seating: "R" | "L", colours: "given" | "light" |
 *   "dark"}} Seat
 * @typedef {{
 *   lang: string, digits: "native" | "latin", calls: boolean,
 *   page: "auto" | "light" | "dark", material: "wood" | "felt" | "paper",
 *   speed: 0 | 120 | 250 | 500, confirm: "dice" | "auto", mode: "tap" | "taptap",
 *   forced: "off" | "steps" | "turns", autoroll: boolean, retry: boolean, targets: boolean,
 *   numbers: "viewer" | "roll" | "off",
 *   sounds: boolean, volume: number, vibration: boolean, chat: "all" | "phrases" | "none",
 *   seats: Record<string, Seat>, levels: Record<string, string>, last: Record<string, unknown>,
 *   learned: Record<string, string[]>
 * }} Prefs
 */

/** @type {Prefs} */
export const DEFAULTS = {
  lang: "",
  digits: "native",
  calls: true,
  page: "auto",
  material: "wood",
  speed: 250,
  confirm: "dice",
  mode: "tap",
  forced: "steps",
  autoroll: true,
  retry: true,
  targets: true,
  numbers: "viewer",
  sounds: true,
  volume: 0.6,
  vibration: true,
  chat: "all",
  seats: {},
  levels: {},
  last: {},
  learned: {},
};

/** @type {Seat} */
const SEAT = { home: "right", mine: "bottom", seating: "R", colours: "given" };

const NAME = "sheshbesh.settings";
const UNSENT = "sheshbesh.settings.unsent";

/**
 * What is kept under a name; null where nothing is, or it cannot be read.
 * @param {Pick<Storage, "getItem">} store @param {string} name
 * @returns {any}
 */
export function readKept(store, name) {
  try {
    return JSON.parse(store.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keep something under a name; false where the storage is full or forbidden, which costs what a reload would need.
 * @param {Pick<Storage, "setItem">} store @param {string} name @param {unknown} value
 */
export function writeKept(store, name, value) {
  try {
    store.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {unknown} found */
function known(found) {
  /** @type {Record<string, unknown>} */
  const kept = {};
  if (found && typeof found === "object") {
    for (const [name, value] of Object.entries(found)) {
      if (
        value !== null &&
        name in DEFAULTS &&
        typeof value === typeof DEFAULTS[/** @type {keyof Prefs} */ (name)]
      )
        kept[name] = value;
    }
  }
  return /** @type {Partial<Prefs>} */ (kept);
}

/**
 * The lessons of a course that were answered, whatever is kept there.
 * @param {Record<string, unknown>} learned
 * @param {string} course
 * @returns {string[]}
 */
export function answered(learned, course) {
  const found = learned[course];
  return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
}

/**
 * Lessons answered here or there, by course.
 * @param {Record<string, unknown>} here
 * @param {Record<string, unknown>} there
 * @param {Record<string, unknown>} newer  the one of them in which an empty list says that a course was begun anew
 */
function joined(here, there, newer) {
  const courses = new Set([...Object.keys(here), ...Object.keys(there)]);
  /** @param {string} name */
  const join = (name) => {
    const isRestarted = Array.isArray(newer[name]) && !newer[name].length;
    return isRestarted ? [] : [...new Set([...answered(here, name), ...answered(there, name)])];
  };
  return Object.fromEntries([...courses].map((name) => [name, join(name)]));
}

/** The settings of this browser; fires "change" with the names of what changed. */
export class Settings extends EventTarget {
  /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem">} store */
  constructor(store) {
    super();
    this.store = store;
    /** @type {Prefs} */
    this.prefs = { ...DEFAULTS, ...this.read() };
    /** Whether what is stored is older than what was chosen here, since it could not be stored. */
    this.isBehind = false;
  }

  /** @returns {Partial<Prefs>} */
  read() {
    return known(readKept(this.store, NAME));
  }

  /** Take over what another tab of this browser has stored. */
  follow() {
    if (this.isBehind) return;
    const kept = this.read();
    const news = /** @type {(keyof Prefs)[]} */ (Object.keys(kept)).filter(
      (name) => JSON.stringify(kept[name]) !== JSON.stringify(this.prefs[name]),
    );
    if (!news.length) return;
    this.prefs = { ...this.prefs, ...kept };
    this.dispatchEvent(new CustomEvent("change", { detail: { names: news, remote: true } }));
  }

  /**
   * Changes some settings, stores them and fires "change".
   * @param {Partial<Prefs>} change
   * @param {{remote?: boolean}} [how] `remote`: they came from the server and need not go back there
   */
  set(change, { remote = false } = {}) {
    const news = known(change);
    // Beside what another tab may have stored since this one was opened.
    this.prefs = { ...this.prefs, ...(this.isBehind ? {} : this.read()), ...news };
    this.isBehind = !writeKept(this.store, NAME, this.prefs);
    this.dispatchEvent(new CustomEvent("change", { detail: { names: Object.keys(news), remote } }));
  }

  /**
   * Settings that were chosen here and have not reached the account `user`, "" for whoever is identified next; null
   * where none waits. It outlives the page, which may be left before they are sent.
   * @returns {{user: string, names: string[]} | null}
   */
  get unsent() {
    const found = readKept(this.store, UNSENT);
    return Array.isArray(found?.names) ? found : null;
  }

  /** @param {{user: string, names: string[]} | null} waiting */
  set unsent(waiting) {
    // Where they cannot be kept they are sent while the page is open, or not at all.
    writeKept(this.store, UNSENT, waiting);
  }

  /** The names that wait for an account. @param {string} user */
  waiting(user) {
    const { unsent } = this;
    return unsent && ["", user].includes(unsent.user) ? unsent.names : [];
  }

  /** Something was chosen that an account lacks now. @param {readonly string[]} names @param {string} user */
  chosen(names, user) {
    // What was done last is nobody's choice: it never stands against what another device has sent.
    const chosen = names.filter((name) => name !== "last");
    if (chosen.length) this.unsent = { user, names: [...new Set([...this.waiting(user), ...chosen])] };
  }

  /**
   * Take over what an account keeps, without undoing what was chosen here and has not reached it.
   * @param {Record<string, unknown>} kept @param {string} user
   * @returns {boolean} whether something is to be sent
   */
  receive(kept, user) {
    const waiting = this.waiting(user);
    const news = Object.fromEntries(Object.entries(kept).filter(([name]) => !waiting.includes(name)));
    const { learned: there } = known(kept);
    const { learned: here } = this.prefs;
    // What was learned before signing in is not lost by it.
    if (there) news.learned = joined(here, there, waiting.includes("learned") ? here : there);
    if (Object.keys(news).length) this.set(news, { remote: true });
    if (!waiting.length) this.unsent = null;
    const lacks = (/** @type {string} */ course) => {
      const kept = answered(there ?? {}, course);
      return answered(this.prefs.learned, course).some((id) => !kept.includes(id));
    };
    if (Object.keys(this.prefs.learned).some(lacks)) this.chosen(["learned"], user);
    return this.waiting(user).length > 0;
  }

  /**
   * How a side's checkers look on the board of whoever sees it from `viewer`'s side.
   * @param {string} game
   * @param {Side} side
   * @param {Side} viewer
   * @returns {Side}
   */
  colour(game, side, viewer) {
    const { colours } = this.seat(game);
    if (colours === "given") return side;
    return (side === viewer) === (colours === "light") ? "white" : "black";
  }

  /** How this player has oriented the board of a game. @param {string} game @returns {Seat} */
  seat(game) {
    return { ...SEAT, ...this.prefs.seats[game] };
  }

  /** @param {string} game @param {Partial<Seat>} change */
  setSeat(game, change) {
    this.set({ seats: { ...this.prefs.seats, [game]: { ...this.seat(game), ...change } } });
  }

  /**
   * My checkers from one half of the board to the other, home from one side to the other, in turn.
   * @param {string} game
   */
  turn(game) {
    const { home, mine } = this.seat(game);
    if (home === "right") this.setSeat(game, { home: "left" });
    else this.setSeat(game, { home: "right", mine: mine === "bottom" ? "top" : "bottom" });
  }

  /** The preferences of the board element for a game. @param {string} game */
  board(game) {
    const { material, speed, confirm, mode, forced, numbers, targets } = this.prefs;
    return { material, speed, confirm, mode, forced, numbers, targets, ...this.seat(game) };
  }
}

/** @returns {Pick<Storage, "getItem" | "setItem" | "removeItem">} */
function storage() {
  try {
    localStorage.getItem(NAME);
    return localStorage;
  } catch {
    // Cookies and storage are switched off: everything works until the page is left.
    /** @type {Map<string, string>} */
    const kept = new Map();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
}

export const store = storage();
export const settings = new Settings(store);
globalThis.addEventListener?.("storage", ({ key }) => key === NAME && settings.follow());

/** @param {import("./settings.js").Prefs} prefs @param {import("../i18n/i18n.js").Language} language */
export function applyAppearance(prefs, language) {
  const root = document.documentElement;
  const dark =
    prefs.page === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : prefs.page === "dark";
  root.dataset.theme = prefs.material;
  root.dataset.page = dark ? "dark" : "light";
  root.lang = language.code;
  root.dir = language.dir;
}

/** Calls back when the system turns dark or light. @param {() => void} changed */
export function watchColourScheme(changed) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
