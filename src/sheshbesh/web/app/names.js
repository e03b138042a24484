/** Names of people. */
import { t, words } from "../i18n/i18n.js";

/**
 * A guest's name as the server drew it, and what stands for somebody who left, in the language of the page; any
 * other name as it is.
 * @param {string} name
 */
export function guestName(name) {
  if (name === "Deleted player") return t("Deleted player");
  const number = /^Guest (\d+)$/.exec(name)?.[1];
  return number ? t("Guest {number}", { number: words().figure(Number(number)) }) : name;
}
