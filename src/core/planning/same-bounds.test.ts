/**
 * What the verifier of bounds proves stays provable: a plan that one version took must not be refused by the next. That it never proves too much
 * is for `verify-bound.test.ts` and `weighted-bounds.test.ts`; this one holds the largest loss proven, by halving, to a table (test/support/same-as-before.ts).
 */
import { test } from "vitest";
import { occupancyOf } from "../../../test/support/frontier-cases.ts";
import { sameAsBefore } from "../../../test/support/same-as-before.ts";
import { Rational } from "../arithmetic/index.ts";
import { makeObjective, type Objective, type ObjectiveOptions, parseBounds } from "../influence/index.ts";
import { type BoundClaim, noPlanLosesLess } from "./verify-bound.ts";

/** Counts by grid and user, with a weight for every user. */
const ARRAYS = {
  small: {
    counts: [
      [9, 4, 4, 3, 0, 1],
      [8, 0, 5, 2, 6, 1],
      [0, 7, 1, 1, 2, 3],
    ],
    weights: [20, 3, 1, 1, 0, 0],
  },
  heavy: { counts: [[61, 5, 4, 2]], weights: [9, 2, 1, 0] },
  long: {
    counts: [
      [120, 90, 75, 60, 41, 30, 12],
      [0, 3, 0, 2, 0, 1, 0],
    ],
    weights: [40, 12, 5, 1, 1, 0, 0],
  },
};

const OBJECTIVES: ObjectiveOptions[] = [
  { statistics: "mean", estimator: "kept" },
  { statistics: "variance", estimator: "kept" },
  { statistics: "mean,variance", estimator: "kept", weights: "variance=0.3" },
  { statistics: "mean,sum", estimator: "kept", metric: "relative" },
  { statistics: "variance,sum", estimator: "kept", metric: "relative" },
  { statistics: "variance", estimator: "centred" },
  { statistics: "mean,variance", estimator: "centred", metric: "relative" },
  { statistics: "variance,sum", estimator: "centred", weights: "sum=0.007" },
  { statistics: "histogram:20/40", estimator: "centred" },
];

/** Percent of the data-free errors: in the metric, or of the statistics one by one. */
const TARGETS = ["40", "95", "70 and 97"] as const;

function limitsOf(objective: Objective, target: (typeof TARGETS)[number]): Pick<BoundClaim, "error" | "errors"> {
  const [first, second = first] = target.split(" and ").map((percent) => Rational.of(Number(percent), 100));
  const parts = objective.statistics.map((statistic, index) =>
    statistic.dataFreeError(20).multiply(index === 0 ? first! : second!),
  );
  if (second !== first) return { error: null, errors: parts };
  if (objective.metric === "relative") return { error: first!, errors: null };
  const error = parts.reduce((sum, part, index) => sum.add(part.multiply(objective.weights[index]!)), Rational.ZERO);
  return { error, errors: null };
}

const CASES = Object.entries(ARRAYS).flatMap(([array, of]) =>
  OBJECTIVES.flatMap((options) =>
    TARGETS.map((target) => ({ ...of, options, target, name: [array, ...Object.values(options), target].join(" ") })),
  ),
);

const hold = sameAsBefore("same-bounds", CASES.length);

test.each(CASES)("$name", ({ name, counts, weights, options, target }) => {
  const occupancy = occupancyOf(counts);
  const objective = makeObjective(parseBounds("0,65"), options);
  const limits = limitsOf(objective, target);
  const proves = (loss: number): boolean =>
    noPlanLosesLess(occupancy, objective, { ...limits, weights, loss: Rational.fromNumber(loss), without: new Set() });
  let low = 0;
  let high = 64;
  for (let step = 0; step < 26; step++) {
    const middle = (low + high) / 2;
    if (proves(middle)) low = middle;
    else high = middle;
  }
  hold(name, low);
});
