/** Formulas that every engine prints, against their definitions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, field } from "../../partition/index.ts";
import { clampedParts, halves, isKeptRank } from "./formulas.ts";

test("kept ranks are ⌊(2i + 1)·m/(2c)⌋, or the first", () => {
  for (let m = 1n; m <= 24n; m++) {
    for (let c = 1n; c <= m; c++) {
      const spread = new Set(Array.from({ length: Number(c) }, (_, i) => ((2n * BigInt(i) + 1n) * m) / (2n * c)));
      for (let rank = 0n; rank < m; rank++) {
        expect(isKeptRank(rank, { records: m, kept: c, keep: "spread" })).toBe(spread.has(rank));
        expect(isKeptRank(rank, { records: m, kept: c, keep: "first" })).toBe(rank < c);
      }
    }
  }
});

test("clamped sums are put together from parts that are never negative and never beyond N·n", () => {
  const group = fc
    .tuple(fc.bigInt({ min: 1n, max: 2n ** 32n }), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }))
    .chain(([steps, n]) =>
      fc.record({
        steps: fc.constant(steps),
        n: fc.constant(n),
        keeping: fc.bigInt({ min: 0n, max: n }),
        s: fc.bigInt({ min: 0n, max: n * steps }),
      }),
    );
  fc.assert(
    fc.property(group, ({ steps, n, keeping, s }) => {
      const { up, down } = clampedParts(steps);
      const fields = { integers: { n, keeping, s } };
      const [above, under] = [evaluate(up, fields), evaluate(down, fields)];
      for (const each of [above, under]) expect(each >= 0n && each <= n * steps).toBe(true);
      const [low, high] = [steps * (n - keeping), steps * (n + keeping)];
      const clamped = 2n * s < low ? low : 2n * s > high ? high : 2n * s;
      expect(steps * n + above - under).toBe(clamped);
    }),
  );
});

test("an integer below 2⁹⁶ is its lower half and 2⁴⁸ times its upper one, each below 2⁴⁸", () => {
  const { low, high } = halves(field("q"));
  const largest = 2n ** 96n - 1n;
  const of = fc.oneof(fc.bigInt({ min: 0n, max: largest }), fc.constantFrom(0n, 2n ** 48n - 1n, 2n ** 48n, largest));
  fc.assert(
    fc.property(of, (q) => {
      const [lower, upper] = [low, high].map((half) => evaluate(half, { integers: { q } }) as bigint) as [
        bigint,
        bigint,
      ];
      for (const half of [lower, upper]) expect(half >= 0n && half < 2n ** 48n).toBe(true);
      expect(lower + 2n ** 48n * upper).toBe(q);
    }),
  );
});
