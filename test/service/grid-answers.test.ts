/** Questions for grids with a real thread, ledger and records: one answer for ever, charged once, and only what is committed. */
import { appendFileSync, copyFileSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GridAnswers, ServedDataset } from "../../src/apps/service/index.ts";
import type * as Ledgers from "../../src/publish/ledger/index.ts";
import { builtService, busDataset } from "../support/built-service.ts";
import { root } from "../support/cli.ts";
import { done, makePlanFile, RELEASE, releaseFolder, SECRET, standingOf } from "../support/release-folder.ts";

interface PlanFile {
  readonly hash: string;
  readonly grids: readonly string[];
  readonly loss: string;
}

let folder: string;
let plan: PlanFile;
let dataset: ServedDataset;
let made: AsyncDisposable[];
let service: Awaited<ReturnType<typeof builtService>>;
let ledgers: typeof Ledgers;

beforeAll(async () => {
  service = await builtService();
  ledgers = await import(path.join(root, "dist", "publish", "ledger", "index.js"));
});

beforeEach(async () => {
  made = [];
  await inFolder(await releaseFolder());
});

afterEach(async () => {
  for (const each of made.reverse()) await each[Symbol.asyncDispose]();
  expect(
    JSON.parse((await done(["ledger", "verify", "--ledger", "ledger.db", "--json"], folder)).stdout),
  ).toMatchObject({
    problems: [],
  });
});

async function inFolder(made: string): Promise<void> {
  folder = made;
  plan = JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));
  dataset = busDataset(folder, { plan: plan.hash, key: "may" });
}

async function answers(): Promise<GridAnswers> {
  const planFile = (): string => path.join(folder, "plan.json");
  const ledgerPlace = path.join(folder, "ledger.db");
  const places = { ledgerPlace, ledgerHeadFile: path.join(folder, "ledger-head"), planFile };
  const ledger = await ledgers.openLedgerFile(ledgerPlace);
  const releaser = new service.GridReleases({ ...places, sourceOf: async ({ source }) => source });
  const plans = new service.PlanCache(planFile);
  const one = new service.GridAnswers({ planOf: (hash) => plans.plan(hash), ledger, releaser, tickMs: 50 });
  made.push(ledger, one);
  return one;
}

const ask = (of: GridAnswers, grid: string, onlyReleased = false): Promise<string> =>
  of.ask(dataset, grid, { onlyReleased });

/** Each grid's text as the whole release has it. */
async function wholeRelease(key: string): Promise<Map<string, string>> {
  await done([...RELEASE, "--key", key, "--out", `${key}/`], folder);
  const text = readFileSync(path.join(folder, key, "result.json"), "utf8");
  const header = text.slice(0, text.indexOf(',"rows":['));
  const rows = JSON.parse(text).rows as Array<{ grid: string }>;
  return new Map(rows.map((row) => [row.grid, `${header},"rows":[${JSON.stringify(row)}]}\n`]));
}

describe("an answer", () => {
  test("is the same bytes for every later question, also elsewhere, and in the whole release under the same key", async () => {
    const one = await answers();
    const [grid] = plan.grids as [string];
    const first = await ask(one, grid);
    expect(JSON.parse(first)).toMatchObject({ key: "may", plan: plan.hash, notPrivate: false, rows: [{ grid }] });
    expect(await ask(one, grid)).toBe(first);
    expect(await ask(one, grid, true)).toBe(first);
    expect(await ask(await answers(), grid)).toBe(first);
    const whole = await wholeRelease("may");
    expect(whole.get(grid)).toBe(first);
    for (const each of plan.grids) expect(await ask(one, each)).toBe(whole.get(each));
  });

  test("for every grid costs what the whole release costs, whoever asks at once", async () => {
    const [one, other] = [await answers(), await answers()];
    const asked = [...plan.grids, ...plan.grids].flatMap((grid) => [ask(one, grid), ask(other, grid)]);
    const texts = new Map<string, string>();
    for (const text of await Promise.all(asked)) {
      const { grid } = JSON.parse(text).rows[0];
      expect(texts.get(grid) ?? text).toBe(text);
      texts.set(grid, text);
    }
    expect([...texts.keys()].sort()).toEqual([...plan.grids].sort());
    await wholeRelease("june");
    const [may, june] = (await standingOf(folder)).releases;
    expect([may!.key, june!.key, may!.exactLoss]).toEqual(["may", "june", june!.exactLoss]);
  });
});

describe("refused", () => {
  test("what is not released, where only that may be asked for; a grid that is not in the plan", async () => {
    const one = await answers();
    await expect(ask(one, plan.grids[0]!, true)).rejects.toMatchObject({ code: "NOT_RELEASED" });
    await expect(ask(one, "nowhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await standingOf(folder)).toMatchObject({ loss: 0, releases: [] });
  });

  test("a dataset without a plan, another plan's file, and a key that changes with the date", async () => {
    const question = async (changed: Partial<ServedDataset>) =>
      (await answers()).ask({ ...dataset, ...changed }, plan.grids[0]!, { onlyReleased: false });
    await expect(question({ plan: null })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(question({ plan: "0".repeat(64) })).rejects.toMatchObject({ code: "PLAN_ALTERED" });
    await expect(question({ key: "{yyyy}-{mm}" })).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    expect(await standingOf(folder)).toMatchObject({ loss: 0, releases: [] });
  });

  test("what the budget does not hold, alone; the others are answered", async () => {
    // The whole just does not fit.
    await inFolder(await releaseFolder({ budget: (0.9 * Number(plan.loss)).toFixed(6) }));
    const one = await answers();
    const asked = await Promise.allSettled(plan.grids.map((grid) => ask(one, grid)));
    const refused = asked.filter((each) => each.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(plan.grids.length);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "BUDGET_EXCEEDED" });
    const { releases, budget, loss } = await standingOf(folder);
    expect(releases).toMatchObject([{ state: "committed", pending: [] }]);
    expect(loss).toBeLessThanOrEqual(budget);
    const answered = plan.grids.find((_, index) => asked[index]!.status === "fulfilled")!;
    expect(await ask(one, answered, true)).toContain(JSON.stringify(answered));
  });

  test("records that changed since the plan, before and between questions; nothing is charged for it", async () => {
    const one = await answers();
    const records = path.join(folder, "records.csv");
    const [first, second] = plan.grids as [string, string];
    copyFileSync(records, `${records}.before`);
    appendFileSync(records, "p0,A,21.17,72.83,2026-03-10T09:00:00Z,12\n");
    await expect(ask(one, first)).rejects.toMatchObject({ code: "PLAN_MISMATCH" });
    expect(await standingOf(folder)).toMatchObject({ loss: 0, releases: [] });
    renameSync(`${records}.before`, records);
    const text = await ask(one, first);
    const { exact } = await standingOf(folder);
    appendFileSync(records, `p0,A,21.17,72.83,2026-03-10T09:00:00Z,12.${SECRET}\n`);
    const error = await ask(one, second).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: "PLAN_MISMATCH" });
    expect((error as Error).message).not.toContain(SECRET);
    expect((await standingOf(folder)).exact).toEqual(exact);
    expect(await ask(one, first)).toBe(text);
  });
});

test("what was charged and cut short is finished by the next question, at no further charge", async () => {
  const one = await answers();
  const [first, second] = plan.grids as [string, string];
  await ask(one, first);
  await using ledger = await ledgers.openLedgerFile(path.join(folder, "ledger.db"));
  // As if a thread had died between the charge and the commit; the header is the first question's.
  const charge = { chargesOf: () => [["p1", 5n]] as const, header: "", separately: true };
  await ledger.reserve({ dataset: "buses", key: "may", planHash: plan.hash, parts: [second], ...charge });
  const { exact, releases } = await standingOf(folder);
  expect(releases[0]!.pending).toEqual([second]);
  await expect(ask(one, second, true)).rejects.toMatchObject({ code: "NOT_RELEASED" });
  expect(await ask(one, second)).toContain(JSON.stringify(second));
  expect(await standingOf(folder)).toMatchObject({ exact, releases: [{ state: "committed", pending: [] }] });
});

describe("a balanced plan of two passes", () => {
  const strategy = ["--loss", "1", "--passes", "2"];
  /** Losses of a key, exactly, in units of 10⁻¹⁸. */
  const unitsOf = (text: string): bigint => BigInt(Math.round(Number(text) * 1e9));

  beforeEach(async () => {
    await inFolder(await releaseFolder({ strategy }));
  });

  const priceOf = async (grids: readonly string[]) => {
    const { releaseDryRun } = await import("../../src/apps/operations/index.ts");
    const options = { plan: path.join(folder, "plan.json"), ledger: path.join(folder, "ledger.db"), dataset: "buses" };
    const { price } = await releaseDryRun(path.join(folder, "records.csv"), { ...options, key: "may", grids });
    return { parts: price.parts, loss: String(price.loss) };
  };

  test("the first question pays for both passes of the whole plan, the next for its grid; together they cost the plan", async () => {
    const one = await answers();
    const [first, second, third] = plan.grids as [string, string, string];
    const price = await priceOf([first]);
    expect(price.parts).toEqual([first]);
    const text = await ask(one, first);
    expect((await standingOf(folder)).exact.loss).toBe(price.loss);
    const next = await priceOf([second]);
    expect(next.parts).toEqual([second]);
    expect(unitsOf(next.loss)).toBeLessThan(unitsOf(price.loss));
    expect((await priceOf([first])).parts).toEqual([]);
    const texts = [text, await ask(one, second), await ask(one, third)];
    expect(await ask(one, first)).toBe(text);
    expect((await standingOf(folder)).exact.loss).toBe(plan.loss);
    expect(await standingOf(folder)).toMatchObject({
      releases: [{ state: "committed", committed: 3, pending: [] }],
    });
    const whole = await wholeRelease("may");
    expect(texts).toEqual([first, second, third].map((grid) => whole.get(grid)));
  });

  test.each([
    { done: [] as string[] },
    { done: ["%first pass"] },
  ])("cut short with $done committed: the next question finishes it around what is committed", async ({
    done: passes,
  }) => {
    const [first, second] = plan.grids as [string, string];
    // Another ledger, where the same plan is released, has a first pass to borrow; a thread died after it was committed.
    const other = await releaseFolder({ strategy });
    const mine = folder;
    folder = other;
    await wholeRelease("may");
    const texts = await (async () => {
      await using theirs = await ledgers.openLedgerFile(path.join(other, "ledger.db"));
      return (await theirs.committed({ dataset: "buses", key: "may", parts: ["%first pass"] }))!;
    })();
    folder = mine;
    await using ledger = await ledgers.openLedgerFile(path.join(folder, "ledger.db"));
    const release = { dataset: "buses", key: "may", planHash: plan.hash };
    const parts = ["%first pass", "%rings", first];
    const charge = { chargesOf: () => [["p1", 5n]] as const, separately: true };
    await ledger.reserve({ ...release, parts, ...charge, header: texts.header });
    if (passes.length > 0) await ledger.commit({ ...release, parts: texts.texts });
    expect((await standingOf(folder)).releases[0]).toMatchObject({ state: "pending", pending: [first] });
    const one = await answers();
    const answer = await ask(one, second);
    expect(answer).toContain(JSON.stringify(second));
    const stored = async () => (await ledger.committed({ ...release, parts: ["%first pass", "%rings"] }))!.texts;
    const made = await stored();
    expect(made.size).toBe(2);
    if (passes.length > 0) expect(made.get("%first pass")).toBe(texts.texts.get("%first pass"));
    await ask(one, first);
    expect(await stored()).toEqual(made);
    expect(await ask(one, second)).toBe(answer);
    expect(await standingOf(folder)).toMatchObject({ releases: [{ state: "committed", committed: 2, pending: [] }] });
  });

  test("is refused alone where the budget does not hold it, and charges no pass", async () => {
    await inFolder(await releaseFolder({ strategy, budget: "0.1" }));
    const one = await answers();
    await expect(ask(one, plan.grids[0]!)).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    expect(await standingOf(folder)).toMatchObject({ loss: 0, releases: [] });
  });
});

test("a plan that is changed for another is followed, under another key", async () => {
  const one = await answers();
  const [grid] = plan.grids as [string];
  await ask(one, grid);
  await makePlanFile(folder, { epsilon: "0.25" });
  const changed: PlanFile = JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));
  dataset = { ...dataset, plan: changed.hash, key: "june" };
  expect(JSON.parse(await ask(one, grid))).toMatchObject({ key: "june", plan: changed.hash });
});
