/** Names of people, and of the engine's levels. */
import { t, words } from "../i18n/i18n.js";

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

/** @param {string | {name: string, title?: string}} level */
export function levelName(level) {
  const name = typeof level === "string" ? level : (level.title ?? level.name);
  const known = {
    beginner: t("beginner"),
    casual: t("casual"),
    club: t("club"),
    advanced: t("advanced"),
    expert: t("expert"),
    master: t("master"),
    strongest: t("strongest"),
  };
  return known[/** @type {keyof typeof known} */ (name)] ?? name;
}
