/** What a table plays, in a few words, from the code of its card. */
import { tn } from "../i18n/i18n.js";
import { contestName } from "./match/wording.js";
import { clockName, readCode } from "./table-card.js";

/** What it is played to. @param {string} code */
export const contestOf = (code) => contestName(/** @type {any} */ ({ card: readCode(code) }));

/** @param {string} code */
export function cardWords(code) {
  const { clock } = readCode(code);
  const rules = code.split(".").filter((part) => part.includes("=")).length;
  const own = rules ? tn("{n} house rule", "{n} house rules", rules) : "";
  return [contestOf(code), clock === "n" ? "" : clockName(clock), own].filter(Boolean).join(" · ");
}
