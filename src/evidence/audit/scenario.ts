/** What is attacked: a small array with its plan, one user, and two datasets that differ in that user's values alone. */
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { noiseLattice, stepCounter } from "../../core/composition/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import { type GridCounts, makeObjective, parseBounds, type Statistic } from "../../core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../core/occupancy/index.ts";
import { type MadePlan, makePlan, runNow } from "../../core/planning/index.ts";
import type { GridTotals } from "../../data/engines/index.ts";
import { exactStatistics } from "../../publish/release/index.ts";
import {
  type BySide,
  type PlannedArray,
  singleNumbers,
  type Victim,
  wholeRelease,
  worstTotals,
} from "./worst-datasets.ts";

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
