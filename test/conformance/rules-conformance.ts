/** The rules between counting and adding up: which records survive, which grids, and which records a plan keeps. */
import { describe, expect, test } from "vitest";
import { parseRecipe, type RecipeFlags, recipeJson } from "../../src/data/partition/index.ts";
import type { RecordRow } from "../support/reference-records.ts";
import { type Bench, baselinePlan, expectReading, KEEP_ALL, onDay, PLAIN, refusalOf } from "./harness.ts";
import type { PlanDecisions } from "./scenarios.ts";

/** Section 5. */
export function describeKeptRecords(bench: Bench): void {
  const { opened, reference } = bench;
  describe("which records are kept", () => {
    const recipeOptions = { user: "who", value: "speed", by: "shop", time: "when" };
    const flags = { bounds: "0,1024", step: "1" };
    const keptSum = async (
      rows: readonly RecordRow[],
      trim: number,
      keep: "spread" | "first",
      recipe: RecipeFlags = recipeOptions,
    ): Promise<bigint> => {
      // The only entry is trimmed to 1 + (number + 3) mod its records.
      const decisions = { ...KEEP_ALL, keep, trims: 8, numbers: [trim - 1 - 3 + rows.length] };
      const expected = reference(rows, recipe, flags);
      const { totals } = await expectReading(bench.engine, await opened(rows, recipe), expected, {
        lattice: flags,
        decisions,
      });
      expect(totals.totals[0]!.kept).toBe(trim);
      return totals.totals[0]!.sum;
    };
    /** Values are powers of two, so that a sum names the records in it. */
    const rowsAt = (times: ReadonlyArray<string | null>): RecordRow[] =>
      times.map((when, at) => ({ who: "u", speed: String(2 ** at), shop: "s", when }));

    test("by time, evenly over it or the first", async () => {
      // In order of time: 4, 1, 16, 8, 2.
      const rows = rowsAt(["T02:00Z", "T09:00-06:00", "T01:00Z", "T05:00+01:00", "T03:30Z"].map(onDay));
      expect(await keptSum(rows, 1, "spread")).toBe(16n); // rank 2
      expect(await keptSum(rows, 2, "spread")).toBe(1n + 8n); // ranks 1, 3
      expect(await keptSum(rows, 3, "spread")).toBe(4n + 16n + 2n); // ranks 0, 2, 4
      expect(await keptSum(rows, 4, "spread")).toBe(4n + 1n + 8n + 2n); // ranks 0, 1, 3, 4
      expect(await keptSum(rows, 1, "first")).toBe(4n);
      expect(await keptSum(rows, 3, "first")).toBe(4n + 1n + 16n);
    });

    test("without a time last, equal times by value, and by value where there is no time", async () => {
      const rows = rowsAt([null, "T03:00Z", "T03:00Z", null, "T03:00:00.000001Z"].map((time) => time && onDay(time)));
      expect(await keptSum(rows, 1, "first")).toBe(2n);
      expect(await keptSum(rows, 3, "first")).toBe(2n + 4n + 16n);
      expect(await keptSum(rows, 4, "first")).toBe(2n + 4n + 16n + 1n);
      const backwards = [...rows].reverse();
      expect(await keptSum(backwards, 4, "first")).toBe(2n + 4n + 16n + 1n);
      const timeless = { user: "who", value: "speed", by: "shop" };
      expect(await keptSum(backwards, 2, "first", timeless)).toBe(1n + 2n);
      expect(await keptSum(backwards, 2, "spread", timeless)).toBe(2n + 8n);
    });
  });
}

/** `--dedupe` and `--missing`. */
export function describeRepeatedRecords(bench: Bench): void {
  const { opened, reference, countsOf } = bench;
  describe("repeated and missing records", () => {
    const row = (speed: string | null, when: string | null, key: string | null = "k"): RecordRow => ({
      who: "u",
      speed,
      shop: "s",
      when,
      key,
    });
    const recipeOptions = { user: "who", value: "speed", by: "shop", time: "when", dedupe: "key" };
    const flags = { bounds: "0,10", step: "1" };

    test("of repeated ones the first with a value survives, by time, then value", async () => {
      const rows = [
        row(null, onDay("T01:00Z")),
        row("7", onDay("T03:00Z")),
        row("5", onDay("T02:00Z")),
        row("4", onDay("T02:00Z")),
        row("1", null),
        row("9", onDay("T09:00Z"), "other"),
        row(null, onDay("T09:00Z"), "blank"),
      ];
      for (const [missing, sum] of [
        ["midpoint", 4n + 9n + 5n],
        ["drop", 4n + 9n],
      ] as const) {
        const expected = reference(rows, { ...recipeOptions, missing }, flags);
        const records = await opened(rows, { ...recipeOptions, missing });
        const { totals, reading } = await expectReading(bench.engine, records, expected, {
          lattice: flags,
          decisions: KEEP_ALL,
        });
        expect(totals.totals[0]!.sum).toBe(sum);
        expect(reading.notes).toMatchObject({ records: 7, repeated: 4, missing: 1 });
      }
      const refused = await refusalOf(bench.engine.readOccupancy(await opened(rows, recipeOptions)));
      expect(refused.message).toContain("--missing midpoint");
      const accepted = await countsOf(rows.slice(0, 6), recipeOptions);
      expect(accepted).toEqual([["u", "s", 2]]);
    });

    test("those left out for want of a value have no rank among the kept", async () => {
      const rows = [
        row(null, onDay("T01:00Z"), "a"),
        row("3", onDay("T02:00Z"), "b"),
        row(null, onDay("T03:00Z"), "c"),
        row("5", onDay("T04:00Z"), "d"),
        row("9", onDay("T05:00Z"), "e"),
      ];
      const decisions: PlanDecisions = { ...KEEP_ALL, keep: "first", hasCaps: true, numbers: [1] };
      for (const dedupe of [undefined, "key"]) {
        const recipe = { ...recipeOptions, dedupe, missing: "drop" };
        const expected = reference(rows, recipe, flags);
        const { totals } = await expectReading(bench.engine, await opened(rows, recipe), expected, {
          lattice: flags,
          decisions,
        });
        expect(totals.totals[0]).toMatchObject({ kept: 2, sum: 8n });
      }
    });

    test("a missing value of an odd lattice is the integer above the middle", async () => {
      const odd = { bounds: "0,7", step: "1" };
      const rows = [row("", null), row(" ", onDay("T01:00Z"), "b")];
      const plain = { ...recipeOptions, dedupe: undefined, missing: "midpoint" };
      const { totals } = await expectReading(bench.engine, await opened(rows, plain), reference(rows, plain, odd), {
        lattice: odd,
        decisions: { ...KEEP_ALL, thresholds: [4n, 5n] },
      });
      expect(totals.totals[0]).toMatchObject({ kept: 2, sum: 8n, sumOfSquares: 32n, atLeast: [2n, 0n] });
      expect(totals.clampedValues).toBe(0);
    });

    test("records in other grids or of other users are not repeated", async () => {
      const rows = ["a", "b"].flatMap((who) => ["x", "y"].map((shop) => ({ ...row("1", null), who, shop })));
      expect((await countsOf([...rows, ...rows], recipeOptions)).map(([, , count]) => count)).toEqual([1, 1, 1, 1]);
    });
  });
}

/** `--empty-user`. */
export function describeEmptyUsers(bench: Bench): void {
  const { opened, reference, countsOf } = bench;
  describe("records without a user", () => {
    const recipeOptions: RecipeFlags = { user: "who", value: "speed", by: "shop" };
    const flags = { bounds: "0,1024", step: "1" };
    /** Values are powers of two, so that a sum names the records in it. */
    const rows: RecordRow[] = ["a", null, "b", "", " ", "a", "NULL", null].map((who, at) => ({
      who,
      speed: String(2 ** at),
      shop: at === 7 ? "t" : "s",
      when: onDay(at === 7 ? "T01:00Z" : "T02:00Z"),
      key: at === 3 ? "1" : String(at),
    }));
    const MANY = "column 'who' is empty in 3 records; use --empty-user drop";

    test("are refused with their number, unless it is said what becomes of them", async () => {
      for (const rule of [undefined, "refuse"]) {
        const records = await opened(rows, { ...recipeOptions, emptyUser: rule });
        const { code, message } = await refusalOf(bench.engine.readOccupancy(records));
        expect(code).toBe("INPUT_MALFORMED");
        expect(message).toContain(MANY);
        expect(message).toContain("--empty-user one");
      }
      const one = await opened(rows.slice(0, 3), recipeOptions);
      expect((await refusalOf(bench.engine.readOccupancy(one))).message).toContain("is empty in 1 record;");
      expect(await countsOf([rows[0]!, rows[4]!, rows[6]!], recipeOptions)).toEqual([
        [" ", "s", 1],
        ["NULL", "s", 1],
        ["a", "s", 1],
      ]);
    });

    test("are refused too where their grids are left out, not where a filter leaves them out", async () => {
      const refused = await opened(rows, { ...recipeOptions, top: "1", minUsers: "4" });
      expect((await refusalOf(bench.engine.readOccupancy(refused))).message).toContain(MANY);
      const timed = { ...recipeOptions, time: "when", to: onDay("T01:30:00Z") };
      const early = [rows[0]!, rows[1]!, { ...rows[5]!, when: onDay("T01:00Z") }];
      expect(await countsOf(early, timed)).toEqual([["a", "s", 1]]);
    });

    test("are those of one user, or left out and counted", async () => {
      for (const [emptyUser, records, sums] of [
        ["one", 8, [2 ** 7 - 1, 2 ** 7]],
        ["drop", 5, [1 + 4 + 16 + 32 + 64]],
      ] as const) {
        const recipe = { ...recipeOptions, emptyUser };
        const expected = reference(rows, recipe, flags);
        for (const decisions of [KEEP_ALL, { ...KEEP_ALL, hasCaps: true }]) {
          const options = { lattice: flags, decisions };
          const { reading, totals } = await expectReading(bench.engine, await opened(rows, recipe), expected, options);
          expect(reading.notes).toMatchObject({ records, withoutUser: 3 });
          expect(reading.occupancy.users.indexOf("") >= 0).toBe(emptyUser === "one");
          if (decisions === KEEP_ALL) expect(totals.totals.map(({ sum }) => Number(sum))).toEqual(sums);
        }
      }
    });

    test("of those left out nothing else is asked: not their values, not their places, not what they repeat", async () => {
      const odd = { who: null, speed: "no number", shop: "s", lat: "91", lon: "0", key: "0" };
      const sound = { who: "a", speed: "3", shop: "s", lat: "41.5", lon: "-87.5", key: "0" };
      const recipe = { ...recipeOptions, lat: "lat", lon: "lon", h3: "7", dedupe: "key", emptyUser: "drop" };
      const { notes } = await bench.engine.readOccupancy(await opened([odd, sound, odd], recipe));
      expect(notes).toMatchObject({ records: 1, repeated: 0, withoutUser: 2 });
      for (const emptyUser of ["one", undefined]) {
        const refused = bench.engine.readOccupancy(await opened([odd, sound], { ...recipe, emptyUser }));
        expect((await refusalOf(refused, ["no number"])).message).toContain("is no place on Earth");
      }
    });

    test("where there is nothing else, nothing is left", async () => {
      const records = await opened([rows[1]!, rows[3]!], { ...recipeOptions, emptyUser: "drop" });
      const { code, message } = await refusalOf(bench.engine.readOccupancy(records));
      expect(code).toBe("INPUT_EMPTY");
      expect(message).toContain("--empty-user");
    });

    test("a plan of records that all have one is not for records of which some have none", async () => {
      const sound = rows.map((row) => ({ ...row, who: row["who"] || "c" }));
      const { occupancy } = await bench.engine.readOccupancy(await opened(sound, recipeOptions));
      const plan = baselinePlan(occupancy, flags);
      for (const emptyUser of [undefined, "one", "drop"]) {
        const { code } = await refusalOf(
          bench.engine.readTotals(await opened(rows, { ...recipeOptions, emptyUser }), plan),
        );
        expect(code).toBe(emptyUser === undefined ? "INPUT_MALFORMED" : "PLAN_MISMATCH");
      }
    });
  });
}

/** `--min-users` and `--top`. */
export function describeChosenGrids(bench: Bench): void {
  const { opened, countsOf } = bench;
  describe("the choice of grids", () => {
    test("enough users, then most records, ties by the bytes of the id", async () => {
      const rows = [
        ["a", "\u{1F68C}", 2], // U+1F68C is before U+FF21 in UTF-16 and after it in UTF-8
        ["b", "\u{1F68C}", 1],
        ["a", "\uFF21", 1],
        ["b", "\uFF21", 2],
        ["a", "large", 9],
        ["a", "Z", 1],
        ["b", "Z", 1],
        ["c", "Z", 1],
      ].flatMap(([who, shop, count]) =>
        Array.from({ length: Number(count) }, () => ({ who: String(who), shop: String(shop), speed: "1" })),
      );
      const recipeOptions = { user: "who", value: "speed", by: "shop", minUsers: "2" };
      const gridsAt = async (top: string | undefined): Promise<string[]> => [
        ...new Set((await countsOf(rows, { ...recipeOptions, top })).map(([, grid]) => grid)),
      ];
      expect(await gridsAt("1")).toEqual(["Z"]);
      expect(await gridsAt("2")).toEqual(["Z", "\uFF21"]);
      expect(await gridsAt("9")).toEqual(await gridsAt(undefined));
      expect((await gridsAt(undefined)).includes("large")).toBe(false);
      const { code } = await refusalOf(
        bench.engine.readOccupancy(await opened(rows, { ...recipeOptions, minUsers: "4" })),
      );
      expect(code).toBe("INPUT_EMPTY");
    });
  });
}

/** What a plan may meet. */
export function describePlans(bench: Bench): void {
  const { opened, reference } = bench;
  describe("plans", () => {
    const recipeOptions = { user: "who", value: "speed", by: "shop" };
    const rows = ["a", "b", "b", "c"].map((who) => ({ who, speed: "3", shop: "s" }));

    test("a plan made before a record was added, moved or given to another user is refused", async () => {
      const { occupancy } = await bench.engine.readOccupancy(await opened(rows, recipeOptions));
      const plan = baselinePlan(occupancy, PLAIN);
      for (const changed of [
        [...rows, { who: "a", speed: "3", shop: "s" }],
        rows.slice(1),
        rows.map((row, at) => (at === 0 ? { ...row, shop: "t" } : row)),
        rows.map((row, at) => (at === 0 ? { ...row, who: "d" } : row)),
      ]) {
        const records = await opened(changed, recipeOptions);
        const only = { grids: plan.grids, occupancy };
        for (const work of [
          () => bench.engine.readTotals(records, plan),
          () => bench.engine.readSums(records, plan, { only }),
        ])
          expect((await refusalOf(work())).code).toBe("PLAN_MISMATCH");
      }
      const others = rows.map((row) => ({ ...row, speed: "64" }));
      const { totals } = await bench.engine.readTotals(await opened(others, recipeOptions), plan);
      expect(totals[0]).toMatchObject({ kept: 4, atLeast: [], doubledClampedSum: null });
    });

    test("one that keeps nothing at all", async () => {
      const decisions = { ...KEEP_ALL, drops: 8, thresholds: [0n] };
      const { totals } = await expectReading(
        bench.engine,
        await opened(rows, recipeOptions),
        reference(rows, recipeOptions, PLAIN),
        {
          lattice: PLAIN,
          decisions,
        },
      );
      expect(totals.totals).toEqual([
        { grid: "s", kept: 0, sum: 0n, sumOfSquares: 0n, atLeast: [0n], doubledClampedSum: 4n * 2n ** 20n },
      ]);
    });

    test("one that keeps nothing of a grid where a user has nothing but missing values", async () => {
      const recipe = { ...recipeOptions, missing: "drop" };
      const withBlank = [...rows, { who: "blank", speed: null, shop: "s" }];
      const expected = reference(withBlank, recipe, PLAIN);
      const { totals } = await expectReading(bench.engine, await opened(withBlank, recipe), expected, {
        lattice: PLAIN,
        decisions: { ...KEEP_ALL, drops: 8 },
      });
      expect(totals.totals[0]).toMatchObject({ kept: 0, sum: 0n, sumOfSquares: 0n });
    });

    test("one after the other on the same engine, without a trace of the first", async () => {
      const expected = reference(rows, recipeOptions, PLAIN);
      const records = await opened(rows, recipeOptions);
      for (const decisions of [{ ...KEEP_ALL, drops: 8 }, { ...KEEP_ALL, hasCaps: true }, KEEP_ALL])
        await expectReading(bench.engine, records, expected, { lattice: PLAIN, decisions });
    });

    test("a cancelled reading says so", async () => {
      const records = await opened(rows, recipeOptions);
      const { code } = await refusalOf(bench.engine.readOccupancy(records, { signal: AbortSignal.abort() }));
      expect(code).toBe("CANCELLED");
    });

    test("sums of a plan for records that are read in another way are refused; squares are there if asked for", async () => {
      const records = await opened(rows, recipeOptions);
      const { occupancy } = await bench.engine.readOccupancy(records);
      const plan = baselinePlan(occupancy, { bounds: "0,10", step: "1" });
      const only = { grids: plan.grids, occupancy };
      const partition = recipeJson(parseRecipe({ ...recipeOptions, missing: "drop" }));
      const other = bench.engine.readSums(records, { ...plan, partition }, { only });
      expect((await refusalOf(other)).message).toContain("read in another way");
      const { sums } = await bench.engine.readSums(records, plan, { only });
      expect([0, 1, 2].map((entry) => sums.sum(entry))).toEqual([3n, 6n, 3n]);
      expect(() => sums.sumOfSquares(0)).toThrow("squares were asked for");
    });
  });
}
