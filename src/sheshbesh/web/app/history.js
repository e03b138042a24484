/** The turns of the game under way, for the list of moves: from the first state, then from events. */
import { parsePlay } from "../board/notation.js";

/** @import { Event, Turn } from "./wire.js" */

const SIDES = new Set(["white", "black"]);
const CUBE = new Set(["double", "take", "drop", "beaver"]);
/** Decisions that are listed only where the engine did not answer in time. */
const QUIET = new Set(["roll", "choose", "accept", "refuse"]);

/**
 * The list after these events. Dice are in one event and are played in a later one; `dice` carries them
 * over. The turns of a game that has ended stay until the next one begins.
 * @param {readonly Turn[]} turns
 * @param {readonly Event[]} events
 * @param {number[] | null} dice those lying before the events
 * @param {{over?: boolean, next?: boolean}} [game] `over`: the game had ended before the events; `next`: another one
 *   is under way after them
 * @returns {{turns: Turn[], dice: number[] | null}}
 */
export function extend(turns, events, dice, { over = false, next = false } = {}) {
  const list = [...turns];
  let rolled = dice;
  let ended = over;
  const turnPage = () => {
    list.length = 0;
    rolled = null;
    ended = false;
  };
  for (const event of events) {
    const then = event.then ?? {};
    // Players are ready one after the other, the server's seats at once: that alone begins nothing.
    const begins = typeof then.play === "string" || Array.isArray(then.dice) || CUBE.has(event.type);
    if (ended && begins) turnPage();
    if (typeof then.play === "string" && SIDES.has(event.actor)) {
      list.push({
        side: event.actor,
        dice: rolled,
        play: then.play,
        kind: then.play === "pass" ? "pass" : "play",
      });
      rolled = null;
    } else if (CUBE.has(event.type) && SIDES.has(event.actor)) {
      list.push({
        side: event.actor,
        dice: null,
        play: null,
        kind: event.type,
        ...(then.cube ? { cube: then.cube } : {}),
      });
    } else if (typeof then.taken_back === "string") {
      rolled = list.at(-1)?.dice ?? null;
      list.push({ side: String(event.side), dice: null, play: then.taken_back, kind: "retry" });
    } else if (event.guessed && QUIET.has(event.type) && SIDES.has(event.actor)) {
      list.push({ side: event.actor, dice: null, play: null, kind: event.type });
    }
    const listed = list.at(-1);
    if (
      event.guessed &&
      listed &&
      SIDES.has(event.actor) &&
      (typeof then.play === "string" || CUBE.has(event.type) || QUIET.has(event.type))
    )
      listed.guessed = true;
    if (Array.isArray(then.dice)) rolled = then.dice;
    if (then.game) ended = true;
  }
  if (next && ended) turnPage();
  return { turns: list, dice: rolled };
}

/**
 * Turns in rows of one number each: both sides' turns of a round share it.
 * @template {{side: string, kind: string}} T
 * @param {readonly T[]} turns
 */
export function numbered(turns) {
  let round = 0;
  /** @type {string | null} */
  let starter = null;
  let last = "";
  return turns.map((turn) => {
    const played = turn.kind === "play" || turn.kind === "pass";
    if (played) starter ??= turn.side;
    if (played && turn.side === starter && last !== "" && last !== "retry") round += 1;
    if (played || turn.kind === "retry") last = played ? turn.side : turn.kind;
    return { ...turn, number: round + 1 };
  });
}

/** @typedef {Pick<Turn, "side" | "play" | "kind">} Played */

/** @type {WeakMap<readonly Played[], Map<number, number>>} */
const pins = new WeakMap();

/**
 * In which turn a checker was last taken on a place, where it stays under its captor; the same map for the same list.
 * @param {readonly Played[]} turns
 * @param {Pick<import("../board/types.js").Layout, "pins" | "numbers">} layout
 */
export function pinnedSince(turns, layout) {
  const known = pins.get(turns);
  if (known) return known;
  /** @type {Map<number, number>} */
  const since = new Map();
  const stood = numbered(turns).filter((_, i) => turns[i + 1]?.kind !== "retry");
  for (const { side, play, number, kind } of layout.pins ? stood : []) {
    const taken = (parsePlay((kind !== "retry" && play) || "") ?? []).filter(({ takes }) => takes);
    for (const { target } of taken)
      since.set(layout.numbers[/** @type {"white" | "black"} */ (side)][target - 1], number);
  }
  pins.set(turns, since);
  return since;
}
