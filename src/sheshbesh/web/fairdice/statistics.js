/** How a player's rolls compare with what is to be expected, and how likely such a run is. */

/**
 * The probability of at least this deviation by chance: the upper tail of χ².
 * @param {number} chi2
 * @param {number} degrees
 */
export function tail(chi2, degrees) {
  if (chi2 <= 0) return 1;
  const a = degrees / 2;
  const x = chi2 / 2;
  // Series of the lower incomplete gamma function below its bend, continued fraction above it
  // (Abramowitz and Stegun, 6.5.29 and 6.5.31).
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 500; n++) {
      term *= x / (a + n);
      sum += term;
      if (term < sum * 1e-12) break;
    }
    return Math.max(0, 1 - sum * Math.exp(-x + a * Math.log(x) - logGamma(a)));
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 500; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b || 1e-300);
    c = b + an / c || 1e-300;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 1e-12) break;
  }
  return Math.min(1, h * Math.exp(-x + a * Math.log(x) - logGamma(a)));
}

/** The logarithm of the gamma function, by Stirling's series. @param {number} x */
function logGamma(x) {
  let shift = 0;
  let z = x;
  while (z < 12) {
    shift -= Math.log(z);
    z += 1;
  }
  return (
    shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * z) - 1 / (360 * z ** 3)
  );
}

/**
 * The chance of at least `k` of `n` where each comes with chance `p`.
 * @param {number} n @param {number} k @param {number} p
 */
export function atLeast(n, k, p) {
  let sum = 0;
  for (let i = k; i <= n; i++) {
    const log =
      logGamma(n + 1) - logGamma(i + 1) - logGamma(n - i + 1) + i * Math.log(p) + (n - i) * Math.log(1 - p);
    sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

/**
 * The chance of a run of at least `run` somewhere in `n` trials of chance `p`.
 * @param {number} n @param {number} run @param {number} p
 */
export function runAtLeast(n, run, p) {
  if (run <= 0) return 1;
  // Chances of being in a run of 0 … run-1 just now, and of having had a whole one.
  let now = new Array(run).fill(0);
  now[0] = 1;
  let had = 0;
  for (let i = 0; i < n; i++) {
    const next = new Array(run).fill(0);
    for (let k = 0; k < run; k++) {
      next[0] += now[k] * (1 - p);
      if (k + 1 === run) had += now[k] * p;
      else next[k + 1] += now[k] * p;
    }
    now = next;
  }
  return had;
}

/**
 * @param {readonly (readonly [number, number])[]} rolls in the order thrown
 */
export function compare(rolls) {
  const faces = [0, 0, 0, 0, 0, 0];
  let doubles = 0;
  let run = 0;
  let longest = 0;
  let pips = 0;
  for (const [a, b] of rolls) {
    faces[a - 1] += 1;
    faces[b - 1] += 1;
    run = a === b ? run + 1 : 0;
    longest = Math.max(longest, run);
    doubles += Number(a === b);
    pips += a === b ? 4 * a : a + b;
  }
  const expected = rolls.length / 3;
  const chi2 = expected ? faces.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) : 0;
  return {
    n: rolls.length,
    faces,
    expected,
    chi2,
    p: expected ? tail(chi2, 5) : 1,
    doubles,
    expectedDoubles: rolls.length / 6,
    doublesChance: atLeast(rolls.length, doubles, 1 / 6),
    longest,
    longestChance: runAtLeast(rolls.length, longest, 1 / 6),
    pips,
    expectedPips: (rolls.length * 49) / 6,
  };
}
