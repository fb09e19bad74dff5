/** Random records under random recipes and plans, against the reference. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bench, expectReading, refusalOf } from "./harness.ts";
import { scenariosIn } from "./scenarios.ts";

export function testRandomRecords(
  bench: Bench,
  options: { zones: ReadonlyArray<string | undefined>; runs: number },
): void {
  test("random records under random recipes and plans", async () => {
    let accepted = 0;
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(scenariosIn(options.zones), async ({ records: rows, wishes, lattice, decisions }) => {
        const expected = bench.reference(rows, wishes, lattice);
        const records = await bench.opened(rows, wishes);
        if (expected.refusal !== undefined) {
          const { code } = await refusalOf(bench.engine.readOccupancy(records));
          expect(code).toBe(expected.refusal === "missing" ? "INPUT_MALFORMED" : "INPUT_EMPTY");
          return;
        }
        const { reading, totals } = await expectReading(bench.engine, records, expected, { lattice, decisions });
        accepted += 1;
        const kept = totals.totals.reduce((sum, grid) => sum + grid.kept, 0);
        if (kept > 0 && kept < reading.occupancy.samples) cut += 1;
      }),
      { numRuns: options.runs },
    );
    // Four in five are accepted and two in five cut: 30 without one of either happen less than once in a million.
    if (options.runs < 30) return;
    expect(accepted).toBeGreaterThan(0);
    expect(cut).toBeGreaterThan(0);
  });
}
