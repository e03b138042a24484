/**
 * The set-up of a match: level, length, clock, dice and house rules, as a form and as a request; more in
 * match-setup-details.
 */

import { t, tn, words } from "../i18n/i18n.js";
import { breaksName, clockName } from "./clock-code.js";
import { field, list } from "./fields.js";
import { contestName, levelName, levelParts } from "./names.js";
import { setups, USUAL } from "./saved-setups.js";
import { settings } from "./settings.js";
import { html, nothing, radios } from "./view.js";

/**
 * @typedef {import("./views/home.js").Variant} Variant
 * @typedef {{name: string, doc: string, values: string[], default: string, level?: string, source?: string,
 *   needs?: Record<string, string[]>}} Option
 */

/**
 * The contest and clock of a card, from its code, for lists.
 * @param {string} code
 * @returns {{contest: "points" | "games" | "money", length: number | null, clock: string}}
 */
export function readCode(code) {
  const parts = code.split(".");
  const length = parts.map((part) => /^([pg])(\d+)$/.exec(part)).find(Boolean);
  const clock =
    parts
      .find((part) => part.startsWith("clock-"))
      ?.slice(6)
      .replaceAll("_", ".") ?? "n";
  if (!length) return { contest: "money", length: null, clock };
  return { contest: length[1] === "g" ? "games" : "points", length: Number(length[2]), clock };
}

/** What the parts of a code that are words of their own set. @type {Record<string, Partial<MatchSetup>>} */
const SIGNS = {
  nocrawford: { crawford: false },
  nojacoby: { jacoby: false },
  beavers: { beavers: true },
  onepair: { onePair: true },
  "dice-typed": { typed: true },
};

/** All that a card's code agrees on, what it does not name as usual. @param {string} code */
function agreed(code) {
  const { contest, length, clock } = readCode(code);
  const { typed, onePair, jacoby, beavers, crawford } = USUAL;
  const parts = code.split(".");
  const options = Object.fromEntries(
    parts.filter((part) => part.includes("=")).map((part) => part.split("=", 2)),
  );
  const signs = parts.map((part) => SIGNS[part] ?? {});
  const usual = { typed, onePair, jacoby, beavers, crawford };
  return Object.assign({ contest, ...(length ? { points: length } : {}), clock, options }, usual, ...signs);
}

export class MatchSetup {
  /** @param {() => void} changed called after every change */
  constructor(changed) {
    this.changed = changed;
    /** @type {Variant | null} */
    this.variant = null;
    this.level = "club";
    this.contest = USUAL.contest;
    this.points = USUAL.points;
    this.clock = USUAL.clock;
    /** The clock is to be set by its own fields. */
    this.ownClock = false;
    this.typed = USUAL.typed;
    this.onePair = USUAL.onePair;
    this.side = USUAL.side;
    this.tutor = USUAL.tutor;
    this.rated = USUAL.rated;
    this.private = USUAL.private;
    this.jacoby = USUAL.jacoby;
    this.beavers = USUAL.beavers;
    this.crawford = USUAL.crawford;
    this.options = USUAL.options;
    this.names = ["", ""];
  }

  /**
   * Set up a game as it was set up here last, or from a card.
   * @param {Variant} variant
   * @param {string | null} [card] code of a card of this game
   */
  choose(variant, card = null) {
    this.variant = variant;
    const known = setups.recall(variant);
    const own = card?.split(".")[0] === variant.name;
    Object.assign(this, own ? setups.sound(variant, { ...known, ...agreed(String(card)) }) : known);
    this.level = settings.prefs.levels[variant.name] ?? String(settings.prefs.last.level ?? "club");
    this.changed();
  }

  /** @param {Partial<MatchSetup>} change */
  set(change) {
    Object.assign(this, change);
    if (change.level && this.variant) {
      const { levels, last } = settings.prefs;
      settings.set({
        levels: { ...levels, [this.variant.name]: change.level },
        last: { ...last, level: change.level },
      });
    }
    this.changed();
  }

  get cube() {
    const option = this.options.cube;
    return (
      this.contest !== "games" && (option === undefined ? Boolean(this.variant?.has_cube) : option === "true")
    );
  }

  /** Whether the game is counted as at the old boards, by points or by games, without the cube. */
  get traditional() {
    return this.variant !== null && !this.variant.has_cube;
  }

  /**
   * Whether an option changes anything beside what is chosen of the others; the server sends which values it needs.
   * @param {Option} option
   */
  bears(option) {
    /** @type {Option[]} */
    const offered = this.variant?.options ?? [];
    return Object.entries(option.needs ?? {}).every(([name, values]) =>
      values.includes(this.options[name] ?? offered.find((other) => other.name === name)?.default ?? ""),
    );
  }

  /** The options that were set and bear on the game. */
  get chosen() {
    /** @type {Option[]} */
    const offered = this.variant?.options ?? [];
    return offered
      .filter((option) => option.name in this.options && this.bears(option))
      .map((option) => [option.name, this.options[option.name]]);
  }

  /**
   * The agreement as the code of a card.
   * @param {Variant} variant
   * @param {string} kind who plays against us
   */
  code(variant, kind) {
    const money = this.contest === "money";
    const parts = [variant.name, ...this.chosen.map(([name, value]) => `${name}=${value}`)];
    parts.push(money ? "m" : `${this.contest === "games" ? "g" : "p"}${this.points}`);
    if (!money && !this.crawford) parts.push("nocrawford");
    if (money && !this.jacoby) parts.push("nojacoby");
    if (money && this.beavers) parts.push("beavers");
    if (this.clock !== "n") parts.push(`clock-${this.clock.replaceAll(".", "_")}`);
    if (this.onePair) parts.push("onepair");
    if (this.typed) parts.push("dice-typed");
    else if (kind === "engine") parts.push("dice-strict");
    return parts.join(".");
  }

  /** Remember it for the next time on this device. */
  keep() {
    if (this.variant) setups.keep(this.variant.name, this);
  }

  /** @param {string} kind who plays against us @param {boolean} guest guests have no ratings */
  request(kind, guest) {
    const variant = /** @type {Variant} */ (this.variant);
    const opponent =
      kind === "engine"
        ? { kind, level: this.level }
        : kind === "hotseat"
          ? {
              kind,
              names: this.names.map((name, i) => name.trim() || (i ? t("Second player") : t("First player"))),
            }
          : { kind };
    const against = kind === "engine";
    return {
      card: this.code(variant, kind),
      opponent,
      side: this.side,
      tutor: against && this.tutor,
      rated: this.rated && !guest && !this.typed && ["friend", "seek", "challenge"].includes(kind),
      private: this.private,
    };
  }

  /** The summary of the folded part. */
  summary() {
    const parts = [];
    if (this.clock !== "n") parts.push(clockName(this.clock));
    if (breaksName(this.clock)) parts.push(breaksName(this.clock));
    if (this.typed) parts.push(t("typed dice"));
    const changed = this.chosen.length;
    if (changed) parts.push(tn("{n} house rule", "{n} house rules", changed));
    return parts.join(" · ");
  }

  levels() {
    /** @type {{name: string, title?: string, description?: string}[]} */
    const levels = this.variant?.levels ?? [];
    const names = levels.map(({ name }) => name);
    if (!names.length) return nothing;
    const [level, style] = levelParts(this.level);
    const about = levels.find(({ name }) => name === level)?.description;
    const levelled = list(
      { id: "level" },
      names.map((name) => [name, levelName(name)]),
      level,
      (name) => this.setLevel(name, style),
    );
    return field(
      "level",
      t("Level"),
      html`${levelled}${about ? html`<span class="small quiet">${about}</span>` : nothing}`,
    );
  }

  /** The strongest level looks at what is best alone. @param {string} level @param {string} style "" is none */
  setLevel(level, style) {
    const strongest = this.variant?.levels?.at(-1)?.name;
    this.set({ level: style && level !== strongest ? `${level}-${style}` : level });
  }

  length() {
    const { contest, points } = this;
    const lengths = [...new Set([...(this.variant?.lengths ?? []), points])].sort((a, b) => a - b);
    return html`${radios(
      "length",
      t("Match to"),
      contest === "money" ? null : points,
      [...lengths.map((n) => /** @type {[number, string]} */ ([n, words().figure(n)])), [null, t("No end")]],
      (n) =>
        this.set(
          n === null
            ? { contest: "money" }
            : { contest: contest === "money" || n % 2 === 0 ? "points" : contest, points: n },
        ),
    )}
      ${this.traditional && contest !== "money" && points > 1 && points % 2 ? this.counting() : nothing}`;
  }

  /** At the old boards a match of five is either to five points or the most of five games (Khalili (004), p. 9). */
  counting() {
    const { contest, points: n } = this;
    return radios(
      "contest",
      t("Counted by"),
      contest,
      [
        ["points", tn("the first to {n} point", "the first to {n} points", n)],
        ["games", tn("the most of {n} game", "the most of {n} games", n)],
      ],
      (by) => this.set({ contest: by }),
      { kind: "two" },
    );
  }
}

/** What it is played to. @param {string} code */
export const contestOf = (code) => contestName({ card: readCode(code) });

/** @param {string} code */
export function cardWords(code) {
  const { clock } = readCode(code);
  const rules = code.split(".").filter((part) => part.includes("=")).length;
  const own = rules ? tn("{n} house rule", "{n} house rules", rules) : "";
  return [contestOf(code), clock === "n" ? "" : clockName(clock), own].filter(Boolean).join(" · ");
}
