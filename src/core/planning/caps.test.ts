/** Caps against every integer cap in rational arithmetic. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOfGrid, referenceCap } from "../../../test/support/reference-clip-user.ts";
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { ErrorModel, type Metric, makeObjective, type Objective, parseBounds } from "../influence/index.ts";
import { Kept, occupancyFromTriples } from "../occupancy/index.ts";
import { bestCap, chooseCaps } from "./caps.ts";
import { runNow } from "./long-work.ts";

function objectiveOf(keys: string, metric: Metric): Objective {
  return makeObjective(parseBounds("0,1"), { statistics: keys, metric });
}

const epsilons = fc.constantFrom("0.05", "0.5", "2", "10", "100").map((text) => parseDecimal(text, "ε"));
const patterns = fc.record({
  kept: fc.array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 9,
  }),
  dropped: fc.constantFrom(0, 0, 1, 7, 90),
});

describe.each([
  ["mean,variance", "sum"],
  ["mean,variance", "relative"],
  ["variance", "sum"],
  ["variance", "relative"],
  ["mean,sum,variance,histogram:0.5", "relative"],
  ["sum,variance", "sum"],
] as const)("%s by %s", (keys, metric) => {
  const objective = objectiveOf(keys, metric);

  test("the best cap is the best of all integers, the largest on ties", () => {
    fc.assert(
      fc.property(patterns, epsilons, ({ kept, dropped }, epsilon) => {
        const total = kept.reduce((sum, count) => sum + count, dropped);
        const cap = bestCap(Uint32Array.from(kept), total, new ErrorModel(objective, epsilon));
        expect(cap).toBe(referenceCap(objective, epsilon, [...kept, dropped], kept));
      }),
      { numRuns: 300 },
    );
  });

  test("no cap among billions beats it", () => {
    const counts = Uint32Array.of(3, 1_000_000_007, 1_500_000_001, 4_000_000_000);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const model = new ErrorModel(objective, parseDecimal("3", "ε"));
    const errorAt = (cap: number): Rational =>
      model.exactError({ total, kept: counts.reduce((sum, count) => sum + Math.min(count, cap), 0), largest: cap })!;
    const best = errorAt(bestCap(counts, total, model));
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 4_000_000_000 }), (cap) => {
        expect(errorAt(cap).compare(best)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test("the best cap need not be one of the counts: (1, 3) is best at 2, where only the variance matters", () => {
  const objective = objectiveOf("variance", "sum");
  expect(bestCap(Uint32Array.of(1, 3), 4, new ErrorModel(objective, Rational.of(1, 100)))).toBe(2);
});

test("caps never raise a grid's error, are the best, leave dropped users dropped, and keep min(Γ, c)", () => {
  const objective = objectiveOf("mean,variance", "sum");
  fc.assert(
    fc.property(
      // Also small numbers among many users: then there are cells that nobody is in.
      fc
        .constantFrom(3, 40)
        .chain((max) =>
          fc.array(fc.tuple(fc.nat(9), fc.nat(3), fc.integer({ min: 1, max })), { minLength: 3, maxLength: 30 }),
        ),
      epsilons,
      (rows, epsilon) => {
        const occupancy = occupancyFromTriples(
          rows.map(([user, grid, count]) => [`u${user}`, `g${grid}`, count] as const),
        );
        // Drop every third entry, but never a grid's first.
        const first = new Set(
          Array.from(
            { length: occupancy.grids.length },
            (_, grid) => occupancy.byGrid.entry[occupancy.byGrid.start[grid]!],
          ),
        );
        const before = new Kept(
          occupancy,
          occupancy.byUser.count.map((count, entry) => (entry % 3 === 0 && !first.has(entry) ? 0 : count)),
        );
        const { kept, caps } = runNow(chooseCaps(before, new ErrorModel(objective, epsilon)));
        expect([...kept.ofEntry]).toEqual(
          Array.from(before.ofEntry, (count, entry) => Math.min(count, caps[occupancy.byUser.grid[entry]!]!)),
        );
        for (let grid = 0; grid < occupancy.grids.length; grid++) {
          const rowsOf = (from: Uint32Array): number[] =>
            Array.from(
              occupancy.byGrid.entry.subarray(occupancy.byGrid.start[grid], occupancy.byGrid.start[grid + 1]),
              (entry) => from[entry]!,
            );
          const original = rowsOf(occupancy.byUser.count);
          expect(caps[grid]).toBe(referenceCap(objective, epsilon, original, rowsOf(before.ofEntry)));
          const after = errorOfGrid(objective, epsilon, original, rowsOf(kept.ofEntry))!;
          expect(after.compare(errorOfGrid(objective, epsilon, original, rowsOf(before.ofEntry))!)).toBeLessThanOrEqual(
            0,
          );
        }
      },
    ),
  );
});

describe("every small grid", () => {
  const upTo = (largest: number, length: number): number[][] =>
    length === 0
      ? [[]]
      : upTo(largest, length - 1).flatMap((rest) =>
          Array.from({ length: largest - (rest[0] ?? 1) + 1 }, (_, more) => [(rest[0] ?? 1) + more, ...rest]),
        );
  const grids = [1, 2, 3].flatMap((length) => upTo(5, length));

  test.each([
    ["mean", "sum"],
    ["variance", "sum"],
    ["mean,variance", "relative"],
    ["sum,variance", "relative"],
  ] as const)("%s by %s: the best cap, the largest on ties, whoever was dropped", (keys, metric) => {
    const objective = objectiveOf(keys, metric);
    for (const epsilonText of ["0.01", "2", "1000"]) {
      const epsilon = parseDecimal(epsilonText, "ε");
      const model = new ErrorModel(objective, epsilon);
      for (const kept of grids) {
        for (const dropped of [0, 4]) {
          const total = kept.reduce((sum, count) => sum + count, dropped);
          const expected = referenceCap(objective, epsilon, [...kept, dropped], kept);
          expect(bestCap(Uint32Array.of(...kept, 0), total, model)).toBe(expected);
        }
      }
    }
  });
});

test.each([
  "variance,histogram:0.5",
  "mean,histogram:0.1/0.2/0.3/0.4/0.5",
  "sum,histogram:0.1/0.2/0.3/0.5,variance",
])("%s by relative: where one statistic's bias meets another's noise, the best cap lies between the counts", (keys) => {
  const objective = objectiveOf(keys, "relative");
  let between = 0;
  for (const kept of [
    [1, 9],
    [3, 4, 18],
    [2, 11, 17],
    [4, 4, 16],
    [1, 1, 3, 16],
    [2, 2, 16, 25],
    [21, 24],
  ]) {
    for (const dropped of [0, 5, 20, 60]) {
      const total = kept.reduce((sum, count) => sum + count, dropped);
      for (let hundredths = 85; hundredths < 1900; hundredths += 100) {
        const epsilon = Rational.of(hundredths, 100);
        const cap = bestCap(Uint32Array.from(kept), total, new ErrorModel(objective, epsilon));
        expect(cap).toBe(referenceCap(objective, epsilon, [...kept, dropped], kept));
        if (!kept.some((count) => Math.abs(count - cap) < 2)) between += 1;
      }
    }
  }
  expect(between).toBeGreaterThan(5);
});

test("the counts that are given stay in their order", () => {
  const counts = Uint32Array.of(3, 1, 2);
  bestCap(counts, 6, new ErrorModel(objectiveOf("mean", "sum"), Rational.ONE));
  expect([...counts]).toEqual([3, 1, 2]);
});

test("progress is told every 256 grids", () => {
  const told = (grids: number): unknown[] => {
    const row = occupancyFromTriples(Array.from({ length: grids }, (_, grid) => ["u", `g${grid}`, 1] as const));
    return [...chooseCaps(Kept.all(row), new ErrorModel(objectiveOf("mean", "sum"), Rational.ONE))];
  };
  expect(told(512)).toEqual([0, 256].map((done) => ({ step: "choosing caps", done, of: 512 })));
  expect(told(513)).toEqual([0, 256, 512].map((done) => ({ step: "choosing caps", done, of: 513 })));
});
