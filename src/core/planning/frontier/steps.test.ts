/** The frontier's last steps one by one: whole records from fractions, shared rooms, the error that a loss buys, exact noise for it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { occupancyOf, tinyCounts } from "../../../../test/support/frontier-cases.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { type EstimatorName, makeObjective, parseBounds, sensitivity } from "../../influence/index.ts";
import { Kept } from "../../occupancy/index.ts";
import { lossesOf } from "../evaluate-plan.ts";
import { runNow } from "../long-work.ts";
import { ActiveArray } from "./active-array.ts";
import { roomFor } from "./error-target.ts";
import { assignNoise, errorFor, exactWithin, noiseWeights } from "./exact-plan.ts";
import { OpenGrids } from "./open-grids.ts";
import { modelAt, PriceModel } from "./price-model.ts";
import { provenLoss } from "./prove.ts";
import { search, wholeCounts } from "./search.ts";
import { WholeLosses } from "./whole-losses.ts";

const BOUNDS = parseBounds("0,65");
const everywhere = () => true;
const NOBODY: ReadonlySet<number> = new Set();

/** Infinite where a grid does not meet its target. */
function largestOf(array: ActiveArray, model: PriceModel, owned: Float64Array): number {
  const losses = new WholeLosses(array, model);
  losses.divide(owned, new Float64Array(array.users));
  losses.measure(owned);
  return losses.largest;
}

describe("whole records from fractions", () => {
  const objective = makeObjective(BOUNDS, { statistics: "mean", estimator: "centred" });

  /** By user, then grid: a has one entry, b and c two. */
  const array = new ActiveArray(
    occupancyOf([
      [4, 4, 4],
      [0, 6, 6],
    ]),
    everywhere,
  );

  test("where rounding down leaves a grid nothing, fractions are rounded up", () => {
    // Half of the records may be left out of either grid and more: an error that one record leaves room for.
    const model = modelAt(objective, 31);
    const fractions = Float64Array.of(0.4, 0.7, 0.2, 0.3, 0.9);
    const { owned, largest } = runNow(wholeCounts(array, model, { owned: fractions, largest: 9 }, { rounds: 0 }));
    expect([...owned]).toEqual([1, 1, 1, 1, 1]);
    expect(largestOf(array, model, owned)).toBeCloseTo(largest, 9);
  });

  test("where nobody has even a hundred-thousandth, it is one record of whoever has the most", () => {
    const fractions = Float64Array.of(1e-7, 3e-7, 0, 2e-7, 8e-7);
    const model = modelAt(objective, 31);
    const { owned } = runNow(wholeCounts(array, model, { owned: fractions, largest: 9 }, { rounds: 0 }));
    expect([...new Uint32Array(owned)]).toEqual([0, 1, 0, 0, 1]);
  });

  test("where rounding up leaves too little, everything is kept", () => {
    const two = new ActiveArray(occupancyOf([[3, 3]]), everywhere);
    const model = modelAt(objective, 5);
    const { owned, largest } = runNow(
      wholeCounts(two, model, { owned: Float64Array.of(0.5, 1.5), largest: 9 }, { rounds: 0 }),
    );
    expect([...owned]).toEqual([3, 3]);
    expect(largest).toBeCloseTo((65 * 3) / 6 / 5, 9);
  });

  test("on any small array: whole counts of what there is, with the largest loss that is said", () => {
    fc.assert(
      fc.property(tinyCounts, fc.integer({ min: 20, max: 31 }), (counts, error) => {
        const tiny = new ActiveArray(occupancyOf(counts), everywhere);
        const model = modelAt(objective, error);
        const found = runNow(
          wholeCounts(tiny, model, { owned: tiny.everything().map((each) => each * 0.8), largest: 5 }, { rounds: 60 }),
        );
        for (const [at, owned] of found.owned.entries()) {
          expect(Number.isInteger(owned)).toBe(true);
          expect(owned).toBeGreaterThanOrEqual(0);
          expect(owned).toBeLessThanOrEqual(tiny.count[at]!);
        }
        expect(largestOf(tiny, model, found.owned)).toBeCloseTo(found.largest, 9);
      }),
    );
  });
});

describe("shared rooms", () => {
  /** Of the only user of a grid by the definition: (Σ √(weight·numbers·influence))² over what is left of the error. */
  const lossAlone = (
    statistics: string,
    { records, kept, error }: { records: number; kept: number; error: number },
  ) => {
    const objective = makeObjective(BOUNDS, { statistics, estimator: "centred" });
    const counts = { total: records, kept, largest: kept };
    let roots = 0;
    for (const statistic of objective.statistics)
      roots += Math.sqrt(statistic.coordinates * sensitivity(statistic, kept, counts).toNumberNearest());
    const target = { kind: "together", error: Rational.fromNumber(error) } as const;
    const room = roomFor(objective, target, counts)[0]!.toNumberNearest();
    return (roots * roots) / room;
  };

  test.each([
    ["mean,variance", { records: 6, kept: 6, error: 400 }],
    ["mean,variance", { records: 6, kept: 1, error: 1200 }],
    ["mean,histogram:20/40", { records: 5, kept: 5, error: 30 }],
    ["mean,share:50,histogram:10/20/30", { records: 8, kept: 8, error: 12 }],
    ["variance,mean,sum", { records: 4, kept: 1, error: 3000 }],
  ])("%s with %o", (statistics, request) => {
    const objective = makeObjective(BOUNDS, { statistics, estimator: "centred" });
    const occupancy = occupancyOf([[request.records]]);
    const array = new ActiveArray(occupancy, everywhere);
    const losses = new WholeLosses(array, modelAt(objective, request.error));
    const owned = Float64Array.of(request.kept);
    losses.divide(owned, Float64Array.of(1));
    expect(losses.measure(owned)).toBe(true);
    const alone = lossAlone(statistics, request);
    expect(losses.largest / alone).toBeCloseTo(1, 9);
    // So is the noise that the plan states.
    const error = Rational.fromNumber(request.error);
    const kept = array.keptOf(occupancy, owned);
    const weights = Float64Array.of(1);
    const noise = assignNoise(kept, objective, { kind: "together", error }, { weights, setAside: NOBODY })!;
    expect(lossesOf(kept, objective, noise).joint.largest().toNumberNearest() / alone).toBeCloseTo(1, 6);
  });
});

describe("the error that a loss buys", () => {
  const objective = makeObjective(BOUNDS, { estimator: "centred" });
  const occupancy = occupancyOf([
    [4, 4, 4, 2],
    [3, 3, 0, 1],
  ]);
  const array = new ActiveArray(occupancy, everywhere);
  const owned = array.everything();
  const { weights } = noiseWeights(array, modelAt(objective, 300), owned, {});
  const lossAt = (error: number): number => {
    const losses = new WholeLosses(array, modelAt(objective, error));
    losses.divide(owned, weights);
    return losses.measure(owned) ? losses.largest : Number.POSITIVE_INFINITY;
  };
  const limits = { loss: 6, floor: 0, near: 300, least: 1e-9, precision: 1e-11 };

  test.each([300, 1, 1e5])("is the smallest, wherever it is looked for first: near %d", (near) => {
    const error = errorFor(array, objective, { owned, weights }, { ...limits, near });
    expect(lossAt(error)).toBeLessThanOrEqual(6);
    expect(lossAt(error * (1 - 1e-9))).toBeGreaterThan(6);
  });

  test("is not below what empty grids have, nor below the least that is asked about", () => {
    const within = { owned, weights };
    const found = errorFor(array, objective, within, limits);
    expect(errorFor(array, objective, within, { ...limits, floor: 2 * found })).toBeCloseTo(2 * found, 6);
    const rich = { ...limits, loss: 1e30, least: 50 };
    expect(errorFor(array, objective, within, rich)).toBeLessThanOrEqual(50);
    expect(errorFor(array, objective, within, rich)).toBeGreaterThanOrEqual(25 / 2);
  });

  test("exactly: the error gives way until nobody loses more than was allowed", () => {
    const loss = parseDecimal("6");
    const kept = Kept.all(occupancy);
    const open = new OpenGrids(occupancy, objective, new Set());
    const smallest = errorFor(array, objective, { owned, weights }, limits);
    for (const tooSmallBy of [0, 1e-6, 0.01, 0.5, 0.9999]) {
      const { noise, target } = exactWithin(open, objective, loss, {
        kept,
        weights,
        error: smallest * (1 - tooSmallBy),
      });
      expect(lossesOf(kept, objective, noise).joint.largest().compare(loss)).toBeLessThanOrEqual(0);
      expect(target.error.toNumberNearest()).toBeGreaterThanOrEqual(smallest * (1 - 1e-6));
      // By no more than four times what was missing, and half of a step where almost nothing was.
      const missing = 1 / (1 - tooSmallBy) - 1;
      expect(target.error.toNumberNearest()).toBeLessThanOrEqual(
        smallest * (1 - tooSmallBy) * (1 + 4 * missing + 1e-9) * (1 + 1e-9),
      );
    }
  });
});

describe("noise for what is kept", () => {
  const occupancy = occupancyOf([
    [4, 4],
    [5, 5],
  ]);
  const weights = Float64Array.of(1, 1);
  /** What is kept of a in both grids, then of b; noise within an error of the mean. */
  const noiseFor = (counts: readonly number[], error: string, estimator: EstimatorName, setAside = NOBODY) => {
    const objective = makeObjective(BOUNDS, { statistics: "mean", estimator });
    const kept = new Kept(occupancy, Uint32Array.from(counts));
    return assignNoise(kept, objective, { kind: "together", error: parseDecimal(error) }, { weights, setAside });
  };

  test("is as large as what bias leaves of the error", () => {
    // Half of the first grid left out is a bias of 65/4 of 20; of the second nothing.
    const noise = noiseFor([2, 5, 2, 5], "20", "centred")!;
    expect(noise.map(({ scales }) => scales[0]!.toNumberNearest().toFixed(6))).toEqual(["3.750000", "20.000000"]);
    for (const { epsilon, epsilons } of noise) expect(epsilon.equals(epsilons[0]!)).toBe(true);
  });

  test("is none where bias alone is the error or more, in whichever grid", () => {
    expect(noiseFor([2, 5, 2, 5], "16.24", "centred")).toBeUndefined();
    expect(noiseFor([2, 5, 2, 5], "16.25", "centred")).toBeUndefined();
    expect(noiseFor([2, 5, 2, 5], "16.26", "centred")).toHaveLength(2);
    expect(noiseFor([4, 2, 4, 2], "19.49", "centred")).toBeUndefined();
    expect(noiseFor([4, 2, 4, 2], "19.49", "centred", new Set([1]))?.[1]?.epsilon.isZero()).toBe(true);
  });

  test("is not needed where nothing is kept: midpoints are published, unless the paper's estimator has none", () => {
    expect(noiseFor([0, 5, 0, 5], "40", "centred")![0]!.scales.map(String)).toEqual(["0"]);
    expect(noiseFor([0, 5, 0, 5], "32", "centred")).toBeUndefined();
    expect(noiseFor([0, 5, 0, 5], "100", "kept")).toBeUndefined();
  });
});

test("nothing to lose is proven by nobody", () => {
  const objective = makeObjective(BOUNDS, { statistics: "variance", estimator: "kept" });
  const array = new ActiveArray(
    occupancyOf([
      [1, 0],
      [0, 1],
    ]),
    everywhere,
  );
  const bound = runNow(provenLoss(array, modelAt(objective, 100), { owned: array.everything(), loss: 0 }, {}));
  expect({ ...bound, lowerBound: bound.lowerBound.toString() }).toEqual({ of: "loss", lowerBound: "0", weights: [] });
});

test("a sketch starts from what was found before where that is better, and only there", () => {
  const objective = makeObjective(BOUNDS, { statistics: "mean", estimator: "centred" });
  const array = new ActiveArray(
    occupancyOf([
      [60, 5, 5, 5, 5, 5, 5],
      [60, 3, 3, 3, 0, 0, 3],
    ]),
    everywhere,
  );
  const model = new PriceModel(objective, { kind: "together", error: Rational.of(30) });
  const refined = runNow(search(array, model, {}));
  const cold = runNow(search(array, model, { sketch: {} }));
  const warm = runNow(search(array, model, { sketch: {}, warm: refined.owned }));
  expect(refined.largest).toBeLessThan(cold.largest * 0.999);
  expect(warm.largest).toBeLessThanOrEqual(refined.largest * (1 + 1e-9));
  const poor = runNow(search(array, model, { sketch: {}, warm: array.everything() }));
  expect(poor.largest).toBeCloseTo(cold.largest, 12);
});
