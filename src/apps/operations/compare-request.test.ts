/** What a comparison is asked for: lists, defaults, and what is refused before a file is opened. */
import { describe, expect, test } from "vitest";
import { compareRequest } from "./compare-request.ts";

test("by default: losses, all quick strategies, both estimators, one partition", () => {
  const request = compareRequest({ upper: "65" });
  expect(request.goal).toBe("loss");
  expect(request.points.map(({ asked }) => asked)).toEqual(["0.2", "0.5", "1", "2", "5"]);
  expect(request.lines).toEqual([
    { strategy: "baseline", estimator: "kept" },
    { strategy: "clip-user", estimator: "kept" },
    { strategy: "clip-user+caps", estimator: "kept" },
    { strategy: "frontier", estimator: "kept" },
    { strategy: "frontier", estimator: "centred" },
    { strategy: "balanced", estimator: "weighted" },
  ]);
  expect(request.partitions).toHaveLength(1);
});

test("balanced plans have no error to aim for: left out of comparisons at errors, and refused where they are named", () => {
  const strategies = compareRequest({ error: "5" }).lines.map(({ strategy }) => strategy);
  expect(strategies).not.toContain("balanced");
  expect(() => compareRequest({ error: "5", strategies: "balanced" })).toThrow(
    "--strategies balanced goes with --loss",
  );
});

test("lists of sizes and slots make every combination, with fewer lines and points", () => {
  const request = compareRequest({ records: { h3: "7,8", slot: "1h, 3h", user: "id" } });
  expect(request.partitions.map(({ h3, slot, user }) => [h3, slot, user])).toEqual([
    ["7", "1h", "id"],
    ["7", "3h", "id"],
    ["8", "1h", "id"],
    ["8", "3h", "id"],
  ]);
  expect(request.lines).toEqual([
    { strategy: "baseline", estimator: "kept" },
    { strategy: "frontier", estimator: "centred" },
    { strategy: "balanced", estimator: "weighted" },
  ]);
});

test("points are sorted, named losses are taken, and a budget over releases adds its own", () => {
  const request = compareRequest({ loss: "3,common,1", budget: "2", releases: "52" });
  expect(request.suggestion).toEqual({ budget: "2", releases: 52, loss: "0.0384" });
  expect(request.points.map(({ asked }) => asked)).toEqual(["0.0384", "common", "3"]);
});

describe("is refused", () => {
  test.each<[Parameters<typeof compareRequest>[0], RegExp]>([
    [{ loss: "1", error: "5" }, /--loss and --error are two ways/],
    [{ loss: "1,,2" }, /--loss '1,,2': write a list/],
    [{ loss: "0.5,much" }, /--loss 'much' is not a number such as/],
    [{ loss: "0" }, /--loss 0 must be above 0/],
    [{ error: "mean=2,sd=5" }, /--error 'mean=2': compare takes errors in the metric/],
    [{ error: "-1" }, /--error '-1' must be above 0/],
    [{ epsilon: "1,0" }, /--epsilon 0 must be above 0/],
    [{ strategies: "baseline,best" }, /--strategies 'best' is unknown; use baseline, clip-user/],
    [{ estimator: "kept,middle" }, /--estimator 'middle' is unknown/],
    [{ records: { h3: "7,,9" } }, /--h3 '7,,9': write a list/],
    [{ records: { h3: "1,2,3,4,5,6", slot: "1h,2h,3h,4h,6h" } }, /make 30 kinds of grids/],
    [{ budget: "2" }, /--budget and --releases go together/],
    [{ budget: "2", releases: "1.5" }, /--releases '1\.5' must be a whole number/],
    [{ budget: "1e-18", releases: "4" }, /must be above 0/],
    [{ seed: "-1" }, /--seed '-1' must be a whole number/],
  ])("%j", (options, message) => {
    expect(() => compareRequest(options)).toThrow(message);
  });
});
