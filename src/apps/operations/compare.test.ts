/** A comparison of a small array, from file to rows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { occupancyCsvChunks } from "../../core/occupancy/index.ts";
import { synthesise } from "../../evidence/simulation/index.ts";
import { compare } from "./compare.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-compare-"));
const source = path.join(folder, "o.csv");
writeFileSync(source, Buffer.concat([...occupancyCsvChunks(synthesise({ gamma: 3, q: 0.05, seed: 2, grids: 6 }))]));
afterAll(() => rmSync(folder, { recursive: true }));

test("at the same losses the frontier guarantees no more error than the paper's strategies, and no less than its bound", async () => {
  const out = path.join(folder, "c.csv");
  const { comparison } = await compare(source, { upper: "65", loss: "6,20" }, { out });
  expect(comparison.plans).toHaveLength(12);
  for (const plan of comparison.plans) {
    const isAsked = plan.strategy === "frontier" || plan.strategy === "balanced";
    expect(Math.abs(Math.log(plan.loss / Number(plan.asked)))).toBeLessThan(isAsked ? 0.01 : 0.2);
    expect(plan.typicalError !== null).toBe(plan.strategy === "balanced");
    expect(plan.loss).toBeLessThanOrEqual(plan.lossSimple * (1 + 1e-9));
    expect(plan.actual).toHaveLength(2 * comparison.models.length);
  }
  for (const asked of ["6", "20"]) {
    const here = comparison.plans.filter((plan) => plan.asked === asked);
    const centred = here.find(({ estimator }) => estimator === "centred")!;
    expect(centred.lowerBound!).toBeLessThanOrEqual(centred.worstError!);
    expect(centred.baselineLoss!).toBeGreaterThan(centred.loss);
    for (const plan of here) expect(centred.worstError!).toBeLessThanOrEqual(plan.worstError! * (1 + 1e-9));
  }
  expect(readFileSync(out, "utf8").split("\n")).toHaveLength(14);
});

test("at the same errors the frontier loses less than the baseline, which has just that error", async () => {
  const { comparison } = await compare(source, {
    upper: "65",
    metric: "sum",
    error: "200",
    strategies: "baseline,frontier",
  });
  const [baseline, kept, centred] = comparison.plans;
  expect(baseline!.worstError!).toBeLessThanOrEqual(200);
  expect(baseline!.worstError!).toBeGreaterThan(199.9);
  expect(kept!.loss).toBeLessThan(baseline!.loss);
  expect(centred!.loss).toBeLessThan(baseline!.loss);
  expect(centred!.boundOf).toBe("loss");
});

test("a loss that buys nothing at all, and an error that costs nothing, are rows like others", async () => {
  const nothing = await compare(source, { upper: "65", loss: "0.0001", strategies: "baseline,frontier" });
  expect(nothing.comparison.plans.map(({ usefulGrids }) => usefulGrids)).toEqual([0, 0, 0]);
  const options = { upper: "65", metric: "sum", error: "600", strategies: "frontier", estimator: "centred" };
  const free = await compare(source, options);
  expect(free.comparison.plans[0]).toMatchObject({ loss: 0, leftOutShare: 1 });
  const svg = path.join(folder, "free.svg");
  await compare(source, options, { out: svg });
  expect(readFileSync(svg, "utf8")).not.toMatch(/NaN|Infinity/);
});

test("several statistics are compared by one metric, the paper's strategies too: the worst share of midpoints' error", async () => {
  const { comparison } = await compare(source, { upper: "65", loss: "6" });
  expect(comparison.metric).toBe("relative");
  const dataFree = comparison.partitions[0]!.dataFree.map(({ error }) => error);
  expect(comparison.plans).toHaveLength(6);
  for (const { worstError, statistics } of comparison.plans) {
    const shares = statistics.map((each, index) => each.worstError! / dataFree[index]!);
    expect(worstError!).toBeCloseTo(Math.max(...shares), 12);
  }
  const one = await compare(source, { upper: "65", loss: "6", statistics: "mean", strategies: "baseline" });
  expect(one.comparison.metric).toBe("sum");
});

test.each([
  [{ error: "200" }, "--error '200' for several statistics needs a metric: --metric relative (0.5: "],
  [{ loss: "1", weights: "mean=2" }, "--weights goes with --metric sum; "],
])("%j does not say what is added or divided, and is refused before the source is opened", async (options, message) => {
  await expect(compare("missing.csv", { upper: "65", ...options })).rejects.toMatchObject({
    code: "USAGE",
    message: expect.stringContaining(message),
  });
});

test("progress is told and a signal stops it", async () => {
  const abort = new AbortController();
  const steps: string[] = [];
  const run = compare(
    source,
    { upper: "65" },
    {
      signal: abort.signal,
      onProgress: ({ step }) => {
        steps.push(step);
        if (step.startsWith("plan 4")) abort.abort();
      },
    },
  );
  await expect(run).rejects.toMatchObject({ code: "CANCELLED" });
  expect(steps.some((step) => step.startsWith("plan 1 of 30, baseline at loss 0.2: "))).toBe(true);
});

test("a file whose ending says nothing is refused before the source is opened", async () => {
  await expect(compare("missing.csv", { upper: "65" }, { out: "x.pdf" })).rejects.toThrow(/use \.csv, \.svg or \.json/);
});
