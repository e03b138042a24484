/** The turns of the game under way, for the list of moves: from the first state, then from events. */

/**
 * @typedef {{side: string, dice: number[] | null, play: string | null, kind: string, cube?: number, guessed?: boolean}} Turn
 *   `guessed`: the computer could not think about it
 * @typedef {{n: number, at: number, actor: string, type: string, then?: Record<string, any>, guessed?: boolean}} Event
 */

const SIDES = new Set(["white", "black"]);
const CUBE = new Set(["double", "take", "drop", "beaver"]);

/**
 * The list after these events of one game. Dice lie in one event and are played in a later one;
 * `dice` carries them over.
 * @param {readonly Turn[]} turns
 * @param {readonly Event[]} events
 * @param {number[] | null} dice those lying before the events
 * @returns {{turns: Turn[], dice: number[] | null}}
 */
export function extend(turns, events, dice) {
  const list = [...turns];
  let lying = dice;
  for (const event of events) {
    const then = event.then ?? {};
    // A new game begins with the readiness of its players.
    if (event.type === "ready") {
      list.length = 0;
      lying = null;
    }
    if (typeof then.play === "string" && SIDES.has(event.actor)) {
      list.push({ side: event.actor, dice: lying, play: then.play, kind: then.play === "pass" ? "pass" : "play" });
      lying = null;
    } else if (CUBE.has(event.type) && SIDES.has(event.actor)) {
      list.push({ side: event.actor, dice: null, play: null, kind: event.type, ...(then.cube ? { cube: then.cube } : {}) });
    }
    const listed = list.at(-1);
    if (event.guessed && listed && (typeof then.play === "string" || CUBE.has(event.type))) listed.guessed = true;
    if (Array.isArray(then.dice)) lying = then.dice;
  }
  return { turns: list, dice: lying };
}

/**
 * Turns in rows of one number each: both sides' turns of a round share it.
 * @param {readonly Turn[]} turns
 */
export function numbered(turns) {
  let round = 0;
  /** @type {string | null} */
  let starter = null;
  let last = "";
  return turns.map((turn) => {
    starter ??= turn.side;
    const played = turn.kind === "play" || turn.kind === "pass";
    if (played && turn.side === starter && last !== "") round += 1;
    if (played) last = turn.side;
    return { ...turn, number: round + 1 };
  });
}
