/**
 * The same array gives the same smallest-K plan, proof and prices: a plan's hash is the key of its release. Whether they are right is for the
 * tests beside this one; this one notices that the search goes another way than before (test/support/same-as-before.ts).
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sameAsBefore, seededArray } from "../../../../test/support/same-as-before.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { clipUser } from "../clip-user/clip-user.ts";
import { runNow } from "../long-work.ts";
import { makeDropProblem } from "./drop-problem.ts";
import { PriceSearch } from "./price-search.ts";
import { clipUserOptimal } from "./smallest-k.ts";

const TWO_OF_THREE = { share: [2, 3], heavyTimes: 8 } as const;

const ARRAYS = {
  small: seededArray({ ...TWO_OF_THREE, users: 14, grids: 4, most: 3, heavyEvery: 5 }, 3),
  middle: seededArray({ ...TWO_OF_THREE, users: 40, grids: 6, most: 9, heavyEvery: 12 }, 7),
  alike: seededArray({ ...TWO_OF_THREE, users: 60, grids: 5, most: 1, heavyEvery: 1000 }, 9),
  large: seededArray({ ...TWO_OF_THREE, users: 150, grids: 9, most: 30, heavyEvery: 20 }, 11),
};

const ARRAY_NAMES = Object.keys(ARRAYS) as Array<keyof typeof ARRAYS>;

interface Setting {
  readonly statistics: string;
  readonly epsilon: string;
  /** Of the worst error before anything is dropped. */
  readonly percent: number;
  readonly protectLowest: boolean;
}

const SETTINGS: Setting[] = [
  { statistics: "mean,variance", epsilon: "1", percent: 100, protectLowest: true },
  { statistics: "mean,variance", epsilon: "20", percent: 500, protectLowest: false },
  { statistics: "variance", epsilon: "0.3", percent: 105, protectLowest: false },
  { statistics: "mean", epsilon: "3", percent: 200, protectLowest: false },
  { statistics: "mean", epsilon: "30", percent: 1500, protectLowest: true },
];

function prepared(array: keyof typeof ARRAYS, { statistics, epsilon, percent, protectLowest }: Setting) {
  const occupancy = ARRAYS[array];
  const model = new ErrorModel(makeObjective(parseBounds("0,65"), { statistics }), parseDecimal(epsilon, "ε"));
  const clipped = runNow(clipUser(occupancy, model, { protectLowest }));
  const errorBound = clipped.errorBound.multiply(Rational.of(percent, 100));
  return { occupancy, model, errorBound, protectedGrid: clipped.protectedGrid };
}

const CASES = ARRAY_NAMES.flatMap((array) =>
  SETTINGS.map((setting) => ({ array, setting, name: [array, ...Object.values(setting)].join(" ") })),
);

const digest = (values: Iterable<unknown>): string =>
  createHash("sha256")
    .update([...values].join())
    .digest("hex")
    .slice(0, 12);

/** One each, and one for every other K below what there was. */
const hold = sameAsBefore("same-smallest-k", 75);

describe("plans and proofs without a solver", () => {
  test.each(CASES)("$name", ({ name, array, setting }) => {
    const { occupancy, model, errorBound } = prepared(array, setting);
    const told: string[] = [];
    const { protectLowest } = setting;
    const work = clipUserOptimal(occupancy, model, undefined, { errorBound, protectLowest });
    let next = work.next();
    for (; !next.done; next = work.next()) told.push(JSON.stringify(next.value));
    const { clipUserDegradation, degradation, lowerBound, lowerBoundBy, suppressed, certificate } = next.value;
    expect(next.value.optimal).toBe(lowerBound === degradation);
    hold(
      name,
      `K ${clipUserDegradation} to ${degradation}, at least ${lowerBound} by ${lowerBoundBy}`,
      `${suppressed.length} dropped: ${digest(suppressed)}`,
      `prices ${digest(certificate?.prices ?? [])}`,
      `told ${digest(told)}`,
    );
  });
});

describe("thirty rounds of prices", () => {
  test.each(CASES)("$name", ({ name, array, setting }) => {
    const { occupancy, model, errorBound, protectedGrid } = prepared(array, setting);
    const problem = runNow(makeDropProblem(occupancy, model, { errorBound, protectedGrid }));
    for (let k = 1; k < occupancy.maxGridsPerUser(); k += 2) {
      const search = new PriceSearch(problem, k);
      const plans: string[] = [];
      for (let round = 0; round < 30; round++) {
        search.improve();
        plans.push(search.plan()?.join() ?? "none");
      }
      hold(
        `${name}, prices for K = ${k}`,
        `ratio ${search.bestRatio.toPrecision(10)}`,
        `prices ${digest(Array.from(search.bestPrices, (price) => price.toPrecision(10)))}`,
        `${plans.filter((plan) => plan !== "none").length} plans: ${digest(plans)}`,
      );
    }
  });
});
