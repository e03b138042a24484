import { DANCE_PAUSE, FORCED_PAUSE } from "./motion.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Prefs} Prefs */
/** @typedef {{ what: "hop" | "confirm", after: number }} Next  `after` in milliseconds */

/**
 * What a board does by itself at this moment of a turn, if anything: shows a dance and ends it, plays
 * what is forced as far as its reader wants that, ends a turn of which nothing is left.
 *
 * @param {Play} play @param {Prefs} taste @returns {Next | null}
 */
export function nextByItself({ turn }, { forced, confirm, speed }) {
  if (turn.dance) return { what: "confirm", after: DANCE_PAUSE };
  const next = turn.next();
  const all = forced !== "off" && turn.forced;
  if (next.length === 0) {
    if (!turn.whole || !(all || confirm === "auto")) return null;
    return { what: "confirm", after: all ? FORCED_PAUSE : speed };
  }
  if (turn.whole && !turn.forced) return null;
  const single = new Set(next.map((hop) => `${hop.origin}/${hop.target}`)).size === 1;
  return all || (forced === "steps" && single) ? { what: "hop", after: FORCED_PAUSE } : null;
}
