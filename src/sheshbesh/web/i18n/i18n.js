/**
 * Texts of the page in the player's language. The keys are the English texts themselves, so that a
 * text without a translation is still readable.
 *
 * A catalogue has `messages`, from msgid to a translation; that of a plural is an object from the
 * categories of Intl.PluralRules ("one", "few", ...) to texts. `dice` holds the calls by "6-5".
 */

/** @typedef {Record<string, string | number>} Values */
/** @typedef {{messages?: Record<string, string | Record<string, string>>, dice?: Record<string, string>}} Catalogue */
/** @typedef {{code: string, name: string, dir: "ltr" | "rtl", numerals: string}} Language */

/** @type {Language[]} */
export const LANGUAGES = [
  { code: "en", name: "English", dir: "ltr", numerals: "latn" },
  { code: "fa", name: "فارسی", dir: "rtl", numerals: "arabext" },
  { code: "ar", name: "العربية", dir: "rtl", numerals: "arab" },
  { code: "ru", name: "Русский", dir: "ltr", numerals: "latn" },
  { code: "tr", name: "Türkçe", dir: "ltr", numerals: "latn" },
];

const ENGLISH = LANGUAGES[0];
/** For msgids, which are English. Made once: it takes a browser as long as drawing a panel. */
const ENGLISH_PLURALS = new Intl.PluralRules("en");

/** What numbers inside a text are made of, beside 0 to 9. @type {Record<string, string>} */
const PLAIN = { "٫": ".", "٬": ",", "٪": "%" };
for (const ten of ["۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩"])
  [...ten].forEach((digit, value) => (PLAIN[digit] = String(value)));
const NATIVE = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Everything that turns a msgid into the text shown, for one language. */
export class Words {
  /**
   * @param {Language} language
   * @param {Catalogue} catalogue
   * @param {"native" | "latin"} digits which digits prose, clocks and scores are written with
   */
  constructor(language, catalogue, digits = "native") {
    this.language = language;
    this.chosen = digits;
    this.messages = catalogue.messages ?? {};
    this.dice = catalogue.dice ?? {};
    const numerals = digits === "native" ? language.numerals : "latn";
    const locale = `${language.code}-u-nu-${numerals}`;
    this.locale = locale;
    /** The language with its digits, as the server is asked for texts. */
    this.tag = digits === "native" || language.numerals === "latn" ? language.code : locale;
    this.plurals = new Intl.PluralRules(language.code);
    this.numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
    this.plain = new Intl.NumberFormat(locale, { useGrouping: false });
    this.padded = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
    /** Other formats, by their options. @type {Map<string, Intl.NumberFormat>} */
    this.formats = new Map();
  }

  /**
   * The text for a msgid, with `{name}` replaced by values; numbers get the digits of the language.
   * @param {string} msgid
   * @param {Values} [values]
   */
  t(msgid, values) {
    const found = this.messages[msgid];
    return this.fill(typeof found === "string" && found ? this.digits(found) : msgid, values);
  }

  /**
   * The form of a text that goes with `n`, which is also the value of `{n}`.
   * @param {string} one
   * @param {string} many
   * @param {number} n
   * @param {Values} [values]
   */
  tn(one, many, n, values) {
    const found = this.messages[one];
    let text = typeof found === "object" ? (found[this.plurals.select(n)] ?? found.other) : found;
    if (!text) text = ENGLISH_PLURALS.select(n) === "one" ? one : many;
    return this.fill(this.digits(text), { n, ...values });
  }

  /**
   * A translation with its own numbers in the digits that were chosen.
   * @param {string} text
   */
  digits(text) {
    return this.chosen === "latin" ? text.replace(NATIVE, (each) => PLAIN[each]) : text;
  }

  /**
   * @param {string} text
   * @param {Values} [values]
   */
  fill(text, values) {
    if (!values) return text;
    return text.replace(/\{(\w+)\}/g, (whole, /** @type {string} */ name) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (typeof value === "number") return this.number(value);
      // Names and notation must not mix with the direction of the sentence around them. What is isolated already stays
      // as it is: within two isolates Chromium gives text in our font no width.
      const isOpen = this.language.dir === "rtl" && !/^[\u2066\u2068]/.test(value);
      return isOpen ? `\u2068${value}\u2069` : value;
    });
  }

  /**
   * A number in prose.
   * @param {number} value
   */
  number(value) {
    return this.numbers.format(value);
  }

  /**
   * A number without grouping, such as a score.
   * @param {number} value
   */
  figure(value) {
    return this.plain.format(value);
  }

  /**
   * Write a number as the options of Intl.NumberFormat say. The format is kept: making one takes longer than drawing
   * a row.
   * @param {number} value
   * @param {Intl.NumberFormatOptions} options
   */
  formatted(value, options) {
    const key = JSON.stringify(options);
    let format = this.formats.get(key);
    if (!format) this.formats.set(key, (format = new Intl.NumberFormat(this.locale, options)));
    return format.format(value);
  }

  /**
   * A share from 0 to 1 as a percentage.
   * @param {number} share
   * @param {number} [places]
   */
  percent(share, places = 0) {
    const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
    return this.formatted(share, { style: "percent", ...digits });
  }

  /**
   * A clock: hours only where there are any, tenths in the last ten seconds.
   * @param {number} ms
   */
  clock(ms) {
    const left = Math.max(0, ms);
    if (left > 0 && left < 10_000) {
      const tenths = Math.floor(left / 100);
      return `${this.plain.format(0)}:${this.padded.format(Math.floor(tenths / 10))}.${this.plain.format(tenths % 10)}`;
    }
    const seconds = Math.floor(left / 1000);
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return h
      ? `${this.plain.format(h)}:${this.padded.format(m)}:${this.padded.format(s)}`
      : `${this.plain.format(m)}:${this.padded.format(s)}`;
  }

  /**
   * Things one after the other, with the comma or the semicolon that the language writes.
   * @param {unknown[]} things
   * @param {"," | ";"} [mark]
   */
  joined(things, mark = ",") {
    const written = this.language.dir === "rtl" ? { ",": "،", ";": "؛" }[mark] : mark;
    return things.join(`${written} `);
  }

  /**
   * A moment, as date and time of day.
   * @param {number} at milliseconds since 1970
   */
  moment(at) {
    const options = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
    return new Intl.DateTimeFormat(this.locale, options).format(at);
  }

  /**
   * How players call these dice, such as "shesh-besh"; empty where the language has no call.
   * @param {number[]} dice
   */
  call(dice) {
    const [low, high] = [...dice].sort((a, b) => a - b);
    return this.dice[`${high}-${low}`] ?? "";
  }
}

/** @type {Words} */
let current = new Words(ENGLISH, {});
/** The views whose texts are there. @type {Set<string>} */
let loaded = new Set();

/** The words in use. */
export const words = () => current;

/**
 * @param {string} msgid
 * @param {Values} [values]
 */
export const t = (msgid, values) => current.t(msgid, values);

/**
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Values} [values]
 */
export const tn = (one, many, n, values) => current.tn(one, many, n, values);

/**
 * The number that somebody has written, in the digits of any language of the site; NaN where it is none.
 * @param {string} text
 */
export const readNumber = (text) =>
  Number(
    text
      .replace(NATIVE, (each) => PLAIN[each])
      .replace(",", ".")
      .trim() || Number.NaN,
  );

/**
 * The language with this code, or the nearest to what the browser asks for.
 * @param {string | null} code
 * @param {readonly string[]} [wanted] the browser's languages, best first
 */
export function choose(code, wanted = []) {
  for (const tag of [code ?? "", ...wanted]) {
    const found = LANGUAGES.find((language) => language.code === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return ENGLISH;
}

/**
 * Sets the language before its texts are loaded, so that requests made meanwhile ask for it.
 * @param {Language} language
 * @param {"native" | "latin"} digits
 */
export function want(language, digits) {
  current = new Words(language, {}, digits);
  loaded = new Set();
}

/** @typedef {(path: string) => Promise<Response>} Load */

/**
 * The texts of a view, which are a small part of all.
 * @param {Language} language
 * @param {string} view
 * @param {Load} load
 * @returns {Promise<Catalogue>}
 */
async function fetched(language, view, load) {
  const path = `/i18n/${language.code}/${view}.json`;
  const answer = await load(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/**
 * Load the texts of a view in a language and put it into use. A catalogue that cannot be fetched
 * leaves English texts in the direction of the language, and the error is returned.
 * @param {Language} language
 * @param {"native" | "latin"} digits
 * @param {string} view
 * @param {Load} [load]
 * @returns {Promise<Error | null>}
 */
export async function use(language, digits, view, load = (path) => fetch(path)) {
  /** @type {Catalogue} */
  let catalogue = {};
  let problem = null;
  try {
    catalogue = await fetched(language, view, load);
  } catch (error) {
    problem = error instanceof Error ? error : new Error(String(error));
  }
  current = new Words(language, catalogue, digits);
  loaded = new Set(problem ? [] : [view]);
  return problem;
}

/**
 * Load the texts of another view besides those that are there; English needs none. Rejects where they cannot be loaded.
 * @param {string} view
 * @param {Load} [load]
 */
export async function widen(view, load = (path) => fetch(path)) {
  const before = current;
  if (before.language.code === ENGLISH.code || loaded.has(view)) return;
  const { messages } = await fetched(before.language, view, load);
  // The language may have been changed meanwhile.
  if (current !== before) return widen(view, load);
  Object.assign(before.messages, messages);
  loaded.add(view);
}
