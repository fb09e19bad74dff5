/** Tests which measures a released result has, and how grids and numbers are written. */
import { expect, test } from "vitest";
import { gridName, gridNames, measuresOf, type Released, type ReleasedRow } from "./released.ts";

const interval = (value: number, half: number) => ({
  ...{ value, raw: value, low: value - half, high: value + half },
  ...{ scale: half / 3, bias: 0 },
});
const rest = { error: 1, dataFreeError: 2, useful: true };

const ROW: ReleasedRow = {
  ...{
    grid: "8742d98b4ffffff/2026-03-10T00:00+05:30",
    by: {},
    cell: "8742d98b4ffffff",
    slot: "2026-03-10T00:00+05:30",
  },
  ...{ users: 10, samples: 100, kept: 90 },
  statistics: {
    mean: { ...interval(14.1504, 8), ...rest },
    variance: { ...interval(49, 20), sd: { value: 7, low: 5.4, high: 8.3 }, ...rest, useful: false },
    "share:50": { ...interval(0.25, 0.1), ...rest },
    "histogram:10/20": {
      bins: [
        { bin: "[0,10)", ...interval(0.4, 0.1) },
        { bin: "[10,20)", ...interval(0.5, 0.1) },
        { bin: "[20,65]", ...interval(0.1, 0.1) },
      ],
      ...rest,
    },
  },
};
const RELEASED: Pick<Released, "bounds" | "statistics" | "partition" | "rows"> = {
  bounds: ["0", "65"],
  statistics: ["mean", "variance", "share:50", "histogram:10/20"],
  partition: { value: "speed" },
  rows: [{ ...ROW, grid: "empty", statistics: null }, ROW],
};

test("every number is a measure, a variance as its root, with the unit it has", () => {
  const measures = measuresOf(RELEASED, "km/h");
  expect(measures.map(({ key, unit }) => [key, unit])).toEqual([
    ["mean", "km/h"],
    ["variance", "km/h"],
    ["share:50", undefined],
    ["histogram:10/20[0,10)", undefined],
    ["histogram:10/20[10,20)", undefined],
    ["histogram:10/20[20,65]", undefined],
  ]);
  expect(measures.map((measure) => measure.of(ROW)?.value)).toEqual([14.1504, 7, 0.25, 0.4, 0.5, 0.1]);
  expect(measures.map((measure) => measure.of(ROW)?.useful)).toEqual([true, false, true, true, true, true]);
  expect(measures.map((measure) => measure.of(RELEASED.rows[0]!))).toEqual([null, null, null, null, null, null]);
  expect(measures[0]!.middle).toBe(32.5);
});

test("numbers have one digit more than the noise leaves uncertain", () => {
  const [mean, , share] = measuresOf(RELEASED, null);
  expect(mean!.format(14.1504)).toBe("14.2");
  expect(mean!.format(-0.01)).toBe("0.0");
  expect(share!.format(0.25)).toBe("0.25");
});

test("grids are named by their parts", () => {
  expect(gridName("8742d98b4ffffff/2026-03-10T00:00+05:30")).toBe("8742d98b4ffffff · 2026-03-10 00:00 +05:30");
  expect(gridName("Harbour%2FWest/50%25")).toBe("Harbour/West · 50%");
});

test("what all grids share is said once", () => {
  const names = gridNames(["a/2026-03-10T00:00Z", "b/2026-03-10T00:00Z"]);
  expect([names.of("a/2026-03-10T00:00Z"), names.common]).toEqual(["a", "2026-03-10 00:00 Z"]);
  expect(gridNames(["a/1", "b/2"])).toMatchObject({ common: "" });
  expect(gridNames(["a/1"]).of("a/1")).toBe("a · 1");
  expect(gridNames(["a/1", "a"]).of("a/1")).toBe("a · 1");
  expect(gridNames([]).common).toBe("");
});
