/** The code of a clock, such as "d12-120-b1x300": read, written, and described in words. */
import { t, tn, words } from "../i18n/i18n.js";

/**
 * Seconds throughout. `kind`: n none, d delay, b Bronstein, f Fischer, t fixed time per turn. `delay` is for each turn,
 * `bank` for each point of the match, `breaks` for each player (null: by the length of the match), of `rest` each.
 *
 * @typedef {{kind: "n" | "d" | "b" | "f" | "t", delay: number, bank: number, breaks: number | null, rest: number}}
 *   Clock
 */

const DAY = 86_400;
const USUAL_REST = 300;

/** What a clock is set to that nobody has set: 12 seconds a move and two minutes a point (Khalili (004), p. 6). */
export const USUAL_CLOCK = "d12-120";

const CODE = /^(?:(n)|([dbf])(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)(?:-b(\d+)?x(\d+(?:\.\d+)?))?|t(\d+(?:\.\d+)?))$/;

/** The clock of a code; none where it cannot be read. @param {string} code @returns {Clock} */
export function readClock(code) {
  const found = CODE.exec(code);
  const none = /** @type {Clock} */ ({ kind: "n", delay: 12, bank: 120, breaks: null, rest: USUAL_REST });
  if (!found || found[1]) return none;
  const [, , kind, delay, bank, breaks, rest, turn] = found;
  if (turn !== undefined) return { ...none, kind: "t", delay: Number(turn) };
  return {
    kind: /** @type {Clock["kind"]} */ (kind),
    delay: Number(delay),
    bank: Number(bank),
    breaks: breaks === undefined ? null : Number(breaks),
    rest: rest === undefined ? USUAL_REST : Number(rest),
  };
}

/** @param {Clock} clock */
export function writeClock({ kind, delay, bank, breaks, rest }) {
  if (kind === "n") return "n";
  if (kind === "t") return `t${delay}`;
  const own = breaks !== null || rest !== USUAL_REST ? `-b${breaks ?? ""}x${rest}` : "";
  return `${kind}${delay}-${bank}${own}`;
}

/** @param {string} code */
export function clockName(code) {
  const { kind, delay, bank } = readClock(code);
  if (kind === "n") return t("No clock");
  if (kind === "t" && delay % DAY === 0) return tn("{n} day a turn", "{n} days a turn", delay / DAY);
  if (kind === "t") return tn("{n} second a turn", "{n} seconds a turn", delay);
  const clock = words().clock(bank * 1000);
  if (kind === "f") return t("{bank} a point + {seconds} s a turn", { bank: clock, seconds: delay });
  if (kind === "b")
    return t("{bank} a point, up to {seconds} s a turn given back", { bank: clock, seconds: delay });
  return t("{bank} a point, {seconds} s free a turn", { bank: clock, seconds: delay });
}

/**
 * How many breaks each player may take, and how long they are; "" for a clock that leaves it to the length.
 * @param {string} code
 */
export function breaksName(code) {
  const { kind, breaks, rest } = readClock(code);
  return kind === "n" || kind === "t" || breaks === null ? "" : breaksText(breaks, rest);
}

/** Name the breaks of each player by number and seconds of one. @param {number} breaks @param {number} rest */
export function breaksText(breaks, rest) {
  if (!breaks) return t("no breaks");
  return tn("{n} break of {minutes} min", "{n} breaks of {minutes} min", breaks, {
    minutes: Math.round(rest / 60),
  });
}
