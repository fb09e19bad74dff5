/** CLIP-USER with the misprinted theorem, against the same algorithm written from its definition over whole matrices. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Occupancy, occupancyFromTriples } from "../../core/occupancy/index.ts";
import { degradationAsPrinted } from "./clip-user-as-printed.ts";

const WIDTH = 65;

/** The theorem as the paper prints it, for n samples of which k are kept. */
function printedVarianceBias(kept: number, total: number): number {
  const dropped = total - kept;
  if (dropped === 0) return 0;
  if (kept <= dropped) return (kept * dropped) / total ** 2;
  return total % 2 === 0 ? 1 / 4 : (1 - 1 / total ** 2) / 4;
}

test("the printed cases are those of the errata: n = 4, kept 3 and kept 1", () => {
  expect(printedVarianceBias(3, 4)).toBe(1 / 4);
  expect(printedVarianceBias(1, 4)).toBe(3 / 16);
});

function slowly(counts: number[][], epsilon: number, protectLowest: boolean): number {
  const kept = counts.map((row) => [...row]);
  const sum = (row: number[]): number => row.reduce((total, count) => total + count, 0);
  const error = (grid: number, row: number[]): number => {
    const [n, k, largest] = [sum(counts[grid]!), sum(row), Math.max(...row)];
    if (k === 0) return Infinity;
    const owned = Math.min(largest, Math.floor(k / 2));
    const noise = (2 / epsilon) * ((WIDTH * largest) / k + (WIDTH ** 2 * owned * (k - owned)) / k ** 2);
    return noise + (WIDTH * (n - k)) / n + WIDTH ** 2 * printedVarianceBias(k, n);
  };
  const initial = counts.map((row, grid) => error(grid, row));
  const bound = Math.max(...initial);
  const closed = protectLowest ? initial.indexOf(Math.min(...initial)) : -1;
  const users = counts[0]!.map((_, user) => user);
  const gridsOf = (user: number): number[] => kept.flatMap((row, grid) => (row[user]! > 0 ? [grid] : []));
  for (;;) {
    const most = Math.max(...users.map((user) => gridsOf(user).length));
    for (const user of users.filter((each) => gridsOf(each).length === most)) {
      const errors = gridsOf(user).map((grid) => {
        const row = kept[grid]!.map((count, other) => (other === user ? 0 : count));
        return { grid, error: grid === closed ? Infinity : error(grid, row) };
      });
      const best = errors.reduce((left, right) => (right.error < left.error ? right : left), errors[0]!);
      if (best === undefined || !(best.error <= bound)) return Math.max(...users.map((each) => gridsOf(each).length));
      kept[best.grid]![user] = 0;
    }
  }
}

/** Every user and every grid has a record, so that indices are those of the matrix. */
function arrayOf(counts: number[][]): Occupancy {
  return occupancyFromTriples(
    counts.flatMap((row, grid) =>
      row
        .map((count, user): [string, string, number] => [`u${user}`, `g${grid}`, count])
        .filter(([, , count]) => count > 0),
    ),
  );
}

test("K is that of the algorithm over whole matrices", () => {
  const matrix = fc.tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 1, max: 5 })).chain(([users, grids]) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(0, 2, 2, 3)), {
        minLength: users,
        maxLength: users,
      }),
      {
        minLength: grids,
        maxLength: grids,
      },
    ),
  );
  fc.assert(
    fc.property(matrix, fc.constantFrom(0.01, 0.05, 0.3, 2), fc.boolean(), (counts, epsilon, protectLowest) => {
      fc.pre(counts.every((row) => row.some((count) => count > 0)));
      fc.pre(counts[0]!.every((_, user) => counts.some((row) => row[user]! > 0)));
      const found = degradationAsPrinted(arrayOf(counts), { width: WIDTH, epsilon, protectLowest });
      expect(found).toBe(slowly(counts, epsilon, protectLowest));
    }),
    { numRuns: 3000 },
  );
});
