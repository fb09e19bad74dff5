/** The smallest K with the real solver: against trying every choice on tiny arrays, and beside CLIP-USER on the paper's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../../test/support/exhaustive-smallest-k.ts";
import { tinyArrays } from "../../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { ErrorModel, type Metric, makeObjective, parseBounds } from "../../core/influence/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import {
  type ClipUserOptimalOptions,
  type ClipUserOptimalResult,
  clipUser,
  clipUserOptimal,
  type ImpossibleK,
  type LinearSolver,
  provesImpossible,
  runNow,
} from "../../core/planning/index.ts";
import { synthesise } from "../../evidence/simulation/index.ts";
import { loadLinearSolver } from "./linear-solver.ts";

const solver = await loadLinearSolver();

const modelOf = (statistics: string, metric: Metric, epsilon: string): ErrorModel =>
  new ErrorModel(makeObjective(parseBounds("0,65"), { statistics, metric }), parseDecimal(epsilon, "ε"));

/** Everything a result claims, from the definitions. */
function check(occupancy: Occupancy, model: ErrorModel, result: ClipUserOptimalResult): void {
  const { kept, errorBound, protectedGrid, certificate: proof } = result;
  const dropped = new Set(result.suppressed);
  expect([...dropped]).toEqual([...dropped].sort((left, right) => left - right));
  occupancy.byUser.count.forEach((count, entry) => {
    expect(kept.ofEntry[entry]).toBe(dropped.has(entry) ? 0 : count);
  });
  for (let grid = 0; grid < occupancy.grids.length; grid++) {
    expect(model.exactError(kept.countsOf(grid))!.compare(errorBound)).toBeLessThanOrEqual(0);
  }
  if (protectedGrid !== undefined) expect(kept.ofGrid[protectedGrid]).toBe(occupancy.samplesOfGrid[protectedGrid]);
  expect(kept.maxGridsPerUser()).toBe(result.degradation);
  expect(result.degradation).toBeLessThanOrEqual(result.clipUserDegradation);
  expect(result.lowerBound).toBeLessThanOrEqual(result.degradation);
  expect(result.optimal).toBe(result.lowerBound === result.degradation);
  if (proof === null) expect(result.lowerBoundBy).not.toBe("certificate");
  else {
    expect(proof.k).toBeLessThan(result.degradation);
    expect(result.lowerBoundBy === "certificate" ? proof.k + 1 : result.lowerBound).toBe(result.lowerBound);
    expect(provesImpossible(occupancy, model, { errorBound, protectedGrid, proof })).toBe(true);
  }
}

describe("the K of trying every choice", () => {
  test.each([
    ["mean,variance", "sum", 25],
    ["mean,variance", "relative", 25],
    ["variance", "sum", 25],
    ["mean", "sum", 25],
  ] as const)("%s by %s", (statistics, metric, numRuns) => {
    fc.assert(
      fc.property(
        tinyArrays,
        fc.constantFrom("0.5", "5", "100"),
        fc.constantFrom(100, 110, 200),
        fc.boolean(),
        (occupancy, epsilonText, percent, protectLowest) => {
          const model = modelOf(statistics, metric, epsilonText);
          const clipped = runNow(clipUser(occupancy, model, { protectLowest }));
          const errorBound = clipped.errorBound.multiply(Rational.of(percent, 100));
          const result = runNow(clipUserOptimal(occupancy, model, solver, { errorBound, protectLowest }));
          check(occupancy, model, result);
          const { protectedGrid } = result;
          const epsilon = parseDecimal(epsilonText, "ε");
          const smallest = exhaustiveSmallestK(occupancy, model.objective, { epsilon, errorBound, protectedGrid });
          expect(result.degradation).toBe(smallest);
          expect(result.optimal).toBe(true);
        },
      ),
      { numRuns },
    );
  });
});

describe("the paper's synthetic arrays", () => {
  const run = (
    occupancy: Occupancy,
    model: ErrorModel,
    options: ClipUserOptimalOptions = {},
    by: LinearSolver | undefined = solver,
  ): ClipUserOptimalResult => {
    const result = runNow(clipUserOptimal(occupancy, model, by, { protectLowest: true, ...options }));
    check(occupancy, model, result);
    return result;
  };

  test.each([
    [3, 10, 5, 3],
    [9, 4, 5, 2],
  ])("γ = %i, seed %i: CLIP-USER's %i becomes %i, proven", (gamma, seed, clipUsers, smallest) => {
    const occupancy = synthesise({ gamma, q: 0.01, seed });
    const model = modelOf("mean,variance", "sum", "1");
    const result = run(occupancy, model);
    expect(result).toMatchObject({ clipUserDegradation: clipUsers, degradation: smallest, timedOut: false });
    expect(result).toMatchObject({ optimal: true, lowerBoundBy: "certificate", certificate: { k: smallest - 1 } });
  });

  test("a certificate does not survive tampering", () => {
    const occupancy = synthesise({ gamma: 3, q: 0.01, seed: 10 });
    const model = modelOf("mean,variance", "sum", "1");
    const { errorBound, protectedGrid, certificate } = run(occupancy, model, { timeLimitSeconds: 0 });
    const { k, prices } = certificate!;
    const holds = (proof: ImpossibleK) => provesImpossible(occupancy, model, { errorBound, protectedGrid, proof });
    expect(holds({ k, prices })).toBe(true);
    expect(holds({ k: k + 1, prices })).toBe(false);
    expect(holds({ k, prices: prices.map((price, grid) => (grid === 1 ? price : 0n)) })).toBe(false);
    expect(holds({ k, prices: prices.map((price, grid) => (grid === 1 ? -price : price)) })).toBe(false);
    expect(holds({ k, prices: prices.slice(1) })).toBe(false);
    const wider = errorBound.multiply(Rational.of(2));
    expect(provesImpossible(occupancy, model, { errorBound: wider, protectedGrid, proof: certificate! })).toBe(false);
  });

  const small = synthesise({ gamma: 3, q: 0.05, seed: 5, grids: 6 });

  test.each([
    ["mean", "sum", "1"],
    ["mean,variance", "relative", "1"],
    ["variance", "sum", "0.3"],
  ] as const)("%s by %s, ε = %s", (statistics, metric, epsilon) => {
    expect(run(small, modelOf(statistics, metric, epsilon)).optimal).toBe(true);
  });

  test("the same again", () => {
    const model = modelOf("mean,variance", "sum", "1");
    expect(run(small, model)).toEqual(run(small, model));
  });

  test("out of time: what prices found, and that time was short", () => {
    const model = modelOf("mean,variance", "sum", "1");
    const result = run(small, model, { timeLimitSeconds: 0 });
    expect(result.timedOut).toBe(true);
    const { timedOut: _, ...rest } = runNow(clipUserOptimal(small, model, undefined, { protectLowest: true }));
    expect(result).toMatchObject(rest);
  });

  test("a solver that says nonsense is not believed", () => {
    const model = modelOf("mean,variance", "sum", "1");
    const liar: LinearSolver = {
      name: "liar",
      solve: ({ cost, rowLower }) => ({
        status: "solved",
        values: new Float64Array(cost.length).fill(1),
        rowDuals: new Float64Array(rowLower.length).fill(-1e-3),
        seconds: 0,
      }),
    };
    expect(run(small, model, {}, liar)).toEqual(
      runNow(clipUserOptimal(small, model, undefined, { protectLowest: true })),
    );
  });

  test("a bound below the worst error is refused, as for CLIP-USER", () => {
    expect(() => run(small, modelOf("mean", "sum", "1"), { errorBound: Rational.ZERO })).toThrow(
      expect.objectContaining({ code: "ERROR_BOUND_TOO_LOW" }),
    );
  });
});
