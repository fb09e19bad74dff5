/** The order of a release's steps, what a key promises, and what is charged when something goes wrong in between. */
import { beforeEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { replayedBytes } from "../../../test/support/replayed-bytes.ts";
import { releaseRequest, totalsOfThousands } from "../../../test/support/small-release.ts";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import { makeObjective, parseBounds } from "../../core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../core/occupancy/index.ts";
import { makePlan, type Plan, type Progress, runNow } from "../../core/planning/index.ts";
import type { Records, SomeGrids, SomeTotalsRequest, TotalsReading } from "../../data/engines/index.ts";
import { Ledger, MemoryStore, type Standing } from "../ledger/index.ts";
import { type ReleaseOutcome, release, releasedBefore } from "./release.ts";
import type { ReleaseParties, ReleaseRequest } from "./request.ts";
import { gridText, readResult, resultText } from "./result.ts";

const occupancy = occupancyFromTriples([
  ["ann", "north", 4],
  ["bob", "north", 2],
  ["cyd", "north", 3],
  ["ann", "south", 1],
  ["bob", "south", 5],
  ["cyd", "west", 2],
  ["dan", "west", 2],
]);

function planOf(epsilon: string, of: Occupancy = occupancy): Plan {
  const objective = makeObjective(parseBounds("0,64"), { statistics: "mean,variance,share:20" });
  return runNow(makePlan(of, { objective, epsilon: parseDecimal(epsilon) })).plan;
}

const plan = planOf("0.3");

const totalsOf = async (_: Records, of: Plan, { only }: SomeTotalsRequest): Promise<TotalsReading> =>
  totalsOfThousands(only, of, { atLeast: [0n], clampedValues: 3 });

let ledger: Ledger;
let seed: number;
const readTotals = vi.fn(totalsOf);

beforeEach(async () => {
  ledger = new Ledger(new MemoryStore());
  await ledger.init({ dataset: "buses", budget: Rational.of(10), occupancyIsPublic: true });
  seed = 0;
  readTotals.mockReset().mockImplementation(totalsOf);
});

/** Every release draws other noise than the one before it. */
function parties(changed: Partial<ReleaseParties> = {}): ReleaseParties {
  return { engine: { readTotals }, ledger, random: replayedBytes(++seed), ...changed };
}

const request = (changed: Partial<ReleaseRequest> = {}): ReleaseRequest =>
  releaseRequest({ occupancy, plan, ...changed });

const released = (changed: Partial<ReleaseRequest> = {}): Promise<ReleaseOutcome> =>
  release(parties(), request(changed));

async function standing(): Promise<Standing> {
  return (await ledger.show({ dataset: "buses" }))[0]!;
}

/** Every user's loss so far, as text. */
async function losses(): Promise<Record<string, string>> {
  const { heaviest } = await standing();
  return Object.fromEntries(heaviest.map(({ user, loss }) => [user, String(loss)]));
}

describe("the order of steps", () => {
  test("reserve, read, commit, disclose; each done before the next begins", async () => {
    const steps: string[] = [];
    const slowly = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
      steps.push(`${name} begins`);
      const value = await work();
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${name} ends`);
      return value;
    };
    const outcome = await release(
      parties({
        engine: { readTotals: (...given) => slowly("read", () => readTotals(given[0], given[1], given[2])) },
        ledger: {
          reserve: (given) => slowly("reserve", () => ledger.reserve(given)),
          commit: (given) => slowly("commit", () => ledger.commit(given)),
        },
      }),
      request(),
    );
    steps.push("text");
    expect(steps).toEqual([
      "reserve begins",
      "reserve ends",
      "read begins",
      "read ends",
      "commit begins",
      "commit ends",
      "text",
    ]);
    expect(outcome).toMatchObject({ chargedGrids: 3, resumed: false, clampedValues: 3 });
  });

  test("when the engine reads a value, the whole charge is in the ledger", async () => {
    let then: Standing | undefined;
    readTotals.mockImplementation(async (...asked) => {
      then = await standing();
      return totalsOf(...asked);
    });
    await released();
    expect(String(then!.loss)).toBe(String(plan.loss));
    expect(then!.releases).toMatchObject([{ key: "may", state: "pending", pending: plan.grids }]);
    expect((await standing()).releases).toMatchObject([{ state: "committed", committed: 3, pending: [] }]);
  });

  test("progress is told in the same order", async () => {
    const told: Progress[] = [];
    await release(parties(), request(), { onProgress: (each) => told.push(each) });
    expect(told.map(({ step }) => step)).toEqual([
      "checking the plan",
      "reserving",
      "reading totals",
      "adding noise",
      "committing",
      "disclosing",
    ]);
  });

  test("the engine is asked for the thresholds that the statistics count from", async () => {
    await released();
    const step = 64 / 2 ** 20;
    expect(readTotals.mock.calls[0]?.slice(1, 3)).toEqual([
      plan,
      { only: { grids: plan.grids, occupancy }, thresholds: [BigInt(20 / step) + 1n], clampedSums: false },
    ]);
  });
});

describe("the engine is asked for the grids that are charged", () => {
  /** Of each time it was asked. */
  const askedFor = (): Array<readonly string[]> => readTotals.mock.calls.map(([, , { only }]) => only.grids);

  test("and no others: the rest once some are committed, nothing once all are", async () => {
    await released({ grids: ["west"] });
    await released({ grids: ["north", "west"] });
    await released();
    await released({ grids: ["north"] });
    expect(askedFor()).toEqual([["west"], ["north"], ["south"]]);
    expect((await standing()).releases).toMatchObject([{ committed: 3, pending: [] }]);
  });

  test("also where an earlier attempt was cut short: what it had reserved, and not what it had committed", async () => {
    await released({ grids: ["south"] });
    readTotals.mockRejectedValueOnce(new VeilgridError("ENGINE_UNAVAILABLE", "the server is gone"));
    await expect(released({ grids: ["west", "south"] })).rejects.toThrow();
    await released({ grids: ["west", "south"] });
    expect(askedFor()).toEqual([["south"], ["west"], ["west"]]);
  });

  test("under another key it is another release, and all of it is read again", async () => {
    await released({ grids: ["west"] });
    await released({ grids: ["west", "south"], key: "june" });
    expect(askedFor()).toEqual([["west"], ["south", "west"]]);
  });

  test("totals go by their grid's name: others would be passed over", async () => {
    const releasedBy = async (key: string, only?: SomeGrids): Promise<string> => {
      seed = 0;
      readTotals.mockImplementationOnce((_, of, asked) => totalsOf(_, of, { ...asked, only: only ?? asked.only }));
      const { text } = await released({ key, grids: ["west"] });
      return gridText(readResult(text).rows[0]!);
    };
    expect(await releasedBy("may")).toBe(await releasedBy("june", { grids: plan.grids, occupancy }));
  });

  test("the compiler lets nobody ask for totals without naming grids", () => {
    expectTypeOf<Parameters<ReleaseParties["engine"]["readTotals"]>[2]["only"]>().toEqualTypeOf<SomeGrids>();
  });
});

describe("what is disclosed", () => {
  test("is what the ledger gave back, not what was computed", async () => {
    const fixed = (grid: string): string => gridText({ grid, users: 0, samples: 0, kept: 0, statistics: null });
    const { text } = await release(
      parties({
        ledger: {
          reserve: (given) => ledger.reserve(given),
          commit: async (given) => {
            const done = await ledger.commit(given);
            return { ...done, texts: new Map([...done.texts.keys()].map((grid) => [grid, fixed(grid)])) };
          },
        },
      }),
      request(),
    );
    const { header } = (await ledger.committed({ dataset: "buses", key: "may" }))!;
    expect(text).toBe(resultText(header, plan.grids.map(fixed)));
  });

  test("says that it is charged and pending if it fails past the reservation, and goes on from there", async () => {
    readTotals.mockRejectedValueOnce(new VeilgridError("ENGINE_UNAVAILABLE", "the server is gone"));
    await expect(released()).rejects.toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message:
        "the server is gone; it is charged and pending: the same release again finishes it, veilgrid ledger void gives it up",
    });
    expect(String((await standing()).loss)).toBe(String(plan.loss));
    expect(await released()).toMatchObject({ chargedGrids: 0, resumed: true });
  });

  test("says the same if the commit fails, but not of what was given up meanwhile", async () => {
    const failing = (code: "LEDGER_UNAVAILABLE" | "RESERVATION_VOID") => ({
      reserve: (given: Parameters<Ledger["reserve"]>[0]) => ledger.reserve(given),
      commit: () => Promise.reject(new VeilgridError(code, "no")),
    });
    await expect(release(parties({ ledger: failing("LEDGER_UNAVAILABLE") }), request())).rejects.toMatchObject({
      code: "LEDGER_UNAVAILABLE",
      message: expect.stringMatching(/^no; it is charged and pending: the same release again finishes it/),
    });
    await expect(release(parties({ ledger: failing("RESERVATION_VOID") }), request())).rejects.toThrow(/^no$/);
    expect(await released()).toMatchObject({ chargedGrids: 0, resumed: true });
  });

  test("is what another process committed first under the same key", async () => {
    let others: ReleaseOutcome | undefined;
    readTotals.mockImplementationOnce(async (...asked) => {
      others = await released({ tool: "another" });
      return totalsOf(...asked);
    });
    const ours = await released();
    expect(readTotals).toHaveBeenCalledTimes(2);
    expect(others).toMatchObject({ chargedGrids: 0, resumed: true });
    expect(ours.text).toBe(others!.text);
    expect(readResult(ours.text).tool).toBe("veilgrid test");
    expect(String((await standing()).loss)).toBe(String(plan.loss));
  });

  test("is the exact statistic plus noise of the plan's ε, with public counts beside it", async () => {
    const { rows, notPrivate, plan: hash } = readResult((await released()).text);
    expect([notPrivate, hash]).toEqual([false, plan.hash]);
    expect(rows.map(({ grid, users, samples }) => [grid, users, samples])).toEqual([
      ["north", 3, 9],
      ["south", 2, 6],
      ["west", 2, 4],
    ]);
    rows.forEach((row, index) => {
      expect(row.statistics!.map(({ epsilon }) => String(epsilon))).toEqual(plan.noise[index]!.epsilons.map(String));
      expect(row.statistics!.map(({ scale }) => String(scale))).toEqual(plan.noise[index]!.scales.map(String));
      const { steps, stepExponent, scale } = row.statistics![0]!;
      const noise = Number(steps[0]) * 2 ** stepExponent - (1000 * 64) / 2 ** 20;
      // Beyond 40 scales once in 10¹⁷.
      expect(Math.abs(noise)).toBeLessThan(40 * scale.toNumberNearest());
    });
  });
});

describe("the same key", () => {
  test("gives the same bytes, charges once and reads no value again", async () => {
    const first = await released();
    const again = await released({ reservedAt: new Date("2027-01-01T00:00:00Z"), tool: "veilgrid later" });
    expect(again.text).toBe(first.text);
    expect(again).toMatchObject({ chargedGrids: 0, resumed: false, clampedValues: null });
    expect(readTotals).toHaveBeenCalledTimes(1);
    expect(String((await standing()).loss)).toBe(String(plan.loss));
  });

  test("and another key gives other noise for another charge", async () => {
    const first = readResult((await released()).text);
    const other = readResult((await released({ key: "june" })).text);
    expect(other.rows).not.toEqual(first.rows);
    expect(String((await standing()).loss)).toBe(String(plan.loss.add(plan.loss)));
  });

  test("with another plan is refused and charges nothing", async () => {
    await released();
    const before = await losses();
    await expect(released({ plan: planOf("0.2") })).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    expect(await losses()).toEqual(before);
    expect(readTotals).toHaveBeenCalledTimes(1);
  });

  test("grid by grid and then whole: the committed grids, put together, at the price of the whole", async () => {
    await released({ key: "whole" });
    const price = await losses();
    const parts = new Map<string, string>();
    for (const grid of ["west", "north", "south"]) {
      const { text, chargedGrids } = await released({ grids: [grid] });
      expect(chargedGrids).toBe(1);
      parts.set(grid, gridText(readResult(text).rows[0]!));
    }
    const calls = readTotals.mock.calls.length;
    const { text, chargedGrids } = await released();
    const { header } = (await ledger.committed({ dataset: "buses", key: "may" }))!;
    expect(text).toBe(
      resultText(
        header,
        plan.grids.map((grid) => parts.get(grid)!),
      ),
    );
    expect([chargedGrids, readTotals.mock.calls.length]).toEqual([0, calls]);
    const twice = Object.entries(price).map(([user, loss]) => {
      const units = parseDecimal(loss);
      return [user, String(units.add(units))];
    });
    expect(await losses()).toEqual(Object.fromEntries(twice));
  });

  test("some grids first: the rest is charged and computed, what was disclosed stays", async () => {
    const { rows: early } = readResult((await released({ grids: ["south"] })).text);
    const whole = await released();
    expect(whole).toMatchObject({ chargedGrids: 2, resumed: false });
    expect(readResult(whole.text).rows[1]).toEqual(early[0]);
    expect(String((await standing()).loss)).toBe(String(plan.loss));
  });

  test("grids come in the plan's order, whatever the order asked", async () => {
    const { text } = await released({ grids: ["west", "north"] });
    expect(readResult(text).rows.map(({ grid }) => grid)).toEqual(["north", "west"]);
  });
});

describe("what was released before", () => {
  const again = (changed: Partial<ReleaseRequest> = {}): Promise<string | undefined> =>
    releasedBefore(ledger, request(changed));

  test("is given again without an engine, whole or in part", async () => {
    const { text } = await released();
    expect(await again()).toBe(text);
    const { text: part } = await released({ grids: ["south"] });
    expect(await again({ grids: ["south"] })).toBe(part);
    expect(readTotals).toHaveBeenCalledTimes(1);
  });

  test("is nothing where the key, the plan or a grid is new, or nothing was committed", async () => {
    expect(await again()).toBeUndefined();
    readTotals.mockRejectedValueOnce(new Error("the disk is gone"));
    await expect(released({ grids: ["south"] })).rejects.toThrow();
    expect(await again({ grids: ["south"] })).toBeUndefined();
    await released({ grids: ["south"] });
    expect(await again()).toBeUndefined();
    expect(await again({ key: "june" })).toBeUndefined();
    expect(await again({ plan: planOf("0.2"), grids: ["south"] })).toBeUndefined();
  });

  test("is refused as private if it was replayed, and the other way round", async () => {
    await released({ notPrivate: true });
    await released({ key: "june" });
    await expect(again()).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    await expect(again({ key: "june", notPrivate: true })).rejects.toMatchObject({ code: "KEY_CONFLICT" });
  });
});

describe("refused before anything is charged or read", () => {
  const nothingHappened = async (): Promise<void> => {
    expect(readTotals).not.toHaveBeenCalled();
    expect((await standing()).loss.isZero()).toBe(true);
    expect((await standing()).releases).toEqual([]);
  };

  test("a loss above the budget, saying what would fit", async () => {
    await expect(released({ plan: planOf("20") })).rejects.toMatchObject({
      code: "BUDGET_EXCEEDED",
      message: expect.stringMatching(/a plan with ε multiplied by at most 0\.\d+ fits/),
    });
    await nothingHappened();
  });

  test("a loss above what earlier releases left", async () => {
    const large = planOf("5");
    await released({ plan: large, key: "first" });
    const before = await losses();
    await expect(released({ plan: large, key: "second" })).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    expect(await losses()).toEqual(before);
    expect(readTotals).toHaveBeenCalledTimes(1);
  });

  test("a plan of other data", async () => {
    const other = occupancyFromTriples([["ann", "north", 4]]);
    await expect(released({ plan: planOf("0.3", other) })).rejects.toMatchObject({ code: "PLAN_MISMATCH" });
    await nothingHappened();
  });

  test("a dataset that the ledger does not have", async () => {
    await expect(released({ dataset: "trams" })).rejects.toMatchObject({ code: "LEDGER_NOT_FOUND" });
    await nothingHappened();
  });

  test("work that was cancelled", async () => {
    const cancelled = release(parties(), request(), { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
    await nothingHappened();
  });
});

describe("replayed noise", () => {
  test.each([true, false])("is not mixed with private noise under one key (first replayed: %s)", async (first) => {
    const { text } = await released({ notPrivate: first });
    expect(readResult(text).notPrivate).toBe(first);
    await expect(released({ notPrivate: !first })).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    expect((await released({ notPrivate: first })).text).toBe(text);
  });

  test.each([true, false])("and a refusal for it charges nothing (first replayed: %s)", async (first) => {
    await released({ notPrivate: first, grids: ["south"] });
    const before = await losses();
    await expect(released({ notPrivate: !first })).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    expect(await losses()).toEqual(before);
    expect((await standing()).releases).toMatchObject([{ state: "committed", pending: [] }]);
  });
});

describe("cut short", () => {
  test("while reading: the charge stays, nothing is disclosed, and the next attempt finishes without a second one", async () => {
    readTotals.mockRejectedValueOnce(new Error("the disk is gone"));
    await expect(released()).rejects.toThrow("the disk is gone");
    expect((await ledger.committed({ dataset: "buses", key: "may" }))!.texts.size).toBe(0);
    expect(await released()).toMatchObject({ chargedGrids: 0, resumed: true });
    expect(String((await standing()).loss)).toBe(String(plan.loss));
  });

  test("while committing: the noise that was lost is drawn anew, as nobody has seen it", async () => {
    const lost = vi.fn<Ledger["commit"]>().mockRejectedValue(new Error("no power"));
    const broken: Pick<Ledger, "reserve" | "commit"> = {
      reserve: (given) => ledger.reserve(given),
      commit: lost,
    };
    await expect(release(parties({ ledger: broken }), request())).rejects.toThrow("no power");
    const computed = new Map(lost.mock.calls[0]![0].parts);
    const { text } = await released();
    for (const each of computed.values()) expect(text).not.toContain(each);
  });

  test("and charged grid by grid: what is not committed is given up by itself, at the whole's price until then", async () => {
    const halfway: Pick<Ledger, "reserve" | "commit"> = {
      reserve: (given) => ledger.reserve(given),
      commit: async (given) => {
        await ledger.commit({ ...given, parts: [...given.parts].slice(0, 1) });
        throw new Error("no power");
      },
    };
    for (const separately of [true, false]) {
      const key = `separately ${separately}`;
      const cut = release(parties({ ledger: halfway }), request({ key, separately }));
      await expect(cut).rejects.toThrow("no power");
      const found = (await standing()).releases.find((each) => each.key === key)!;
      expect(String(found.loss)).toBe(String(plan.loss));
      expect([found.committed, found.pending]).toEqual([1, plan.grids.slice(1)]);
      const giveUp = ledger.void({ dataset: "buses", key });
      if (separately) expect(await giveUp).toEqual({ parts: plan.grids.slice(1), kept: [] });
      else await expect(giveUp).rejects.toMatchObject({ code: "LEDGER_CONFLICT" });
    }
    await released({ key: "alone", grids: plan.grids.slice(0, 1) });
    const { releases } = await standing();
    const lossOf = (key: string): string => String(releases.find((each) => each.key === key)!.loss);
    expect(lossOf("separately true")).toBe(lossOf("alone"));
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("and given up: the refund is whole, and the key can be used again", async () => {
    readTotals.mockRejectedValueOnce(new Error("the disk is gone"));
    await expect(released()).rejects.toThrow();
    await ledger.void({ dataset: "buses", key: "may" });
    expect((await standing()).loss.isZero()).toBe(true);
    expect(await released()).toMatchObject({ chargedGrids: 3, resumed: false });
    expect((await ledger.verify()).problems).toEqual([]);
  });
});
