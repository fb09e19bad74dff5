/** Prices in doubles: held to the exact formulas of error and influence where counts are whole, and to plain sums where users are many. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { objectives, occupancyOf, tinyCounts } from "../../../../test/support/frontier-cases.ts";
import { Rational } from "../../arithmetic/index.ts";
import { makeObjective, type Objective, parseBounds, sensitivity } from "../../influence/index.ts";
import { Kept } from "../../occupancy/index.ts";
import { ActiveArray } from "./active-array.ts";
import { type ErrorTarget, isPooled, roomFor } from "./error-target.ts";
import { Loads, PriceModel, softWeights, spreadRecords, worthOfRecords } from "./price-model.ts";
import { WholeLosses } from "./whole-losses.ts";

/** A share of the data-free error of everything, or each statistic's own. */
function targetOf(objective: Objective, total: number, percent: number, each: boolean): ErrorTarget {
  const share = Rational.of(percent, 100);
  const errors = objective.statistics.map((statistic) => statistic.dataFreeError(total).multiply(share));
  if (each) return { kind: "each", errors };
  if (objective.metric === "relative") return { kind: "together", error: share };
  const together = errors.reduce((sum, error, at) => sum.add(error.multiply(objective.weights[at]!)), Rational.ZERO);
  return { kind: "together", error: together };
}

const options = fc.record({
  objective: objectives,
  total: fc.integer({ min: 1, max: 40 }),
  percent: fc.integer({ min: 10, max: 150 }),
  each: fc.boolean(),
});

test("what biases leave for noise is what the exact formula leaves", () => {
  fc.assert(
    fc.property(options, fc.nat(), ({ objective, total, percent, each }, draw) => {
      const kept = 1 + (draw % total);
      const target = targetOf(objective, total, percent, each);
      const model = new PriceModel(objective, target);
      const exact = roomFor(objective, target, { total, kept });
      const rooms = model.rooms(total, kept, Math.floor(total / 2));
      expect(rooms).toHaveLength(isPooled(objective, target) ? 1 : objective.statistics.length);
      for (const [at, room] of exact.slice(0, rooms.length).entries()) {
        const largest = Math.max(1, Math.abs(model.limit(at, total)));
        expect(Math.abs(rooms[at]! - room.toNumberNearest())).toBeLessThan(1e-9 * largest);
      }
      // Smooth biases are above the whole ones by what half an odd number of records is rounded down by, and the same for even totals.
      const smooth = Float64Array.from(model.rooms(total, kept));
      for (const [at, room] of model.rooms(total, kept, Math.floor(total / 2)).entries()) {
        expect(smooth[at]!).toBeLessThanOrEqual(room + 1e-9 * Math.abs(room) + 1e-9);
        if (total % 2 === 0) expect(smooth[at]).toBeCloseTo(room, 9);
      }
    }),
  );
});

/** The loss of one user by the definition: Σ influence/scale, with rooms of their own or shared as the square roots say. */
function lossByDefinition(
  objective: Objective,
  target: ErrorTarget,
  { total, kept, owned }: { total: number; kept: number; owned: number },
): { own: number; perRecord: number[] } {
  const rooms = roomFor(objective, target, { total, kept }).map((room) => room.toNumberNearest());
  const counts = { total, kept, largest: owned };
  const influences = objective.statistics.map(
    (statistic) => statistic.coordinates * sensitivity(statistic, owned, counts).toNumberNearest(),
  );
  if (!isPooled(objective, target))
    return { own: influences.reduce((sum, one, at) => sum + one / rooms[at]!, 0), perRecord: influences };
  const roots = influences.map((one, at) => Math.sqrt(one * objective.weights[at]!.toNumberNearest()));
  const sum = roots.reduce((left, right) => left + right, 0);
  return { own: (sum * sum) / rooms[0]!, perRecord: influences };
}

test("the price of a record, times a user's only one of many, is what the user loses by the definition", () => {
  fc.assert(
    fc.property(options, ({ objective, percent, each }) => {
      // One of so many: the variance's influence is that of a record, less one in so many.
      const total = 1_000_000;
      const kept = 900_000;
      const target = targetOf(objective, total, percent, each);
      const model = new PriceModel(objective, target);
      const hasRoom = Array.from(model.rooms(total, kept)).every((room) => room > 0);
      expect(model.price(total, kept)).toBe(hasRoom);
      if (!hasRoom) return;
      const { own } = lossByDefinition(objective, target, { total, kept, owned: 1 });
      expect((model.linear + model.spread) / own).toBeCloseTo(1, 4);
      const hasSpread = objective.statistics.some(({ key }) => key === "variance");
      expect(model.spread > 0).toBe(hasSpread);
      expect(model.linear > 0).toBe(objective.statistics.some(({ key }) => key !== "variance"));
      // As many records as lose so much, lose so much.
      for (const share of [0.001, 0.1, 0.49, 0.5, 0.51, 0.9]) {
        const owned = share * kept;
        const loss = model.linear * owned + model.spread * spreadRecords(owned, kept);
        const records = model.recordsFor(loss, kept);
        if (share < 0.5 || model.linear > 0) expect(records / owned).toBeCloseTo(1, 6);
        else expect(records).toBe(Number.POSITIVE_INFINITY);
      }
    }),
  );
});

test("nothing kept, or no room, has no price; the variance of a grid's only record costs nothing", () => {
  const objective = makeObjective(parseBounds("0,65"), { statistics: "variance" });
  const model = new PriceModel(objective, { kind: "together", error: Rational.of(100) });
  expect(model.price(10, 0)).toBe(false);
  expect(model.price(10, -1)).toBe(false);
  expect([model.linear, model.spread]).toEqual([0, 0]);
  expect(model.price(10, 10)).toBe(true);
  // 5 of 10 left out are a bias of 65²/4 alone.
  expect(model.price(10, 5)).toBe(false);
  expect(model.price(1, 1)).toBe(true);
  expect(model.spread).toBe(0);
});

test("the fewest records that leave room do, and a hundred-thousandth fewer do not", () => {
  fc.assert(
    fc.property(options, ({ objective, total, percent, each }) => {
      const model = new PriceModel(objective, targetOf(objective, total, percent, each));
      const hasRoom = (kept: number): boolean => Array.from(model.rooms(total, kept)).every((room) => room > 0);
      const fewest = model.fewestKept(total);
      expect(fewest).toBeLessThanOrEqual(total);
      if (!hasRoom(total)) {
        expect(fewest).toBe(total);
        return;
      }
      expect(hasRoom(fewest)).toBe(true);
      if (fewest > 1e-5 * total) expect(hasRoom(fewest - 1e-5 * total)).toBe(false);
    }),
  );
});

test("spread records: Γ(1 − Γ/k) up to the half, a quarter of all from there on", () => {
  expect([0, 1, 4, 5, 6, 10].map((owned) => spreadRecords(owned, 10))).toEqual([0, 0.9, 2.4, 2.5, 2.5, 2.5]);
});

describe("all users at once", () => {
  const arrays = fc.record({ counts: tinyCounts, objective: objectives, percent: fc.integer({ min: 30, max: 150 }) });

  test("losses are sums over grids of prices times records; three quarters kept as well as everything", () => {
    fc.assert(
      fc.property(arrays, fc.constantFrom(1, 0.75), ({ counts, objective, percent }, share) => {
        const occupancy = occupancyOf(counts);
        const array = new ActiveArray(occupancy, () => true);
        const model = new PriceModel(objective, targetOf(objective, 20, percent, false));
        const loads = new Loads(array, model);
        const owned = array.everything().map((count) => count * share);
        const expected = new Float64Array(array.users);
        let isPossible = true;
        for (let grid = 0; grid < array.grids; grid++) {
          const total = occupancy.samplesOfGrid[grid]!;
          const kept = total * share;
          if (!model.price(total, kept)) isPossible = false;
          for (let user = 0; user < array.users; user++) {
            const entry = occupancy.entryOf(user, grid);
            const own = entry < 0 ? 0 : occupancy.byUser.count[entry]! * share;
            expected[user]! += model.linear * own + model.spread * spreadRecords(own, kept);
          }
        }
        expect(loads.measure(owned)).toBe(isPossible);
        if (!isPossible) {
          expect(loads.largest).toBe(Number.POSITIVE_INFINITY);
          return;
        }
        for (let user = 0; user < array.users; user++) expect(loads.loss[user]).toBeCloseTo(expected[user]!, 9);
        expect(loads.largest).toBe(Math.max(...loads.loss));
      }),
    );
  });

  test("what a record is worth to others is how much less they lose with one more of it kept", () => {
    fc.assert(
      fc.property(arrays, fc.integer({ min: 1, max: 9 }), ({ counts, objective, percent }, weight) => {
        const occupancy = occupancyOf(counts);
        const array = new ActiveArray(occupancy, () => true);
        const model = new PriceModel(objective, targetOf(objective, 20, percent, false));
        const loads = new Loads(array, model);
        const owned = array.everything().map((count) => count * 0.9);
        if (!loads.measure(owned)) return;
        const weights = Float64Array.from({ length: array.users }, (_, user) => (user === 1 ? 0 : weight + user));
        const worth = new Float64Array(array.grids);
        worthOfRecords(array, loads, owned, weights, worth);
        for (let grid = 0; grid < array.grids; grid++) {
          const total = occupancy.samplesOfGrid[grid]!;
          const kept = loads.kept[grid]!;
          // The weighted loss with what everyone owns as it is and so much kept in all; halves are where its slope jumps.
          const lossAt = (all: number): number => {
            expect(model.price(total, all)).toBe(true);
            let sum = 0;
            for (let user = 0; user < array.users; user++) {
              const entry = occupancy.entryOf(user, grid);
              const own = entry < 0 ? 0 : occupancy.byUser.count[entry]! * 0.9;
              sum += weights[user]! * (model.linear * own + model.spread * spreadRecords(own, all));
            }
            return sum;
          };
          const step = 1e-4 * kept;
          if (!model.price(total, kept - step)) continue;
          const isAtHalf = Array.from(occupancy.users, (_, user) => occupancy.entryOf(user, grid)).some(
            (entry) => entry >= 0 && Math.abs(2 * owned[entry]! - kept) < 1e-3 * kept,
          );
          if (isAtHalf) continue;
          const fall = (lossAt(kept - step) - lossAt(kept)) / step;
          const scale = lossAt(kept) / kept;
          expect(Math.abs(worth[grid]! - Math.max(0, fall))).toBeLessThanOrEqual(2e-3 * (Math.abs(fall) + scale));
        }
      }),
    );
  });

  test("whole losses are those of the definition with rooms so divided, and simple ones count every grid in full", () => {
    let compared = 0;
    fc.assert(
      fc.property(arrays, ({ counts, objective, percent }) => {
        const occupancy = occupancyOf(counts);
        const array = new ActiveArray(occupancy, () => true);
        const target = targetOf(objective, 20, percent, false);
        const model = new PriceModel(objective, target);
        const losses = new WholeLosses(array, model);
        const owned = array.everything();
        losses.divide(owned, new Float64Array(array.users));
        if (!losses.measure(owned)) return;
        expect(losses.largest).toBe(Math.max(...losses.loss));
        const kept = Kept.all(occupancy);
        for (let user = 0; user < array.users; user++) {
          const own = losses.ofPosition.subarray(array.start[user], array.start[user + 1]);
          expect(losses.loss[user]).toBeCloseTo(
            own.reduce((sum, loss) => sum + loss, 0),
            12,
          );
        }
        const simple = new Float64Array(array.users);
        for (let grid = 0; grid < array.grids; grid++) {
          let most = 0;
          for (let user = 0; user < array.users; user++) {
            const entry = occupancy.entryOf(user, grid);
            if (entry < 0) continue;
            const own = occupancy.byUser.count[entry]!;
            const { total } = kept.countsOf(grid);
            // Where rooms are not shared, or only one user is there, it is the definition's own.
            if (total > 1 && (occupancy.usersOfGrid(grid) === 1 || !isPooled(objective, target))) {
              compared += 1;
              const { own: alone } = lossByDefinition(objective, target, { total, kept: total, owned: own });
              expect(losses.ofPosition[entry]! / alone).toBeCloseTo(1, 9);
            }
            most = Math.max(most, losses.ofPosition[entry]!);
          }
          for (let user = 0; user < array.users; user++) if (occupancy.entryOf(user, grid) >= 0) simple[user]! += most;
        }
        expect(losses.largestSimple(owned)).toBeCloseTo(Math.max(...simple), 9);
      }),
    );
    // In thirty cases or more, of which most have room.
    expect(compared).toBeGreaterThan(10);
  });
});

test("soft weights: 1 for who loses most, e^(−sharpness) for who loses nothing, 0 where that is beyond e^(−30)", () => {
  const weights = new Float64Array(4);
  softWeights(Float64Array.of(2, 1, 0, 1.4), 2, 10, weights);
  expect(weights[0]).toBe(1);
  expect(weights[1]).toBeCloseTo(Math.exp(-5), 12);
  expect(weights[2]).toBeCloseTo(Math.exp(-10), 12);
  expect(weights[3]).toBeCloseTo(Math.exp(-3), 12);
  softWeights(Float64Array.of(2, 1, 0, 1.4), 2, 31, weights);
  expect(weights[2]).toBe(0);
  expect(weights[1]).toBeGreaterThan(0);
});
