/** Price proofs: none for what is possible, whatever the prices, and all that the theorem has; real ones hold, and not after tampering. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../../../test/support/exhaustive-smallest-k.ts";
import { matrixOf } from "../../../../test/support/reference-clip-user.ts";
import { tinyArrays } from "../../../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../occupancy/index.ts";
import { clipUser } from "../clip-user/clip-user.ts";
import { runNow } from "../long-work.ts";
import { type ImpossibleKClaim, provesImpossible } from "./impossible-k.ts";

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

test("prices below 0 prove nothing, also where what they would prove is true: the theorem does not speak of them", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean", metric: "sum" });
  const prices = fc.array(fc.constantFrom(-1n, 0n, 5n, 9n), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(tinyArrays, prices, (occupancy, four) => {
      const model = new ErrorModel(objective, parseDecimal("100", "ε"));
      const { errorBound } = runNow(clipUser(occupancy, model, {}));
      const proof = { k: 1, prices: four.slice(0, occupancy.grids.length) };
      fc.pre(proof.prices.some((price) => price < 0n));
      expect(provesImpossible(occupancy, model, { errorBound, protectedGrid: undefined, proof })).toBe(false);
    }),
    { numRuns: 200 },
  );
});

/** No fewer records than this can be kept if the largest kept count is `largest`, as far as the theorem's remark knows: tried one by one. */
function fewestKept(model: ErrorModel, total: number, largest: number, bound: Rational): number | undefined {
  const square = BigInt(largest) ** 2n;
  for (let kept = largest; kept <= total; kept++) {
    const isExact = kept >= 2 * largest || largest === 1;
    const compared = isExact ? kept : kept + (kept % 2);
    // An odd total has no even number above it to compare with.
    if (compared > total) return kept;
    const error = model.exactError({ total, kept: compared, largest })!;
    if ((isExact ? error : error.multiply(Rational.of(square - 1n, square))).compare(bound) <= 0) return kept;
  }
  return undefined;
}

/** Theorem 11, written out. */
function isProven(
  occupancy: Occupancy,
  model: ErrorModel,
  { errorBound, protectedGrid, proof }: ImpossibleKClaim,
): boolean {
  const records = matrixOf(occupancy);
  const cost = (grid: number, user: number): bigint => proof.prices[grid]! * BigInt(records[grid]![user]!);
  const open = records.map((_, grid) => grid).filter((grid) => grid !== protectedGrid);
  const cheapest = records[0]!.map((_, user) => {
    const costs = open.filter((grid) => records[grid]![user]! > 0).map((grid) => cost(grid, user));
    costs.sort((left, right) => Number(left - right));
    return costs.slice(0, Math.max(0, records.filter((row) => row[user]! > 0).length - proof.k));
  });
  const room = open.map((grid) => {
    const row = records[grid]!;
    const total = row.reduce((sum, count) => sum + count, 0);
    return row
      .filter((largest) => largest > 0)
      .reduce((best, largest) => {
        const kept = fewestKept(model, total, largest, errorBound);
        const forced = row.reduce((sum, count) => sum + (count > largest ? count : 0), 0);
        if (kept === undefined || total - kept < forced) return best;
        const wasted = row.map((count, user) => {
          const over = cost(grid, user) - (cheapest[user]!.at(-1) ?? 0n);
          return count > largest && over > 0n ? over : 0n;
        });
        const left = proof.prices[grid]! * BigInt(total - kept) - sumOf(wasted);
        return left > best ? left : best;
      }, 0n);
  });
  return sumOf(cheapest.flat()) > sumOf(room);
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

describe("neither more nor less is proven than the theorem says", () => {
  /** Few grids, of which some have a user that owns most. */
  const heavier = fc
    .array(fc.array(fc.oneof(fc.nat(3), fc.nat(9), fc.constantFrom(0, 12, 25)), { minLength: 5, maxLength: 5 }), {
      minLength: 2,
      maxLength: 3,
    })
    .filter((rows) => rows.every((row) => row.some((count) => count > 0)))
    .map((rows) =>
      occupancyFromTriples(
        rows.flatMap((row, grid) =>
          row.flatMap((count, user) => (count > 0 ? [[`u${user}`, `g${grid}`, count] as const] : [])),
        ),
      ),
    );

  test.each([
    ["mean,variance", "sum"],
    ["variance", "sum"],
    ["mean", "relative"],
  ] as const)("%s by %s", (statistics, metric) => {
    const objective = makeObjective(parseBounds("0,65"), { statistics, metric });
    let proven = 0;
    let unproven = 0;
    fc.assert(
      fc.property(
        fc.oneof(tinyArrays, heavier),
        fc.record({
          epsilon: fc.constantFrom("0.05", "0.5", "5", "100").map((text) => parseDecimal(text, "ε")),
          percent: fc.constantFrom(50, 100, 101, 110, 150, 200, 400),
          protectLowest: fc.boolean(),
          prices: fc.array(fc.bigInt({ min: 0n, max: 40n }), { minLength: 4, maxLength: 4 }),
        }),
        (occupancy, { epsilon, percent, protectLowest, prices: four }) => {
          const model = new ErrorModel(objective, epsilon);
          const { errorBound: initial, protectedGrid } = runNow(clipUser(occupancy, model, { protectLowest }));
          const errorBound = initial.multiply(Rational.of(percent, 100));
          for (const prices of [four.slice(0, occupancy.grids.length), even(occupancy.grids.length)]) {
            for (let k = 1; k < 4; k++) {
              const claim = { errorBound, protectedGrid, proof: { k, prices } };
              const expected = isProven(occupancy, model, claim);
              expect(provesImpossible(occupancy, model, claim)).toBe(expected);
              if (expected) proven += 1;
              else if (k < occupancy.maxGridsPerUser()) unproven += 1;
            }
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(proven).toBeGreaterThan(20);
    expect(unproven).toBeGreaterThan(20);
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
