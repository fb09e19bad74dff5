/** A release at its edges: races with other processes, cancelling, grids with nothing in them, columns, and what its header says. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { replayedBytes } from "../../../test/support/replayed-bytes.ts";
import { sampleResult } from "../../../test/support/sample-result.ts";
import { releaseRequest, totalsOfThousands } from "../../../test/support/small-release.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { makeObjective, parseBounds } from "../../core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../core/occupancy/index.ts";
import {
  checkPlan,
  type LongWorkOptions,
  makePlan,
  type Plan,
  type PlanRequest,
  runNow,
} from "../../core/planning/index.ts";
import type { Records, SomeTotalsRequest, TotalsReading } from "../../data/engines/index.ts";
import { Ledger, MemoryStore } from "../ledger/index.ts";
import { charges, checksBefore, release, releasedBefore } from "./release.ts";
import type { ReleaseParties, ReleaseRequest } from "./request.ts";
import { headerText, readHeader, readResult } from "./result.ts";

const PARTITION = { user: "bus", by: "stop" };

/** In `east` nobody can move the variance: it has one record. */
const occupancy = occupancyFromTriples([
  ["ann", "east", 1],
  ["ann", "north", 4],
  ["bob", "north", 2],
  ["cyd", "west", 2],
  ["dan", "west", 2],
]);

function planOf(of: Occupancy = occupancy, options: Partial<PlanRequest> = {}): Plan {
  const objective = makeObjective(parseBounds("0,64"), { statistics: "mean,variance" });
  const epsilon = options.frontier === undefined ? parseDecimal("0.3") : undefined;
  return runNow(makePlan(of, { objective, epsilon, partition: PARTITION, ...options })).plan;
}

const plan = planOf();

const totalsOf = async (_: Records, of: Plan, { only }: SomeTotalsRequest): Promise<TotalsReading> =>
  totalsOfThousands(only, of, { atLeast: [], clampedValues: 0 });

let ledger: Ledger;
const readTotals = vi.fn(totalsOf);

beforeEach(async () => {
  ledger = new Ledger(new MemoryStore());
  await ledger.init({ dataset: "buses", budget: Rational.of(10), occupancyIsPublic: true });
  readTotals.mockClear();
});

function parties(changed: Partial<ReleaseParties["ledger"]> = {}): ReleaseParties {
  return {
    engine: { readTotals },
    random: replayedBytes(1),
    ledger: {
      reserve: (given) => ledger.reserve(given),
      commit: (given) => ledger.commit(given),
      ...changed,
    },
  };
}

const request = (changed: Partial<ReleaseRequest> = {}): ReleaseRequest =>
  releaseRequest({ occupancy, plan, ...changed });

describe("other processes", () => {
  test("one that reserves the key for replayed noise between the look and the reservation is noticed", async () => {
    const late: Partial<ReleaseParties["ledger"]> = {
      reserve: async (given) => {
        const header = headerText({ ...readHeader(given.header), notPrivate: true });
        await ledger.reserve({ ...given, header });
        return ledger.reserve(given);
      },
    };
    await expect(release(parties(late), request())).rejects.toMatchObject({
      code: "KEY_CONFLICT",
      message: "key 'may' was reserved with --replay-seed; use another --key",
    });
    expect(readTotals).not.toHaveBeenCalled();
  });

  test.each([
    ["a ledger out of reach", new VeilgridError("LEDGER_UNAVAILABLE", "it is gone")],
    ["an error of somebody else", Object.assign(new Error("it is gone"), { code: "LEDGER_NOT_FOUND" })],
  ])("%s is not taken for a key that is new", async (_, error) => {
    const failing = () => Promise.reject(error);
    await expect(releasedBefore({ committed: failing }, request())).rejects.toBe(error);
    await expect(release(parties({ reserve: failing }), request())).rejects.toBe(error);
    expect(readTotals).not.toHaveBeenCalled();
  });
});

test("an error that is not ours passes as it is, also past the reservation", async () => {
  const error = new Error("a mistake in the engine");
  readTotals.mockRejectedValueOnce(error);
  await expect(release(parties(), request())).rejects.toBe(error);
});

describe("cancelled", () => {
  test("once it is reserved: it is charged and pending, and says so", async () => {
    const controller = new AbortController();
    const cancelled = release(parties(), request(), {
      signal: controller.signal,
      onProgress: ({ step }) => {
        if (step === "reserving") controller.abort();
      },
    });
    await expect(cancelled).rejects.toMatchObject({
      code: "CANCELLED",
      message: expect.stringMatching(/; it is charged and pending: the same release again finishes it/),
    });
    expect(readTotals).not.toHaveBeenCalled();
    expect((await ledger.show())[0]!.releases).toMatchObject([{ state: "pending", pending: plan.grids }]);
  });

  test("the engine is told, too", async () => {
    const { signal } = new AbortController();
    const told = vi.fn(async (...given: [...Parameters<typeof totalsOf>, LongWorkOptions?]) =>
      totalsOf(given[0], given[1], given[2]),
    );
    await release({ ...parties(), engine: { readTotals: told } }, request(), { signal });
    expect(told.mock.calls[0]![3]).toMatchObject({ signal });
  });
});

describe("grids", () => {
  test("one of which nothing is kept has no statistics; its counts are public", async () => {
    const evaluation = checkPlan(occupancy, plan);
    const guarantees = evaluation.guarantees.with(plan.grids.indexOf("north"), undefined);
    const { text } = await release(parties(), { ...request(), evaluation: { ...evaluation, guarantees } });
    const rows = readResult(text).rows.map(({ grid, users, samples, kept, statistics }) => ({
      grid,
      users,
      samples,
      kept,
      statistics: statistics?.length ?? null,
    }));
    expect(rows).toEqual([
      { grid: "east", users: 1, samples: 1, kept: 1, statistics: 2 },
      { grid: "north", users: 2, samples: 6, kept: 6, statistics: null },
      { grid: "west", users: 2, samples: 4, kept: 4, statistics: 2 },
    ]);
  });

  test("what nobody can move is published without noise, with the error of its rounding", async () => {
    const { rows } = readResult((await release(parties(), request())).text);
    const [mean, variance] = rows[0]!.statistics!;
    expect([mean!.epsilon.isZero(), mean!.scale.isZero(), mean!.deltaSteps > 0n]).toEqual([false, false, true]);
    expect(variance).toMatchObject({ steps: [0n], deltaSteps: 0n });
    expect([variance!.epsilon, variance!.scale].map(String)).toEqual(["0", "0"]);
    const [meanAlone, varianceAlone] = plan.objective.statistics.map((each) => each.latticeError(plan.latticeStep, 1));
    expect(mean!.latticeError.equals(meanAlone!)).toBe(true);
    expect(variance!.latticeError.equals(varianceAlone!)).toBe(true);
  });

  test("one asked for twice is released once", async () => {
    const { text, chargedGrids } = await release(parties(), request({ grids: ["west", "west"] }));
    expect(readResult(text).rows.map(({ grid }) => grid)).toEqual(["west"]);
    expect(chargedGrids).toBe(1);
  });

  test("one that the plan does not have is named, wherever it stands", async () => {
    await expect(release(parties(), request({ grids: ["north", "up", "west"] }))).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
      message: "grid 'up' is not in the plan",
    });
    await expect(release(parties(), request({ grids: [] }))).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
      message: "no grid was asked for",
    });
    expect((await ledger.show())[0]!.releases).toEqual([]);
  });
});

test("only who loses something is charged, in the grids that are asked for", () => {
  const evaluation = checkPlan(occupancy, plan);
  const users = (grids: readonly string[]): string[] =>
    [...charges(occupancy, plan, evaluation, grids)].map(([user]) => user);
  expect(users(["east"])).toEqual(["ann"]);
  expect(users(["west"])).toEqual(["cyd", "dan"]);
  expect(users(["north", "west"])).toEqual(["ann", "bob", "cyd", "dan"]);
  const unitsIn = (grids: readonly string[]): bigint => [...charges(occupancy, plan, evaluation, grids)][0]![1];
  expect(unitsIn(["east", "north"])).toBe(unitsIn(["east"]) + unitsIn(["north"]));
});

describe("the column of users", () => {
  const header = headerText({ ...sampleResult(), partition: { user: "bus" } });

  test("is the one of the dataset's first release", () => {
    const check = (partition: Plan["partition"]) => () =>
      checksBefore({ dataset: "buses", key: "may", notPrivate: false, plan: { ...plan, partition } }).checkFirst(
        header,
      );
    expect(check({ user: "bus" })).not.toThrow();
    for (const partition of [{ user: "driver" }, {}, null])
      expect(check(partition)).toThrow(
        expect.objectContaining({
          code: "LEDGER_CONFLICT",
          message: expect.stringContaining("dataset 'buses' keeps budgets by column 'bus'"),
        }),
      );
  });

  test("another one is refused before anything is charged", async () => {
    await release(parties(), request());
    const before = (await ledger.show())[0]!.loss;
    const other = planOf(occupancy, { partition: { ...PARTITION, user: "driver" } });
    await expect(release(parties(), request({ plan: other, key: "june" }))).rejects.toMatchObject({
      code: "LEDGER_CONFLICT",
    });
    expect((await ledger.show())[0]!.loss.equals(before)).toBe(true);
  });
});

describe("the header", () => {
  test("says what was planned, for whom and by what", async () => {
    const header = readHeader((await ledgerHeader(plan)).header);
    const { bounds, latticeStep, epsilon, loss, lossSimple, ...rest } = header;
    expect(rest).toEqual({
      tool: "veilgrid test",
      dataset: "buses",
      key: "may",
      reservedAt: "2026-05-01T00:00:00.000Z",
      notPrivate: false,
      plan: plan.hash,
      occupancy: plan.occupancy.sha256,
      statistics: ["mean", "variance"],
      estimator: plan.objective.estimator,
      strategy: "baseline",
      partition: PARTITION,
      users: 4,
      grids: 3,
      samples: 11,
    });
    expect([...bounds, latticeStep, epsilon!, loss, lossSimple].map(String)).toEqual(
      [Rational.ZERO, Rational.of(64), plan.latticeStep, parseDecimal("0.3"), plan.loss, plan.lossSimple].map(String),
    );
  });

  test("has no ε where every grid has its own, and no partition where there was none", async () => {
    const frontier = planOf(occupancy, { frontier: { kind: "epsilon", epsilon: Rational.ONE }, partition: undefined });
    const { epsilon, partition, strategy } = readHeader((await ledgerHeader(frontier)).header);
    expect({ epsilon, partition, strategy }).toEqual({ epsilon: null, partition: {}, strategy: "frontier" });
  });

  async function ledgerHeader(of: Plan) {
    await release(parties(), request({ plan: of }));
    return (await ledger.committed({ dataset: "buses", key: "may" }))!;
  }
});
