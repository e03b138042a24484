/** How many games wait for this player, on the icon of the installed page where the system shows that. */

/** @typedef {import("./wire.js").Side} Side */

/** The games that wait; null until they are loaded. @type {Set<string> | null} */
let waiting = null;

/** Whether a game waits for this player alone. @param {{you: Side[], to_act: Side[], paused: boolean}} match */
export const waitsForMe = ({ you, to_act, paused }) => !paused && you.some((side) => to_act.includes(side));

const show = () => void navigator.setAppBadge?.(waiting?.size).catch(() => {});

/** All games under way were loaded. @param {{id: string, you: Side[], to_act: Side[], paused: boolean}[]} games */
export function setGames(games) {
  waiting = new Set(games.filter(waitsForMe).map(({ id }) => id));
  show();
}

/** Called by a match's own page when one of them has changed. @param {string} id @param {boolean} mine */
export function update(id, mine) {
  if (!waiting || waiting.has(id) === mine) return;
  if (mine) waiting.add(id);
  else waiting.delete(id);
  show();
}
