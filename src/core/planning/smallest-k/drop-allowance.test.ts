/** Allowances against the definition: every choice of drops in small grids, all shapes and metrics, parity included. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bits, mayDrop, subsets } from "../../../../test/support/exhaustive-smallest-k.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorLimit, ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { type DropAllowance, dropAllowances } from "./drop-problem.ts";

function isAllowed(allowances: readonly DropAllowance[], counts: number[], dropped: boolean[]): boolean {
  const records = counts.reduce((sum, count, user) => sum + (dropped[user] ? count : 0), 0);
  return allowances.some(({ largest, forced, upTo, alternates, most }) => {
    if (counts.some((count, user) => count > largest && !dropped[user])) return false;
    const among = alternates.some(({ low, high }) => records >= low && records <= high && (records - low) % 2 === 0);
    const allowed = (records >= forced && records <= upTo) || among;
    if (allowed) expect(records).toBeLessThanOrEqual(most);
    return allowed;
  });
}

const counts = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
  fc
    .tuple(fc.integer({ min: 3, max: 40 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }))
    .map(([heavy, others]) => [heavy, ...others]),
);

describe("exactly the drops within the bound", () => {
  test.each([
    ["mean,variance", "sum"],
    ["mean,variance", "relative"],
    ["variance", "sum"],
    ["mean", "sum"],
    ["mean,sum,variance", "relative"],
  ] as const)("%s by %s", (statistics, metric) => {
    const objective = makeObjective(parseBounds("0,65"), { statistics, metric });
    let refused = 0;
    let alternating = 0;
    fc.assert(
      fc.property(
        counts,
        fc.constantFrom("0.5", "5", "40", "500"),
        fc.constantFrom(100, 101, 110, 150, 250),
        fc.nat(63),
        (small, epsilonText, percent, mask) => {
          const epsilon = parseDecimal(epsilonText, "ε");
          const model = new ErrorModel(objective, epsilon);
          // The error of some choice exactly, or a little more: bounds that just hold are where mistakes are.
          const kept = small.filter((_, user) => !(mask & (1 << user)));
          const total = small.reduce((sum, count) => sum + count, 0);
          const some = kept.length > 0 ? kept : small;
          const left = some.reduce((sum, count) => sum + count, 0);
          const error = model.exactError({ total, kept: left, largest: Math.max(...some) })!;
          const errorBound = error.multiply(Rational.of(percent, 100));
          const allowances = dropAllowances(Uint32Array.from(small), new ErrorLimit(model, errorBound));
          if (allowances.some(({ alternates }) => alternates.length > 0)) alternating += 1;
          for (const choice of subsets(small.length)) {
            const dropped = bits(choice, small.length);
            const expected = mayDrop(small, dropped, objective, { epsilon, errorBound });
            expect(isAllowed(allowances, small, dropped)).toBe(expected);
            if (!expected) refused += 1;
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(100);
    if (statistics.includes("variance") && metric === "sum") expect(alternating).toBeGreaterThan(0);
  });
});

test("parity: of counts 5, 1, 1, 1 with the variance alone, an odd rest has less noise", () => {
  const objective = makeObjective(parseBounds("0,1"), { statistics: "variance" });
  const model = new ErrorModel(objective, parseDecimal("0.001", "ε"));
  const bound = model.exactError({ total: 8, kept: 7, largest: 5 })!;
  const [all] = dropAllowances(Uint32Array.of(5, 1, 1, 1), new ErrorLimit(model, bound));
  // Keeping all 8 is too much, 7 and 5 are not, 6 is.
  expect(all).toMatchObject({ largest: 5, forced: 0, upTo: -1, alternates: [{ low: 1, high: 3 }], most: 3 });
});

test("each allowance on its own, by the error of every kept total: what is forced, what may be dropped, and the most", () => {
  for (const statistics of ["variance", "mean", "mean,variance"]) {
    const objective = makeObjective(parseBounds("0,1"), { statistics });
    for (const epsilon of ["0.001", "1", "50"]) {
      const model = new ErrorModel(objective, parseDecimal(epsilon, "ε"));
      for (const small of [
        [1],
        [2],
        [3, 3],
        [5, 1, 1, 1],
        [6, 2, 2, 1],
        [9, 4, 1],
        [4, 3, 2, 2],
        [12, 5, 5, 3, 1],
        [33, 9, 6, 6, 2],
      ]) {
        const total = small.reduce((sum, count) => sum + count, 0);
        for (let some = 1; some <= total; some++) {
          const bound = model.exactError({ total, kept: some, largest: Math.min(some, small[0]!) })!;
          const given = Uint32Array.from(small).reverse();
          const allowances = dropAllowances(given, new ErrorLimit(model, bound));
          expect([...given]).toEqual([...small].reverse());
          let last: number[] = [];
          let lastIsPlain = true;
          for (const largest of new Set(small)) {
            const forced = small.reduce((sum, count) => sum + (count > largest ? count : 0), 0);
            const within: number[] = [];
            for (let dropped = forced; dropped <= total - largest; dropped++)
              if (model.exactError({ total, kept: total - dropped, largest })!.compare(bound) <= 0)
                within.push(dropped);
            const allowance = allowances.find((each) => each.largest === largest);
            // Left out is only what allows nothing that the one before does not.
            if (allowance === undefined) {
              expect(last).toEqual(expect.arrayContaining(within));
              continue;
            }
            const dense = Array.from({ length: allowance.upTo - forced + 1 }, (_, at) => forced + at);
            const alternating = allowance.alternates.flatMap(({ low, high }) =>
              Array.from({ length: (high - low) / 2 + 1 }, (_, at) => low + 2 * at),
            );
            expect([...dense, ...alternating].sort((left, right) => left - right)).toEqual(within);
            expect(allowance).toMatchObject({ forced, most: within.at(-1) });
            // As long as they can be: first everything in a row, but perhaps for the first of a run, then runs that no further number belongs to.
            const isWithin = new Set(within);
            let next = forced;
            while (isWithin.has(next)) next += 1;
            expect([next - 1, next - 2]).toContain(allowance.upTo);
            for (const { low, high } of allowance.alternates) {
              expect(low - 2 <= allowance.upTo || !isWithin.has(low - 2)).toBe(true);
              expect(isWithin.has(high + 2)).toBe(false);
            }
            // And what is listed allows something more, where parity is in neither.
            const isPlain = allowance.alternates.length === 0 && lastIsPlain;
            if (isPlain) expect(last).not.toEqual(expect.arrayContaining(within));
            last = within;
            lastIsPlain = allowance.alternates.length === 0;
          }
        }
      }
    }
  }
});
