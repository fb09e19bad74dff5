/** Sums by entry from groups in any order, in chunks of any length, up to the largest that a group can have. */
import { expect, test } from "vitest";
import { occupancyFromTriples } from "../../../core/occupancy/index.ts";
import { parseRecipe } from "../../partition/index.ts";
import { Database } from "../duckdb/database.ts";
import { dialect } from "../duckdb/dialect.ts";
import { codedOccupancy } from "./counted.ts";
import { entrySums } from "./entry-sums.ts";
import type { Exchange } from "./exchange.ts";
import { BY_NUMBERS } from "./totals.ts";

const MOST = 2n ** 32n - 1n;
const N = 2n ** 32n;
const lattice = { lower: 0, upper: 2 ** 32, step: 1, steps: N, midpoint: N / 2n };

/** Ids by number; `a` is there twice, as an id is that a table writes in two ways, and the plan leaves grid `out` out. */
const users = ["b", "a", "a", "c"];
const grids = ["y", "out", "x"];
const groups: ReadonlyArray<readonly [u: number, g: number, n: bigint, i: bigint]> = [
  [0, 2, MOST, N],
  [1, 0, 2n, 7n],
  [3, 1, 9n, 5n],
  [2, 0, 3n, 11n],
  [0, 1, 4n, 6n],
  [1, 2, MOST, N - 1n],
  [3, 0, 0n, 0n],
];

const occupancy = occupancyFromTriples([
  ["a", "x", Number(MOST)],
  ["a", "y", 5],
  ["b", "x", Number(MOST)],
]);

test.each([1, 3, 100])("sums in chunks of %s groups", async (size) => {
  await using database = await Database.open({ memory: "256MB", threads: 1 });
  const values = groups.map(
    ([u, g, n, i]) => `(${u}, ${g}, ${n * i}::HUGEINT, ${n * i * i}::HUGEINT, ${n % 5n}, ${n})`,
  );
  await database.make("coded", `AS SELECT * FROM (VALUES ${values.join(", ")}) AS groups(u, g, s, q, n_outside, c0)`);
  const readColumns: Exchange["readColumns"] = async ({ from, counts, integers }, take) => {
    const wide = [...counts, ...integers].map((sql) => `CAST(${sql} AS BIGINT)`);
    const rows = (await database.rows(`SELECT ${wide.join(", ")} FROM ${from}`)) as bigint[][];
    for (let first = 0; first < rows.length; first += size) {
      const column = (at: number): bigint[] => rows.slice(first, first + size).map((row) => row[at]!);
      take({
        counts: counts.map((_, at) => Uint32Array.from(column(at), Number)),
        integers: integers.map((_, at) => BigUint64Array.from(column(counts.length + at))),
      });
    }
  };
  const coded = codedOccupancy(
    parseRecipe({ user: "u", value: "v", by: "g" }),
    {
      users,
      gridParts: [grids],
      rows: {
        user: Uint32Array.from(groups, ([u]) => u),
        grid: Uint32Array.from(groups, ([, g]) => g),
        count: Float64Array.from(groups, ([, , n]) => Number(n)),
      },
      ...{ copies: 0, missing: 0 },
    },
    undefined,
  );
  const { sums, clampedValues } = await entrySums(dialect, { readColumns } as Exchange, {
    counted: { coded, groups: "coded", ...BY_NUMBERS },
    lattice,
    request: { only: { grids: ["x", "y"], occupancy }, thresholds: [1n], squares: true },
    options: {},
  });
  const entries = [0, 1, 2];
  expect(entries.map((entry) => sums.sum(entry))).toEqual([MOST * (N - 1n), 14n + 33n, MOST * N]);
  expect(entries.map((entry) => sums.sumOfSquares(entry))).toEqual([
    MOST * (N - 1n) ** 2n,
    2n * 49n + 3n * 121n,
    MOST * N ** 2n,
  ]);
  expect(entries.map((entry) => sums.atLeast(0, entry))).toEqual([Number(MOST), 5, Number(MOST)]);
  expect(clampedValues).toBe(Number(2n * (MOST % 5n) + 2n + 3n));
});
