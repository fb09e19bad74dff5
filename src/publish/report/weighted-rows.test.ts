/** Rows of a balanced plan's result in every format, and their numbers by their definition. */
import { describe, expect, test } from "vitest";
import { weightedResult } from "../../../test/support/weighted-release.ts";
import { parquetColumns } from "./release-columns.ts";
import { exactReleaseCsv, releaseGeoJson, releaseJson } from "./release-tables.ts";
import { releasedRows } from "./released-rows.ts";

const NUMBERS = ["", "_raw", "_low", "_high", "_scale", "_bias"];
const MODEL = ["_typical", "_model_low", "_model_high", "_smoothed", "_smoothed_low", "_smoothed_high"];

describe.each([1, 2] as const)("of %i passes", (passes) => {
  const made = weightedResult({ statistics: "mean,variance,sum,share:20,histogram:16/40", passes });

  test("every table has each number's typical error, its interval under the model and the smoothed number", async () => {
    const result = await made;
    const keys = ["mean", "variance", "sum", "share:20", "histogram:16/40[0,16)", "histogram:16/40[40,64]"];
    const wanted = keys.flatMap((key) => [...NUMBERS, ...MODEL].map((suffix) => key + suffix));
    const [head] = exactReleaseCsv(result).split("\r\n");
    const columns = parquetColumns(result).map(({ name }) => name);
    const [feature] = JSON.parse(releaseGeoJson(result)).features;
    for (const name of wanted) {
      expect(head).toContain(name);
      expect(columns).toContain(name);
      expect(Number.isFinite(feature.properties[name])).toBe(true);
    }
    const [row] = JSON.parse(releaseJson(result)).rows;
    expect(Object.keys(row.statistics.mean)).toEqual(
      expect.arrayContaining(["typical", "modelLow", "modelHigh", "smoothed", "smoothedLow", "smoothedHigh"]),
    );
  });

  test("numbers are those of the features: a variance around its centre, without what noise adds to the square", async () => {
    const result = await made;
    for (const [at, { weighted, samples }] of result.rows.entries()) {
      const [mean, variance, sum, share] = releasedRows(result)[at]!.statistics!;
      const feature = (key: string) => {
        const { steps, stepExponent, scale, modelError } = weighted!.features.find((each) => each.key === key)!;
        return {
          value: Number(steps[0]) * 2 ** stepExponent,
          scale: scale.toNumberNearest(),
          model: modelError.toNumberNearest(),
        };
      };
      const [value, square] = [feature("value"), feature("variance")];
      const centre = weighted!.centre.toNumberNearest();
      expect(mean!.numbers[0].raw).toBeCloseTo(value.value, 9);
      expect(sum!.numbers[0].raw).toBeCloseTo(value.value * samples, 6);
      expect(share!.numbers[0].raw).toBeCloseTo(feature("share:20").value, 9);
      const spread = square.value - (value.value - centre) ** 2 + 2 * value.scale ** 2;
      expect(variance!.numbers[0].raw).toBeCloseTo(spread, 6);
      // The noise of a Laplace scale b has variance 2b²; the model's own error is a share of the range.
      const model = value.model * 64;
      const { typical, modelLow, modelHigh, smoothed, smoothedLow, smoothedHigh } = mean!.numbers[0];
      expect(typical).toBeCloseTo(Math.hypot(model, Math.SQRT2 * value.scale), 9);
      for (const [low, middle, high] of [
        [modelLow!, mean!.numbers[0].value, modelHigh!],
        [smoothedLow!, smoothed!, smoothedHigh!],
      ]) {
        expect(low).toBeLessThanOrEqual(middle!);
        expect(middle).toBeLessThanOrEqual(high!);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(64);
      }
    }
  });
});
