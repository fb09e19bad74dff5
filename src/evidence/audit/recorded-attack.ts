/** Attacks through an engine: places records, counts them, plans, and reads the totals of both datasets. */
import { Rational } from "../../core/arithmetic/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import {
  type LongWorkOptions,
  makePlan,
  type Plan,
  type PlanRequest,
  runCooperatively,
} from "../../core/planning/index.ts";
import type { Engine, EntrySums, GridTotals, Records } from "../../data/engines/index.ts";
import { parseRecipe } from "../../data/partition/index.ts";
import { exactStatistics } from "../../publish/release/index.ts";
import type { BalancedScenario } from "./balanced-attack.ts";
import {
  type Counts,
  instant,
  type PlannedArray,
  type Side,
  type Victim,
  WORST_RECORDS_RECIPE,
  type WorstRecord,
  worstRecords,
  worstTotals,
} from "./scenario.ts";

export interface AttackedEngine {
  readonly engine: Engine;
  /** Puts records where the engine finds them; the SOURCE that names them. */
  place(records: readonly WorstRecord[]): Promise<string>;
}

/** Counts the records of an array in the engine and plans for them. */
export async function planThrough(
  attacked: AttackedEngine,
  counts: Counts,
  request: PlanRequest,
  options: LongWorkOptions = {},
): Promise<PlannedArray> {
  const value = request.objective.bounds.lower.toShortString();
  const records = counts.flatMap(([user, grid, count]) =>
    Array.from({ length: count }, (_, rank): WorstRecord => ({ user, grid, at: instant(rank), value })),
  );
  const { occupancy } = await attacked.engine.readOccupancy(await opened(attacked, records), options);
  return { occupancy, ...(await runCooperatively(makePlan(occupancy, request), options)) };
}

/** Exact totals of the worst two datasets, as the engine adds them up under the plan, or under another one by mistake; and whether they are what arithmetic says. */
export async function readWorstTotals(
  attacked: AttackedEngine,
  planned: PlannedArray,
  victim: Victim,
  under: Plan = planned.plan,
) {
  const records = worstRecords(planned, victim);
  const { objective, latticeStep } = planned.plan;
  const request = exactStatistics(objective.statistics, { bounds: objective.bounds, step: latticeStep });
  const read = async (rows: readonly WorstRecord[]): Promise<readonly GridTotals[]> =>
    (await attacked.engine.readTotals(await opened(attacked, rows), under, request)).totals;
  const totals = { before: await read(records.before), after: await read(records.after) };
  const expected = worstTotals(planned, victim);
  const isSame = (side: "before" | "after"): boolean =>
    totals[side].every((found, grid) => areEqual(found, itemAt(expected[side], grid)));
  return { totals, asExpected: isSame("before") && isSame("after") };
}

/** A balanced plan's sums of both datasets, as the engine adds them up; and whether they are what arithmetic says. */
export async function readWorstSums(attacked: AttackedEngine, scenario: BalancedScenario) {
  const { occupancy, plan, victim, values, asked } = scenario;
  const { byUser, users, grids } = occupancy;
  const read = async (side: Side): Promise<EntrySums> => {
    const records = [...byUser.count].flatMap((count, entry) => {
      const user = occupancy.userOfEntry(entry);
      const raised = plan.latticeStep.multiply(Rational.of(user === victim.user ? values[side] : 0n));
      const value = String(plan.objective.bounds.lower.add(raised).toNumberNearest());
      const [id, grid] = [users.get(user), grids.get(itemAt(byUser.grid, entry))];
      return Array.from({ length: count }, (_, rank): WorstRecord => ({ user: id, grid, at: instant(rank), value }));
    });
    const request = { only: { grids: plan.grids, occupancy }, ...asked };
    return (await attacked.engine.readSums(await opened(attacked, records), plan, request)).sums;
  };
  const sums = { before: await read("before"), after: await read("after") };
  const entries = [...byUser.count.keys()];
  const isSame = (side: Side): boolean =>
    entries.every((entry) => {
      const [found, expected] = [sums[side], scenario.sums[side]];
      return (
        found.sum(entry) === expected.sum(entry) &&
        (!asked.squares || found.sumOfSquares(entry) === expected.sumOfSquares(entry)) &&
        asked.thresholds.every((_, at) => found.atLeast(at, entry) === expected.atLeast(at, entry))
      );
    });
  return { sums, asExpected: isSame("before") && isSame("after") };
}

async function opened({ engine, place }: AttackedEngine, records: readonly WorstRecord[]): Promise<Records> {
  return { source: await engine.describe(await place(records), {}), recipe: parseRecipe(WORST_RECORDS_RECIPE) };
}

function areEqual(found: GridTotals, expected: GridTotals): boolean {
  return (
    found.grid === expected.grid &&
    found.kept === expected.kept &&
    found.sum === expected.sum &&
    found.sumOfSquares === expected.sumOfSquares &&
    found.atLeast.length === expected.atLeast.length &&
    found.atLeast.every((count, at) => count === expected.atLeast[at]) &&
    (found.doubledClampedSum === null || found.doubledClampedSum === expected.doubledClampedSum)
  );
}
