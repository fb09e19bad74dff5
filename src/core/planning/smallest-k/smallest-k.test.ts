/** The smallest K without a solver: prices alone bound it from both sides on tiny arrays, and find and prove it on the paper's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../../../test/support/exhaustive-smallest-k.ts";
import { tinyArrays } from "../../../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { clipUser } from "../clip-user/clip-user.ts";
import { runCooperatively, runNow } from "../long-work.ts";
import { provesImpossible } from "./impossible-k.ts";
import { clipUserOptimal } from "./smallest-k.ts";

const paper = makeObjective(parseBounds("0,65"));

test("between the lower bound and K lies the K of trying every choice", () => {
  let optimal = 0;
  fc.assert(
    fc.property(
      tinyArrays,
      fc.constantFrom("0.5", "5", "100"),
      fc.constantFrom(100, 110, 200),
      fc.boolean(),
      (occupancy, epsilonText, percent, protectLowest) => {
        const epsilon = parseDecimal(epsilonText, "ε");
        const model = new ErrorModel(paper, epsilon);
        const clipped = runNow(clipUser(occupancy, model, { protectLowest }));
        const errorBound = clipped.errorBound.multiply(Rational.of(percent, 100));
        const result = runNow(clipUserOptimal(occupancy, model, undefined, { errorBound, protectLowest }));
        const { protectedGrid } = result;
        const smallest = exhaustiveSmallestK(occupancy, paper, { epsilon, errorBound, protectedGrid });
        expect(result.lowerBound).toBeLessThanOrEqual(smallest);
        expect(result.degradation).toBeGreaterThanOrEqual(smallest);
        expect(result.degradation).toBeLessThanOrEqual(result.clipUserDegradation);
        expect(result.timedOut).toBe(false);
        if (result.optimal) optimal += 1;
      },
    ),
    { numRuns: 100 },
  );
  expect(optimal).toBeGreaterThan(50);
});

describe("what it does with a plan in hand", () => {
  // Ten users with one record in each of three grids, of which each can lose one or two users.
  const users = Array.from({ length: 10 }, (_, user) => `u${user}`);
  const occupancy = occupancyFromTriples(
    users.flatMap((user) => ["a", "b", "c"].map((grid): [string, string, number] => [user, grid, 1])),
  );
  const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), parseDecimal("1", "ε"));

  test("drops that do not lower K are taken back", () => {
    const errorBound = parseDecimal("0.3", "E");
    expect(runNow(clipUser(occupancy, model, { errorBound })).suppressed.length).toBeGreaterThan(0);
    const result = runNow(clipUserOptimal(occupancy, model, undefined, { errorBound }));
    expect(result).toMatchObject({ degradation: 3, lowerBound: 3, lowerBoundBy: "certificate", optimal: true });
    expect(result.suppressed).toHaveLength(0);
    const proof = result.certificate!;
    expect(provesImpossible(occupancy, model, { errorBound, protectedGrid: undefined, proof })).toBe(true);
  });

  test("K = 1 needs no certificate", () => {
    const result = runNow(clipUserOptimal(occupancy, model, undefined, { errorBound: parseDecimal("5", "E") }));
    expect(result).toMatchObject({ degradation: 1, lowerBound: 1, lowerBoundBy: "nature", certificate: null });
    expect(result.suppressed).toHaveLength(20);
  });

  test("it can be cancelled", async () => {
    const controller = new AbortController();
    const work = runCooperatively(clipUserOptimal(occupancy, model, undefined, { protectLowest: true }), {
      signal: controller.signal,
      onProgress: ({ step }) => {
        if (step.startsWith("pricing")) controller.abort();
      },
    });
    await expect(work).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
