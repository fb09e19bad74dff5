/** The smallest K as a problem: the array, the grid nobody may be dropped from, and how many records each grid can lose within the error bound. */
import type { Rational } from "../../arithmetic/index.ts";
import type { ErrorModel } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { ErrorLimit } from "../clip-user/error-limit.ts";
import type { LongWork } from "../long-work.ts";
import { firstWhere, largestOf, sumOf } from "../numbers.ts";

export interface DropProblem {
  readonly occupancy: Occupancy;
  readonly limit: ErrorLimit;
  readonly protectedGrid: number | undefined;
  /** By grid; of the protected grid, that it loses nothing. */
  readonly allowances: ReadonlyArray<readonly DropAllowance[]>;
}

const GRIDS_PER_YIELD = 64;

export function* makeDropProblem(
  occupancy: Occupancy,
  model: ErrorModel,
  options: { errorBound: Rational; protectedGrid: number | undefined },
): LongWork<DropProblem> {
  const limit = new ErrorLimit(model, options.errorBound);
  const { byGrid, byUser } = occupancy;
  const grids = occupancy.grids.length;
  const allowances: DropAllowance[][] = [];
  for (let grid = 0; grid < grids; grid++) {
    if (grid % GRIDS_PER_YIELD === 0) yield { step: "working out what each grid can lose", done: grid, of: grids };
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const counts = entries.map((entry) => byUser.count[entry]!);
    allowances.push(grid === options.protectedGrid ? [nothingFrom(counts)] : dropAllowances(counts, limit));
  }
  return { occupancy, limit, protectedGrid: options.protectedGrid, allowances };
}

/** The allowance of a grid that loses nobody. */
function nothingFrom(counts: Uint32Array): DropAllowance {
  return { largest: largestOf(counts), forced: 0, upTo: 0, alternates: [], most: 0 };
}

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
  const total = sumOf(descending);
  const allowances: DropAllowance[] = [];
  let forced = 0;
  for (const [at, largest] of descending.entries()) {
    if (largest !== descending[at - 1]) {
      const allowance = allowanceOf(total, forced, largest, limit);
      const last = allowances.at(-1);
      if (allowance.most >= forced && (last === undefined || !allowsNoMore(allowance, last)))
        allowances.push(allowance);
    }
    forced += largest;
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
  let low = firstWhere(smooth, top, 1, allows) ?? top + 1;
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
  return { largest, forced, upTo, alternates: runs, most: Math.max(upTo, ...runs.map((run) => run.high)) };
}

/** Even rests below twice the heaviest user: the variance's noise is saturated, so the error falls as more is kept. */
function evenRun(largest: number, dense: number, allows: (kept: number) => boolean): AlternateRun | undefined {
  const low = largest + (largest % 2);
  const high = dense - (dense % 2);
  const smallest = firstWhere(low, high, 2, allows);
  return smallest === undefined ? undefined : { low: smallest, high };
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
  if (limit.clearSign(ratio * limit.model.error(total, high, largest)) > 0) return [];
  if (ratio > 0 && limit.clearSign(limit.model.error(total, low, largest) / ratio) < 0) return [{ low, high }];
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
