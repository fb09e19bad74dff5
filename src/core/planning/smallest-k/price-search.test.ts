/** Prices for drops: what they are said to prove against Theorem 11 written out, and the plans they lead to against what grids can lose. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveSmallestK } from "../../../../test/support/exhaustive-smallest-k.ts";
import { matrixOf } from "../../../../test/support/reference-clip-user.ts";
import { tinyArrays } from "../../../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { Kept, type Occupancy, occupancyFromTriples } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { type DropProblem, makeDropProblem } from "./drop-problem.ts";
import { PriceSearch } from "./price-search.ts";

const paper = makeObjective(parseBounds("0,65"));

interface Case {
  readonly problem: DropProblem;
  readonly epsilon: Rational;
}

function problemOf(occupancy: Occupancy, epsilonText: string, percent: number, isProtected: boolean): Case {
  const epsilon = parseDecimal(epsilonText, "ε");
  const model = new ErrorModel(paper, epsilon);
  const all = Kept.all(occupancy);
  const errors = Array.from({ length: occupancy.grids.length }, (_, grid) => model.exactError(all.countsOf(grid))!);
  const worst = errors.reduce((most, next) => (next.compare(most) > 0 ? next : most));
  const errorBound = worst.multiply(Rational.of(percent, 100));
  const protectedGrid = isProtected ? occupancy.grids.length - 1 : undefined;
  return { problem: runNow(makeDropProblem(occupancy, model, { errorBound, protectedGrid })), epsilon };
}

const cases = fc
  .tuple(tinyArrays, fc.constantFrom("0.5", "5", "100"), fc.constantFrom(100, 110, 200, 400), fc.boolean())
  .map((given) => problemOf(...given));

/** Σ c over users and Σ R over grids. */
function owedAndRoom({ occupancy, allowances, protectedGrid }: DropProblem, k: number, prices: ArrayLike<number>) {
  const records = matrixOf(occupancy);
  const open = records.map((_, grid) => grid).filter((grid) => grid !== protectedGrid);
  const cheapest = Array.from({ length: occupancy.users.length }, (_, user) =>
    open
      .filter((grid) => records[grid]![user]! > 0)
      .map((grid) => prices[grid]! * records[grid]![user]!)
      .sort((left, right) => left - right)
      .slice(0, Math.max(0, occupancy.gridsOfUser(user) - k)),
  );
  const room = (grid: number): number =>
    Math.max(
      ...allowances[grid]!.map(({ largest, most }) => {
        const wasted = records[grid]!.map((count, user) =>
          count > largest ? Math.max(0, prices[grid]! * count - (cheapest[user]!.at(-1) ?? 0)) : 0,
        );
        return prices[grid]! * most - total(wasted);
      }),
    );
  return { owed: total(cheapest.flat()), room: total(open.map(room)) };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

test("the best ratio is that of the best prices, by the theorem, and never falls", () => {
  let improved = 0;
  fc.assert(
    fc.property(cases, ({ problem }) => {
      for (let k = 1; k < problem.occupancy.maxGridsPerUser(); k++) {
        const search = new PriceSearch(problem, k);
        // At first every grid's allowance is worth the same.
        const worth = problem.allowances.map((ofGrid) => Math.max(1, ...ofGrid.map(({ most }) => most)));
        expect([...search.bestPrices]).toEqual(worth.map((most) => 1 / most));
        for (let round = 0; round < 12; round++) {
          const before = search.bestRatio;
          search.improve();
          if (round > 0 && search.bestRatio > before) improved += 1;
          expect(search.bestRatio).toBeGreaterThanOrEqual(before);
          const { owed, room } = owedAndRoom(problem, k, search.bestPrices);
          if (room === 0) expect(search.bestRatio).toBe(owed > 0 ? Number.POSITIVE_INFINITY : 0);
          else expect(search.bestRatio / (owed / room)).toBeCloseTo(1, 9);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(improved).toBeGreaterThan(50);
});

test("a ratio above 1 is right: no choice of drops has so small a K", () => {
  let above = 0;
  fc.assert(
    fc.property(cases, ({ problem, epsilon }) => {
      const { occupancy, limit, protectedGrid } = problem;
      const smallest = exhaustiveSmallestK(occupancy, paper, { epsilon, errorBound: limit.bound, protectedGrid });
      for (let k = 1; k < occupancy.maxGridsPerUser(); k++) {
        const search = new PriceSearch(problem, k);
        for (let round = 0; round < 40; round++) search.improve();
        if (search.bestRatio < 1 + 1e-9) continue;
        above += 1;
        expect(k).toBeLessThan(smallest);
      }
    }),
    { numRuns: 60 },
  );
  expect(above).toBeGreaterThan(5);
});

test("a plan comes down to k grids, within what every grid can lose, and takes nothing from the protected one", () => {
  let found = 0;
  fc.assert(
    fc.property(cases, ({ problem }) => {
      const { occupancy, limit, protectedGrid } = problem;
      for (let k = 1; k < occupancy.maxGridsPerUser(); k++) {
        const search = new PriceSearch(problem, k);
        for (let round = 0; round < 4; round++) {
          search.improve();
          const plan = search.plan();
          if (plan === undefined) continue;
          found += 1;
          const kept = new Kept(occupancy, plan);
          expect(kept.maxGridsPerUser()).toBeLessThanOrEqual(k);
          plan.forEach((count, entry) => void expect([0, occupancy.byUser.count[entry]]).toContain(count));
          for (let grid = 0; grid < occupancy.grids.length; grid++) {
            const counts = kept.countsOf(grid);
            expect(limit.allows(counts.total, counts.kept, counts.largest)).toBe(true);
            if (grid === protectedGrid) expect(counts.kept).toBe(counts.total);
          }
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(20);
});

describe("ten users with one record in each of three grids", () => {
  const users = Array.from({ length: 10 }, (_, user) => `u${user}`);
  const occupancy = occupancyFromTriples(
    users.flatMap((user) => ["a", "b", "c"].map((grid): [string, string, number] => [user, grid, 1])),
  );
  const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);
  /** Error j/10 + 1/(10 − j) with j users gone. */
  const searchAt = (errorBound: string, k: number, protectedGrid?: number): PriceSearch => {
    const options = { errorBound: parseDecimal(errorBound, "E"), protectedGrid };
    const search = new PriceSearch(runNow(makeDropProblem(occupancy, model, options)), k);
    search.improve();
    return search;
  };

  test("each can lose one: ten drops are owed, or twenty, and there is room for three", () => {
    expect(searchAt("0.3", 2).bestRatio).toBeCloseTo(10 / 3, 12);
    expect(searchAt("0.3", 1).bestRatio).toBeCloseTo(20 / 3, 12);
    expect(searchAt("0.3", 2).plan()).toBeUndefined();
  });

  test("nobody is owed anything where all may stay", () => {
    expect(searchAt("0.3", 3).bestRatio).toBe(0);
    expect(searchAt("0.3", 3).plan()).toEqual(occupancy.byUser.count);
  });

  test("without any room a debt is beyond all measure", () => {
    expect(searchAt("0.1", 2).bestRatio).toBe(Number.POSITIVE_INFINITY);
  });

  test("a protected grid has no room, and nobody leaves it", () => {
    expect(searchAt("0.3", 2, 2).bestRatio).toBeCloseTo(10 / 2, 12);
    const plan = searchAt("0.75", 2, 2).plan()!;
    expect(new Kept(occupancy, plan).ofGrid[2]).toBe(10);
    expect(new Kept(occupancy, plan).maxGridsPerUser()).toBe(2);
  });

  test("just room enough: four may leave each grid, so ten can leave one each", () => {
    // 4/10 + 1/6.
    const plan = searchAt("0.57", 2).plan()!;
    expect([...new Kept(occupancy, plan).ofGrid].sort()).toEqual([6, 6, 8]);
  });
});
