/** What all lines to the server have in common: where they go, and how soon they are tried again. */

const CAP = 8000;

/**
 * How long to wait before attempt `n` (from 0): at once, then 0.25 · 2ⁿ seconds with jitter.
 * @param {number} n
 * @param {number} random from 0 to 1
 */
export function backoff(n, random) {
  if (n === 0) return 0;
  return Math.min(CAP, 250 * 2 ** (n - 1)) * (0.5 + random / 2);
}

/** Where sockets of this site are. */
export function socketBase() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
}
