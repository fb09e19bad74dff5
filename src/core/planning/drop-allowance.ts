/** How many records a grid can lose without exceeding the error bound, for every choice of its heaviest user that stays. */
import type { ErrorLimit } from "./error-limit.ts";

/** Numbers low, low + 2, … high. */
export interface AlternateRun {
  readonly low: number;
  readonly high: number;
}

/** What may be dropped once every user with more than `largest` records is gone. */
export interface DropAllowance {
  readonly largest: number;
  /** Records of the users that must go. */
  readonly forced: number;
  /** Any number of records from `forced` to this one may be dropped; below `forced` if none may. */
  readonly upTo: number;
  /** Further numbers, one parity at a time: where one user owns most of what is kept, an odd rest has less noise. */
  readonly alternates: readonly AlternateRun[];
  /** The most records that may be dropped in any way. */
  readonly most: number;
}

/**
 * The allowances of a grid whose users have these counts, the largest kept count descending; only those that allow something more
 * than the one before. A grid keeps somebody, and who keeps at most M has the error of M at most, so a choice of drops is within the
 * bound exactly if one of these allows it (docs/mathematics.md, Theorem 11).
 */
export function dropAllowances(counts: Uint32Array, limit: ErrorLimit): DropAllowance[] {
  const descending = counts.slice().sort().reverse();
  const total = descending.reduce((sum, count) => sum + count, 0);
  const allowances: DropAllowance[] = [];
  let forced = 0;
  for (let at = 0; at < descending.length; ) {
    const largest = descending[at]!;
    const allowance = allowanceOf(total, forced, largest, limit);
    const last = allowances.at(-1);
    if (allowance.most >= forced && (last === undefined || !allowsNoMore(allowance, last))) allowances.push(allowance);
    for (; descending[at] === largest; at++) forced += largest;
  }
  return allowances;
}

function allowsNoMore(allowance: DropAllowance, other: DropAllowance): boolean {
  return allowance.most === other.most && allowance.alternates.length === 0 && other.upTo >= allowance.upTo;
}

/** Kept totals, from the whole rest down to the heaviest user alone. */
function allowanceOf(total: number, forced: number, largest: number, limit: ErrorLimit): DropAllowance {
  const top = total - forced;
  const allows = (kept: number): boolean => limit.allows(total, kept, largest);
  // From twice the heaviest user on, the error falls as more is kept.
  const smooth = 2 * largest;
  let low = top >= smooth ? smallestAllowed(smooth, top, 1, allows) : top + 1;
  const runs: AlternateRun[] = [];
  const dense = Math.min(top, smooth - 1);
  const [evens, ...odds] = [
    evenRun(largest, dense, allows),
    ...oddRuns({ total, largest, low: oddFrom(largest), high: oddDownFrom(dense), limit }),
  ];
  const topOdd = odds.at(-1);
  if (low === dense + 1 && evens !== undefined && topOdd !== undefined && topOdd.high === oddDownFrom(dense)) {
    low = Math.max(evens.low, topOdd.low) - 1;
  } else if (low === dense + 1 && dense === largest && (evens ?? topOdd) !== undefined) {
    low = dense;
  }
  for (const run of [evens, ...odds]) {
    if (run === undefined || run.low >= low) continue;
    const high = run.high < low ? run.high : low - 1 - ((low - 1 - run.low) % 2);
    runs.push({ low: total - high, high: total - run.low });
  }
  const upTo = low <= top ? total - low : forced - 1;
  return { largest, forced, upTo, alternates: runs, most: runs.reduce((most, run) => Math.max(most, run.high), upTo) };
}

/** Even rests below twice the heaviest user: the variance's noise is saturated, so the error falls as more is kept. */
function evenRun(largest: number, dense: number, allows: (kept: number) => boolean): AlternateRun | undefined {
  const low = largest + (largest % 2);
  const high = dense - (dense % 2);
  if (low > high) return undefined;
  const smallest = smallestAllowed(low, high, 2, allows);
  return smallest > high ? undefined : { low: smallest, high };
}

/** The smallest allowed number among low, low + step, … high, where all from some point on are; high + step if none is. */
function smallestAllowed(low: number, high: number, step: number, allows: (kept: number) => boolean): number {
  if (!allows(high)) return high + step;
  let left = 0;
  let right = (high - low) / step;
  while (left < right) {
    const middle = Math.floor((left + right) / 2);
    if (allows(low + step * middle)) right = middle;
    else left = middle + 1;
  }
  return low + step * right;
}

interface OddStretch {
  readonly total: number;
  readonly largest: number;
  readonly low: number;
  readonly high: number;
  readonly limit: ErrorLimit;
}

/**
 * Odd rests below twice the heaviest user. There the variance's noise is a multiple of 1 − 1/k², rising with k, and everything else falls, so
 * between a and b the error lies between r·E(b) and E(a)/r with r = (1 − 1/a²)/(1 − 1/b²): halve until that decides.
 */
function oddRuns(stretch: OddStretch): AlternateRun[] {
  const { total, largest, low, high, limit } = stretch;
  if (low > high) return [];
  if (low === high) return limit.allows(total, low, largest) ? [{ low, high }] : [];
  const ratio = oddNoise(low) / oddNoise(high);
  if (limit.clearlyExceeded(total, high, largest, ratio)) return [];
  if (ratio > 0 && limit.clearlyMet(total, low, largest, 1 / ratio)) return [{ low, high }];
  const middle = oddDownFrom(Math.floor((low + high) / 2));
  const left = oddRuns({ ...stretch, high: middle });
  const right = oddRuns({ ...stretch, low: middle + 2 });
  const [before, after] = [left.at(-1), right[0]];
  if (before === undefined || after === undefined || before.high + 2 !== after.low) return [...left, ...right];
  return [...left.slice(0, -1), { low: before.low, high: after.high }, ...right.slice(1)];
}

function oddNoise(kept: number): number {
  return 1 - 1 / (kept * kept);
}

function oddFrom(kept: number): number {
  return kept + 1 - (kept % 2);
}

function oddDownFrom(kept: number): number {
  return kept - 1 + (kept % 2);
}
