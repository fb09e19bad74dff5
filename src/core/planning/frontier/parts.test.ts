/** The frontier's parts, each against its plain meaning: the array it works on, a grid's free records, what grids need alone, which are open. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exhaustiveLeastLoss } from "../../../../test/support/exhaustive-least-loss.ts";
import { objectives, occupancyOf, tinyCounts } from "../../../../test/support/frontier-cases.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import type { VeilgridError } from "../../errors/index.ts";
import { makeObjective, parseBounds } from "../../influence/index.ts";
import { Kept, occupancyFromTriples } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { makePlan } from "../make-plan.ts";
import type { FrontierGoal } from "../strategies.ts";
import { ActiveArray } from "./active-array.ts";
import { freeError, parseErrorTarget } from "./error-target.ts";
import { WeightedGrid } from "./lower-bound.ts";
import { lossesAlone, OpenGrids, WORTH_HAVING } from "./open-grids.ts";
import { Loads, PriceModel } from "./price-model.ts";

describe("the array of active grids", () => {
  test("has their entries and no others, both ways round, and leads back to the occupancy's", () => {
    fc.assert(
      fc.property(tinyCounts, fc.nat(7), (counts, mask) => {
        const occupancy = occupancyOf(counts);
        const { byUser } = occupancy;
        const isActive = (grid: number): boolean => ((mask >> grid) & 1) === 1;
        const array = new ActiveArray(occupancy, isActive);
        const wanted = Array.from(byUser.grid.keys()).filter((entry) => isActive(byUser.grid[entry]!));
        expect(array.positions).toBe(wanted.length);
        expect([array.users, array.grids]).toEqual([occupancy.users.length, occupancy.grids.length]);
        expect([...array.grid]).toEqual(wanted.map((entry) => byUser.grid[entry]));
        expect([...array.everything()]).toEqual(wanted.map((entry) => byUser.count[entry]));
        const userOf = wanted.map((entry) => occupancy.userOfEntry(entry));
        for (let user = 0; user < array.users; user++)
          for (let at = array.start[user]!; at < array.start[user + 1]!; at++) expect(userOf[at]).toBe(user);
        expect(array.start.at(-1)).toBe(wanted.length);
        for (let grid = 0; grid < array.grids; grid++) {
          expect(array.isActive(grid)).toBe(isActive(grid));
          const positions = array.positionInGrid.subarray(array.gridStart[grid], array.gridStart[grid + 1]);
          expect([...positions]).toEqual([...array.grid.keys()].filter((at) => array.grid[at] === grid));
          const users = array.userInGrid.subarray(array.gridStart[grid], array.gridStart[grid + 1]);
          expect([...users]).toEqual(Array.from(positions, (at) => userOf[at]));
        }
        const fewer = array.everything().map((count) => Math.ceil(count / 2));
        const kept = array.keptOf(occupancy, fewer);
        expect(array.ownedOf(kept)).toEqual(fewer);
        for (const [entry, records] of kept.ofEntry.entries())
          expect(records).toBe(isActive(byUser.grid[entry]!) ? Math.ceil(byUser.count[entry]! / 2) : 0);
        expect([...array.ownedOf(Kept.all(occupancy))]).toEqual([...array.everything()]);
      }),
    );
  });

  test("as many steps as the work allows, within limits, also where there is nothing to do", () => {
    const occupancy = occupancyOf([
      [1, 2, 3, 4],
      [1, 0, 0, 1],
    ]);
    const array = new ActiveArray(occupancy, () => true);
    expect(array.scaledSteps(100, 3, 599)).toBe(99);
    expect(array.scaledSteps(100, 3, 6000)).toBe(100);
    expect(array.scaledSteps(100, 3, 17)).toBe(3);
    expect(new ActiveArray(occupancy, () => false).scaledSteps(100, 3, 50)).toBe(50);
  });
});

test("a grid of the bound: who carries weight, cheapest first whatever the order before; others' records at most so many of each", () => {
  fc.assert(
    fc.property(
      tinyCounts,
      fc.nat(15),
      fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 }), {
        minLength: 1,
        maxLength: 3,
      }),
      (counts, mask, rounds) => {
        const occupancy = occupancyOf(counts);
        const array = new ActiveArray(occupancy, () => true);
        const carries = (user: number): boolean => ((mask >> user) & 1) === 1;
        for (let g = 0; g < array.grids; g++) {
          const grid = new WeightedGrid(array, g, carries);
          const owned = new Map<number, number>();
          for (let user = 0; user < array.users; user++) {
            const entry = occupancy.entryOf(user, g);
            if (entry >= 0) owned.set(user, occupancy.byUser.count[entry]!);
          }
          expect(grid.total).toBe(occupancy.samplesOfGrid[g]);
          expect(grid.largestCount).toBe(Math.max(...owned.values()));
          for (const weights of rounds) {
            grid.weigh(Float64Array.from(weights));
            expect([...grid.user].sort()).toEqual([...owned.keys()].filter(carries).sort());
            expect([...grid.weight]).toEqual([...grid.weight].sort((left, right) => left - right));
            for (const [at, user] of grid.user.entries())
              expect([grid.count[at], grid.weight[at]]).toEqual([owned.get(user), weights[user]]);
          }
          for (const cap of [0, 0.5, 1, 2, 3.7, 5, 100, Number.POSITIVE_INFINITY]) {
            let free = 0;
            for (const [user, count] of owned) if (!carries(user)) free += Math.min(count, cap);
            expect(grid.freeRecords(cap)).toBeCloseTo(free, 12);
          }
        }
      },
    ),
  );
});

test("what a grid needs alone is near the least of all plans for it, and never below", () => {
  const ratios: number[] = [];
  fc.assert(
    fc.property(tinyCounts, objectives, (counts, objective) => {
      const occupancy = occupancyOf(counts);
      const alone = lossesAlone(occupancy, objective);
      expect(alone).toHaveLength(occupancy.grids.length);
      for (const [grid, loss] of alone.entries()) {
        const one = occupancyOf([counts.filter((row) => row.some((each) => each > 0))[grid]!]);
        const error = freeError(objective, one.samples).multiply(Rational.fromNumber(WORTH_HAVING));
        if (error.isZero()) {
          expect(loss).toBe(0);
          continue;
        }
        const best = exhaustiveLeastLoss(one, objective, { kind: "together", error });
        expect(loss).toBeGreaterThanOrEqual(best.atLeast * (1 - 1e-6));
        if (best.atMost > 0) ratios.push(loss / best.atMost);
      }
    }),
    { numRuns: 60 },
  );
  // A cap at the users' counts is the best or nearly so.
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  expect(mean).toBeLessThan(1.1);
});

describe("open grids", () => {
  const occupancy = occupancyOf([
    [1, 0, 0],
    [2, 1, 0],
    [4, 4, 4],
  ]);
  const sums = makeObjective(parseBounds("0,65"), { statistics: "sum", estimator: "centred" });

  test("midpoints of sums are off by half of what all records can be", () => {
    const open = new OpenGrids(occupancy, sums, new Set());
    expect(open.largestFree.toString()).toBe("390");
    expect(new OpenGrids(occupancy, sums, new Set([2])).largestFree.toString()).toBe("97.5");
    expect(new OpenGrids(occupancy, sums, new Set([0, 1, 2])).largestFree.isZero()).toBe(true);
  });

  test("centred, only grids whose midpoints are worse than the error need records; kept, all that are open", () => {
    const open = new OpenGrids(occupancy, sums, new Set([1]));
    const activeAt = (grids: OpenGrids, error: string): number[] =>
      [0, 1, 2].filter((grid) => grids.arrayAt(parseDecimal(error)).isActive(grid));
    expect(activeAt(open, "32")).toEqual([0, 2]);
    expect(activeAt(open, "32.5")).toEqual([2]);
    expect(activeAt(open, "390")).toEqual([]);
    expect(open.largestFreeWithout(open.arrayAt(parseDecimal("33"))).toString()).toBe("32.5");
    expect(open.largestFreeWithout(open.arrayAt(parseDecimal("32"))).isZero()).toBe(true);
    const paper = makeObjective(parseBounds("0,65"), { statistics: "sum", estimator: "kept" });
    expect(activeAt(new OpenGrids(occupancy, paper, new Set([1])), "390")).toEqual([0, 2]);
  });
});

describe("what cannot be had is refused in one line", () => {
  const occupancy = occupancyFromTriples([
    ["a", "g", 5],
    ["b", "g", 5],
  ]);
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean", estimator: "centred" });
  const planFor = (frontier: FrontierGoal, of = objective) => runNow(makePlan(occupancy, { objective: of, frontier }));
  const within = (error: string): FrontierGoal => ({
    kind: "error",
    target: { kind: "together", error: parseDecimal(error) },
  });

  test("an error so small that its loss protects nothing", () => {
    expect(refusalOf(() => planFor(within("0.000000001")))).toMatch(
      /^PARAMETER_INVALID --error: so small an error takes a loss of about 3\.[23]e\+10, which protects nothing/,
    );
    expect(planFor(within("0.00000001")).plan.loss.toNumberNearest()).toBeCloseTo(3.25e9, -3);
  });
});

function refusalOf(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    const { code, message } = error as VeilgridError;
    return `${code} ${message}`;
  }
}

test("where a record fewer leaves no room, what is kept is worth its whole price", () => {
  const occupancy = occupancyOf([[6, 4]]);
  const objective = makeObjective(parseBounds("0,65"), { statistics: "mean,variance", estimator: "centred" });
  const array = new ActiveArray(occupancy, () => true);
  const target = parseErrorTarget("mean=20,variance=400", objective);
  const model = new PriceModel(objective, target);
  const loads = new Loads(array, model);
  const fewest = model.fewestKept(10);
  expect(loads.measure(Float64Array.of(0.6 * fewest, 0.4 * fewest))).toBe(true);
  expect(loads.linear[0]).toBeGreaterThan(0);
  expect(loads.linearFall[0]).toBeCloseTo(loads.linear[0]! / (1e-4 * fewest), 3);
  expect(loads.spreadFall[0]! / (loads.spread[0]! / (1e-4 * fewest))).toBeCloseTo(1, 9);
  expect(loads.measure(Float64Array.of(0.5 * fewest, 0.4 * fewest))).toBe(false);
});

test("where midpoints are exact, nothing is needed", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "variance", estimator: "centred" });
  expect(
    [
      ...lossesAlone(
        occupancyOf([
          [1, 0],
          [2, 1],
        ]),
        objective,
      ),
    ].map((loss) => loss > 0),
  ).toEqual([false, true]);
  expect(
    lossesAlone(
      occupancyOf([
        [1, 0],
        [2, 1],
      ]),
      objective,
    )[0],
  ).toBe(0);
});
