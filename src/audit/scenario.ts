/** What is attacked: a small array and its plan, one user, and two datasets that differ in that user's values alone. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { noiseLattice, stepCounter } from "../composition/index.ts";
import type { GridTotals } from "../engines/index.ts";
import {
  type GridCounts,
  makeObjective,
  parseBounds,
  type Statistic,
  sensitivityWitness,
  type TwoPointSamples,
} from "../influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../occupancy/index.ts";
import { inputLattice, type MadePlan, makePlan, type Plan, type PlanEvaluation, runNow } from "../planning/index.ts";
import { exactStatistics } from "../release/index.ts";

/** The two datasets. */
export type Side = "before" | "after";
export type BySide<Value> = Readonly<Record<Side, Value>>;

/** One published number that the attacked user can move. */
export interface Target {
  readonly statistic: Statistic;
  readonly counts: GridCounts;
  readonly epsilon: Rational;
  /** Per coordinate. */
  readonly exact: BySide<readonly Rational[]>;
  /** The same on the noise lattice. */
  readonly rounded: BySide<readonly bigint[]>;
  /** Noise steps per unit of evidence: t = deltaSteps/ε. */
  readonly scale: number;
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
  /** Whether the two datasets attain the claim. */
  readonly tight: boolean;
}

export interface Scenario {
  readonly occupancy: Occupancy;
  readonly plan: Plan;
  readonly evaluation: PlanEvaluation;
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

/** A plan for mean and variance under attack: the whole release against its worst user, then every number that can be moved on its own against the grid's heaviest user. */
export function scenarioOf(occupancy: Occupancy, { plan, evaluation }: MadePlan): Scenario {
  const worst = worstUser(evaluation);
  const whole = attackOf({ occupancy, plan, evaluation }, { user: worst, name: "whole release" });
  const single = plan.grids.flatMap((id, grid) =>
    plan.objective.statistics.flatMap((statistic, index) => {
      if (plan.noise[grid]!.epsilons[index]!.isZero()) return [];
      const user = heaviestOf(evaluation, grid);
      const only = { grid, statistic: index };
      return [attackOf({ occupancy, plan, evaluation }, { user, name: `${statistic.key} of ${id}`, only })];
    }),
  );
  return { occupancy, plan, evaluation, attacks: [whole, ...single] };
}

function worstUser({ joint }: PlanEvaluation): number {
  let worst = 0;
  for (let user = 1; user < joint.length; user++) if (joint.of(user).compare(joint.of(worst)) > 0) worst = user;
  return worst;
}

function heaviestOf({ kept }: PlanEvaluation, grid: number): number {
  const { byGrid } = kept.occupancy;
  let heaviest = byGrid.start[grid]!;
  for (let position = heaviest + 1; position < byGrid.start[grid + 1]!; position++) {
    if (kept.ofEntry[byGrid.entry[position]!]! > kept.ofEntry[byGrid.entry[heaviest]!]!) heaviest = position;
  }
  return byGrid.user[heaviest]!;
}

function attackOf(
  { occupancy, plan, evaluation }: Omit<Scenario, "attacks">,
  { user, name, only }: { user: number; name: string; only?: { grid: number; statistic: number } },
): Attack {
  const { statistics, bounds } = plan.objective;
  const { kept } = evaluation;
  const exact = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  const { steps } = inputLattice(bounds, plan.latticeStep);
  const before: GridTotals[] = [];
  const after: GridTotals[] = [];
  const targets: Target[] = [];
  let tight = true;
  plan.grids.forEach((id, grid) => {
    const counts = kept.countsOf(grid);
    const entry = occupancy.entryOf(user, grid);
    const owned = entry < 0 ? 0 : kept.ofEntry[entry]!;
    const witnessed = statistics[only?.statistic ?? 0]!;
    const leftOut = entry < 0 ? 0 : occupancy.byUser.count[entry]! - owned;
    const witness = sensitivityWitness(witnessed, { owned, kept: counts.kept, leftOut });
    before.push(
      twoPointTotals(id, { counts, steps, ownKept: witness.ownBefore, ownLeftOut: witness.ownLeftOutBefore }),
    );
    after.push(twoPointTotals(id, { counts, steps, ownKept: witness.ownAfter, ownLeftOut: witness.ownLeftOutAfter }));
    if (owned === 0 || (only !== undefined && only.grid !== grid)) return;
    if (only === undefined && 2 * owned > counts.kept) tight = false;
    const both = { before: before.at(-1)!, after: after.at(-1)! };
    statistics.forEach((statistic, index) => {
      const epsilon = plan.noise[grid]!.epsilons[index]!;
      if (epsilon.isZero() || (only !== undefined && only.statistic !== index)) return;
      targets.push(
        targetOf({ statistic, counts, epsilon }, owned, {
          before: exact.of[index]!(both.before, counts),
          after: exact.of[index]!(both.after, counts),
        }),
      );
    });
  });
  const claim = only === undefined ? evaluation.joint.of(user).toNumberNearest() : targets[0]!.claim;
  return { name, totals: { before, after }, targets, claim, tight };
}

function targetOf(
  noise: Pick<Target, "statistic" | "counts" | "epsilon">,
  owned: number,
  exact: Target["exact"],
): Target {
  const { statistic, counts, epsilon } = noise;
  const { stepExponent, deltaSteps } = noiseLattice(statistic, counts, epsilon);
  const step = Rational.powerOfTwo(stepExponent);
  const round = (values: readonly Rational[]): bigint[] =>
    values.map((value) => value.divide(step).roundHalfUpToInteger());
  const ownSteps = stepCounter(statistic, counts, stepExponent)(owned);
  return {
    ...noise,
    exact,
    rounded: { before: round(exact.before), after: round(exact.after) },
    scale: Rational.of(deltaSteps).divide(epsilon).toNumberNearest(),
    claim: Rational.of(ownSteps, deltaSteps).multiply(epsilon).toNumberNearest(),
  };
}

/** Totals of a grid where only the attacked user has records at the upper bound; all others, kept or left out, are at the lower one. */
function twoPointTotals(
  grid: string,
  given: { counts: GridCounts; steps: bigint; ownKept: TwoPointSamples; ownLeftOut: TwoPointSamples },
): GridTotals {
  const { counts, steps, ownKept, ownLeftOut } = given;
  const raised = BigInt(ownKept.atUpper);
  const owned = ownKept.atLower + ownKept.atUpper;
  const leftOut = ownLeftOut.atLower + ownLeftOut.atUpper;
  // Each user's sum is held to what its kept records can do around the middle: records at the lower bound end at its lower end.
  const least = BigInt(leftOut);
  const most = BigInt(leftOut + 2 * owned);
  const own = 2n * BigInt(ownKept.atUpper + ownLeftOut.atUpper);
  const ownClamped = own < least ? least : own > most ? most : own;
  const others = BigInt(counts.total - counts.kept - leftOut);
  return {
    grid,
    kept: counts.kept,
    sum: raised * steps,
    sumOfSquares: raised * steps * steps,
    atLeast: [],
    doubledClampedSum: steps * (others + ownClamped),
  };
}
