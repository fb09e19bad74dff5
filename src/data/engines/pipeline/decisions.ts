/** What a plan leaves out of counted groups, and the checks that plan, counts and totals agree. */
import { invariant, itemAt, VeilgridError } from "../../../core/errors/index.ts";
import {
  type CodedIds,
  GrowableUint32,
  IdTable,
  type Occupancy,
  occupancyHash,
} from "../../../core/occupancy/index.ts";
import { keptUnderPlan, type Plan } from "../../../core/planning/index.ts";
import { recipeJson } from "../../partition/index.ts";
import { nativeHash } from "../../sources/index.ts";
import type { GridTotals, PlanOfRecords, Records, TotalsRequest } from "../engine.ts";
import type { AskedGrids } from "./asked-grids.ts";
import type { CodedOccupancy } from "./counted.ts";

export interface Decisions {
  /** Groups of which not everything is kept, by the engine's numbers: user, grid and how many records are. */
  readonly users: Uint32Array;
  readonly grids: Uint32Array;
  readonly kept: Uint32Array;
  /** How many records there are in the groups that keep some but not all of theirs. */
  readonly recordsCut: number;
  /** The grids whose totals are wanted by the engine's numbers, in the plan's order, and the records kept in each. */
  readonly chosen: ReadonlyArray<{ readonly code: number; readonly kept: number }>;
}

export function decisionsOf(coded: CodedOccupancy, plan: Plan, asked: AskedGrids | undefined): Decisions {
  // A plan decides by the numbers of all its grids and users, whatever part of them was counted.
  const occupancy = asked?.occupancy ?? coded.occupancy;
  const kept = keptUnderPlan(occupancy, plan);
  const userCode = codesOf(coded.users);
  const codeOfGrid = codesOf(coded.grids);
  const { start, grid, count } = occupancy.byUser;
  const places = asked?.places ?? plan.grids.keys();
  const codeAt = new Int32Array(occupancy.grids.length).fill(-1);
  const chosen = Array.from(places, (place) => {
    const code = codeOfGrid(occupancy.grids.get(place));
    codeAt[place] = code;
    return { code, kept: kept.ofGrid[place]! };
  });
  const users = new GrowableUint32();
  const grids = new GrowableUint32();
  const keeps = new GrowableUint32();
  let recordsCut = 0;
  for (let user = 0; user < occupancy.users.length; user++) {
    let code: number | undefined;
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      const keeping = kept.ofEntry[entry]!;
      const gridCode = codeAt[grid[entry]!]!;
      if (keeping === count[entry]! || gridCode < 0) continue;
      code ??= userCode(occupancy.users.get(user));
      users.push(code);
      grids.push(gridCode);
      keeps.push(keeping);
      if (keeping > 0) recordsCut += count[entry]!;
    }
  }
  return { users: users.view(), grids: grids.view(), kept: keeps.view(), recordsCut, chosen };
}

function codesOf(ids: CodedIds): (id: string) => number {
  if (ids instanceof IdTable) return (id) => ids.indexOf(id);
  const codes = new Map(ids.map((id, code) => [id, code]));
  return (id) => codes.get(id)!;
}

export function checkSameReading({ recipe }: Records, plan: PlanOfRecords): void {
  if (plan.partition !== null && JSON.stringify(plan.partition) !== JSON.stringify(recipeJson(recipe)))
    throw mismatch("the plan's records are read in another way; take the flags from the plan");
}

/** Where some grids are asked for, only they were counted: they are held to their own part of the plan's array. */
export function checkSameCounts(occupancy: Occupancy, plan: PlanOfRecords, asked: AskedGrids | undefined): void {
  const expected = asked === undefined ? plan.occupancy.sha256 : occupancyHash(asked.counts, nativeHash);
  if (occupancyHash(occupancy, nativeHash) !== expected)
    throw mismatch("the plan was made for another occupancy array; plan again from this data");
}

/** Records that were counted and those that are cut are read one after the other. */
export function checkUnchanged(seen: bigint, expected: number): void {
  if (seen !== BigInt(expected)) throw mismatch("the records changed while they were read; plan again");
}

function mismatch(message: string): VeilgridError {
  return new VeilgridError("PLAN_MISMATCH", message);
}

/** A grid's exact sums by name: n, s, q, c0 …, and `clamped` where it was asked for. */
export type GridSums = Readonly<Record<string, bigint>>;

/** Sums by the engine's grid numbers, put in the plan's order and held to what the plan says is kept. */
export function gridTotals(
  sumsOf: ReadonlyMap<number, GridSums>,
  { coded, decisions, request }: { coded: CodedOccupancy; decisions: Decisions; request: TotalsRequest },
): GridTotals[] {
  return decisions.chosen.map(({ code, kept }) => {
    const sums = sumsOf.get(code) ?? {};
    const sum = (name: string): bigint => sums[name] ?? 0n;
    invariant(sum("n") === BigInt(kept), "the engine kept another number of records than the plan says");
    return {
      grid: itemAt(coded.grids, code),
      kept,
      sum: sum("s"),
      sumOfSquares: sum("q"),
      atLeast: (request.thresholds ?? []).map((_, index) => sum(`c${index}`)),
      doubledClampedSum: request.clampedSums ? sum("clamped") : null,
    };
  });
}
