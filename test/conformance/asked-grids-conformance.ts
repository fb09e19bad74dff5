/** Totals and sums of some grids of a plan: those of the whole reading, whatever becomes of records in other grids, and of no grid that was not asked for. */
import { latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { parseBounds, parseStatistics } from "../../src/core/influence/index.ts";
import type { Plan } from "../../src/core/planning/index.ts";
import type { Records, SomeGrids, TotalsReading } from "../../src/data/engines/index.ts";
import { exactStatistics } from "../../src/publish/release/index.ts";
import { type RecordRow, referenceLattice, referenceSums, referenceTotals } from "../support/reference-records.ts";
import { type Bench, decidedPlan, KEEP_ALL, onDay, refusalOf, sumsOf } from "./harness.ts";
import { AWKWARD_IDS, type PlanDecisions } from "./scenarios.ts";

const FLAGS = { bounds: "0,10", step: "1" };
const STATISTICS = "mean,variance,sum,share:4,histogram:2/5/8,second-moment";

export function describeAskedGrids(bench: Bench): void {
  const { opened, reference } = bench;
  describe("the grids that are asked for", () => {
    const recipeOptions = { user: "who", value: "speed", by: "shop", time: "when" };
    /** Six users in five shops; some values are outside the bounds, and every third record stands there twice. */
    const rows = Array.from({ length: 240 }, (_, at): RecordRow => {
      const draw = (size: number, salt: number): number => ((at * 2_654_435_761 + salt * 40_503) >>> 7) % size;
      const row = { who: `u${draw(6, 1)}`, speed: String(draw(14, 2) - 1), shop: `s${draw(5, 3)}` };
      return { ...row, when: onDay(`T0${draw(10, 4)}:${10 + draw(50, 5)}Z`), key: String(at) };
    }).flatMap((row, at) => (at % 3 === 0 ? [row, row] : [row]));

    /** Every way a plan leaves records out, and one grid of which it keeps nothing. */
    const decisions: PlanDecisions = {
      ...{ keep: "spread", hasCaps: true, drops: 1, trims: 2, dropsFirstGrid: true },
      ...{ numbers: [3, 14, 15, 9, 26, 5], thresholds: [] },
    };

    test.each<[string, PlanDecisions, Record<string, string>]>([
      ["that keeps everything", KEEP_ALL, {}],
      ["with caps, trimmed and suppressed pairs", decisions, {}],
      ["that keeps the first", { ...decisions, keep: "first" }, {}],
      ["of distinct records", decisions, { dedupe: "key" }],
      ["of the three largest grids", decisions, { top: "3", dedupe: "key" }],
    ])("each by itself, and all but one, have the totals of the whole: a plan %s", async (_, deciding, more) => {
      const records = await opened(rows, { ...recipeOptions, ...more });
      const { occupancy } = await bench.engine.readOccupancy(records);
      const { plan, kept } = decidedPlan(occupancy, FLAGS, deciding);
      const bounds = parseBounds(FLAGS.bounds);
      // All that any statistic is made of.
      const statistics = parseStatistics(STATISTICS, bounds, "centred");
      const { thresholds, clampedSums } = exactStatistics(statistics, { bounds, step: plan.latticeStep });
      const sums = { thresholds, clampedSums };
      const asking = (grids: readonly string[]): Promise<TotalsReading> =>
        bench.engine.readTotals(records, plan, { ...sums, only: { grids, occupancy } });

      const whole = await bench.engine.readTotals(records, plan, sums);
      const lattice = referenceLattice(FLAGS.bounds, FLAGS.step);
      const found = reference(rows, { ...recipeOptions, ...more }, FLAGS);
      const alone: TotalsReading[] = [];
      for (const [index, grid] of plan.grids.entries()) {
        const own = await asking([grid]);
        expect(own.totals).toEqual([whole.totals[index]]);
        const only = new Set([grid]);
        expect(own).toEqual(referenceTotals(found, lattice, { kept, keep: plan.keep, thresholds, only }));
        alone.push(own);
      }
      expect(alone.reduce((sum, { clampedValues }) => sum + clampedValues, 0)).toBe(whole.clampedValues);
      expect(whole.clampedValues).toBeGreaterThan(0);

      const [first, ...others] = plan.grids;
      const rest = await asking(others.reverse());
      expect(rest.totals).toEqual(whole.totals.filter(({ grid }) => grid !== first));
      expect(rest.clampedValues).toBe(whole.clampedValues - alone[0]!.clampedValues);
      expect(await asking(plan.grids)).toEqual(whole);
    });

    const THRESHOLDS = [4n];
    const readings: ReadonlyArray<(records: Records, plan: Plan, only: SomeGrids) => Promise<unknown>> = [
      (records, plan, only) =>
        bench.engine.readTotals(records, plan, { only, thresholds: THRESHOLDS, clampedSums: true }),
      (records, plan, only) => sumsOf(bench.engine, records, { plan, ...only, thresholds: THRESHOLDS }),
    ];

    /** What is read of two grids, of records that may be others than those that were counted. */
    const readAfter = async (
      read: (typeof readings)[number],
      changed: readonly RecordRow[],
      more: Record<string, string>,
    ): Promise<unknown> => {
      const { occupancy } = await bench.engine.readOccupancy(await opened(rows, { ...recipeOptions, ...more }));
      const { plan } = decidedPlan(occupancy, FLAGS, decisions);
      const records: Records = await opened(changed, { ...recipeOptions, ...more });
      return read(records, plan, { grids: ["s1", "s3"], occupancy });
    };
    const isAsked = ({ shop }: RecordRow): boolean => shop === "s1" || shop === "s3";

    test.each([
      ["plain", {}],
      ["distinct", { dedupe: "key" }],
      ["of the grids with most", { top: "4" }],
    ])("records of other grids move nothing: %s records", async (_, more) => {
      for (const read of readings) {
        const before = await readAfter(read, rows, more);
        for (const changed of [
          rows.map((row) => (isAsked(row) ? row : { ...row, speed: "99" })),
          rows.filter(isAsked),
          rows.map((row) => (isAsked(row) ? row : { ...row, who: "u9", shop: "s0" })),
          [...rows, ...rows.filter((row) => !isAsked(row)).map((row) => ({ ...row, who: "u9", key: "more" }))],
          [...rows, { who: "u1", speed: "-5", shop: "", when: null, key: "1" }],
        ])
          expect(await readAfter(read, changed, more)).toEqual(before);
      }
    });

    test.each([
      ["plain", {}],
      ["distinct", { dedupe: "key" }],
    ])("a record of theirs that came, went, moved or changed hands is refused: %s records", async (_, more) => {
      const at = rows.findIndex((row) => isAsked(row) && rows.filter(({ key }) => key === row["key"]).length === 1);
      const one = rows[at]!;
      const without = rows.filter((row) => row !== one);
      for (const changed of [
        [...rows, { ...one, key: "another" }],
        without,
        [...without, { ...one, shop: one["shop"] === "s1" ? "s3" : "s1" }],
        [...without, { ...one, shop: "s0" }],
        [...without, { ...one, who: "u9" }],
        [...without, { ...one, who: one["who"] === "u1" ? "u2" : "u1" }],
        rows.filter(({ shop }) => shop !== "s1"),
        rows.filter((row) => !isAsked(row)),
      ])
        for (const read of readings)
          expect((await refusalOf(readAfter(read, changed, more))).code).toBe("PLAN_MISMATCH");
    });

    test("awkward names, cells and slots are found again, and where there are none", async () => {
      const spots = [null, latLngToCell(41.8827, -87.6233, 9), latLngToCell(-33.4, 151.2, 9)];
      const times = [null, onDay("T01:30Z"), "1918-11-11T12:00:00Z", "1900-01-01T00:00:00Z", "2016-11-06T06:30:00Z"];
      const named = [null, ...AWKWARD_IDS].map((shop, at) => {
        const row = { who: `u${at % 5}`, speed: String(at % 12), shop, line: at % 2 === 0 ? null : "" };
        return { ...row, cell: spots[at % spots.length]!, when: times[at % times.length]! };
      });
      const recipe = { ...recipeOptions, by: "shop,line", cell: "cell", slot: "90s", tz: "Asia/Kathmandu" };
      const records = await opened(named, recipe);
      const { occupancy } = await bench.engine.readOccupancy(records);
      const { plan } = decidedPlan(occupancy, FLAGS, KEEP_ALL);
      expect(plan.grids.length).toBeGreaterThanOrEqual(AWKWARD_IDS.length);
      const whole = await bench.engine.readTotals(records, plan);
      const expected = reference(named, recipe, FLAGS);
      for (const half of [0, 1]) {
        const grids = plan.grids.filter((_, at) => at % 2 === half);
        const { totals } = await bench.engine.readTotals(records, plan, { only: { grids, occupancy } });
        expect(totals).toEqual(whole.totals.filter((_, at) => at % 2 === half));
        expect(await sumsOf(bench.engine, records, { plan, occupancy, grids, thresholds: [] })).toEqual(
          referenceSums(expected, { thresholds: [], grids }),
        );
      }
    });
  });
}
