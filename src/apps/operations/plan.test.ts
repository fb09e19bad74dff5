/** Which metric a plan is made by when none is named, and what is refused without one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { PlanSummary } from "../../core/planning/index.ts";
import { type PlanOptions, plan, planRequest } from "./plan.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-plan-"));
const source = path.join(folder, "o.csv");
const COUNTS: ReadonlyArray<readonly [north: number, south: number]> = [
  [9, 4],
  [3, 5],
  [4, 3],
  [6, 2],
  [2, 7],
  [5, 5],
  [4, 3],
];
const rows = COUNTS.flatMap(([north, south], user) => [`u${user},north,${north}`, `u${user},south,${south}`]);
writeFileSync(source, `user,grid,count\n${rows.join("\n")}\n`);
afterAll(() => rmSync(folder, { recursive: true }));

const planned = (options: PlanOptions) => plan(source, { upper: "65", ...options });

/** Grids in which the guarantee of some published statistic is above that of its midpoint: mean U/2, variance U²/8. */
function worseThanMidpoints({ perGrid }: PlanSummary): string[] {
  const limits: Readonly<Record<string, number>> = { mean: 65 / 2, variance: 65 ** 2 / 8 };
  return perGrid
    .filter(({ bias, scales }) =>
      Object.entries(limits).some(([key, limit]) => bias![key]! + scales![key]! > limit * (1 + 1e-12)),
    )
    .map(({ grid }) => grid);
}

test("without a metric no statistic is guaranteed less than its midpoint; added up, the mean is", async () => {
  const strategy = "frontier";
  expect(worseThanMidpoints((await planned({ loss: "4", strategy })).summary)).toEqual([]);
  expect(worseThanMidpoints((await planned({ loss: "4", metric: "sum", strategy })).summary)).toEqual([
    "north",
    "south",
  ]);
});

test.each<[PlanOptions, metric: string]>([
  [{ loss: "4" }, "relative"],
  [{ loss: "4", estimator: "kept" }, "relative"],
  [{ epsilon: "2" }, "relative"],
  [{ error: "mean=20,sd=15" }, "relative"],
  [{ loss: "4", statistics: "mean,sum" }, "relative"],
  [{ loss: "4", statistics: "mean" }, "sum"],
  [{ error: "10", statistics: "mean" }, "sum"],
  [{ loss: "4", statistics: "mean", weights: "mean=2" }, "sum"],
  [{ epsilon: "1", strategy: "baseline" }, "sum"],
  [{ epsilon: "1", strategy: "clip-user", weights: "mean=2" }, "sum"],
  [{ epsilon: "1", strategy: "clip-user-optimal" }, "sum"],
])("%j is the plan of that metric named: %s", async (options, metric) => {
  const { plan: made } = await planned(options);
  expect(made.objective.metric).toBe(metric);
  expect(made.hash).toBe((await planned({ ...options, metric })).plan.hash);
});

describe("one number for several statistics, or weights, without a metric", () => {
  test.each<[PlanOptions, message: string]>([
    [{ error: "50" }, "--error '50' for several statistics needs a metric: --metric relative (0.5: half"],
    [{ loss: "1", weights: "mean=2" }, "--weights goes with --metric sum; "],
    [{ error: "mean=2,sd=5", weights: "mean=2" }, "--weights goes with --metric sum; "],
    [{ loss: "1", weights: "mean=2", metric: "relative" }, "--weights goes with --metric sum; "],
  ])("%j is refused", (options, message) => {
    expect(() => planRequest({ upper: "65", ...options })).toThrow(
      expect.objectContaining({ code: "USAGE", message: expect.stringContaining(message) }),
    );
  });

  test.each<PlanOptions>([
    { error: "50", metric: "sum" },
    { error: "0.5", metric: "relative" },
    { error: "50", metric: "sum", weights: "variance=0.1" },
  ])("%j is taken", (options) => {
    expect(() => planRequest({ upper: "65", ...options })).not.toThrow();
  });
});

describe("a guarantee that no balanced plan has", () => {
  const refusal = async (options: PlanOptions): Promise<string> => {
    const error: unknown = await planned(options).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "PARAMETER_INVALID" });
    return (error as Error).message;
  };

  test("is refused with the frontier's command, which keeps to the loss", async () => {
    const message = await refusal({ loss: "4", statistics: "mean", guarantee: "6.5" });
    const [, error, loss] = /the frontier does: --strategy frontier --error (\S+), at a loss of (\S+)$/.exec(message)!;
    const { summary } = await planned({ error: error!, statistics: "mean", strategy: "frontier" });
    expect(summary.worstError!).toBeLessThanOrEqual(6.5);
    expect(summary.loss).toBeLessThanOrEqual(Number(loss));
    expect(Number(loss)).toBeLessThanOrEqual(4);
  });

  test("and with what the frontier would need where it cannot either", async () => {
    const message = await refusal({ loss: "0.1", guarantee: "mean=1,sd=5" });
    expect(message).toMatch(
      /the frontier needs a larger loss as well: --strategy frontier --error mean=1,variance=25, at a/,
    );
    expect(await refusal({ loss: "0.1", guarantee: "0.1", metric: "relative" })).toContain(
      "--strategy frontier --error 0.1 --metric relative",
    );
  });
});
