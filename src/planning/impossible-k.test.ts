/** Price proofs: none for what is possible, whatever the prices; real ones hold, and not after tampering. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../test/support/exhaustive-smallest-k.ts";
import { tinyArrays } from "../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../influence/index.ts";
import { occupancyFromTriples } from "../occupancy/index.ts";
import { clipUser } from "./clip-user.ts";
import { provesImpossible } from "./impossible-k.ts";
import { runNow } from "./long-work.ts";

describe("no prices prove the impossibility of what is possible", () => {
  test.each([
    ["mean,variance", "sum"],
    ["mean,variance", "relative"],
    ["variance", "sum"],
    ["mean", "sum"],
  ] as const)("%s by %s", (statistics, metric) => {
    const objective = makeObjective(parseBounds("0,65"), { statistics, metric });
    let proven = 0;
    fc.assert(
      fc.property(
        tinyArrays,
        fc.record({
          epsilon: fc.constantFrom("0.5", "5", "100").map((text) => parseDecimal(text, "ε")),
          percent: fc.constantFrom(100, 110, 200),
          protectLowest: fc.boolean(),
          prices: fc.array(fc.constantFrom(0n, 1n, 2n, 3n, 7n), { minLength: 4, maxLength: 4 }),
        }),
        (occupancy, { epsilon, percent, protectLowest, prices: four }) => {
          const model = new ErrorModel(objective, epsilon);
          const initial = runNow(clipUser(occupancy, model, { protectLowest }));
          const errorBound = initial.errorBound.multiply(Rational.of(percent, 100));
          const { protectedGrid } = initial;
          const smallest = exhaustiveSmallestK(occupancy, objective, { epsilon, errorBound, protectedGrid });
          for (const prices of [four.slice(0, occupancy.grids.length), even(occupancy.grids.length)]) {
            for (let k = 1; k < 5; k++) {
              const claim = { errorBound, protectedGrid, proof: { k, prices } };
              if (!provesImpossible(occupancy, model, claim)) continue;
              expect(k).toBeLessThan(smallest);
              proven += 1;
            }
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(proven).toBeGreaterThan(20);
  });
});

const even = (grids: number): bigint[] => new Array<bigint>(grids).fill(1n);

test("a proof holds for its array, bound and k, and not after tampering", () => {
  // Ten users with one record in each of three grids: at the initial bound nobody can leave.
  const users = Array.from({ length: 10 }, (_, user) => `u${user}`);
  const occupancy = occupancyFromTriples(
    users.flatMap((user) => ["a", "b", "c"].map((grid): [string, string, number] => [user, grid, 1])),
  );
  const objective = makeObjective(parseBounds("0,1"), { statistics: "mean" });
  const model = new ErrorModel(objective, parseDecimal("1", "ε"));
  // Error 0.1 with all, 0.1 + 1/9 with one dropped, 0.2 + 1/8 with two: at 0.3 each grid can lose one user.
  const errorBound = parseDecimal("0.3", "E");
  const holds = (k: number, prices: readonly bigint[], bound = errorBound, protectedGrid?: number): boolean =>
    provesImpossible(occupancy, model, { errorBound: bound, protectedGrid, proof: { k, prices } });
  expect(holds(2, [1n, 1n, 1n])).toBe(true);
  expect(holds(1, [1n, 1n, 1n])).toBe(true);
  expect(holds(2, [10n ** 30n, 10n ** 30n, 10n ** 30n])).toBe(true);
  expect(holds(3, [1n, 1n, 1n])).toBe(false);
  expect(holds(2, [1n, 1n, 0n])).toBe(false);
  expect(holds(2, [1n, 1n])).toBe(false);
  expect(holds(2, [1n, 1n, 1n, 1n])).toBe(false);
  expect(holds(2, [2n, 2n, -1n])).toBe(false);
  expect(holds(0, [1n, 1n, 1n])).toBe(false);
  expect(holds(1.5, [1n, 1n, 1n])).toBe(false);
  expect(holds(2, [1n, 1n, 1n], parseDecimal("1.5", "E"))).toBe(false);
  // Where nobody may leave c, two grids take one user each, and nine dear ones in c say nothing.
  expect(holds(2, [1n, 1n, 0n], errorBound, 2)).toBe(true);
});
