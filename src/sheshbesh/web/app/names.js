/** Names of people, of the engine's levels, and of what is played to. */
import { t, tn, words } from "../i18n/i18n.js";

/**
 * A generated guest name, or the placeholder of a deleted account, in the language of the page; any other name
 * unchanged.
 * @param {string} name
 */
export function guestName(name) {
  if (name === "Deleted player") return t("Deleted player");
  const number = /^Guest (\d+)$/.exec(name)?.[1];
  return number ? t("Guest {number}", { number: words().figure(Number(number)) }) : name;
}

/** A level and the style behind it, "" for none. @param {string} name @returns {[string, string]} */
export const levelParts = (name) => /** @type {[string, string]} */ ([...name.split("-"), ""].slice(0, 2));

/** @param {string | {name: string, title?: string}} level */
export function levelName(level) {
  const [name, style] = levelParts(typeof level === "string" ? level : (level.title ?? level.name));
  const known = {
    beginner: t("beginner"),
    casual: t("casual"),
    club: t("club"),
    advanced: t("advanced"),
    expert: t("expert"),
    master: t("master"),
    strongest: t("strongest"),
    analyst: t("analyst"),
  };
  const called = known[/** @type {keyof typeof known} */ (name)] ?? name;
  return style ? `${called} · ${styleName(style)}` : called;
}

/** @param {string} style of a program; "" is none */
export const styleName = (style) =>
  /** @type {Record<string, string>} */ ({
    "": t("no style"),
    bold: t("bold"),
    safe: t("safe"),
    racer: t("racer"),
    builder: t("builder"),
  })[style] ?? style;

/** The name of the program that plays a style; "" is none. @param {string} style */
export const botName = (style) =>
  /** @type {Record<string, string>} */ ({
    "": t("Shirin"),
    bold: t("Rostam"),
    safe: t("Eleni"),
    racer: t("Timur"),
    builder: t("Sinan"),
  })[style] ?? t("Shirin");

/** What a match is played to. @param {{card: import("./wire.js").Contest}} match */
export function contestName({ card }) {
  if (card.contest === "money" || card.length === null) return t("No end");
  if (card.contest === "games") return tn("Best of {n} game", "Best of {n} games", card.length);
  return tn("Match to {n} point", "Match to {n} points", card.length);
}

/** The sides that a player may wish for. @returns {[string, string][]} */
export const wishedSides = () => [
  ["random", t("by lot")],
  ["white", t("light")],
  ["black", t("dark")],
];

/** With how many pairs of dice a match is played: whether with one. @returns {[boolean, string][]} */
export const pairsOfDice = () => [
  [false, t("two: each throws their own")],
  [true, t("one: both throw the same")],
];
