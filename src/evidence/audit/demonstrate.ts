/** The largest ε that runs on two neighbouring datasets demonstrate, by likelihood-ratio events and exact confidence bounds (Clopper and Pearson, 1934). */
import { itemAt } from "../../core/errors/index.ts";
import type { BySide } from "./scenario.ts";

/** From as many runs on either dataset, how strongly each points to the second: ln of the likelihood ratio under the mechanism as it should be. */
type Evidence = BySide<Float64Array>;

/** Events tried on the first runs. */
const THRESHOLDS = 40;
/** Runs to choose the event by; the others test it. */
const TRAINING_SHARE = 0.2;

/**
 * The event is chosen on the first fifth of the runs and tested on the others, so that choosing costs no confidence. Each of the
 * two probabilities is bounded with half of 1 − confidence.
 */
export function demonstrate(evidence: Evidence, confidence: number) {
  const first = trainingRuns(evidence.before.length);
  const { before, after } = evidence;
  const training = { before: before.subarray(0, first), after: after.subarray(0, first) };
  const testing = { before: before.subarray(first), after: after.subarray(first) };
  const tried = candidates(training).map((event) => judge(training, { ...event, confidence }));
  const best = tried.reduce((best, each) => (each.epsilon > best.epsilon ? each : best));
  return judge(testing, { ...best, confidence });
}

/** Cells of the evidence of one number between its two ends, on average over the numbers. */
const CELLS = 60;

/**
 * What so many runs show on average where the two datasets' numbers are so far apart, in units of evidence: the distribution of
 * the evidence is worked out, and the event taken that shows most. No attack can do much better with as many runs.
 */
export function demonstrableAtBest(
  apart: readonly number[],
  { runs, confidence }: { runs: number; confidence: number },
): number {
  const tested = runs - trainingRuns(runs);
  const ends = apart.filter((end) => end > 0);
  const width = ends.reduce((sum, end) => sum + end, 0) / (CELLS * ends.length);
  const all = ends
    .map((end) => evidenceOfOne(end, Math.max(1, Math.round(end / width))))
    .reduce(convolve, Float64Array.of(1));
  let best = 0;
  let likely = 0;
  let unlikely = 0;
  for (let cell = all.length - 1; cell >= 0; cell--) {
    likely += itemAt(all, cell);
    unlikely += itemAt(all, all.length - 1 - cell);
    const hitsAfter = Math.round(tested * likely);
    const hitsBefore = Math.round(tested * unlikely);
    best = Math.max(best, boundedRatio({ hitsBefore, hitsAfter, runs: tested, confidence }));
  }
  return best;
}

/**
 * Evidence of one number on the second dataset: half of the time it is at its upper end e, with probability e^(−e)/2 at its lower
 * one, and in between it has density e^(−(e − x)/2)/4. On the first dataset it is the mirror image.
 */
function evidenceOfOne(end: number, cells: number): Float64Array {
  const one = new Float64Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) {
    const [from, to] = [cell, cell + 1].map((at) => Math.exp(-end * (1 - at / cells)) / 2) as [number, number];
    one[cell]! += (to - from) / 2;
    one[cell + 1]! += (to - from) / 2;
  }
  one[cells]! += 0.5;
  one[0]! += Math.exp(-end) / 2;
  return one;
}

function trainingRuns(runs: number): number {
  return Math.ceil(TRAINING_SHARE * runs);
}

function convolve(left: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
  const result = new Float64Array(left.length + right.length - 1);
  left.forEach((one, at) => {
    right.forEach((other, shift) => {
      result[at + shift]! += one * other;
    });
  });
  return result;
}

/** Quantiles of the evidence on either side, both ways round. */
function candidates({ before, after }: Evidence): Array<{ threshold: number; reversed: boolean }> {
  const quantiles = (sorted: Float64Array): number[] =>
    Array.from({ length: THRESHOLDS }, (_, at) =>
      itemAt(sorted, Math.floor(((at + 0.5) / THRESHOLDS) * sorted.length)),
    );
  const high = quantiles(after.slice().sort()).map((threshold) => ({ threshold, reversed: false }));
  const low = quantiles(before.slice().sort()).map((threshold) => ({ threshold, reversed: true }));
  return [...high, ...low];
}

/**
 * Bounds ε from the event that evidence is at least `threshold`, or at most that with the datasets' roles exchanged: ln(P₂/P₁) of it is
 * at least `epsilon` with the stated confidence; never below 0.
 */
function judge(
  { before, after }: Evidence,
  { threshold, reversed, confidence }: { threshold: number; reversed: boolean; confidence: number },
) {
  // A hair of tolerance: evidence at its limit is the same number from every run, up to rounding.
  const tolerance = 1e-9 * (1 + Math.abs(threshold));
  const isHit = (value: number): boolean =>
    reversed ? value <= threshold + tolerance : value >= threshold - tolerance;
  const count = (values: Float64Array): number => values.reduce((hits, value) => hits + Number(isHit(value)), 0);
  const [hitsBefore, hitsAfter, runs] = [count(before), count(after), before.length];
  const [likely, unlikely] = reversed ? [hitsBefore, hitsAfter] : [hitsAfter, hitsBefore];
  const epsilon = boundedRatio({ hitsBefore: unlikely, hitsAfter: likely, runs, confidence });
  return { epsilon, threshold, reversed, hitsBefore, hitsAfter, runs };
}

function boundedRatio(counts: { hitsBefore: number; hitsAfter: number; runs: number; confidence: number }): number {
  const { hitsBefore, hitsAfter, runs, confidence } = counts;
  const each = 1 - (1 - confidence) / 2;
  const atLeast = probabilityAtLeast(hitsAfter, runs, each);
  return atLeast === 0 ? 0 : Math.max(0, Math.log(atLeast / probabilityAtMost(hitsBefore, runs, each)));
}

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
