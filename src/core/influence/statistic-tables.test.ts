/** Each statistic written out by hand for values from -10 to 30: its numbers without data, its range, its bins, and the words that reports rely on. */
import { describe, expect, test } from "vitest";
import type { Rational } from "../arithmetic/index.ts";
import { ESTIMATORS, growsWithRecords, kindOfKey, parseBounds, parseStatistic, statisticName } from "./index.ts";

const bounds = parseBounds("-10,30");
const texts = (numbers: readonly Rational[]): string[] => numbers.map(String);

/** Of six records: the middle, how far off it can be, and what each number can be. */
const NUMBERS = {
  mean: { middle: ["10"], off: "20", range: ["-10", "30"], identity: "mean" },
  variance: { middle: ["200"], off: "200", range: ["0", "400"], identity: "variance" },
  sum: { middle: ["60"], off: "120", range: ["-60", "180"], identity: "sum" },
  "share:5.0": { middle: ["0.5"], off: "0.5", range: ["0", "1"], identity: "share:5" },
  "histogram:-10/0.0/5/20": {
    middle: ["0.25", "0.25", "0.25", "0.25"],
    off: "1.5",
    range: ["0", "1"],
    identity: "histogram:0/5/20",
  },
  "second-moment": { middle: ["450"], off: "450", range: ["0", "900"], identity: "second-moment" },
} as const;

describe.each(ESTIMATORS)("%s", (estimator) => {
  test.each(Object.entries(NUMBERS))("%s has the numbers of its definition", (key, expected) => {
    const statistic = parseStatistic(key, bounds, estimator);
    expect(statistic).toMatchObject({ key, identity: expected.identity, estimator });
    expect(texts(statistic.dataFreeValue(6))).toEqual(expected.middle);
    expect(statistic.dataFreeError(6).toString()).toBe(expected.off);
    expect(texts(statistic.range(6))).toEqual(expected.range);
    expect(statistic.coordinates).toBe(expected.middle.length);
    expect(growsWithRecords(statistic)).toBe(key === "sum");
    // Centred, an average enters with the share that is kept; a sum is one of all records anyway.
    expect(statistic.scaledByKeptShare).toBe(estimator === "centred" && key !== "sum");
    expect(statistic.needsClampedSum).toBe(estimator === "centred" && ["mean", "sum"].includes(key));
  });

  test("only a histogram has bins, which end where the next begins, the last one at the upper bound itself", () => {
    for (const key of Object.keys(NUMBERS)) {
      const { bins } = parseStatistic(key, bounds, estimator);
      if (!key.startsWith("histogram")) {
        expect(bins, key).toBeNull();
        continue;
      }
      expect(bins!.names).toEqual(["[-10,0)", "[0,5)", "[5,20)", "[20,30]"]);
      expect(bins!.largestBiasShare.toString()).toBe("0.5");
    }
  });

  test("those that count know the records at a cut: a share leaves them out, a bin begins with them", () => {
    const cuts = (key: string) =>
      parseStatistic(key, bounds, estimator).cuts.map(({ at, inclusive }) => [at.toString(), inclusive]);
    expect(cuts("share:5.0")).toEqual([["5", false]]);
    expect(cuts("histogram:-10/0/5")).toEqual([
      ["0", true],
      ["5", true],
    ]);
    for (const key of ["mean", "variance", "sum", "second-moment"]) expect(cuts(key), key).toEqual([]);
  });

  test("rounding values to a lattice of step 2 adds so much to the error of six records", () => {
    const added = Object.keys(NUMBERS).map((key) => {
      const statistic = parseStatistic(key, bounds, estimator);
      return [statistic.kind.name, statistic.latticeError(parseBounds("0,2").width, 6).toString()];
    });
    expect(Object.fromEntries(added)).toEqual({
      mean: "1",
      variance: "41", // U·h/2 + h²/4
      sum: "6",
      share: "0",
      histogram: "0",
      "second-moment": "60", // 30² − 29² is 59
    });
  });
});

test("the second moment of values on one side of 0 does not reach down to 0", () => {
  expect(texts(parseStatistic("second-moment", parseBounds("2,4")).range(1))).toEqual(["4", "16"]);
  expect(texts(parseStatistic("second-moment", parseBounds("-4,-2")).range(1))).toEqual(["4", "16"]);
  expect(texts(parseStatistic("second-moment", parseBounds("0,4")).range(1))).toEqual(["0", "16"]);
  expect(texts(parseStatistic("second-moment", parseBounds("-4,0")).range(1))).toEqual(["0", "16"]);
});

test.each([
  ["mean", "mean", "value", false],
  ["variance", "variance", "squared", true],
  ["sum", "sum", "value", false],
  ["share:5.0", "share above 5.0", "fraction", false],
  ["histogram:0/5", "histogram", "fraction", false],
  ["second-moment", "second moment", "squared", false],
])("%s is called '%s' in a sentence, in the unit '%s'", (key, name, unit, hasDeviation) => {
  expect(statisticName(key)).toBe(name);
  expect(kindOfKey(key)).toMatchObject({ unit, hasDeviation });
});
