/** What every engine must do alike: the same counts and the same exact totals as the reference, record for record and bit for bit. */
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/data/engines/index.ts";
import { isFull } from "../support/full.ts";
import {
  type RecordRow,
  referenceLattice,
  referenceReading,
  referenceSums,
  referenceTotals,
} from "../support/reference-records.ts";
import { describeAskedGrids } from "./asked-grids-conformance.ts";
import { baselinePlan, expectReading, PLAIN, refusalOf, type SourceTraits, setUpBench } from "./harness.ts";
import { describeNumbers } from "./number-conformance.ts";
import { describeIds, describePlaces, describeStoredCells, describeTimes } from "./partition-conformance.ts";
import { testRandomRecords } from "./random-conformance.ts";
import {
  describeChosenGrids,
  describeEmptyUsers,
  describeKeptRecords,
  describePlans,
  describeRepeatedRecords,
} from "./rules-conformance.ts";
import { type PlanDecisions, QUIET_ZONES } from "./scenarios.ts";
import { describeValues } from "./value-conformance.ts";
import type { RecordsWriter } from "./write-records.ts";

/** `write` puts records where the engine finds them and returns the SOURCE that names them. */
export function describeEngineConformance(
  name: string,
  open: () => Promise<Engine>,
  write: RecordsWriter,
  traits: SourceTraits = { absentIds: "null" },
): void {
  describe(name, () => {
    const bench = setUpBench(open, write, traits);
    const { opened, reference } = bench;

    testRandomRecords(bench, { zones: QUIET_ZONES, runs: 30 });

    test("thousands of records, more than an engine handles at a time", async () => {
      const rows = Array.from({ length: 7000 }, (_, at): RecordRow => {
        const draw = (size: number, salt: number): number => ((at * 2_654_435_761 + salt * 40_503) >>> 7) % size;
        return {
          who: `u${draw(60, 1)}`,
          speed: at % 97 === 0 ? null : String(draw(7000, 2) / 100 - 2),
          shop: `s${draw(7, 3)}`,
          when: new Date(Date.UTC(2017, 10, 4) + draw(3 * 86_400, 4) * 1000).toISOString(),
          key: String(draw(4, 5)),
        };
      });
      const recipeOptions = {
        user: "who",
        value: "speed",
        by: "shop",
        time: "when",
        slot: "5h",
        tz: "-03:30",
        hours: "2-23",
        missing: "midpoint",
        minUsers: "2",
        top: "40",
      };
      for (const [dedupe, keep] of [
        [undefined, "spread"],
        ["key", "first"],
      ] as const) {
        const decisions: PlanDecisions = {
          keep,
          hasCaps: true,
          drops: 1,
          trims: 2,
          dropsFirstGrid: true,
          numbers: [3, 141, 59, 26, 535],
          thresholds: [0n, 500_000n],
        };
        const expected = reference(rows, { ...recipeOptions, dedupe }, PLAIN);
        expect(expected.notes.repeated > 0).toBe(dedupe !== undefined);
        expect(expected.notes.inOtherGrids).toBeGreaterThan(0);
        const records = await opened(rows, { ...recipeOptions, dedupe });
        const { totals } = await expectReading(bench.engine, records, expected, { lattice: PLAIN, decisions });
        expect(totals.totals).toHaveLength(40);
        expect(totals.totals[0]!.kept).toBe(0);
        expect(totals.clampedValues).toBeGreaterThan(0);
      }
    });

    describeValues(bench);
    describeNumbers(bench);
    describeEmptyUsers(bench);
    describeIds(bench);
    describePlaces(bench);
    describeStoredCells(bench);
    describeTimes(bench);
    if (isFull || traits.rules === undefined) {
      describeKeptRecords(bench);
      describeRepeatedRecords(bench);
      describeChosenGrids(bench);
      describePlans(bench);
      describeAskedGrids(bench);
    }

    test("text in the value column is refused, naming the record and not the text", async () => {
      const recipeOptions = { user: "who", value: "speed", by: "shop" };
      for (const text of ["secret61", "6 1.27", "Infinity", "-inf", "1e999", "0x3D"]) {
        const rows = ["1", "2", text, "4"].map((speed) => ({ who: "u", speed, shop: "s" }));
        for (const work of [
          async () => bench.engine.readOccupancy(await opened(rows, recipeOptions)),
          async () => {
            const sound = rows.map((row) => ({ ...row, speed: "1" }));
            const { occupancy } = await bench.engine.readOccupancy(await opened(sound, recipeOptions));
            return bench.engine.readTotals(await opened(rows, recipeOptions), baselinePlan(occupancy, PLAIN));
          },
          async () => {
            const sound = rows.map((row) => ({ ...row, speed: "1" }));
            const { occupancy } = await bench.engine.readOccupancy(await opened(sound, recipeOptions));
            const only = { grids: ["s"], occupancy };
            return bench.engine.readSums(await opened(rows, recipeOptions), baselinePlan(occupancy, PLAIN), { only });
          },
        ]) {
          const { code, message } = await refusalOf(work(), [text]);
          expect(code).toBe("INPUT_MALFORMED");
          expect(message).toContain(`${bench.fault(3)}: column 'speed'`);
        }
      }
    });

    test("the reference itself, on a case worked out by hand", () => {
      const rows = [
        { who: "a", speed: "1", shop: "s" },
        { who: "a", speed: "12", shop: "s" },
        { who: "a", speed: "4.5", shop: "s" },
        { who: "b", speed: "2", shop: "s" },
      ];
      const lattice = referenceLattice("0,10", "1");
      const reading = referenceReading(rows, { user: "who", value: "speed", by: "shop" }, lattice);
      const kept = (user: string): number => (user === "a" ? 2 : 1);
      // a has 1, 5, 10 and keeps ranks 0 and 2; twice its sum, 32, stays within 10·(3 ± 2); b's, 4, within 0 … 20.
      expect(referenceTotals(reading, lattice, { kept, keep: "spread", thresholds: [2n] })).toEqual({
        totals: [{ grid: "s", kept: 3, sum: 13n, sumOfSquares: 105n, atLeast: [2n], doubledClampedSum: 36n }],
        clampedValues: 1,
      });
      expect(referenceSums(reading, { thresholds: [2n], grids: ["s"] })).toEqual({
        entries: [
          { sum: 16n, sumOfSquares: 126n, atLeast: [2] },
          { sum: 2n, sumOfSquares: 4n, atLeast: [1] },
        ],
        clampedValues: 1,
      });
      expect(referenceSums(reading, { thresholds: [2n], grids: [] }).clampedValues).toBe(0);
    });
  });
}
