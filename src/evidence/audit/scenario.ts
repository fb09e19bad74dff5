/** What is attacked: a small array with its plan, one user, and the worst two datasets, which differ in that user's values alone. */
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { noiseLattice, stepCounter } from "../../core/composition/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import {
  type GridCounts,
  makeObjective,
  parseBounds,
  type Statistic,
  sensitivityWitness,
} from "../../core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../core/occupancy/index.ts";
import { inputLattice, type MadePlan, makePlan, type PlanEvaluation, runNow } from "../../core/planning/index.ts";
import { type GridTotals, isKeptRank } from "../../data/engines/index.ts";
import { exactStatistics } from "../../publish/release/index.ts";

/** One published number that the attacked user can move. */
export interface Target {
  readonly grid: string;
  /** Among the plan's statistics. */
  readonly index: number;
  readonly statistic: Statistic;
  readonly counts: GridCounts;
  readonly epsilon: Rational;
  /** Per coordinate. */
  readonly exact: BySide<readonly Rational[]>;
  /** The same on the noise lattice. */
  readonly rounded: BySide<readonly bigint[]>;
  /** Noise steps per unit of evidence: t = deltaSteps/ε. */
  readonly scale: number;
  /** Per coordinate: how far the two datasets' numbers are apart, in units of evidence. */
  readonly apart: readonly number[];
  /** ⌈Δ_ℓ/s⌉/t: what the plan says this number can tell about the user. */
  readonly claim: number;
}

export interface Attack {
  readonly name: string;
  /** Of every grid. */
  readonly totals: BySide<readonly GridTotals[]>;
  /** What the attacker looks at. */
  readonly targets: readonly Target[];
  /** The loss that the plan claims for what the attacker looks at. */
  readonly claim: number;
  /** The loss between these two datasets, exactly: no attacker can show more on them. */
  readonly attained: number;
  /** Whether the two datasets attain the claim. */
  readonly tight: boolean;
}

export interface Scenario extends PlannedArray {
  readonly attacks: readonly Attack[];
}

/** Counts by user and grid. */
export type Counts = ReadonlyArray<readonly [user: string, grid: string, count: number]>;

/** Two grids shared by one heavy user and lighter ones, nobody above half: here the claimed joint loss can be attained. */
export const SHARED_GRIDS: Counts = [
  ["heavy", "north", 6],
  ["heavy", "south", 5],
  ["light", "north", 4],
  ["light", "south", 3],
  ["third", "north", 5],
  ["third", "south", 5],
  ["fourth", "north", 3],
  ["fourth", "south", 4],
];

/** One user with most of the records, where the variance's sensitivity has its second case. */
export const OWNED_GRID: Counts = [
  ["heavy", "alone", 7],
  ["light", "alone", 2],
];

/** The baseline of these counts under attack. */
export function makeScenario(counts: Counts, { epsilon }: { epsilon: string }): Scenario {
  const occupancy = occupancyFromTriples(counts);
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean,variance" });
  const made = runNow(
    makePlan(occupancy, {
      objective,
      epsilon: parseDecimal(epsilon, "--epsilon"),
      // Never read: the attack hands over totals, not records.
      partition: { user: "user", value: "value", by: "grid" },
    }),
  );
  return scenarioOf(occupancy, made);
}

/** A plan under attack: the whole release against its worst user, then every number that can be moved on its own against the grid's heaviest user. */
export function scenarioOf(occupancy: Occupancy, { plan, evaluation }: MadePlan): Scenario {
  const planned = { occupancy, plan, evaluation };
  const options = [wholeRelease(planned), ...singleNumbers(planned)];
  return { ...planned, attacks: options.map((victim) => attackOf(planned, victim)) };
}

/** Of this array and user; totals as an engine read them from the two datasets' records, or as they are known to be. */
export function attackOf(
  planned: PlannedArray,
  victim: Victim,
  totals: BySide<readonly GridTotals[]> = worstTotals(planned, victim),
): Attack {
  const { occupancy, plan, evaluation } = planned;
  const { user, name, only } = victim;
  const { statistics, bounds } = plan.objective;
  const { kept } = evaluation;
  const exact = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  const targets = plan.grids.flatMap((id, grid) => {
    const counts = kept.countsOf(grid);
    const entry = occupancy.entryOf(user, grid);
    const owned = entry < 0 ? 0 : itemAt(kept.ofEntry, entry);
    if (owned === 0 || (only !== undefined && only.grid !== grid)) return [];
    return statistics.flatMap((statistic, index) => {
      const epsilon = itemAt(itemAt(plan.noise, grid).epsilons, index);
      if (epsilon.isZero() || (only !== undefined && only.statistic !== index)) return [];
      const exactOn = (side: "before" | "after") => itemAt(exact.of, index)(itemAt(totals[side], grid), counts);
      const values = { before: exactOn("before"), after: exactOn("after") };
      return [targetOf({ grid: id, index, statistic, counts, epsilon }, owned, values)];
    });
  });
  const claim = only === undefined ? evaluation.joint.of(user).toNumberNearest() : itemAt(targets, 0).claim;
  const attained = targets.flatMap(({ apart }) => apart).reduce((sum, each) => sum + each, 0);
  return { name, totals, targets, claim, attained, tight: attained > claim * (1 - TIGHT_WITHIN) };
}

/** The lattice's share of a claim is about 2⁻⁴⁰. */
const TIGHT_WITHIN = 1e-9;

function targetOf(
  noise: Pick<Target, "grid" | "index" | "statistic" | "counts" | "epsilon">,
  owned: number,
  exact: Target["exact"],
): Target {
  const { statistic, counts, epsilon } = noise;
  const { stepExponent, deltaSteps } = noiseLattice(statistic, counts, epsilon);
  const step = Rational.powerOfTwo(stepExponent);
  const round = (values: readonly Rational[]): bigint[] =>
    values.map((value) => value.divide(step).roundHalfUpToInteger());
  const ownSteps = stepCounter(statistic, counts, stepExponent)(owned);
  const rounded = { before: round(exact.before), after: round(exact.after) };
  const scale = Rational.of(deltaSteps).divide(epsilon).toNumberNearest();
  return {
    ...noise,
    exact,
    rounded,
    scale,
    apart: rounded.after.map(
      (steps, coordinate) => Math.abs(Number(steps - itemAt(rounded.before, coordinate))) / scale,
    ),
    claim: Rational.of(ownSteps, deltaSteps).multiply(epsilon).toNumberNearest(),
  };
}

/** The two datasets. */
export type Side = "before" | "after";
export type BySide<Value> = Readonly<Record<Side, Value>>;

/** A plan for an array, worked out. */
export interface PlannedArray extends MadePlan {
  readonly occupancy: Occupancy;
}

/** Whose values are flipped, and what is looked at: everything published, or one statistic of one grid. */
export interface Victim {
  readonly name: string;
  readonly user: number;
  readonly only?: { readonly grid: number; readonly statistic: number } | undefined;
}

/** Everything that is published, against the user who loses most. */
export function wholeRelease({ evaluation: { joint } }: PlannedArray): Victim {
  let user = 0;
  for (let other = 1; other < joint.length; other++) if (joint.of(other).compare(joint.of(user)) > 0) user = other;
  return { name: "whole release", user };
}

/** Every number that can be moved on its own, against the heaviest user of its grid. */
export function singleNumbers({ plan, evaluation }: PlannedArray): Victim[] {
  return plan.grids.flatMap((id, grid) =>
    itemAt(plan.noise, grid).epsilons.flatMap((epsilon, statistic) => {
      if (epsilon.isZero()) return [];
      const { key } = itemAt(plan.objective.statistics, statistic);
      return [{ user: heaviestOf(evaluation, grid), name: `${key} of ${id}`, only: { grid, statistic } }];
    }),
  );
}

function heaviestOf({ kept }: PlanEvaluation, grid: number): number {
  const { byGrid } = kept.occupancy;
  let heaviest = { user: -1, owned: -1 };
  for (let position = itemAt(byGrid.start, grid); position < itemAt(byGrid.start, grid + 1); position++) {
    const owned = itemAt(kept.ofEntry, itemAt(byGrid.entry, position));
    if (owned > heaviest.owned) heaviest = { user: itemAt(byGrid.user, position), owned };
  }
  return heaviest.user;
}

/** Everybody's values are at the lower bound; on the second dataset one user's are at the upper one, as many as move most. */
export function worstTotals(planned: PlannedArray, victim: Victim): BySide<readonly GridTotals[]> {
  return { before: totalsOf(planned, victim, "before"), after: totalsOf(planned, victim, "after") };
}

/** What engines must find in the records of the same side, by arithmetic. */
function totalsOf(planned: PlannedArray, victim: Victim, side: Side): GridTotals[] {
  const { plan, evaluation } = planned;
  const { bounds, statistics } = plan.objective;
  const { steps } = inputLattice(bounds, plan.latticeStep);
  const { thresholds } = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  return plan.grids.map((id, grid) => {
    const counts = evaluation.kept.countsOf(grid);
    const own = ownSamples(planned, victim, { grid, side });
    const raised = BigInt(own.kept.atUpper);
    const owned = own.kept.atLower + own.kept.atUpper;
    const leftOut = own.leftOut.atLower + own.leftOut.atUpper;
    // Each user's sum is held to what its kept records can do around the middle: records at the lower bound end at its lower end.
    const ownClamped = Math.min(leftOut + 2 * owned, Math.max(leftOut, 2 * (own.kept.atUpper + own.leftOut.atUpper)));
    const others = counts.total - counts.kept - leftOut;
    return {
      grid: id,
      kept: counts.kept,
      sum: raised * steps,
      sumOfSquares: raised * steps * steps,
      atLeast: thresholds.map((threshold) => (threshold <= 0n ? BigInt(counts.kept) : raised)),
      doubledClampedSum: steps * BigInt(others + ownClamped),
    };
  });
}

/** What the victim's records are in a grid. Where several numbers are looked at, the pair of datasets is the first one's. */
function ownSamples(
  { occupancy, plan, evaluation }: PlannedArray,
  { user, only }: Victim,
  { grid, side }: { grid: number; side: Side },
) {
  const { kept } = evaluation;
  const entry = occupancy.entryOf(user, grid);
  const owned = entry < 0 ? 0 : itemAt(kept.ofEntry, entry);
  const leftOut = entry < 0 ? 0 : itemAt(occupancy.byUser.count, entry) - owned;
  const statistic = itemAt(plan.objective.statistics, only?.statistic ?? 0);
  const witness = sensitivityWitness(statistic, { owned, kept: kept.countsOf(grid).kept, leftOut });
  return side === "before"
    ? { kept: witness.ownBefore, leftOut: witness.ownLeftOutBefore }
    : { kept: witness.ownAfter, leftOut: witness.ownLeftOutAfter };
}

export interface WorstRecord {
  readonly user: string;
  readonly grid: string;
  /** Orders a user's records in a grid: which of them are kept is then known. */
  readonly at: string;
  readonly value: string;
}

/** How these records are read. */
export const WORST_RECORDS_RECIPE = { user: "user", value: "value", by: "grid", time: "at" } as const;

export function worstRecords(planned: PlannedArray, victim: Victim): BySide<readonly WorstRecord[]> {
  return { before: recordsOf(planned, victim, "before"), after: recordsOf(planned, victim, "after") };
}

export function worstRecordsCsv(records: readonly WorstRecord[]): string {
  const lines = records.map(({ user, grid, at, value }) => [user, grid, at, value].join(","));
  return `user,grid,at,value\n${lines.join("\n")}\n`;
}

function recordsOf(planned: PlannedArray, victim: Victim, side: Side): WorstRecord[] {
  const { occupancy, plan, evaluation } = planned;
  const { byUser, users, grids } = occupancy;
  const { bounds } = plan.objective;
  const [lower, upper] = [bounds.lower.toShortString(), bounds.upper.toShortString()];
  return [...users].flatMap((id, user) => {
    const [first, end] = [itemAt(byUser.start, user), itemAt(byUser.start, user + 1)];
    return [...byUser.grid.subarray(first, end)].flatMap((grid, place) => {
      const records = itemAt(byUser.count, first + place);
      const keptRecords = itemAt(evaluation.kept.ofEntry, first + place);
      const own = ownSamples(planned, victim, { grid, side });
      let [kept, leftOut] = user === victim.user ? [own.kept.atUpper, own.leftOut.atUpper] : [0, 0];
      return Array.from({ length: records }, (_, rank): WorstRecord => {
        const isKept = isKeptRank(BigInt(rank), {
          records: BigInt(records),
          kept: BigInt(keptRecords),
          keep: plan.keep,
        });
        const isRaised = isKept ? kept-- > 0 : leftOut-- > 0;
        return { user: id, grid: grids.get(grid), at: instant(rank), value: isRaised ? upper : lower };
      });
    });
  });
}

/** When a user's record of this rank in a grid was made. */
export function instant(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
