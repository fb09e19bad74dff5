/** Confidence bounds for a probability from counts (Clopper and Pearson, 1934): exact, hence never too narrow. */

/** A probability that is not below the true one with the given confidence, `hits` of `runs` seen. */
export function probabilityAtMost(hits: number, runs: number, confidence: number): number {
  if (hits >= runs) return 1;
  return bisect((p) => binomialTailAtMost(hits, runs, p) > 1 - confidence);
}

/** A probability that is not above the true one with the given confidence. */
export function probabilityAtLeast(hits: number, runs: number, confidence: number): number {
  if (hits <= 0) return 0;
  return 1 - probabilityAtMost(runs - hits, runs, confidence);
}

/** The end of the p from 0 on for which `holds` is true. */
function bisect(holds: (p: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** P(X ≤ hits), X binomial: terms added from the largest down until they no longer count. */
function binomialTailAtMost(hits: number, runs: number, p: number): number {
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  const odds = Math.log(p) - Math.log1p(-p);
  const first = Math.min(hits, Math.floor(runs * p));
  const logTerm = (k: number): number => logChoose(runs, k) + k * odds + runs * Math.log1p(-p);
  const start = logTerm(first);
  let sum = 0;
  for (let k = first, log = start; k >= 0; k--) {
    const term = Math.exp(log);
    sum += term;
    if (term < 1e-18 * sum) break;
    log += Math.log(k) - Math.log(runs - k + 1) - odds;
  }
  for (let k = first + 1, log = start; k <= hits; k++) {
    log += Math.log(runs - k + 1) - Math.log(k) + odds;
    const term = Math.exp(log);
    sum += term;
    if (term < 1e-18 * sum) break;
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** ln n!: added up where small, Stirling's series with three corrections beyond. */
function logFactorial(n: number): number {
  if (n < 32) {
    let sum = 0;
    for (let k = 2; k <= n; k++) sum += Math.log(k);
    return sum;
  }
  const x = n + 1;
  return (
    (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5)
  );
}
