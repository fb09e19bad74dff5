/** Tests what people read of a balanced plan and of its release: the model by name, typical beside guaranteed, smoothed beside published. */
import { describe, expect, test } from "vitest";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../core/influence/index.ts";
import { occupancyFromTriples } from "../../core/occupancy/index.ts";
import { makePlan, runNow, summarisePlan } from "../../core/planning/index.ts";
import type { ReleasedFeature, ReleaseResult } from "../release/index.ts";
import { planSummaryText } from "./plan-text.ts";
import { releaseHtml } from "./release-html.ts";
import { dataDictionary, privacyStatement } from "./release-markdown.ts";
import { releaseCsv, releaseJson } from "./release-tables.ts";
import { releasedRows } from "./released-rows.ts";

const MODEL =
  "averages of users (bus) in a grid differ by about 2 km/h, single records of one user by about 4.1 km/h, and heavy and light users by about 1 km/h";

function feature(key: string, value: number, [bias, width]: readonly [bias: number, width: number]): ReleasedFeature {
  const [steps, stepExponent] = [[BigInt(Math.round(value * 2 ** 20))], -20];
  return {
    key,
    steps,
    stepExponent,
    scale: Rational.of(1),
    bias: Rational.of(bias),
    modelError: Rational.of(1, 100),
    window: [Rational.ZERO, Rational.of(width)],
  };
}

/** Twelve hexagons, mean and variance in two passes. */
function released(): ReleaseResult {
  const sample = sampleResult({ seed: 3 });
  const part = (of: number): Rational => Rational.of(65, of);
  return {
    ...sample,
    ...{ estimator: "weighted", strategy: "balanced", epsilon: null, passes: 2, about: { unit: "km/h" } },
    loss: parseDecimal("0.999999998900000000"),
    spread: { users: part(32), records: part(16), trend: part(64) },
    rows: sample.rows.map((row, at) => ({
      ...row,
      statistics: null,
      weighted: {
        centre: Rational.of(32),
        distance: null,
        features: [feature("value", 20 + at, [60, 65]), feature("variance", 300, [1000, 1089])],
      },
    })),
  };
}

describe("a released balanced plan", () => {
  const result = released();

  test("its statement names model and passes, and the loss as it was asked for", () => {
    const text = privacyStatement(result);
    expect(text).toContain(`assume that ${MODEL}.`);
    expect(text).toContain("The numbers come from two passes.");
    expect(text).toContain("Privacy loss λ = 1.0000 (rounded up; exactly 0.9999999989).");
    expect(text).not.toMatch(/left out was decided|estimator: kept/);
    expect(privacyStatement({ ...result, passes: 1 })).not.toContain("two passes");
  });

  test("its dictionary tells what is guaranteed from what rests on the model", () => {
    const text = dataDictionary(result);
    expect(text).toContain("rest on the model that the privacy statement names, and are no guarantee");
    expect(text).toContain("The most that weighting users can have moved the number.");
    expect(text).toContain("Records of users whose averages have a weight above 0.");
    expect(text).toContain("| sd\\_smoothed | DOUBLE | The square root of the smoothed variance. | km/h |");
  });

  test("its standard deviation is smoothed with the variance", () => {
    for (const { statistics } of releasedRows(result)) {
      const [mean, variance] = statistics!;
      expect(mean!.sd).toBeNull();
      const [number] = variance!.numbers;
      expect(variance!.sd!.smoothed).toBe(Math.sqrt(number.smoothed!));
      expect(variance!.sd!.modelHigh).toBe(Math.sqrt(number.modelHigh!));
    }
    expect(releaseCsv(result).split("\r\n")[0]).toContain(",sd,sd_low,sd_high,sd_model_low,sd_model_high,sd_smoothed,");
    expect(releaseJson(result)).toContain('"smoothedHigh"');
    expect(releaseCsv(sampleResult()).split("\r\n")[0]).not.toContain("sd_smoothed");
  });

  test("no number can be moved by more than its range", () => {
    for (const { statistics } of releasedRows(result))
      for (const { key, numbers } of statistics!)
        expect(numbers[0].bias).toBeLessThanOrEqual(key === "mean" ? 65 : 65 ** 2 / 4);
  });

  test("its page shows smoothed numbers on the map first and says so, typical errors, and the guarantee beside them", () => {
    const page = releaseHtml(result);
    expect(page).toContain("hexagons coloured by Mean speed, smoothed;");
    expect(page).toContain("Smoothed numbers are drawn towards those of other grids");
    expect(page).toContain(MODEL);
    expect(page).toContain("Typical error of the mean");
    for (const head of ["mean: smoothed", "mean: at most", "sd: smoothed"]) expect(page).toContain(`>${head}</button>`);
    expect(page).not.toMatch(/undefined|NaN/);
    const other = releaseHtml(sampleResult());
    expect(other).not.toMatch(/smoothed|: at most</);
  });
});

describe("a balanced plan", () => {
  const counts = Array.from(
    { length: 60 },
    (_, user) => [`u${user}`, user % 3 === 0 ? "north" : "south", 4 + (user % 7)] as const,
  );
  const occupancy = occupancyFromTriples(counts);
  const textOf = (passes: 1 | 2, guarantee?: string): string => {
    const objective = makeObjective(parseBounds("0,65"), { metric: "relative", estimator: "weighted" });
    const target = guarantee && ({ kind: "together", error: parseDecimal(guarantee) } as const);
    const goal = { loss: Rational.ONE, passes, ...(target && { guarantee: target }) };
    const summary = summarisePlan(occupancy, runNow(makePlan(occupancy, { objective, balanced: goal })));
    return planSummaryText("o.csv", summary, { unit: "km/h", user: "bus" });
  };

  test("tells typical errors, the model, and the guarantee where it is known before the release", () => {
    const text = textOf(1);
    expect(text).toContain("Plan balanced: the least typical error for a loss of 1.00\n");
    expect(text).toContain(`Typical errors assume that ${MODEL}; change this with --spread.`);
    expect(text).toMatch(/statistic +average +worst grid +whatever the values are +data-free\n {2}mean, km\/h +/);
    expect(text).toMatch(/grid +users +records +mean, typical +at most/);
    expect(text).not.toMatch(/null|baseline|ε|undefined|NaN/);
  });

  test("of two passes says that the guarantee comes with the release", () => {
    const text = textOf(2);
    expect(text).toContain("in two passes");
    expect(text).toContain("What is guaranteed whatever the values are is known after the release.");
    expect(text).not.toMatch(/whatever the values are {2}|at most {2}/);
  });

  test("says its limit", () => {
    expect(textOf(1, "1.9")).toContain("for a loss of 1.00, with a guaranteed error of at most 1.90");
  });
});
