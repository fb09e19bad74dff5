/** Releases through the command that are refused: in one line, with nothing charged and nothing written. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { veilgrid, veilgridDone } from "../support/cli.ts";
import {
  BY_LINE,
  busRecords,
  done,
  expectNothingCharged,
  filesOf,
  makePlanFile,
  planOf,
  RELEASE,
  recordsCsv,
  refusal,
  releaseFolder,
  SECRET,
} from "../support/release-folder.ts";

const without = (flag: string): string[] => {
  const at = RELEASE.indexOf(flag);
  return [...RELEASE.slice(0, at), ...RELEASE.slice(at + 2)];
};

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
    ["a seed that is none", [...RELEASE, "--replay-seed", "-1"], 2, /--replay-seed '-1' must be a whole number/],
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

  test("records without a user, which the plan's had not", async () => {
    const folder = await releaseFolder();
    const [first, ...rest] = busRecords();
    writeFileSync(path.join(folder, "records.csv"), recordsCsv([{ ...first!, who: "" }, ...rest]));
    for (const flags of [WITH_OUT, ["--dry-run"]]) {
      const { status, line } = await refusal([...RELEASE, ...flags], folder);
      expect([status, line]).toEqual([
        1,
        expect.stringContaining("column 'who' is empty in 1 record; use --empty-user"),
      ]);
    }
    await expectNothingCharged(folder);
    expect((await refusal([...RELEASE, "--empty-user", "one"], folder)).line).toContain("--empty-user");
    await expectNothingCharged(folder);
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
    const [, shown] =
      /the release needs a loss of (\S+); of the budget 0\.1 of dataset 'buses', .* has 0\.1 left;/.exec(line)!;
    const loss = Number(planOf(folder).loss);
    expect(Number(shown)).toBeGreaterThanOrEqual(loss);
    expect(Number(shown)).toBeLessThan(1.01 * loss);
    expect(shown!.length).toBeLessThanOrEqual("0.123".length);
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
