/** Readings of records by an engine beside the same readings by the reference; whoever asks compares them. */
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import { makePlan, type Plan, runNow } from "../../src/core/planning/index.ts";
import { freezePlan } from "../../src/core/planning/plan-file.ts";
import type { Engine, OccupancyReading, Records, TotalsReading } from "../../src/data/engines/index.ts";
import { parseRecipe, type RecipeFlags } from "../../src/data/partition/index.ts";
import {
  type RecordRow,
  type ReferenceReading,
  type ReferenceSums,
  type ReferenceTotals,
  referenceLattice,
  referenceReading,
  referenceTotals,
} from "../support/reference-records.ts";
import type { LatticeFlags, PlanDecisions } from "./scenarios.ts";

export type Triple = [user: string, grid: string, count: number];

export async function recordsAt(engine: Engine, source: string, recipeOptions: RecipeFlags): Promise<Records> {
  return { source: await engine.describe(source, {}), recipe: parseRecipe(recipeOptions) };
}

/** What the reference makes of rows as they can be written: in delimited files, what is not there is the empty text. */
export function referenceOf(
  rows: readonly RecordRow[],
  options: { recipeOptions: RecipeFlags; lattice: LatticeFlags; absentIds: "null" | "empty" },
): ReferenceReading {
  const asRead = (row: RecordRow): RecordRow =>
    Object.fromEntries(Object.entries(row).map(([column, text]) => [column, text ?? ""]));
  const written = options.absentIds === "null" ? rows : rows.map(asRead);
  return referenceReading(
    written,
    options.recipeOptions,
    referenceLattice(options.lattice.bounds, options.lattice.step),
  );
}

export function triplesOf({ users, grids, byUser, entries }: Occupancy): Triple[] {
  if (byUser.start[users.length] !== entries) throw new Error("the entries are not those of the users");
  return Array.from({ length: users.length }, (_, user) => user).flatMap((user) => {
    const { start, grid, count } = byUser;
    return Array.from({ length: start[user + 1]! - start[user]! }, (_, at): Triple => {
      const entry = start[user]! + at;
      return [users.get(user), grids.get(grid[entry]!), count[entry]!];
    });
  });
}

/** The baseline, which keeps everything. */
export function baselinePlan(occupancy: Occupancy, flags: LatticeFlags): Plan {
  return runNow(
    makePlan(occupancy, {
      objective: makeObjective(parseBounds(flags.bounds)),
      step: flags.step === undefined ? undefined : parseDecimal(flags.step, "--step"),
      epsilon: Rational.of(1),
    }),
  ).plan;
}

/** What a plan decides about entries by name: Γ of each. */
export type KeptRule = (user: string, grid: string, records: number) => number;

/** A plan that drops, trims and caps as told, and the same in the words of the reference. */
export function decidedPlan(
  occupancy: Occupancy,
  flags: LatticeFlags,
  decisions: PlanDecisions,
): { plan: Plan; kept: KeptRule } {
  const baseline = baselinePlan(occupancy, flags);
  const number = (at: number): number => decisions.numbers[at % decisions.numbers.length]! + at;
  const caps = decisions.hasCaps ? baseline.grids.map((_, grid) => 1 + (number(grid) % 5)) : null;
  const triples = triplesOf(occupancy);
  const gridIndex = new Map(baseline.grids.map((grid, index) => [grid, index]));

  const dropped: Triple[] = [];
  const trimmed: Triple[] = [];
  triples.forEach(([user, grid, records], at) => {
    if ((decisions.dropsFirstGrid && gridIndex.get(grid) === 0) || number(at) % 8 < decisions.drops)
      dropped.push([user, grid, 0]);
    else if (number(at + 5) % 8 < decisions.trims) trimmed.push([user, grid, 1 + (number(at + 3) % records)]);
  });
  const concerned = new Set([...dropped, ...trimmed].map(([user]) => user));
  const users = [...occupancy.users].filter((user) => concerned.has(user));
  const userIndex = new Map(users.map((user, index) => [user, index]));
  const plan = freezePlan({
    ...baseline,
    keep: decisions.keep,
    caps,
    users,
    suppressed: dropped.map(([user, grid]) => [userIndex.get(user)!, gridIndex.get(grid)!] as const),
    trimmed: trimmed.map(([user, grid, kept]) => [userIndex.get(user)!, gridIndex.get(grid)!, kept] as const),
  });

  const named = (list: readonly Triple[]): Map<string, number> =>
    new Map(list.map(([user, grid, kept]) => [JSON.stringify([user, grid]), kept]));
  const droppedPairs = named(dropped);
  const trimmedPairs = named(trimmed);
  const kept: KeptRule = (user, grid, records) => {
    const pair = JSON.stringify([user, grid]);
    return (
      droppedPairs.get(pair) ??
      trimmedPairs.get(pair) ??
      Math.min(records, caps === null ? records : caps[gridIndex.get(grid)!]!)
    );
  };
  return { plan, kept };
}

export interface BesideOptions {
  readonly reading: OccupancyReading;
  readonly reference: ReferenceReading;
  readonly lattice: LatticeFlags;
  readonly decisions: PlanDecisions;
  /** Only these grids are asked for; all if absent. */
  readonly grids?: readonly string[] | undefined;
}

/** Both sides of totals under the plan decided on, for a reading that the engine has made already. */
export async function totalsBeside(
  engine: Engine,
  records: Records,
  { reading: { occupancy }, reference, lattice, decisions, grids }: BesideOptions,
): Promise<{ totals: TotalsReading; expected: ReferenceTotals }> {
  const { plan, kept } = decidedPlan(occupancy, lattice, decisions);
  const { thresholds, keep } = decisions;
  const only = grids === undefined ? undefined : { grids, occupancy };
  const totals = await engine.readTotals(records, plan, { only, thresholds, clampedSums: true });
  const expected = referenceTotals(reference, referenceLattice(lattice.bounds, lattice.step), {
    ...{ kept, keep, thresholds },
    only: grids === undefined ? undefined : new Set(grids),
  });
  return { totals, expected };
}

/** Every entry's sums, as the reference lists them. */
export async function sumsOf(
  engine: Engine,
  records: Records,
  { plan, occupancy, grids, thresholds }: SumsOptions,
): Promise<ReferenceSums> {
  const { sums, clampedValues } = await engine.readSums(records, plan, {
    only: { grids, occupancy },
    thresholds,
    squares: true,
  });
  const entries = Array.from({ length: occupancy.entries }, (_, entry) => ({
    sum: sums.sum(entry),
    sumOfSquares: sums.sumOfSquares(entry),
    atLeast: thresholds.map((_, threshold) => sums.atLeast(threshold, entry)),
  }));
  return { entries, clampedValues };
}

export interface SumsOptions {
  readonly plan: Plan;
  readonly occupancy: Occupancy;
  readonly grids: readonly string[];
  readonly thresholds: readonly bigint[];
}

/** About every third grid, and at least one: more than one and fewer than all where there are so many. */
export function someGrids({ occupancy }: OccupancyReading, { numbers }: PlanDecisions): string[] {
  const grids = [...occupancy.grids];
  const first = numbers[0]! % Math.min(3, grids.length);
  return grids.filter((_, at) => at % 3 === first);
}
