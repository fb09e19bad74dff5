/** What `--statistics` and `--weights` may say: spaces, spellings, the range of weights, and the reason that each refusal gives. */
import { describe, expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { parseBounds, parseStatistic, parseStatistics, parseWeights } from "./index.ts";

const bounds = parseBounds("0,65");
const refusal = (reason: string) =>
  expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(reason) });

describe("statistics", () => {
  test("come in the order of the text, whatever the spaces around them", () => {
    const keys = parseStatistics(" variance , mean,share:50 ", bounds).map(({ key }) => key);
    expect(keys).toEqual(["variance", "mean", "share:50"]);
  });

  test("are the paper's unless another estimator is asked for", () => {
    expect(parseStatistic("mean", bounds).estimator).toBe("kept");
    expect(parseStatistic("mean", bounds, "centred").estimator).toBe("centred");
    expect(parseStatistics("mean,sum", bounds).map(({ estimator }) => estimator)).toEqual(["kept", "kept"]);
    expect(parseStatistics("mean,sum", bounds, "centred").map(({ estimator }) => estimator)).toEqual([
      "centred",
      "centred",
    ]);
  });

  test.each([
    [":50", "--statistics ':50' is unknown"],
    ["median", "is unknown"],
    ["mean:1", "is unknown"],
    ["share", "is unknown"],
    ["", "is unknown"],
    ["mean,mean", "--statistics names 'mean' twice"],
    ["share:65", "the threshold must lie in [0, 65)"],
    ["share:-1", "the threshold must lie in [0, 65)"],
    ["histogram:20/10", "edges must ascend within the bounds 0,65"],
    ["share:50,share:50.0", "--statistics names 'share:50.0' twice"],
    ["histogram:10/20,histogram:0/10.0/20", "--statistics names 'histogram:0/10.0/20' twice"],
    ["share:5:0", "--statistics share '5:0' is not a decimal number"],
    ["share:x", "--statistics share 'x' is not a decimal number"],
    ["histogram:10/x", "--statistics histogram 'x' is not a decimal number"],
    ["histogram:10/10", "edges must ascend within the bounds 0,65"],
    ["histogram:-1/10", "edges must ascend within the bounds 0,65"],
    ["histogram:10/66", "edges must ascend within the bounds 0,65"],
    ["histogram:0", "has one bin only"],
  ])("%s is refused, and it is said why", (text, reason) => {
    expect(() => parseStatistics(text, bounds)).toThrow(refusal(reason));
  });

  test("edges at the bounds cut nothing off", () => {
    expect(parseStatistic("histogram:0/10/20", bounds)).toMatchObject({ key: "histogram:0/10/20", coordinates: 3 });
    expect(parseStatistic("histogram:10/20/65", bounds)).toMatchObject({ coordinates: 3 });
  });

  test("histograms whose edges differ only in where the slash is are two statistics", () => {
    expect(parseStatistics("histogram:1/23,histogram:12/3e1", bounds)).toHaveLength(2);
    expect(parseStatistics("histogram:1/2,histogram:12", bounds)).toHaveLength(2);
  });
});

describe("weights", () => {
  const statistics = parseStatistics("mean,variance", bounds);

  test("are given by name in any order, and are 1 where none is given", () => {
    expect(parseWeights(undefined, statistics)).toEqual([Rational.ONE, Rational.ONE]);
    expect(parseWeights(" variance = 0.5 ", statistics)).toEqual([Rational.ONE, Rational.of(1, 2)]);
    expect(parseWeights("variance=3,mean=2", statistics)).toEqual([Rational.of(2), Rational.of(3)]);
  });

  test("reach from 1e-50 to 1e50, both included", () => {
    expect(parseWeights("mean=1e-50,variance=1e50", statistics)).toEqual([
      Rational.of(1n, 10n ** 50n),
      Rational.of(10n ** 50n),
    ]);
  });

  test.each([
    ["sum=1", "--weights 'sum=1' names no chosen statistic; chosen: mean, variance"],
    ["", "--weights '' names no chosen statistic"],
    ["mean", "--weights mean '' is not a decimal number"],
    ["variance=x", "--weights variance 'x' is not a decimal number"],
    ["mean=1=2", "give each statistic one weight"],
    ["mean=1,mean=2", "give each statistic one weight"],
    ["mean=9.99e-51", "a weight lies between 1e-50 and 1e50"],
    ["mean=1.01e50", "a weight lies between 1e-50 and 1e50"],
    ["mean=-1", "a weight lies between 1e-50 and 1e50"],
  ])("%s is refused, and it is said why", (text, reason) => {
    expect(() => parseWeights(text, statistics)).toThrow(refusal(reason));
  });
});
