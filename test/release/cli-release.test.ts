/** Releases through the command, on real files: every step of a budget's life, and what a key promises. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { releaseRecords } from "../../src/apps/operations/index.ts";
import {
  busRecords,
  done,
  duckDbRows,
  expectNothingCharged,
  filesOf,
  makePlanFile,
  planOf,
  RELEASE,
  refusal,
  releaseFolder,
  standingOf,
} from "../support/release-folder.ts";

const LEDGER = ["--ledger", "ledger.db", "--dataset", "buses"];

/** A release that is charged and then cut short while its values are read. */
async function cutShort(folder: string, key: string): Promise<void> {
  const stop = new AbortController();
  const at = (name: string): string => path.join(folder, name);
  const options = { plan: at("plan.json"), ledger: at("ledger.db"), dataset: "buses", key };
  const onProgress = ({ step }: { readonly step: string }): void => {
    if (step === "reading totals") stop.abort();
  };
  await expect(releaseRecords(at("records.csv"), options, { signal: stop.signal, onProgress })).rejects.toMatchObject({
    code: "CANCELLED",
  });
}

describe.concurrent("a budget's life", () => {
  test("init, dry run, release, show, verify", async () => {
    const folder = await releaseFolder();
    const { hash, loss } = planOf(folder);
    const dry = await done([...RELEASE, "--dry-run", "--out", "results/"], folder);
    expect(dry.stdout).toContain("Nothing was charged and nothing was written.");
    const price = JSON.parse((await done([...RELEASE, "--dry-run", "--json"], folder)).stdout);
    expect(price).toMatchObject({ dataset: "buses", key: hash, planHash: hash, loss, refusal: null });
    expect(price.parts).toHaveLength(3);
    await expectNothingCharged(folder);
    expect(existsSync(path.join(folder, "results"))).toBe(false);

    const told = await done([...RELEASE, "--out", "results/"], folder);
    expect(told.stdout).toContain(`Released 3 grids of dataset buses, key ${hash}.`);
    expect([...filesOf(path.join(folder, "results")).keys()]).toEqual([
      "dictionary.md",
      "privacy-statement.json",
      "privacy-statement.md",
      "report.html",
      "result.json",
      "statistics.csv",
      "statistics.geojson",
      "statistics.json",
      "statistics.parquet",
    ]);
    const standing = await standingOf(folder);
    expect(standing).toMatchObject({ budget: 5, exact: { loss } });
    expect(standing.releases).toMatchObject([{ key: hash, planHash: hash, state: "committed", exactLoss: loss }]);
    expect(standing.trail.map(({ kind }) => kind)).toEqual(["init", "reserve", "commit"]);
    expect((await done(["ledger", "show", "--ledger", "ledger.db"], folder)).stdout).toContain("Dataset buses");
    expect((await done(["ledger", "verify", "--ledger", "ledger.db"], folder)).stdout).toMatch(/^consistent: /);
    const verified = JSON.parse((await done(["ledger", "verify", "--ledger", "ledger.db", "--json"], folder)).stdout);
    expect(verified).toMatchObject({ consistent: true, problems: [] });
    const after = await done([...RELEASE, "--dry-run"], folder);
    expect(after.stdout).toBe(`Nothing would be charged: key ${hash} is paid for.\n`);
  });

  test("raise: budgets go up, with a reason that stays on record", async () => {
    const folder = await releaseFolder({ budget: "0.4" });
    expect((await refusal([...RELEASE], folder)).line).toContain("raise the budget with veilgrid ledger raise");
    const raise = ["ledger", "raise", ...LEDGER, "--budget"];
    expect(await refusal([...raise, "9"], folder)).toMatchObject({
      status: 2,
      line: expect.stringMatching(/--reason/),
    });
    expect((await refusal([...raise, "0.3", "--reason", "less"], folder)).line).toContain("budgets only go up");
    const raised = JSON.parse((await done([...raise, "9", "--reason", "decision 14", "--json"], folder)).stdout);
    expect(raised).toMatchObject({ budget: 9, loss: 0 });
    await done(RELEASE, folder);
    expect((await standingOf(folder)).trail.map(({ what }) => what)).toContain("budget raised to 9: decision 14");
  });

  test("void: a release cut short is refunded, a finished one is not", async () => {
    const folder = await releaseFolder();
    await cutShort(folder, "may");
    const { loss } = planOf(folder);
    expect(await standingOf(folder)).toMatchObject({ exact: { loss }, releases: [{ key: "may", state: "pending" }] });
    const voidMay = ["ledger", "void", ...LEDGER, "--key", "may"];
    expect((await done(voidMay, folder)).stdout).toBe("given up and refunded: 3 grids\n");
    expect(await standingOf(folder)).toMatchObject({ exact: { loss: "0" }, releases: [{ state: "void" }] });
    await done([...RELEASE, "--key", "may"], folder);
    expect(await refusal(voidMay, folder)).toMatchObject({
      status: 1,
      line: expect.stringContaining("what is committed stays charged"),
    });
    expect((await refusal(["ledger", "void", ...LEDGER, "--key", "june"], folder)).line).toContain("no release 'june'");
    expect(await standingOf(folder)).toMatchObject({ exact: { loss } });
    await done(["ledger", "verify", "--ledger", "ledger.db"], folder);
  });

  test("resume: finishes what was cut short and charges nothing; there must be something to finish", async () => {
    const folder = await releaseFolder();
    const resume = ["ledger", "resume", ...RELEASE.slice(1), "--key", "may"];
    expect((await refusal(resume, folder)).line).toContain("nothing is pending under key 'may'");
    await expectNothingCharged(folder);
    await cutShort(folder, "may");
    const finished = JSON.parse((await done([...resume, "--out", "a/", "--json"], folder)).stdout);
    expect(finished).toMatchObject({ key: "may", grids: 3, chargedGrids: 0 });
    expect(await standingOf(folder)).toMatchObject({
      exact: { loss: planOf(folder).loss },
      releases: [{ key: "may", state: "committed" }],
    });
    expect((await refusal(resume, folder)).line).toContain("nothing is pending under key 'may'");
    await done([...RELEASE, "--key", "may", "--out", "b/"], folder);
    expect(filesOf(path.join(folder, "b"))).toEqual(filesOf(path.join(folder, "a")));
  });

  test("a plain release also goes on with what was cut short, and says so", async () => {
    const folder = await releaseFolder();
    await cutShort(folder, "may");
    const { stderr } = await done([...RELEASE, "--key", "may"], folder);
    expect(stderr).toContain("note: an earlier attempt was cut short after it was charged; this finished it\n");
  });
});

describe.concurrent("keys", () => {
  test("the same key twice gives the same files, byte for byte, for one charge", async () => {
    const folder = await releaseFolder();
    await done([...RELEASE, "--key", "may", "--out", "a/"], folder);
    const { loss } = (await standingOf(folder)).exact;
    const again = JSON.parse((await done([...RELEASE, "--key", "may", "--out", "b/", "--json"], folder)).stdout);
    expect(again.chargedGrids).toBe(0);
    const [first, second] = ["a", "b"].map((name) => filesOf(path.join(folder, name)));
    expect([...second!.keys()]).toEqual([...first!.keys()]);
    for (const [name, bytes] of first!) expect(bytes.equals(second!.get(name)!), name).toBe(true);
    expect((await standingOf(folder)).exact.loss).toBe(loss);

    const other = await done([...RELEASE, "--key", "june"], folder);
    expect(other.stdout).not.toBe(first!.get("statistics.csv")!.toString());
    expect((await standingOf(folder)).releases.map(({ key }) => key)).toEqual(["may", "june"]);
  });

  test("a key that is done is answered from the ledger, whatever became of the records", async () => {
    const folder = await releaseFolder();
    const { stdout } = await done([...RELEASE, "--key", "may"], folder);
    rmSync(path.join(folder, "records.csv"));
    expect((await done([...RELEASE, "--key", "may"], folder)).stdout).toBe(stdout);
    expect((await refusal([...RELEASE, "--key", "june"], folder)).line).toContain("'records.csv'");
    expect((await standingOf(folder)).releases.map(({ key }) => key)).toEqual(["may"]);
  });

  test("{yyyy}-{mm} and {plan} are filled in; other braces are refused", async () => {
    const folder = await releaseFolder();
    const before = new Date().toISOString().slice(0, 7);
    const told = JSON.parse((await done([...RELEASE, "--key", "{yyyy}-{mm}", "--json"], folder)).stdout);
    expect([before, new Date().toISOString().slice(0, 7)]).toContain(told.key);
    const named = JSON.parse((await done([...RELEASE, "--key", "x {plan}", "--dry-run", "--json"], folder)).stdout);
    expect(named.key).toBe(`x ${planOf(folder).hash.slice(0, 12)}`);
    const { status, line } = await refusal([...RELEASE, "--key", "{year}-{mm}"], folder);
    expect(status).toBe(2);
    expect(line).toContain("'{year}' is no placeholder; use {yyyy}, {mm}, {dd} or {plan}");
  });

  test("another plan under a used key is refused", async () => {
    const folder = await releaseFolder();
    await done([...RELEASE, "--key", "may"], folder);
    const { loss } = (await standingOf(folder)).exact;
    await makePlanFile(folder, { epsilon: "0.25" });
    const { status, line } = await refusal([...RELEASE, "--key", "may"], folder);
    expect(status).toBe(1);
    expect(line).toMatch(/release 'may' belongs to plan [0-9a-f]{12}, not to [0-9a-f]{12}; choose another --key$/);
    expect((await standingOf(folder)).exact.loss).toBe(loss);
  });
});

test("clamped values are told to the curator only, as a number", async () => {
  const folder = await releaseFolder();
  const { stdout, stderr } = await done([...RELEASE, "--out", "results/"], folder);
  const clamped = busRecords().filter(({ speed }) => Number(speed) > 50).length;
  expect(clamped).toBeGreaterThan(0);
  expect(stderr).toContain(`note: ${clamped} values of records.csv lay outside the bounds and were clamped`);
  expect(stdout).not.toContain("clamped");
});

test("noise that can be replayed says NOT PRIVATE in every file, and is charged", async () => {
  const folder = await releaseFolder();
  const replayed = [...RELEASE, "--replay-seed", "7"];
  const told = await done([...replayed, "--key", "one", "--out", "one/"], folder);
  expect(told.stdout).toContain("NOT PRIVATE");
  expect((await standingOf(folder)).exact.loss).toBe(planOf(folder).loss);
  const parquet = await duckDbRows(`SELECT * FROM '${path.join(folder, "one", "statistics.parquet")}'`);
  for (const row of parquet) expect(JSON.stringify(Object.values(row)[0])).toContain("NOT PRIVATE");
  for (const [name, bytes] of filesOf(path.join(folder, "one"))) {
    if (name === "statistics.parquet") continue;
    // The canonical result is for programs.
    const mark = name === "result.json" ? '"notPrivate":true' : "NOT PRIVATE";
    expect(bytes.toString(), name).toContain(mark);
  }
  for (const format of ["csv", "json", "geojson", "html"]) {
    const { stdout } = await done([...replayed, "--key", "one", "--format", format], folder);
    expect(stdout, format).toContain("NOT PRIVATE");
  }
  const rowsOf = (name: string) =>
    JSON.parse(readFileSync(path.join(folder, name, "result.json"), "utf8")).rows as unknown[];
  await done([...replayed, "--key", "two", "--out", "two/"], folder);
  expect(rowsOf("two")).toEqual(rowsOf("one"));
  expect((await refusal([...RELEASE, "--key", "one"], folder)).line).toContain("was reserved with --replay-seed");

  await done([...RELEASE, "--key", "private", "--out", "private/"], folder);
  for (const [name, bytes] of filesOf(path.join(folder, "private")))
    expect(bytes.toString("latin1"), name).not.toContain("NOT PRIVATE");
  expect((await refusal([...replayed, "--key", "private"], folder)).line).toContain("for a private release");
});
