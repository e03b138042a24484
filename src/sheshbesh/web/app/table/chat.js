/** Chat of a match, a chouette or a tournament: preset phrases in everybody's own language, and free text. */
import { t } from "../../i18n/i18n.js";
import { readKept, settings, store, writeKept } from "../settings.js";
import { html, nothing } from "../view.js";

/** @import { Said } from "../wire.js" */

/** @returns {Record<string, string>} phrases by their ids on the wire */
export const phrases = () => ({
  hello: t("Hello!"),
  good_luck: t("Good luck!"),
  have_fun: t("Have fun!"),
  nice_roll: t("Nice roll!"),
  well_played: t("Well played!"),
  lucky: t("Lucky you!"),
  unlucky: t("Bad luck!"),
  oops: t("Oops!"),
  sorry: t("Sorry!"),
  thanks: t("Thank you!"),
  one_moment: t("One moment, please."),
  back_again: t("I am back."),
  good_game: t("Good game!"),
  once_more: t("Another one?"),
  bye: t("Goodbye!"),
});

/**
 * @param {readonly Said[]} log
 * @param {(by: string) => string} nameOf
 * @param {((words: {text: string} | {phrase: string}) => void) | null} say null for those who only watch
 * @param {(said: Said) => unknown} [more] what stands at the end of a message
 */
export function chat(log, nameOf, say, more) {
  const known = phrases();
  const free = settings.prefs.chat === "all";
  const shown = wanted(log);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.target).elements.namedItem("text")
    );
    const text = input.value.trim();
    if (text) say?.({ text });
    input.value = "";
  };
  const button = (/** @type {[string, string]} */ [phrase, text]) =>
    html`<button type="button" @click=${() => say?.({ phrase })}>${text}</button>`;
  const says = settings.prefs.chat !== "none" && say;
  return html`<div class="chatlog" role="log" aria-label=${t("Chat")}>
      ${shown.length ? nothing : html`<p class="quiet small">${t("Nothing has been said yet.")}</p>`}
      ${shown.map(
        (said) =>
          html`<p>
            <bdi class="by">${nameOf(said.by)}</bdi><bdi>${said.text ?? known[said.phrase ?? ""] ?? said.phrase}</bdi>
            ${more?.(said) ?? nothing}
          </p>`,
      )}
    </div>
    ${says ? html`<div class="phrases">${Object.entries(known).map(button)}</div>` : nothing}
    ${free && say ? form(send) : nothing}`;
}

/** @param {(event: SubmitEvent) => void} send */
const form = (send) =>
  html`<form class="chatform" @submit=${send}>
    <input name="text" maxlength="200" autocomplete="off" aria-label=${t("Message")} placeholder=${t("Message")}>
    <button>${t("Send")}</button>
  </form>`;

const READ = "sheshbesh.read";
/** Tables of which this browser remembers what was read. */
const MOST = 50;

/** The number of the last message that was read at each table. @returns {Map<string, number>} */
function read() {
  /** @type {unknown} */
  const kept = readKept(store, READ);
  const isPair = (/** @type {unknown} */ each) => Array.isArray(each) && each.length === 2;
  return new Map(Array.isArray(kept) ? /** @type {[string, number][]} */ (kept.filter(isPair)) : []);
}

/** All that has been said at a table is read. @param {string} table @param {readonly Said[]} log */
export function setRead(table, log) {
  const last = log.at(-1)?.n ?? 0;
  const known = read();
  if (last <= (known.get(table) ?? 0)) return;
  known.delete(table);
  writeKept(store, READ, [...known.set(table, last)].slice(-MOST));
}

/** Those messages that the reader wants to see. @param {readonly Said[]} log */
export function wanted(log) {
  const { chat } = settings.prefs;
  return log.filter((line) => (line.text === undefined ? chat !== "none" : chat === "all"));
}

/**
 * How many messages of others have not been read.
 * @param {string} table
 * @param {readonly Said[]} log
 * @param {string} [own] the id of the reader
 */
export function unread(table, log, own) {
  const last = read().get(table) ?? 0;
  return wanted(log).filter(({ n, id }) => n > last && id !== own).length;
}
