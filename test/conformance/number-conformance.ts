/** Numbers as text: one grammar for every engine. What is a number, what says that there is none, and what is refused. */
import fc from "fast-check";
import { latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import { numberIn, type RecordRow } from "../support/reference-records.ts";
import { type Bench, expectReading, KEEP_ALL, refusalOf } from "./harness.ts";
import type { LatticeFlags } from "./scenarios.ts";

/** Text, and the number that it is. */
const NUMBERS: ReadonlyArray<readonly [text: string, value: number]> = [
  ["0", 0],
  ["-0", 0],
  ["00012", 12],
  ["+3", 3],
  ["-3", -3],
  [".5", 0.5],
  ["+.5", 0.5],
  ["-.5", -0.5],
  ["5.", 5],
  ["-00.5e-1", -0.05],
  ["1e3", 1000],
  ["1E3", 1000],
  ["1E+3", 1000],
  ["1e+03", 1000],
  ["5.e2", 500],
  [".5e2", 50],
  ["1250e-2", 12.5],
  ["1e0000000000000000000000001", 10],
  ["1e-0000000000000000000000001", 0.1],
  ["0e5", 0],
  ["0e400", 0],
  ["0e-400", 0],
  ["-0e99999999999", 0],
  [" 3 ", 3],
  ["\t3\n", 3],
  ["\r\n 3 \v\f", 3],
  [`${"0".repeat(500)}7`, 7],
];

/** Numbers that some servers cannot read exactly, and refuse with a remedy. */
const LONG_NUMBERS: ReadonlyArray<readonly [text: string, value: number]> = [
  ["22.490100000000000000000000000000000000000000000000000000000000001", 22.4901],
  [`0.25${"0".repeat(900)}`, 0.25],
  [`0.${"1".repeat(900)}`, 1 / 9],
  [`-${"3".repeat(300)}e-299`, -10 / 3],
  [`${"1".repeat(200)}.${"1".repeat(200)}`, 1e300],
  ["1e-400", 0],
  ["-1e-400", 0],
  ["1e-99999999999", 0],
  [`0.${"0".repeat(990)}1`, 0],
  ["4.9e-324", 0],
  ["1e308", 1e308],
];

/** Text that is refused in a column of numbers, however much some reader makes of it. */
const NO_NUMBERS: readonly string[] = [
  ...["1_000", "0_3", "1_0.5", "1.5_0", "1e1_0", "_1", "1_", "1__0"],
  ...["1,5", "1,000", "1 000", "1'000", "1\u00a0000", "1.2.3", "1e5.5", "1e5e5"],
  ...["0x10", "0b1", "0o7", "0x1p3", "1f", "1d", "22.4901d", "1L", "1%", "$1", "1 km"],
  ...["--3", "+-3", "-+3", "++3", "- 3", "3-", "(3)", "1e", "1e+", "e5", "e", ".", "+", ".e5", "+."],
  ...["inf", "-inf", "+inf", "Infinity", "-Infinity", "infinity", "INF", "1e309", "1e400", "-1e400", "1e99999999999"],
  ...["9".repeat(400), `-${"9".repeat(309)}.5`, `${"0".repeat(1000)}7`, `+0.${"1".repeat(998)}`],
  ...[
    "nan(1)",
    "nan0x",
    "snan",
    "NaN%",
    "--nan",
    "-na",
    "N/A.",
    "nul",
    "nothing",
    "\\n",
    "N",
    "---",
    "true",
    "false",
    "t",
  ],
  ...["\uff11\uff12", "\u0661\u0662", "\u22123", "\u00bd", "\u00a03", "3\u2003", "\ufeff3", "\u00a0", "\u3000"],
];

/** Text that says that there is no number. */
const NONE: ReadonlyArray<string | null> = [
  ...[null, "", " ", "\t", " \r\n\t\v\f "],
  ...["NaN", "nan", "NAN", "+nan", "-NaN", " nan\t"],
  ...["NA", "na", "N/A", "n/a", "#N/A", "n.a.", "null", "NULL", "None", " none ", "-", "--", "\\N"],
];

function shown(text: string): string {
  return text.length < 30 ? JSON.stringify(text) : `${text.slice(0, 20)}… of ${text.length} characters`;
}

const FLAGS: LatticeFlags = { bounds: "-2048,2048", step: "0.001953125" };

/** Whatever reads text as a number: values, coordinates, epochs. */
export function describeNumbers(bench: Bench): void {
  const { opened, reference, gridsOf } = bench;
  describe("numbers as text", () => {
    const recipeOptions = { user: "who", value: "speed", by: "shop" };
    /** One grid each. The first is for writers, who are to write a column of text, and for readers, who are to take no commas for points and no points for thousands. */
    const rowsOf = (texts: ReadonlyArray<string | null>): RecordRow[] =>
      ["+.5", ...texts].map((speed, at) => ({ who: "u", speed, shop: String(at).padStart(4, "0") }));
    const expectRead = async (
      texts: ReadonlyArray<string | null>,
      recipe: RecipeFlags = recipeOptions,
    ): Promise<bigint[]> => {
      const rows = rowsOf(texts);
      const expected = reference(rows, recipe, FLAGS);
      expect(expected.refusal).toBeUndefined();
      const options = { lattice: FLAGS, decisions: KEEP_ALL };
      const { totals } = await expectReading(bench.engine, await opened(rows, recipe), expected, options);
      return totals.totals.slice(1).map(({ sum }) => sum);
    };
    const latticed = (value: number): bigint =>
      BigInt(Math.floor((Math.min(Math.max(value, -2048), 2048) + 2048) / 0.001953125 + 0.5));

    test("what is one, and which", async () => {
      expect(await expectRead(NUMBERS.map(([text]) => text))).toEqual(NUMBERS.map(([, value]) => latticed(value)));
    });

    test.each(
      LONG_NUMBERS.map(([text, value]) => ({ shown: shown(text), text, value })),
    )("long and small ones: $shown", async ({ text, value }) => {
      if (bench.traits.longNumbers !== "unsupported") {
        expect(await expectRead([text])).toEqual([latticed(value)]);
        return;
      }
      const { code, message } = await refusalOf(expectRead([text]), [text]);
      expect(code).toBe("ENGINE_UNSUPPORTED");
      expect(message).toContain("Float64");
    });

    test.each(NO_NUMBERS.map((text) => ({ shown: shown(text), text })))("refused: $shown", async ({ text }) => {
      const records = await opened(rowsOf(["1", text, "4"]), { ...recipeOptions, missing: "midpoint" });
      const { code, message } = await refusalOf(bench.engine.readOccupancy(records), text.length > 3 ? [text] : []);
      // A server that reads no long numbers does not look whether one is too large.
      if (bench.traits.longNumbers === "unsupported" && code === "ENGINE_UNSUPPORTED") {
        expect(text).toMatch(/^-?[\d.]{1,999}(e\d+)?$/);
        return;
      }
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`${bench.fault(3)}: column 'speed' holds text that is not a number`);
    });

    test("what says that there is none", async () => {
      expect(await expectRead(NONE, { ...recipeOptions, missing: "midpoint" })).toEqual(NONE.map(() => latticed(0)));
      expect(await expectRead([...NONE, "7"], { ...recipeOptions, missing: "drop" })).toEqual([latticed(7)]);
      for (const text of NONE) {
        const { message } = await refusalOf(bench.engine.readOccupancy(await opened(rowsOf([text]), recipeOptions)));
        expect(message).toContain(`${bench.fault(2)}: column 'speed' is empty; use --missing midpoint`);
      }
    });

    test("any text, as the reference has it", async () => {
      const piece = fc.constantFrom(
        ..."0123456789",
        ..."0123456789",
        ..."+-.eE_ \tx,()'",
        "nan",
        "n/a",
        "null",
        "inf",
        "\u00a0",
        "e-3",
      );
      const text = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));
      let read = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 60, maxLength: 60 }), async (texts) => {
          const isRead = (each: string): boolean => bench.traits.longNumbers === undefined || !/e/i.test(each);
          const [refused] = texts.filter((each) => isRead(each) && numberIn(each) === "refused");
          const sound = texts.filter((each) => isRead(each) && numberIn(each) !== "refused");
          read += sound.length;
          await expectRead(sound, { ...recipeOptions, missing: "midpoint" });
          if (refused === undefined) return;
          const records = await opened(rowsOf([refused]), { ...recipeOptions, missing: "midpoint" });
          expect((await refusalOf(bench.engine.readOccupancy(records))).code).toBe("INPUT_MALFORMED");
        }),
        { numRuns: 10 },
      );
      // One text in seven is a number or nothing at all: fewer than ten of six hundred happen less than once in a million runs.
      expect(read).toBeGreaterThan(10);
    });

    const PLACES: ReadonlyArray<readonly [lat: string, lon: string]> = [
      [" +41.5\t", "-8.75e1"],
      ["415e-1", "-87.5000"],
      ["00041.5", "-875.E-1"],
    ];

    test("latitude, longitude and points", async () => {
      const rows = PLACES.map(([lat, lon], at) => ({
        who: `u${at}`,
        speed: "1",
        lat,
        lon,
        point: `[ ${lon} ,${lat}]`,
      }));
      const cell = latLngToCell(41.5, -87.5, 7);
      for (const place of [{ lat: "lat", lon: "lon" }, { point: "point" }]) {
        const grids = await gridsOf(rows, { user: "who", value: "speed", h3: "7", ...place });
        expect(grids).toEqual({ u0: cell, u1: cell, u2: cell });
      }
    });

    test.each([
      "4_1.5",
      "+-41.5",
      "41,5",
      "0x29",
      "'41.5'",
      "41.5d",
      "nan",
      "inf",
      "41.5\u00a0",
      "４１",
    ])("no latitude: %j", async (text) => {
      const sound = { who: "u", speed: "1", lat: "0.5", lon: "0.5", point: "[0.5, 0.5]" };
      const rows = [sound, { ...sound, lat: text, point: `[0.5, ${text}]` }];
      for (const place of [{ lat: "lat", lon: "lon" }, { point: "point" }]) {
        const records = await opened(rows, { user: "who", value: "speed", h3: "7", ...place });
        const { code, message } = await refusalOf(bench.engine.readOccupancy(records));
        expect(code).toBe("INPUT_MALFORMED");
        expect(message).toContain(`${bench.fault(2)}: column '${"lat" in place ? "lat" : "point"}'`);
        expect(message).toContain("is no place on Earth");
      }
    });

    const timed = { user: "who", value: "speed", time: "when", slot: "15m" };

    test("epochs", async () => {
      const written = ["1481902200", "+1481902200", " 1481902200.\t", "1481902200.25", "1.4819022e9", "14819022E+2"];
      const texts = [
        ...written,
        "148190220000e-2",
        `000${"0".repeat(30)}1481902200`,
        "1.4819022e0009",
        "1481902200e-0",
      ];
      const rows = texts.map((when, at) => ({ who: `u${10 + at}`, speed: "1", when }));
      const grids = await gridsOf(rows, { ...timed, timeFormat: "epoch-s" });
      expect(new Set(Object.values(grids))).toEqual(new Set(["2016-12-16T15:30+00:00"]));
      const inThousandths = (text: string): string => {
        const [mantissa, power = "0"] = text.trim().split(/e/i) as [string, string?];
        return `${mantissa}e${Number(power) + 3}`;
      };
      const thousandth = await gridsOf(
        rows.map((row) => ({ ...row, when: inThousandths(row.when) })),
        { ...timed, timeFormat: "epoch-ms" },
      );
      expect(thousandth).toEqual(grids);
    });

    test("epochs just before and after 1970", async () => {
      const texts = ["-1e-6", "-1e-400", "0e9999", "1e-400", "-.000001", "-0"];
      const rows = texts.map((when, at) => ({ who: `u${at}`, speed: "1", when }));
      const grids = await gridsOf(rows, { ...timed, timeFormat: "epoch-s" });
      expect([grids["u0"], grids["u2"], grids["u3"], grids["u4"], grids["u5"]]).toEqual([
        "1969-12-31T23:45+00:00",
        "1970-01-01T00:00+00:00",
        "1970-01-01T00:00+00:00",
        "1969-12-31T23:45+00:00",
        "1970-01-01T00:00+00:00",
      ]);
    });

    test.each([
      "1_481_902_200",
      "+-1481902200",
      "1481902200d",
      "0x5853",
      "nan",
      "inf",
      "1e400",
      "1,5",
      "\u00a01481902200",
    ])("no epoch: %j", async (when) => {
      const rows = ["1481902200", when].map((each) => ({ who: "u", speed: "0.5", when: each }));
      const records = await opened(rows, { ...timed, timeFormat: "epoch-s" });
      const { code, message } = await refusalOf(bench.engine.readOccupancy(records));
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`${bench.fault(2)}: column 'when'`);
    });
  });
}
