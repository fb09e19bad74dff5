/** Objectives that were put together by hand: every way in which one can disagree with itself is refused. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import {
  checkObjective,
  countShape,
  defaultMetric,
  makeObjective,
  type Objective,
  parseBounds,
  type Statistic,
} from "./index.ts";

const sound = (): Objective => makeObjective(parseBounds("0,65"), { statistics: "mean,histogram:10" });

const refuses = (objective: Objective, reason: string): void => {
  expect(() => checkObjective(objective)).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(reason) }),
  );
};

test("without options it is the paper's: mean and variance, added up with weight 1, of the kept records", () => {
  const objective = makeObjective(parseBounds("0,65"));
  expect(objective.statistics.map(({ key, estimator }) => [key, estimator])).toEqual([
    ["mean", "kept"],
    ["variance", "kept"],
  ]);
  expect(objective).toMatchObject({ metric: "sum", estimator: "kept", weights: [Rational.ONE, Rational.ONE] });
});

test("the metric where none is named holds several statistics each to its own range", () => {
  expect(defaultMetric()).toBe("relative");
  expect(defaultMetric("mean,share:50")).toBe("relative");
  expect(defaultMetric("histogram:10/20/30")).toBe("sum");
});

test("one that was made in one go is sound, under either estimator", () => {
  expect(() => checkObjective(sound())).not.toThrow();
  const centred = makeObjective(parseBounds("-1,1"), { statistics: "mean,sum,share:0", estimator: "centred" });
  expect(() => checkObjective(centred)).not.toThrow();
});

test("no statistic, one twice, and weights that do not fit are refused", () => {
  const objective = sound();
  const [mean, histogram] = objective.statistics as [Statistic, Statistic];
  refuses({ ...objective, statistics: [], weights: [] }, "there is no statistic");
  refuses({ ...objective, statistics: [mean, mean] }, "a statistic is named twice");
  refuses({ ...objective, statistics: [histogram, { ...histogram, key: "histogram:10.0" }] }, "named twice");
  for (const weights of [
    [Rational.ONE],
    [Rational.ONE, Rational.ONE, Rational.ONE],
    [Rational.ZERO, Rational.ONE],
    [Rational.ONE, Rational.of(-1)],
  ])
    refuses({ ...objective, weights }, "weights must be positive, one per statistic");
});

const other: Array<[keyof Statistic, Partial<Statistic>]> = [
  ["estimator", { estimator: "centred" }],
  ["shape", { shape: countShape }],
  ["scaledByKeptShare", { scaledByKeptShare: true }],
  ["coordinates", { coordinates: 5 }],
  ["sensitivityFactor", { sensitivityFactor: Rational.of(64) }],
  ["biasFactor", { biasFactor: Rational.of(64) }],
];

test.each(other)("a statistic with another %s than its key, bounds and estimator ask for is refused", (_, wrong) => {
  const objective = sound();
  const [mean, histogram] = objective.statistics as [Statistic, Statistic];
  refuses({ ...objective, statistics: [{ ...mean, ...wrong }, histogram] }, "the statistic mean was made for other");
  refuses({ ...objective, statistics: [mean, { ...histogram, ...wrong }] }, "the statistic histogram:10 was made for");
});
