/** Releases of balanced plans: one charge before any value is read, each pass made of what the ledger committed before it, and what holds when something goes wrong in between. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { replayedBytes } from "../../../../test/support/replayed-bytes.ts";
import { releaseRequest } from "../../../../test/support/small-release.ts";
import { balancedPlan, drawnValues, sumsOf } from "../../../../test/support/weighted-release.ts";
import { Rational } from "../../../core/arithmetic/index.ts";
import { RandomBits } from "../../../core/noise/index.ts";
import { occupancyFromTriples } from "../../../core/occupancy/index.ts";
import type { Progress } from "../../../core/planning/index.ts";
import type { Records, SumsReading, SumsRequest } from "../../../data/engines/index.ts";
import { Ledger, MemoryStore, type Standing } from "../../ledger/index.ts";
import { charges, type ReleaseOutcome, release, releasedBefore } from "../release.ts";
import type { ReleaseParties, ReleaseRequest } from "../request.ts";
import { gridText, readResult } from "../result.ts";
import { FeatureSums, featureRequest } from "./feature-sums.ts";
import { partsOf } from "./finish-weighted.ts";
import { weightedGrid } from "./last-pass.ts";
import { earlierText, lastPass } from "./passes.ts";

const [FIRST, RINGS] = ["%first pass", "%rings"] as const;

const occupancy = occupancyFromTriples(
  Array.from(
    { length: 90 },
    (_, cell) => [`u${cell % 30}`, ["north", "south", "west"][Math.floor(cell / 30)]!, 1 + ((cell * 7) % 5)] as const,
  ).filter((_, cell) => cell % 4 !== 1),
);
const { plan, evaluation } = balancedPlan(occupancy, { statistics: "mean,share:20", step: "1", loss: "2" });
const values = drawnValues(occupancy, 64n, 11);

const readSumsOf = async (_: Records, __: unknown, request: SumsRequest): Promise<SumsReading> => {
  const grids = new Set(request.only.grids.map((grid) => occupancy.grids.indexOf(grid)));
  const asked = values.map((own, entry) => (grids.has(occupancy.byUser.grid[entry]!) ? own : []));
  return { sums: sumsOf(asked, request), clampedValues: 5 };
};

let ledger: Ledger;
let seed: number;
const readSums = vi.fn(readSumsOf);

beforeEach(async () => {
  ledger = await newLedger("10");
  seed = 0;
  readSums.mockReset().mockImplementation(readSumsOf);
});

async function newLedger(budget: string): Promise<Ledger> {
  const made = new Ledger(new MemoryStore());
  await made.init({ dataset: "buses", budget: Rational.of(Number(budget)), occupancyIsPublic: true });
  return made;
}

const noTotals = () => expect.unreachable("a balanced plan has no totals");

function parties(changed: Partial<ReleaseParties["ledger"]> = {}): ReleaseParties {
  return {
    engine: { readSums, readTotals: noTotals },
    random: replayedBytes(++seed),
    ledger: { reserve: (given) => ledger.reserve(given), commit: (given) => ledger.commit(given), ...changed },
  };
}

const request = (changed: Partial<ReleaseRequest> = {}): ReleaseRequest =>
  releaseRequest({ occupancy, plan, evaluation, ...changed });

const released = (changed: Partial<ReleaseRequest> = {}): Promise<ReleaseOutcome> =>
  release(parties(), request(changed));

async function standing(): Promise<Standing> {
  return (await ledger.show({ dataset: "buses" }))[0]!;
}

async function committedParts(key = "may"): Promise<ReadonlyMap<string, string>> {
  return (await ledger.committed({ dataset: "buses", key }))?.texts ?? new Map();
}

/** What the largest loss of any user by these parts is, by the charges themselves. */
function largest(parts: readonly string[]): Rational {
  const units = [...charges(occupancy, plan, evaluation, parts)].map(([, units]) => units);
  return Rational.of(
    units.reduce((one, other) => (one > other ? one : other), 0n),
    10n ** 18n,
  );
}

describe("the order of steps", () => {
  test("one charge of all parts, one reading, then each pass is committed before the next is made", async () => {
    const steps: unknown[] = [];
    const told: Progress[] = [];
    readSums.mockImplementation(async (...asked) => {
      expect(String((await standing()).loss)).toBe(String(plan.loss));
      steps.push(["read", asked[2].only.grids]);
      return readSumsOf(...asked);
    });
    const outcome = await release(
      parties({
        reserve: (given) => {
          steps.push(["reserve", given.parts]);
          return ledger.reserve(given);
        },
        commit: (given) => {
          steps.push(["commit", [...given.parts].map(([part]) => part)]);
          return ledger.commit(given);
        },
      }),
      request(),
      { onProgress: (each) => told.push(each) },
    );
    expect(steps).toEqual([
      ["reserve", [FIRST, RINGS, ...plan.grids]],
      ["read", plan.grids],
      ["commit", [FIRST]],
      ["commit", [RINGS]],
      ["commit", plan.grids],
    ]);
    expect(told.map(({ step }) => step)).toEqual([
      "reserving",
      "reading sums",
      "committing an earlier pass",
      "committing an earlier pass",
      "adding noise",
      "committing",
      "disclosing",
    ]);
    expect(outcome).toMatchObject({ chargedGrids: 3, resumed: false, clampedValues: 5 });
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("a plan of one pass commits its grids alone", async () => {
    const one = balancedPlan(occupancy, { passes: 1, step: "1" });
    const { text } = await released(one);
    expect([...(await committedParts()).keys()]).toEqual(one.plan.grids);
    expect(String((await standing()).loss)).toBe(String(one.plan.loss));
    expect(readResult(text).rows.map(({ weighted }) => weighted!.features[0]!.window)).toEqual([null, null, null]);
  });
});

describe("each pass is made of what the ledger gave back", () => {
  const { balanced: terms } = plan;
  const { balanced } = evaluation;
  const pass = { plan, terms: terms!, evaluation: balanced! };
  const lattice = { bounds: plan.objective.bounds, step: plan.latticeStep };
  const secrets = (bytes: number) => ({
    sums: new FeatureSums(
      balanced!.weights,
      sumsOf(values, featureRequest(balanced!.features, lattice)),
      balanced!.features,
      lattice,
    ),
    uniform: new RandomBits(replayedBytes(bytes)),
  });

  test("also where another process had committed other texts first", async () => {
    const others = new Map([[FIRST as string, earlierText(FIRST, pass, new Map(), secrets(1000))]]);
    others.set(RINGS, earlierText(RINGS, pass, others, secrets(1001)));
    const ours: string[] = [];
    const { text } = await release(
      parties({
        commit: async (given) => {
          const [[part, own] = ["", ""]] = given.parts;
          const other = others.get(part);
          if (other === undefined) return ledger.commit(given);
          ours.push(own);
          // The other one was faster.
          await ledger.commit({ ...given, parts: [[part, other]] });
          return ledger.commit(given);
        },
      }),
      request(),
    );
    expect(ours).toHaveLength(2);
    // Rings around the other's centres: the draws of this process, after those of its own first pass.
    const replayed = secrets(seed);
    expect(ours[0]).toBe(earlierText(FIRST, pass, new Map(), replayed));
    expect(ours[0]).not.toBe(others.get(FIRST));
    expect(ours[1]).toBe(earlierText(RINGS, pass, others, replayed));
    const last = lastPass(pass, others);
    const rows = plan.grids.map((_, grid) => weightedGrid(pass, last, grid, replayed));
    expect(readResult(text).rows.map(({ weighted }) => weighted)).toEqual(rows);
    const stored = await committedParts();
    expect([stored.get(FIRST), stored.get(RINGS)]).toEqual([others.get(FIRST), others.get(RINGS)]);
  });

  test("two processes at once: one set of passes, one answer, one charge", async () => {
    const [one, other] = await Promise.all([released(), released()]);
    expect(one.text).toBe(other.text);
    expect(one.chargedGrids + other.chargedGrids).toBe(3);
    expect(String((await standing()).loss)).toBe(String(plan.loss));
  });
});

/** Every call of engine and ledger in the order in which a release makes them; the one numbered `at` fails before or after it is done. */
function failing(at: number, when: "before" | "after"): { parties: ReleaseParties; calls: () => number } {
  let calls = 0;
  const cut = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const own = calls++;
    if (own === at && when === "before") throw new Error("no power");
    const value = await work();
    if (own === at) throw new Error("no power");
    return value;
  };
  const engine = {
    readTotals: noTotals,
    readSums: (...given: Parameters<typeof readSumsOf>) => cut(() => readSums(...given)),
  };
  return {
    parties: {
      ...parties({
        reserve: (given) => cut(() => ledger.reserve(given)),
        commit: (given) => cut(() => ledger.commit(given)),
      }),
      engine,
    },
    calls: () => calls,
  };
}

describe("cut short", () => {
  const CALLS = 5;
  const places = Array.from({ length: CALLS }, (_, at) => at).flatMap((at) =>
    (["before", "after"] as const).flatMap((when) =>
      [true, false].map((separately) => [at, when, separately] as const),
    ),
  );

  test("a release has five steps in which it can be cut", async () => {
    const whole = failing(-1, "before");
    await release(whole.parties, request());
    expect(whole.calls()).toBe(CALLS);
  });

  test.each(
    places,
  )("at step %i, %s it is done (charged separately: %s): passes that are committed stay, nothing is charged twice, one answer", async (at, when, separately) => {
    await expect(release(failing(at, when).parties, request({ separately }))).rejects.toThrow("no power");
    const before = await committedParts();
    const passes = Math.max(0, at - 2 + (when === "after" ? 1 : 0));
    expect([...before.keys()]).toEqual([[], [FIRST], [FIRST, RINGS], partsOf(plan, plan.grids)][passes]);
    const isCharged = at > 0 || when === "after";
    expect(String((await standing()).loss)).toBe(isCharged ? String(plan.loss) : "0");

    const reads = readSums.mock.calls.length;
    const found = await released({ separately });
    const after = await committedParts();
    for (const [part, text] of before) expect(after.get(part)).toBe(text);
    expect([...after.keys()].sort()).toEqual([...partsOf(plan, plan.grids)].sort());
    expect(found).toMatchObject({ chargedGrids: isCharged ? 0 : 3 });
    // Values are read again only if something is left to make.
    expect(readSums.mock.calls.length - reads).toBe(passes === 3 ? 0 : 1);
    expect(readResult(found.text).rows.map((row) => gridText(row))).toEqual(plan.grids.map((grid) => after.get(grid)));
    expect((await released({ separately })).text).toBe(found.text);
    expect(String((await standing()).loss)).toBe(String(plan.loss));
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("after the first pass, charged as one: it cannot be given up, and says how to finish it", async () => {
    await expect(release(failing(2, "after").parties, request())).rejects.toThrow();
    await expect(ledger.void({ dataset: "buses", key: "may" })).rejects.toMatchObject({ code: "LEDGER_CONFLICT" });
    expect(await released()).toMatchObject({ chargedGrids: 0, resumed: true });
  });

  test("after the first pass, charged part by part: the rest is given up, and made again around the same first pass", async () => {
    await expect(release(failing(2, "after").parties, request({ separately: true }))).rejects.toThrow();
    const first = (await committedParts()).get(FIRST);
    expect(await ledger.void({ dataset: "buses", key: "may" })).toEqual({ parts: plan.grids, kept: [] });
    expect(String((await standing()).loss)).toBe(String(largest([FIRST])));
    expect(await released({ separately: true })).toMatchObject({ chargedGrids: 3 });
    expect((await committedParts()).get(FIRST)).toBe(first);
    expect(String((await standing()).loss)).toBe(String(plan.loss));
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("before anything is committed: the refund is whole", async () => {
    await expect(release(failing(1, "after").parties, request())).rejects.toThrow();
    await ledger.void({ dataset: "buses", key: "may" });
    expect((await standing()).loss.isZero()).toBe(true);
    expect(await released()).toMatchObject({ chargedGrids: 3, resumed: false });
  });

  test("and given up while it runs: it says so and discloses nothing", async () => {
    readSums.mockImplementationOnce(async (...asked) => {
      await ledger.void({ dataset: "buses", key: "may" });
      return readSumsOf(...asked);
    });
    await expect(released()).rejects.toMatchObject({ code: "RESERVATION_VOID" });
    expect((await standing()).loss.isZero()).toBe(true);
    expect((await committedParts()).size).toBe(0);
  });
});

describe("grid by grid", () => {
  test.each([
    true,
    false,
  ])("the first question pays for both passes of the whole plan, later ones for their grid (separately: %s)", async (separately) => {
    const spent: string[] = [];
    const asked: unknown[] = [];
    for (const grid of ["west", "north", "south"]) {
      const outcome = await released({ grids: [grid], separately });
      expect(outcome.chargedGrids).toBe(1);
      spent.push(String((await standing()).loss));
      asked.push(readSums.mock.calls.at(-1)![2].only.grids);
    }
    expect(spent).toEqual(
      [["west"], ["north", "west"], plan.grids].map((grids) => String(largest([FIRST, RINGS, ...grids]))),
    );
    expect(spent.at(-1)).toBe(String(plan.loss));
    // The passes ask all grids, which they paid for; after them only what is wanted.
    expect(asked).toEqual([plan.grids, ["north"], ["south"]]);
    const parts = await committedParts();
    const whole = await released();
    expect(whole).toMatchObject({ chargedGrids: 0, clampedValues: null });
    expect(readResult(whole.text).rows.map((row) => gridText(row))).toEqual(plan.grids.map((grid) => parts.get(grid)));
  });

  test("a question that is asked again is answered from the ledger, whole or in part, without reading", async () => {
    const { text } = await released({ grids: ["west"] });
    readSums.mockClear();
    expect(await releasedBefore(ledger, request({ grids: ["west"] }))).toBe(text);
    expect(await releasedBefore(ledger, request())).toBeUndefined();
    expect((await released({ grids: ["west"] })).text).toBe(text);
    expect(readSums).not.toHaveBeenCalled();
  });

  test("a question whose passes were left pending by another finishes them", async () => {
    readSums.mockRejectedValueOnce(new Error("no power"));
    await expect(released({ grids: ["west"], separately: true })).rejects.toThrow();
    expect(await released({ grids: ["north"], separately: true })).toMatchObject({ chargedGrids: 1, resumed: true });
    expect([...(await committedParts()).keys()].sort()).toEqual([FIRST, RINGS, "north"].sort());
    expect((await standing()).releases).toMatchObject([{ pending: ["west"] }]);
    expect(await released({ grids: ["west"], separately: true })).toMatchObject({ chargedGrids: 0, resumed: true });
  });
});

test("passes are no grids: standings count grids, and the trail names passes", async () => {
  await expect(release(failing(2, "after").parties, request())).rejects.toThrow();
  expect((await standing()).releases).toMatchObject([{ state: "pending", committed: 0, pending: plan.grids }]);
  await released();
  const { releases, trail } = await standing();
  expect(releases).toMatchObject([{ state: "committed", committed: 3, pending: [] }]);
  expect(trail.slice(1).map(({ what }) => what.replace(/,[^,]* users.*/, ""))).toEqual([
    "'may': first pass, rings, 3 reserved",
    "'may': first pass committed",
    "'may': rings committed",
    "'may': 3 committed",
  ]);
  expect((await ledger.verify()).counts.parts).toBe(3);
});

describe("what users are charged", () => {
  test("by single parts adds up to the charge of all of them, user by user", () => {
    const parts = partsOf(plan, plan.grids);
    const all = new Map(charges(occupancy, plan, evaluation, parts));
    const added = new Map<string, bigint>();
    for (const part of parts)
      for (const [user, units] of charges(occupancy, plan, evaluation, [part]))
        added.set(user, (added.get(user) ?? 0n) + units);
    expect(added).toEqual(all);
    expect(String(largest(parts))).toBe(String(plan.loss));
    expect(plan.loss.compare(Rational.of(2))).toBeLessThanOrEqual(0);
    expect(plan.loss.toNumberNearest()).toBeGreaterThan(1.999_999);
  });

  test.each([
    undefined,
    ["west"],
  ])("is refused before any value is read if it does not fit (grids: %s)", async (grids) => {
    ledger = new Ledger(new MemoryStore());
    const budget = largest(partsOf(plan, grids ?? plan.grids)).subtract(Rational.of(1n, 10n ** 18n));
    await ledger.init({ dataset: "buses", budget, occupancyIsPublic: true });
    for (const separately of [true, false])
      await expect(released({ grids, separately })).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    expect(readSums).not.toHaveBeenCalled();
    expect((await standing()).releases).toEqual([]);
  });
});

test("the result read back is what was committed, byte for byte", async () => {
  const { text } = await released();
  const { rows, spread, passes } = readResult(text);
  const stored = await committedParts();
  for (const row of rows) {
    expect(gridText(row)).toBe(stored.get(row.grid));
    expect(row.statistics).toBeNull();
    expect(row.weighted!.features.map(({ key }) => key)).toEqual(["value", "share:20"]);
  }
  expect(passes).toBe(2);
  expect(String(spread!.users)).toBe("2");
});
