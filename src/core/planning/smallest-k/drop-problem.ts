/** The smallest K as a problem: how many records each grid can lose within the error bound; and as a linear program. */
import type { Rational } from "../../arithmetic/index.ts";
import { itemAt } from "../../errors/index.ts";
import type { ErrorModel } from "../../influence/index.ts";
import { ErrorLimit } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import type { LongWork } from "../long-work.ts";
import { firstWhere, largestOf, sumOf } from "../numbers.ts";
import { type LinearColumn, LinearProgramBuilder, type LinearTerm } from "./linear-solver.ts";

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

/**
 * Odd rests below twice the heaviest user. There the variance's noise is a multiple of 1 − 1/k², rising with k, and everything else falls, so
 * between a and b the error lies between r·E(b) and E(a)/r with r = (1 − 1/a²)/(1 − 1/b²): halve until that decides.
 */
function oddRuns(stretch: AlternateRun & { total: number; largest: number; limit: ErrorLimit }): AlternateRun[] {
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

export type DropProgram = ReturnType<typeof dropProgram>;

/** A column for choosing an allowance, or one of its alternate runs. */
interface Choice {
  readonly allowance: DropAllowance;
  readonly column: number;
  readonly most: number;
  readonly run: { readonly low: number; readonly steps: number } | undefined;
}

/** Numbers in a row stay below this, so that the solver's tolerance is far less than one record. */
const LARGEST_COEFFICIENT = 2 ** 20;

/**
 * For each entry whether it is dropped, for each grid which allowance it uses. With `overload`, one more column lets every grid lose that
 * multiple of its largest allowance on top, and is what is minimised; without, the records dropped are.
 */
export function dropProgram(problem: DropProblem, k: number, goal: "overload" | "fewest records") {
  const { occupancy, allowances, protectedGrid } = problem;
  const { byUser } = occupancy;
  const builder = new LinearProgramBuilder();
  /** The entry that a column decides about, −1 for other columns: 1 drops it. */
  const entryOfColumn: number[] = [];
  const addColumn = (entry: number, column: LinearColumn): number => {
    entryOfColumn.push(entry);
    return builder.addColumn(column);
  };
  const overload = goal === "overload" ? addColumn(-1, { cost: 1, lower: -1, upper: 1e9, whole: false }) : undefined;

  const grids = allowances.map((ofGrid) => ({
    choices: ofGrid.flatMap((allowance) => {
      const add = (most: number, run: Choice["run"]): Choice => {
        return { allowance, most, run, column: addColumn(-1, { lower: 0, upper: 1, whole: true }) };
      };
      const dense = allowance.upTo >= allowance.forced ? [add(allowance.upTo, undefined)] : [];
      return [...dense, ...allowance.alternates.map(({ low, high }) => add(high, { low, steps: (high - low) / 2 }))];
    }),
    smallestLargest: itemAt(ofGrid, ofGrid.length - 1).largest,
    most: Math.max(1, largestOf(ofGrid.map((allowance) => allowance.most))),
    hasAlternates: ofGrid.some((allowance) => allowance.alternates.length > 0),
    drops: [] as LinearTerm[],
  }));

  const unit = Math.max(1, occupancy.samples / occupancy.entries);
  for (let user = 0; user < occupancy.users.length; user++) {
    const tooMany = occupancy.gridsOfUser(user) - k;
    const drops: LinearTerm[] = [];
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      const count = byUser.count[entry]!;
      const grid = itemAt(grids, byUser.grid[entry]!);
      const mayBeForced = count > grid.smallestLargest;
      // Elsewhere dropping more than one must helps nobody; where parity counts, it may.
      if (byUser.grid[entry] === protectedGrid || (tooMany <= 0 && !mayBeForced && !grid.hasAlternates)) continue;
      const cost = goal === "overload" ? 0 : count / unit;
      const column = addColumn(entry, { cost, lower: 0, upper: 1, whole: true });
      drops.push([column, 1]);
      grid.drops.push([column, count]);
      if (!mayBeForced) continue;
      const without = grid.choices.filter(({ allowance }) => allowance.largest < count);
      builder.addRow([[column, 1], ...without.map((choice): LinearTerm => [choice.column, -1])], 0, Infinity);
    }
    if (tooMany > 0) builder.addRow(drops, tooMany, Infinity);
  }

  /** The row that holds a grid to what it can lose, −1 where it loses nothing; and what its numbers were divided by. */
  const budgetRow = new Int32Array(grids.length).fill(-1);
  const budgetUnit = new Float64Array(grids.length).fill(1);
  for (const [grid, { choices, drops, most }] of grids.entries()) {
    const chosen = choices.map((choice): LinearTerm => [choice.column, 1]);
    builder.addRow(chosen, 1, 1);
    if (drops.length === 0) continue;
    const divisor = Math.max(1, 2 ** Math.ceil(Math.log2(most / LARGEST_COEFFICIENT)));
    const scaled = drops.map(([column, count]): LinearTerm => [column, count / divisor]);
    const allowed = choices.map((choice): LinearTerm => [choice.column, -choice.most / divisor]);
    const slack: LinearTerm[] = overload === undefined ? [] : [[overload, -most / divisor]];
    budgetUnit[grid] = divisor;
    budgetRow[grid] = builder.addRow([...scaled, ...allowed, ...slack], -Infinity, 0);
    for (const { run, column } of choices) {
      if (run === undefined || goal === "overload") continue;
      // If this run is chosen, the records dropped are low + 2·step; otherwise the row says nothing.
      const total = itemAt(occupancy.samplesOfGrid, grid);
      const step = addColumn(-1, { lower: 0, upper: run.steps, whole: true });
      const exact: LinearTerm[] = [...drops, [step, -2]];
      builder.addRow([...exact, [column, total]], -Infinity, run.low + total);
      builder.addRow([...exact, [column, -2 * total]], run.low - 2 * total, Infinity);
    }
  }
  return { program: builder.build(), entryOfColumn: Int32Array.from(entryOfColumn), budgetRow, budgetUnit };
}
