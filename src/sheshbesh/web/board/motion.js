/** @typedef {import("./pieces.js").At} At */
/** @typedef {import("./types.js").Side} Side */

/**
 * A moving checker. It is rendered at its end point; an animation offsets it.
 *
 * @typedef {{ side: Side, number: number, from: At, to: At, delay: number, ms: number }} Flight
 */

const EASE = "cubic-bezier(.2,.7,.2,1)";
export const RECOIL = 120;
const SETTLE = 420;
const SHAKE = 180;
export const FORCED_PAUSE = 500;
export const DANCE_PAUSE = 900;

/** Whether the system is set to reduced motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animates flights that are rendered already; resolves when the last has ended, or at once when `signal` aborts.
 *
 * @param {Element[]} elements  one for each flight @param {Flight[]} flights @param {AbortSignal} signal
 */
export async function fly(elements, flights, signal) {
  const running = flights.map(({ from, to, delay, ms }, i) =>
    elements[i]?.animate(
      [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "translate(0, 0)" }],
      { duration: ms, delay, easing: EASE, fill: "backwards" },
    ),
  );
  const stop = () => running.forEach((animation) => animation?.cancel());
  signal.addEventListener("abort", stop);
  await Promise.allSettled(running.map((animation) => animation?.finished));
  signal.removeEventListener("abort", stop);
}

/** Shakes something twice, sideways. @param {Element | null} element */
export function shake(element) {
  if (!element || prefersReducedMotion()) return;
  element.animate(
    [0, -12, 12, -12, 12, 0].map((x) => ({ transform: `translate(${x}px, 0)` })),
    { duration: SHAKE },
  );
}

/** Lets thrown dice settle. @param {Iterable<Element>} dice */
export function tumble(dice) {
  if (prefersReducedMotion()) return;
  let i = 0;
  for (const die of dice) {
    const turn = i % 2 ? 200 : -160;
    die.animate(
      [
        { transform: `translate(${260 + 90 * i}px, ${-120 + 200 * i}px) rotate(${turn}deg)`, opacity: 0 },
        { transform: `translate(60px, ${10 * i}px) rotate(${turn / 4}deg)`, opacity: 1, offset: 0.55 },
        { transform: "translate(0, 0) rotate(0)", opacity: 1 },
      ],
      { duration: SETTLE, delay: 40 * i++, easing: EASE, fill: "backwards" },
    );
  }
}

/** Turns the cube that has been offered, from the size that it had. @param {Element | null} element */
export function turnCube(element) {
  if (!element || prefersReducedMotion()) return;
  element.animate(
    [
      { transform: "rotate(-180deg) scale(.57)", opacity: 0.2 },
      { transform: "rotate(12deg) scale(1.12)", opacity: 1, offset: 0.7 },
      { transform: "rotate(0) scale(1)" },
    ],
    { duration: SETTLE, easing: EASE },
  );
}

/** A pause. @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
