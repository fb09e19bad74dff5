/** Releases through the command, on real files: every step of a budget's life, every refusal in one line, and files that other readers agree on. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { releaseRecords } from "../../src/operations/index.ts";
import { veilgrid, veilgridDone } from "../support/cli.ts";
import {
  BY_LINE,
  busRecords,
  done,
  duckDbRows,
  expectNothingCharged,
  filesOf,
  makePlanFile,
  RELEASE,
  recordsCsv,
  refusal,
  releaseFolder,
  SECRET,
  standingOf,
} from "../support/release-folder.ts";

const LEDGER = ["--ledger", "ledger.db", "--dataset", "buses"];
const without = (flag: string): string[] => {
  const at = RELEASE.indexOf(flag);
  return [...RELEASE.slice(0, at), ...RELEASE.slice(at + 2)];
};
const planOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));

/** A release that is charged and then cut short while its values are read. */
async function cutShort(folder: string, key: string): Promise<void> {
  const stop = new AbortController();
  const at = (name: string): string => path.join(folder, name);
  const wishes = { plan: at("plan.json"), ledger: at("ledger.db"), dataset: "buses", key };
  const onProgress = ({ step }: { readonly step: string }): void => {
    if (step === "reading totals") stop.abort();
  };
  await expect(releaseRecords(at("records.csv"), wishes, { signal: stop.signal, onProgress })).rejects.toMatchObject({
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

describe.concurrent("refused in one line, with nothing charged and nothing written", async () => {
  const shared = await releaseFolder();
  const [INIT_LINE, WITH_OUT] = ["veilgrid ledger init --ledger ledger.db --dataset", ["--out", "refused/"]];

  afterAll(() => expectNothingCharged(shared));

  test.each<[what: string, args: string[], status: number, line: RegExp]>([
    ["no --ledger", without("--ledger"), 2, new RegExp(`--ledger is missing: no ledger, no release.*${INIT_LINE}`)],
    ["no --dataset", without("--dataset"), 2, /--dataset is missing/],
    ["no --plan", without("--plan"), 2, /--plan is missing: the file that veilgrid plan --out wrote/],
    ["a plan that is not there", [...without("--plan"), "--plan", "no.json"], 1, /'no\.json' does not exist/],
    ["a plan that is none", [...without("--plan"), "--plan", "records.csv"], 1, /records\.csv: not a plan/],
    ["a ledger that is not there", [...without("--ledger"), "--ledger", "no.db"], 1, /no ledger at 'no\.db'; make one/],
    ["a ledger that is none", [...without("--ledger"), "--ledger", "records.csv"], 1, /ledger 'records\.csv'/],
    [
      "a dataset that is not there",
      [...without("--dataset"), "--dataset", "trams"],
      1,
      /no dataset 'trams'; it has 'buses'/,
    ],
    [
      "a flag that conflicts with the plan",
      [...RELEASE, "--h3", "8"],
      2,
      /--h3 '8' conflicts with the plan, which says '7'/,
    ],
    [
      "a flag the plan has not",
      [...RELEASE, "--top", "2"],
      2,
      /--top '2' conflicts with the plan, which says 'nothing of/,
    ],
    [
      "another value column",
      [...RELEASE, "--value", "delay"],
      2,
      /--value 'delay' conflicts with the plan, which says 'speed'/,
    ],
    ["a confidence of 1", [...RELEASE, "--confidence", "1"], 2, /--confidence '1' must lie between 0 and 1/],
    ["a confidence in percent", [...RELEASE, "--confidence", "95%"], 2, /--confidence '95%' is not a decimal number/],
    ["an unknown format", [...RELEASE, "--format", "xlsx"], 2, /--format 'xlsx' is unknown; use csv, json, parquet/],
    ["a seed that is none", [...RELEASE, "--replay-seed", "-1"], 2, /--replay-seed '-1' is not a whole number/],
    ["a source that is not there", ["release", "no.csv", ...RELEASE.slice(2)], 1, /'no\.csv'/],
    ["standard input", ["release", "-", ...RELEASE.slice(2)], 2, /records cannot come from standard input/],
    ["a flag that no command has", [...RELEASE, "--epsilon", "3"], 2, /unknown option '--epsilon'/],
  ])("%s", async (_, args, status, line) => {
    const found = await refusal([...args, ...WITH_OUT], shared);
    expect(found.line).toMatch(line);
    expect(found.status).toBe(status);
    expect(existsSync(path.join(shared, "refused"))).toBe(false);
  });

  test("several formats without a folder, and Parquet to print", async () => {
    expect((await refusal([...RELEASE, "--format", "csv,json"], shared)).line).toContain("write --out like results/");
    expect((await refusal([...RELEASE, "--format", "parquet"], shared)).line).toContain("needs --out");
    expect((await refusal([...RELEASE, "--out", "table.txt"], shared)).line).toContain("add --format csv|json");
  });

  test.each([
    ["the ledger", "ledger.db"],
    ["the plan", "plan.json"],
    ["the records", "records.csv"],
  ])("an output that would replace %s", async (_, file) => {
    const folder = await releaseFolder();
    const before = filesOf(folder).get(file)!;
    const { line } = await refusal([...RELEASE, "--format", "csv", "--out", file], folder);
    expect(line).toContain(`'${file}'`);
    expect(filesOf(folder).get(file)!.equals(before)).toBe(true);
    await expectNothingCharged(folder);
  });

  test.each([
    ["a file in a folder that is not there", "nowhere/deep/a.csv"],
    ["a folder inside a file", "plan.json/results/"],
  ])("an output that cannot be written: %s", async (_, out) => {
    const folder = await releaseFolder();
    const { status, line } = await refusal([...RELEASE, "--out", out], folder);
    expect([status, line]).toEqual([1, expect.stringContaining(`cannot write '${out}'`)]);
    await expectNothingCharged(folder);
  });

  test("init without saying that occupancy is public, twice, or with no budget", async () => {
    const init = ["ledger", "init", "--ledger", "ledger.db", "--dataset"];
    const spoken = ["--occupancy-is-public"];
    expect((await refusal([...init, "b", "--budget", "1"], shared)).line).toContain("add --occupancy-is-public");
    expect((await refusal([...init, "buses", "--budget", "1", ...spoken], shared)).line).toContain("already");
    expect((await refusal([...init, "b", ...spoken], shared)).line).toContain("--budget is missing");
    expect(await refusal([...init, "b", "--budget", "0", ...spoken], shared)).toMatchObject({ status: 2 });
  });

  test("a flag that repeats the plan is none of these", async () => {
    const run = await veilgrid([...RELEASE, "--h3", "7", "--user", "who", "--dry-run"], { in: shared });
    expect(run.status).toBe(0);
  });

  test("GeoJSON of grids that are no hexagons", async () => {
    const folder = await releaseFolder({ grids: BY_LINE });
    const { status, line } = await refusal([...RELEASE, "--format", "geojson", "--out", "a.geojson"], folder);
    expect([status, line]).toEqual([2, expect.stringContaining("--format geojson needs hexagons")]);
    await expectNothingCharged(folder);
    await done([...RELEASE, "--out", "all/"], folder);
    expect(existsSync(path.join(folder, "all", "statistics.geojson"))).toBe(false);
  });

  test("a plan made from an occupancy file", async () => {
    const folder = await releaseFolder();
    await veilgridDone(["survey", "records.csv", ...BY_LINE, "--out", "occupancy.csv"], { in: folder });
    const flags = ["--upper", "50", "--epsilon", "0.5", "--out", "plan.json"];
    await veilgridDone(["plan", "occupancy.csv", ...flags], { in: folder });
    const { status, line } = await refusal(RELEASE, folder);
    expect(status).toBe(1);
    expect(line).toContain("the plan was made from an occupancy file, which has no values to release");
    await expectNothingCharged(folder);
  });

  test("a plan of other data", async () => {
    const folder = await releaseFolder();
    const [first] = busRecords();
    writeFileSync(path.join(folder, "records.csv"), recordsCsv([...busRecords(), { ...first!, who: "p99" }]));
    for (const flags of [WITH_OUT, ["--dry-run"]]) {
      const { status, line } = await refusal([...RELEASE, ...flags], folder);
      expect([status, line]).toEqual([1, expect.stringContaining("was made for another occupancy array; plan again")]);
    }
    await expectNothingCharged(folder);
    expect(existsSync(path.join(folder, "refused"))).toBe(false);
  });

  test("a plan that was altered", async () => {
    const folder = await releaseFolder();
    const file = path.join(folder, "plan.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"loss":"', '"loss":"0.'));
    expect((await refusal(RELEASE, folder)).line).toMatch(/altered|not a plan/);
    await expectNothingCharged(folder);
  });

  test("a value that is no number, which is not shown", async () => {
    const folder = await releaseFolder();
    const [first, ...rest] = busRecords();
    const spoilt = recordsCsv([{ ...first!, speed: `x${SECRET}` }, ...rest]);
    writeFileSync(path.join(folder, "records.csv"), spoilt);
    expect((await refusal(RELEASE, folder)).line).toContain("row 1: column 'speed' holds text");
    await expectNothingCharged(folder);
  });

  test("no place for temporary files: before anything is charged, and, for a Parquet file, after it", async () => {
    const folder = await releaseFolder();
    const nowhere = { in: folder, env: { TMPDIR: path.join(folder, "nowhere") } };
    const line =
      /^veilgrid: no temporary files can be written to '.*nowhere': it does not exist; make room there, or set TMPDIR/m;
    const early = await veilgrid([...RELEASE, ...WITH_OUT], nowhere);
    expect(early).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(line) });
    await expectNothingCharged(folder);
    await done(RELEASE, folder);
    const late = await veilgrid([...RELEASE, "--out", "a.parquet"], nowhere);
    expect(late).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(line) });
    expect(existsSync(path.join(folder, "a.parquet"))).toBe(false);
  });

  test("a loss above the whole budget, before the records are even opened", async () => {
    const folder = await releaseFolder({ budget: "0.1" });
    const { line: dry } = await refusal([...RELEASE, "--dry-run"], folder);
    rmSync(path.join(folder, "records.csv"));
    const { status, line } = await refusal([...RELEASE, ...WITH_OUT], folder);
    expect(status).toBe(1);
    expect(line).toContain(`the release needs a loss of ${planOf(folder).loss}; of the budget 0.1 of dataset 'buses'`);
    expect(line).toMatch(/a plan with ε multiplied by at most 0\.\d+ fits/);
    expect(dry).toBe(line);
    await expectNothingCharged(folder);
  });

  test("a loss above what is left: what would fit fits", async () => {
    const folder = await releaseFolder();
    const { loss } = planOf(folder);
    const raised = String(1.5 * Number(loss));
    const init = ["ledger", "init", "--ledger", "small.db", "--dataset", "buses", "--budget", raised];
    await veilgridDone([...init, "--occupancy-is-public"], { in: folder });
    const small = [...without("--ledger"), "--ledger", "small.db"];
    await done([...small, "--key", "one"], folder);
    const { status, line } = await refusal([...small, "--key", "two", ...WITH_OUT], folder);
    expect(status).toBe(1);
    const factor = /ε multiplied by at most (0\.\d+) fits/.exec(line)?.[1];
    expect(Number(factor)).toBeCloseTo(0.5, 2);
    const dry = await done([...small, "--key", "two", "--dry-run"], folder);
    expect(dry.stdout).toContain("It would be refused: the release needs a loss of");
    const shown = await done(["ledger", "show", "--ledger", "small.db", "--json"], folder);
    expect(JSON.parse(shown.stdout)[0]).toMatchObject({ exact: { loss }, releases: [{ key: "one" }] });

    await makePlanFile(folder, { epsilon: String(0.5 * Number(factor)) });
    await done([...small, "--key", "two"], folder);
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

describe("formats", async () => {
  const folder = await releaseFolder({
    statistics: "mean,variance,share:20,sum,histogram:10/30",
    epsilon: "3",
    budget: "20",
  });
  const told = JSON.parse((await done([...RELEASE, "--out", "results/", "--json"], folder)).stdout);
  const at = (name: string): string => path.join(folder, "results", name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const parquet = await duckDbRows(`SELECT * FROM '${at("statistics.parquet")}' ORDER BY grid`);

  test("--json tells what was done", () => {
    const { hash, loss } = planOf(folder);
    expect(told).toMatchObject({
      dataset: "buses",
      key: hash,
      planHash: hash,
      notPrivate: false,
      grids: 3,
      exactLoss: loss,
    });
    expect(told.loss).toBeCloseTo(Number(loss), 12);
    expect(told.files.map(({ what }: { what: string }) => what)).toEqual([
      "csv",
      "json",
      "parquet",
      "geojson",
      "html",
      "statement",
      "statement as JSON",
      "dictionary",
      "result",
    ]);
  });

  test("Parquet has a row per grid, numbers as numbers, and parts of grids as columns of their own", () => {
    expect(parquet).toHaveLength(3);
    for (const row of parquet) {
      expect(row["grid"]).toBe(`${row["line"]}/${row["cell"]}/${row["slot"]}`);
      expect(typeof row["mean"]).toBe("number");
      expect(row["sd"]).toBeCloseTo(Math.sqrt(row["variance"] as number), 9);
      expect(row["mean_low"]).toBeLessThanOrEqual(row["mean"] as number);
    }
  });

  test("CSV has the same values, double for double", async () => {
    const rows = await duckDbRows(
      `SELECT * FROM read_csv('${at("statistics.csv")}', all_varchar = true) ORDER BY grid`,
    );
    expect(Object.keys(rows[0]!)).toEqual(Object.keys(parquet[0]!));
    rows.forEach((row, index) => {
      for (const [name, value] of Object.entries(parquet[index]!))
        expect(typeof value === "string" ? row[name] : Number(row[name]), name).toBe(
          typeof value === "string" ? value : Number(value),
        );
    });
  });

  test("JSON has the same values", () => {
    const { rows } = JSON.parse(read("statistics.json")) as {
      rows: Array<{ grid: string; kept: number; statistics: Record<string, Record<string, number>> }>;
    };
    const byGrid = new Map(rows.map((row) => [row.grid, row]));
    for (const row of parquet) {
      const { kept, statistics } = byGrid.get(row["grid"] as string)!;
      expect(kept).toBe(Number(row["kept"]));
      for (const key of ["mean", "variance", "share:20", "sum"]) {
        const { value, raw, low, high, scale, bias, error } = statistics[key]!;
        expect([value, raw, low, high, scale, bias, error]).toEqual(
          ["", "_raw", "_low", "_high", "_scale", "_bias", "_error"].map((suffix) => row[key + suffix]),
        );
      }
      const bins = statistics["histogram:10/30"]!["bins"] as unknown as Array<{ bin: string; value: number }>;
      expect(bins).toHaveLength(3);
      for (const { bin, value } of bins) expect(value).toBe(row[`histogram:10/30${bin}`]);
    }
  });

  test("GeoJSON has the same values, on hexagons around the records", () => {
    const { type, features } = JSON.parse(read("statistics.geojson")) as {
      type: string;
      features: Array<{
        id: string;
        geometry: { type: string; coordinates: number[][][] };
        properties: Record<string, unknown>;
      }>;
    };
    expect([type, features.length]).toEqual(["FeatureCollection", 3]);
    const byGrid = new Map(features.map((feature) => [feature.id, feature]));
    for (const row of parquet) {
      const { geometry, properties } = byGrid.get(row["grid"] as string)!;
      for (const [name, value] of Object.entries(row))
        expect(properties[name], name).toBe(typeof value === "bigint" ? Number(value) : value);
      const ring = geometry.coordinates[0]!;
      expect([geometry.type, ring.length, ring.at(-1)]).toEqual(["Polygon", 7, ring[0]]);
      for (const [lon, lat] of ring) {
        expect(Math.abs(lon! - 72.9)).toBeLessThan(0.2);
        expect(Math.abs(lat! - 21.2)).toBeLessThan(0.2);
      }
    }
  });

  test("counts are those of the records, and no file holds a value of one", () => {
    for (const row of parquet) {
      const here = busRecords().filter(({ line, lat }) => line === row["line"] && (lat === "21.17") === isSouth(row));
      expect(Number(row["samples"])).toBe(here.length);
      expect(Number(row["users"])).toBe(new Set(here.map(({ who }) => who)).size);
    }
    for (const [name, bytes] of filesOf(path.join(folder, "results")))
      for (const { speed } of busRecords()) expect(bytes.includes(`${speed}`), name).toBe(false);
  });

  /** Line A runs in both hexagons, line B in the southern one only. */
  function isSouth(row: Record<string, unknown>): boolean {
    return row["cell"] === parquet.find(({ line }) => line === "B")!["cell"];
  }

  test("one file by its ending is the same as that of the folder, and has its statement beside it", async () => {
    await done([...RELEASE, "--out", "one.csv"], folder);
    expect(readFileSync(path.join(folder, "one.csv"), "utf8")).toBe(read("statistics.csv"));
    expect(existsSync(path.join(folder, "one.csv.privacy-statement.md"))).toBe(true);
    const { stdout } = await done([...RELEASE, "--format", "json"], folder);
    expect(stdout).toBe(read("statistics.json"));
  });

  test("another confidence changes the intervals and costs nothing", async () => {
    const { stdout } = await done([...RELEASE, "--format", "json", "--confidence", "0.5"], folder);
    const narrow = JSON.parse(stdout).rows as Array<{
      grid: string;
      statistics: Record<string, Record<string, number>>;
    }>;
    for (const { grid, statistics } of narrow) {
      const row = parquet.find((each) => each["grid"] === grid)!;
      const { value, low, high } = statistics["share:20"]!;
      expect(value).toBe(row["share:20"]);
      expect(high! - low!).toBeLessThanOrEqual((row["share:20_high"] as number) - (row["share:20_low"] as number));
    }
    expect((await standingOf(folder)).exact.loss).toBe(planOf(folder).loss);
  });
});
