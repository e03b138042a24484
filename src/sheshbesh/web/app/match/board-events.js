/** What a player does on the board, as actions of the match. */

/**
 * @param {string} type of the board's event
 * @param {any} detail
 * @returns {{type: string, [field: string]: unknown} | null}
 */
export function boardAction(type, detail) {
  switch (type) {
    case "ssb-play":
      return { type: "play", play: detail.play };
    case "ssb-step":
      return {
        type: "step",
        origin: detail.origin,
        target: detail.target,
        ...(detail.die ? { die: detail.die } : {}),
      };
    case "ssb-touch":
      return { type: "touch", point: detail.point };
    case "ssb-roll":
    case "ssb-double":
    case "ssb-confirm":
    case "ssb-swap":
      return { type: type.slice("ssb-".length) };
    default:
      return null;
  }
}

/**
 * What a key means that is no matter of the board.
 * @param {import("./actions.js").Table} table
 * @param {string} key in lower case
 * @returns {(() => void) | undefined}
 */
export function shortcut({ allowed, act, open, hint, state }, key) {
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  if (key === "t" && may("take")) return () => act({ type: "take" });
  if (key === "x" && may("drop")) return () => act({ type: "drop" });
  if (key === "b" && may("beaver")) return () => act({ type: "beaver" });
  if (key === "r" && may("resign") && state.resign_kinds.length) return () => open("resign");
  if (key === "h" && state.tutor) return hint;
  if (key === "?") return () => open("rules");
  return undefined;
}
