/**
 * Random records under random recipes and plans, against the reference. With VEILGRID_RANDOM_RUNS=500, so many of each kind in place of the
 * usual few, on whatever engine is tested: `npm run test:engines -- --only postgres -t random`; VEILGRID_RANDOM_SEED makes them the same again.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bench, expectReading, refusalOf } from "./harness.ts";
import { scenariosIn } from "./scenarios.ts";

/** Set by whoever runs the tests. */
function fromEnvironment(name: string): number | undefined {
  const text = process.env[name] ?? "";
  if (text === "") return undefined;
  if (!/^-?\d{1,10}$/.test(text)) throw new Error(`${name} is a whole number`);
  return Number(text);
}

export function testRandomRecords(
  bench: Bench,
  options: { zones: ReadonlyArray<string | undefined>; runs: number },
): void {
  const runs = fromEnvironment("VEILGRID_RANDOM_RUNS") ?? options.runs;
  const seed = fromEnvironment("VEILGRID_RANDOM_SEED");
  const timeout = runs > options.runs ? 300_000 + 2_000 * runs : undefined;
  test(
    "random records under random recipes and plans",
    async () => {
      let accepted = 0;
      let cut = 0;
      await fc.assert(
        fc.asyncProperty(scenariosIn(options.zones), async ({ records: rows, recipeOptions, lattice, decisions }) => {
          const expected = bench.reference(rows, recipeOptions, lattice);
          const records = await bench.opened(rows, recipeOptions);
          if (expected.refusal !== undefined) {
            const { code } = await refusalOf(bench.engine.readOccupancy(records));
            expect(code).toBe(expected.refusal === "empty" ? "INPUT_EMPTY" : "INPUT_MALFORMED");
            return;
          }
          const { reading, totals } = await expectReading(bench.engine, records, expected, { lattice, decisions });
          accepted += 1;
          const kept = totals.totals.reduce((sum, grid) => sum + grid.kept, 0);
          if (kept > 0 && kept < reading.occupancy.samples) cut += 1;
        }),
        { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
      );
      // Four in five are accepted and two in five cut: 30 without one of either happen less than once in a million.
      if (runs < 30) return;
      expect(accepted).toBeGreaterThan(0);
      expect(cut).toBeGreaterThan(0);
    },
    timeout,
  );
}
