/** Dice thrown by this device for players who sit at a real board. */

/** The largest multiple of six in a byte: from there on a byte would favour low numbers. */
const FAIR = 252;

/**
 * One die, by the randomness of the browser's cryptography.
 * @param {(bytes: Uint8Array) => Uint8Array} [fill]
 */
export function throwDie(fill = (bytes) => crypto.getRandomValues(bytes)) {
  for (;;) {
    const [byte] = fill(new Uint8Array(1));
    if (byte < FAIR) return (byte % 6) + 1;
  }
}
