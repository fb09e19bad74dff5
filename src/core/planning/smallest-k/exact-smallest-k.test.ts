/** The smallest K with a solver that tries everything: the program says what the definition says, and the search believes nothing unchecked. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../../../test/support/exhaustive-smallest-k.ts";
import { exhaustiveSolver } from "../../../../test/support/exhaustive-solver.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { clipUser } from "../clip-user/clip-user.ts";
import { type LongWork, runNow } from "../long-work.ts";
import type { LinearOutcome, LinearSolver, SolveOptions } from "./linear-solver.ts";
import { type ClipUserOptimalResult, clipUserOptimal } from "./smallest-k.ts";

const counts = fc.oneof(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 9 }));
/** Two to four users in all of two or three grids. */
const full = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 3 }))
  .chain(([users, grids]) =>
    fc.array(fc.array(counts, { minLength: grids, maxLength: grids }), { minLength: users, maxLength: users }),
  )
  .map((rows) =>
    occupancyFromTriples(
      rows.flatMap((row, user) => row.map((count, grid) => [`u${user}`, `g${grid}`, count] as const)),
    ),
  );

describe("the K of trying every choice, proven", () => {
  test.each([
    ["mean,variance", "sum"],
    ["variance", "sum"],
    ["mean", "relative"],
  ] as const)("%s by %s", (statistics, metric) => {
    const objective = makeObjective(parseBounds("0,65"), { statistics, metric });
    fc.assert(
      fc.property(
        full,
        fc.constantFrom("0.05", "5", "100"),
        fc.constantFrom(100, 110, 200),
        fc.boolean(),
        (occupancy, epsilonText, percent, protectLowest) => {
          const epsilon = parseDecimal(epsilonText, "ε");
          const model = new ErrorModel(objective, epsilon);
          const clipped = runNow(clipUser(occupancy, model, { protectLowest }));
          const errorBound = clipped.errorBound.multiply(Rational.of(percent, 100));
          const result = runNow(clipUserOptimal(occupancy, model, exhaustiveSolver, { errorBound, protectLowest }));
          const { protectedGrid, kept } = result;
          const smallest = exhaustiveSmallestK(occupancy, objective, { epsilon, errorBound, protectedGrid });
          expect(result).toMatchObject({ degradation: smallest, lowerBound: smallest, optimal: true });
          expect(kept.maxGridsPerUser()).toBe(smallest);
          for (let grid = 0; grid < occupancy.grids.length; grid++)
            expect(model.exactError(kept.countsOf(grid))!.compare(errorBound)).toBeLessThanOrEqual(0);
          if (protectedGrid !== undefined)
            expect(kept.ofGrid[protectedGrid]).toBe(occupancy.samplesOfGrid[protectedGrid]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("solvers are asked and believed only so far", () => {
  // Three users with one record in each of three grids: the error of keeping all is the noise, 1/3.
  const three = occupancyFromTriples(
    ["u0", "u1", "u2"].flatMap((user) => ["a", "b", "c"].map((grid) => [user, grid, 1] as const)),
  );
  const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);
  // Bias 1/3 and noise 1/2 with one user gone, 2/3 and 1 with two: at 0.84 every grid can lose one, so K is 2.
  const two = parseDecimal("0.84", "E");

  const nothing: LinearOutcome = { status: "stopped", values: undefined, rowDuals: undefined, seconds: 0 };
  function asked(answer: (options: SolveOptions) => LinearOutcome): { solver: LinearSolver; options: SolveOptions[] } {
    const options: SolveOptions[] = [];
    const solve: LinearSolver["solve"] = (_program, given) => {
      options.push(given);
      return answer(given);
    };
    return { solver: { name: "asked", solve }, options };
  }
  const run = (solver: LinearSolver | undefined, timeLimitSeconds?: number): ClipUserOptimalResult =>
    runNow(clipUserOptimal(three, model, solver, { errorBound: two, timeLimitSeconds }));

  test("a solver that stops has timed out, and the result is that without it", () => {
    const { solver, options } = asked(() => nothing);
    const alone = run(undefined);
    expect(alone.timedOut).toBe(false);
    expect(run(solver)).toMatchObject({ degradation: alone.degradation, suppressed: alone.suppressed, timedOut: true });
    expect(options.length).toBeGreaterThan(0);
    expect(options[0]!.timeLimitSeconds).toBe(60);
  });

  test("without time nobody is asked", () => {
    const { solver, options } = asked(() => nothing);
    expect(run(solver, 0)).toMatchObject({ timedOut: true });
    expect(options).toEqual([]);
  });

  test("what was used up is not given again", () => {
    const { solver, options } = asked(() => ({ ...nothing, status: "solved", seconds: 3 }));
    const result = runNow(clipUserOptimal(three, model, solver, { errorBound: two, timeLimitSeconds: 3 }));
    expect(options).toHaveLength(1);
    expect(options[0]!.timeLimitSeconds).toBe(3);
    expect(result.degradation).toBe(run(undefined).degradation);
  });

  test("a plan that drops everyone from everywhere is not taken", () => {
    const { solver } = asked(({ relaxed }) =>
      relaxed ? nothing : { ...nothing, status: "solved", values: new Float64Array(100).fill(1) },
    );
    const { kept } = run(solver);
    for (let grid = 0; grid < 3; grid++) expect(model.exactError(kept.countsOf(grid))!.compare(two)).not.toBe(1);
  });

  test("fewer drops for the same K come at last, and every step is told", () => {
    const steps = new Set<string>();
    const work: LongWork<ClipUserOptimalResult> = clipUserOptimal(three, model, exhaustiveSolver, { errorBound: two });
    for (let next = work.next(); ; next = work.next()) {
      if (next.done) {
        expect(next.value).toMatchObject({ degradation: 2, lowerBound: 2, optimal: true });
        expect(next.value.suppressed).toHaveLength(3);
        break;
      }
      steps.add(next.value.step);
    }
    expect([...steps].at(-1)).toBe("looking for fewer drops with K = 2");
  });
});
