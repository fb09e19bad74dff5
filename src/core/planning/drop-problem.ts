/** The paper's uniform-ε problem as data: the array, the grid nobody may be dropped from, and what each grid can lose. */
import type { Rational } from "../arithmetic/index.ts";
import type { ErrorModel } from "../influence/index.ts";
import type { Occupancy } from "../occupancy/index.ts";
import { type DropAllowance, dropAllowances } from "./drop-allowance.ts";
import { ErrorLimit } from "./error-limit.ts";
import type { LongWork } from "./long-work.ts";

export interface DropProblem {
  readonly occupancy: Occupancy;
  readonly limit: ErrorLimit;
  /** −1 if there is none. */
  readonly protectedGrid: number;
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
  const protectedGrid = options.protectedGrid ?? -1;
  const grids = occupancy.grids.length;
  const allowances: DropAllowance[][] = [];
  for (let grid = 0; grid < grids; grid++) {
    if (grid % GRIDS_PER_YIELD === 0) yield { step: "working out what each grid can lose", done: grid, of: grids };
    const counts = countsOfGrid(occupancy, grid);
    allowances.push(grid === protectedGrid ? [nothing(counts)] : dropAllowances(counts, limit));
  }
  return { occupancy, limit, protectedGrid, allowances };
}

function nothing(counts: Uint32Array): DropAllowance {
  const largest = counts.reduce((most, count) => Math.max(most, count), 0);
  return { largest, forced: 0, upTo: 0, alternates: [], most: 0 };
}

function countsOfGrid({ byGrid, byUser }: Occupancy, grid: number): Uint32Array {
  return byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]).map((entry) => byUser.count[entry]!);
}
