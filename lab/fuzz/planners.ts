/** The fast planners against slow ones that try everything, on small arrays: `differential-planners`. */

import { loadLinearSolver } from "../../src/apps/operations/linear-solver.ts";
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import { ErrorModel, type Metric, makeObjective, type Objective, parseBounds } from "../../src/core/influence/index.ts";
import { Kept, type Occupancy } from "../../src/core/occupancy/index.ts";
import {
  checkPlan,
  chooseCaps,
  clipUser,
  clipUserOptimal,
  type ErrorTarget,
  type LinearSolver,
  makePlan,
  type Plan,
  planText,
  provesImpossible,
  readPlan,
  runNow,
  verifyBound,
} from "../../src/core/planning/index.ts";
import { exhaustiveLeastLoss } from "../../test/support/exhaustive-least-loss.ts";
import { exhaustiveSmallestK } from "../../test/support/exhaustive-smallest-k.ts";
import { FRONTIER_STATISTICS, occupancyOf } from "../../test/support/frontier-cases.ts";
import type { SeededRandom } from "../../test/support/random.ts";
import { matrixOf, referenceCap, referenceClipUser } from "../../test/support/reference-clip-user.ts";
import { asInput, type FuzzTarget, oneOf } from "./target.ts";

/** Everything of it, so that it can be kept and read. */
interface PlannersCase {
  readonly kind: "clip-user" | "smallest-k" | "least-loss" | "least-error";
  /** By grid, then user. */
  readonly counts: number[][];
  readonly statistics: string;
  readonly metric: Metric;
  readonly estimator: "kept" | "centred";
  readonly epsilon: string;
  /** Of the error bound, in percent of the least. */
  readonly slack: number;
  readonly protectLowest: boolean;
  readonly wholeStages: boolean;
  /** Of the data-free error, in percent; with `each`, one per statistic. */
  readonly percents: readonly [number, number];
  readonly each: boolean;
  /** For the least error. */
  readonly lossThousandths: number;
}

/** Users, grids and the largest count that a slow planner can still try all plans of. */
const TINY: ReadonlyArray<readonly [number, number, number]> = [
  [4, 1, 6],
  [3, 2, 5],
  [2, 2, 7],
  [2, 3, 5],
  [3, 3, 3],
  [2, 1, 40],
  [3, 1, 12],
];
const MANY_STATISTICS = [...FRONTIER_STATISTICS, "mean,sum,share:10,histogram:20/30", "mean,sum,variance"];

function generate(random: SeededRandom): Buffer {
  const kind = oneOf(random, [
    "clip-user",
    "clip-user",
    "smallest-k",
    "least-loss",
    "least-loss",
    "least-error",
  ] as const);
  const isTiny = kind === "least-loss" || kind === "least-error";
  const [users, grids, largest] = isTiny
    ? oneOf(random, TINY)
    : kind === "smallest-k"
      ? [1 + random.below(5), 1 + random.below(4), oneOf(random, [1, 2, 4, 9])]
      : [oneOf(random, [1, 2, 5, 12, 40]), 1 + random.below(6), oneOf(random, [1, 2, 6, 50])];
  const density = oneOf(random, [30, 60, 90, 100]);
  const counts = Array.from({ length: grids }, () =>
    Array.from({ length: users }, () => {
      if (random.below(100) >= density) return 0;
      const heavy = !isTiny && random.below(8) === 0 ? 5 : 1;
      return heavy * (1 + random.below(largest));
    }),
  );
  counts[0]![0] ||= 1;
  const percent = (): number => (random.below(4) === 0 ? oneOf(random, [25, 50, 98, 99, 100]) : 3 + random.below(128));
  const made: PlannersCase = {
    kind,
    counts,
    statistics: oneOf(random, kind === "clip-user" ? MANY_STATISTICS : FRONTIER_STATISTICS),
    metric: oneOf(random, ["sum", "relative"]),
    estimator: isTiny ? oneOf(random, ["kept", "centred"]) : "kept",
    epsilon: oneOf(random, ["0.05", "0.5", "2", "5", "40", "100"]),
    slack: oneOf(random, [100, 100, 101, 110, 150, 200, 1100]),
    protectLowest: random.below(2) === 0,
    wholeStages: random.below(2) === 0,
    percents: [percent(), percent()],
    each: random.below(4) === 0,
    lossThousandths: oneOf(random, [1, 30, 300, 1000, 2000, 3000, 5000, 8000, 12_000, 20_000, 50_000]),
  };
  return asInput(made);
}

interface PlannersRun {
  readonly drawn: PlannersCase;
  readonly occupancy: Occupancy;
  readonly objective: Objective;
}

/** CLIP-USER drop by drop, then the best cap of every grid among all whole numbers. */
function clipUserTrouble({ drawn, occupancy, objective }: PlannersRun): string | undefined {
  const epsilon = parseDecimal(drawn.epsilon, "ε");
  const { protectLowest, wholeStages } = drawn;
  const least = referenceClipUser(occupancy, objective, { epsilon, protectLowest, wholeStages });
  const errorBound = drawn.slack === 100 ? undefined : least.errorBound.multiply(Rational.of(drawn.slack, 100));
  const slow =
    errorBound === undefined
      ? least
      : referenceClipUser(occupancy, objective, { epsilon, errorBound, protectLowest, wholeStages });
  const model = new ErrorModel(objective, epsilon);
  const fast = runNow(clipUser(occupancy, model, { errorBound, protectLowest, wholeStages }));
  const pairs = Array.from(fast.suppressed, (entry) => [occupancy.userOfEntry(entry), occupancy.byUser.grid[entry]!]);
  if (JSON.stringify(pairs) !== JSON.stringify(slow.suppressed)) return "CLIP-USER drops others than its definition";
  if (fast.errorBound.compare(slow.errorBound) !== 0) return "CLIP-USER has another error bound than its definition";
  if (fast.kept.maxGridsPerUser() !== slow.degradation) return "CLIP-USER has another K than its definition";

  const original = matrixOf(occupancy);
  const { kept, caps } = runNow(chooseCaps(fast.kept, model));
  for (let grid = 0; grid < occupancy.grids.length; grid++) {
    if (slow.kept[grid]!.every((count) => count === 0)) continue;
    const cap = referenceCap(objective, epsilon, original[grid]!, slow.kept[grid]!);
    if (caps[grid] !== cap) return `grid ${grid} has cap ${caps[grid]}, the best of all is ${cap}`;
  }
  const capped = fast.kept.ofEntry.map((count, entry) => Math.min(count, caps[occupancy.byUser.grid[entry]!]!));
  return String(kept.ofEntry) === String(new Kept(occupancy, capped).ofEntry) ? undefined : "caps keep something else";
}

/** The smallest K, with the solver and without, around the one found by trying every choice of drops. */
function smallestKTrouble({ drawn, occupancy, objective }: PlannersRun, solver: LinearSolver): string | undefined {
  const epsilon = parseDecimal(drawn.epsilon, "ε");
  const { protectLowest } = drawn;
  const model = new ErrorModel(objective, epsilon);
  const clipped = runNow(clipUser(occupancy, model, { protectLowest }));
  const errorBound = clipped.errorBound.multiply(Rational.of(drawn.slack, 100));
  for (const by of [solver, undefined]) {
    const result = runNow(clipUserOptimal(occupancy, model, by, { errorBound, protectLowest }));
    const { protectedGrid, certificate: proof, kept } = result;
    const smallest = exhaustiveSmallestK(occupancy, objective, { epsilon, errorBound, protectedGrid });
    if (result.lowerBound > smallest) return `K ≥ ${result.lowerBound} is claimed, K = ${smallest} is possible`;
    if (result.degradation < smallest) return `K = ${result.degradation} is claimed, ${smallest} is the smallest`;
    if (by !== undefined && result.degradation !== smallest)
      return `the solver finds ${result.degradation}, not ${smallest}`;
    if (kept.maxGridsPerUser() !== result.degradation) return "what is kept has another K than it says";
    if (proof !== null && !provesImpossible(occupancy, model, { errorBound, protectedGrid, proof }))
      return "the certificate does not convince";
    for (let grid = 0; grid < occupancy.grids.length; grid++)
      if (model.exactError(kept.countsOf(grid))!.compare(errorBound) > 0) return `grid ${grid} is above the bound`;
  }
  return undefined;
}

function targetOf({ drawn, occupancy, objective }: PlannersRun): ErrorTarget {
  const most = occupancy.samplesOfGrid.reduce((left, right) => Math.max(left, right), 0);
  const errors = objective.statistics.map((statistic, index) =>
    statistic.dataFreeError(most).multiply(Rational.of(drawn.percents[index % 2]!, 100)),
  );
  if (drawn.each) return { kind: "each", errors };
  if (objective.metric === "relative") return { kind: "together", error: Rational.of(drawn.percents[0], 100) };
  const error = errors.reduce((sum, each, index) => sum.add(each.multiply(objective.weights[index]!)), Rational.ZERO);
  return { kind: "together", error };
}

/** As a release would: from the plan's bytes, everything worked out again. */
function trusted(occupancy: Occupancy, plan: Plan) {
  return checkPlan(occupancy, readPlan(planText(plan)));
}

/** No plan at all loses less than the lower bound, none the frontier's less than the least of all. */
function leastLossTrouble(each: PlannersRun): string | undefined {
  const { occupancy, objective } = each;
  const target = targetOf(each);
  const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "error", target } }));
  for (const guarantee of trusted(occupancy, plan).guarantees) {
    const isMet =
      target.kind === "together"
        ? guarantee!.error.compare(target.error) <= 0
        : guarantee!.statisticError.every((error, index) => error.compare(target.errors[index]!) <= 0);
    if (!isMet) return "the frontier misses its target";
  }
  const optimum = exhaustiveLeastLoss(occupancy, objective, target);
  const loss = plan.loss.toNumberNearest();
  const bound = plan.bound!.lowerBound.toNumberNearest();
  if (loss < optimum.atLeast * (1 - 1e-9)) return `a loss of ${loss} is claimed, the least is ${optimum.atLeast}`;
  if (bound > optimum.atMost * (1 + 1e-12)) return `the bound ${bound} is above the least loss ${optimum.atMost}`;
  if (optimum.atMost === 0 && loss !== 0) return `a loss of ${loss}, where nothing need be lost`;
  return verifyBound(occupancy, plan) ? undefined : "the bound does not convince";
}

/** Never more loss than asked for, and no plan of that loss has an error below the bound. */
function leastErrorTrouble({ drawn, occupancy, objective }: PlannersRun): string | undefined {
  const loss = Rational.of(drawn.lossThousandths, 1000);
  const { plan } = runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss } }));
  trusted(occupancy, plan);
  if (plan.loss.compare(loss) > 0) return "the frontier loses more than asked for";
  const without = new Set(plan.strategy.setAside);
  if (without.size === occupancy.grids.length) return undefined;
  if (!verifyBound(occupancy, plan)) return "the bound does not convince";
  const { lowerBound } = plan.bound!;
  if (lowerBound.sign() === 0) return undefined;
  const error = lowerBound.multiply(Rational.of(999_999, 1_000_000));
  const least = exhaustiveLeastLoss(occupancy, objective, { kind: "together", error }, { without }).atMost;
  return least <= loss.toNumberNearest() ? "an error below the bound is possible" : undefined;
}

export const planners: FuzzTarget<LinearSolver> = {
  longestMs: 30_000,
  prepare: () => loadLinearSolver(),
  generate,
  try: (input, solver) => {
    const drawn = JSON.parse(input.toString("utf8")) as PlannersCase;
    const { statistics, metric, estimator } = drawn;
    const objective = makeObjective(parseBounds("0,65"), { statistics, metric, estimator });
    const each = { drawn, occupancy: occupancyOf(drawn.counts), objective };
    switch (drawn.kind) {
      case "clip-user":
        return clipUserTrouble(each);
      case "smallest-k":
        return smallestKTrouble(each, solver);
      case "least-loss":
        return leastLossTrouble(each);
      case "least-error":
        return leastErrorTrouble(each);
    }
  },
};
