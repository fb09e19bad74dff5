/** Curators' mistakes through the command: each that can be noticed is told in one line, and what must not be published leaves no trace in what is. */
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { veilgrid } from "./support/cli.ts";
import {
  BY_LINE,
  busRecords,
  done,
  filesOf,
  makePlanFile,
  RELEASE,
  recordsCsv,
  refusal,
  releaseFolder,
} from "./support/release-folder.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Each starts a dozen processes, which may take their time on a busy machine. */
const SLOW = { timeout: 400_000 };

const notes = (stderr: string): string[] => stderr.split("\n").filter((line) => line.startsWith("note: "));

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Buses that report every 15 seconds and change the hexagon every five reports; two trips each. */
function reportsCsv(): string {
  const lines = ["bus,trip,at,lat,lon,speed"];
  for (let report = 0; report < 40; report++)
    for (let bus = 0; bus < 6; bus++) {
      const seconds = 15 * report;
      const at = `2026-03-10T08:${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}Z`;
      const lat = (21.1 + 0.02 * Math.floor(report / 5)).toFixed(2);
      lines.push(`bus ${bus},${bus}-${Math.floor(report / 20)},${at},${lat},72.8,${report}`);
    }
  return `${lines.join("\n")}\n`;
}

describe.concurrent("told while records are counted", SLOW, () => {
  const REPORTS = ["reports.csv", "--user", "bus", "--value", "speed", "--lat", "lat", "--lon", "lon", "--h3", "8"];
  const TIMED = [...REPORTS, "--time", "at", "--tz", "UTC"];

  test("counts that are time spent, once; not where passages are counted", async () => {
    const folder = folderWith({ "reports.csv": reportsCsv() });
    const told = await done(["survey", ...TIMED], folder);
    expect(notes(told.stderr).filter((line) => line.includes("about every 15 s"))).toHaveLength(1);
    const json = JSON.parse((await done(["survey", ...TIMED, "--slot", "1h", "--json"], folder)).stdout);
    expect(json.warnings).toEqual([expect.stringMatching(/^records of a user come about every 15 s .*--dedupe/)]);
    const passages = await done(["survey", ...TIMED, "--dedupe", "trip", "--json"], folder);
    expect(JSON.parse(passages.stdout).warnings).toEqual([]);
    expect(passages.stderr).not.toContain("every 15 s");
  });

  test("ids that look alike, and an id for every record", async () => {
    const people = Array.from({ length: 60 }, (_, person) => `user ${person},shop ${person % 4},3`);
    const folder = folderWith({
      "alike.csv": ["user,grid,count", ...people, "AB 123,shop 1,3", "ab123,shop 1,3", ""].join("\n"),
      "visits.csv": ["visit,shop,spent", ...people.map((line, at) => `v${at},${line.split(",")[1]},5`), ""].join("\n"),
      "one.csv": "user,grid,count\nthe bus,a,40\nthe bus,b,40\n",
    });
    const alike = await done(["survey", "alike.csv"], folder);
    expect(notes(alike.stderr)).toEqual([
      expect.stringMatching(/^note: alike\.csv: 1 user id differs from another only .* 'AB 123' and 'ab123': /),
    ]);
    const planned = ["plan", "alike.csv", "--upper", "65", "--loss", "1", "--json"];
    expect(JSON.parse((await done(planned, folder)).stdout).warnings).toHaveLength(1);
    const visits = ["survey", "visits.csv", "--user", "visit", "--value", "spent", "--by", "shop"];
    expect((await done(visits, folder)).stderr).toContain("a plan would protect single records and not people");
    expect((await done([...visits, "--one-record-per-user"], folder)).stderr).not.toContain("single records");
    const refused = ["plan", ...visits.slice(1), "--bounds", "0,10", "--loss", "1"];
    expect(await veilgrid(refused, { in: folder })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "60 users have 60 records, so a plan would protect single records and not people",
      ),
    });
    expect((await done([...refused, "--one-record-per-user", "--json"], folder)).stdout).toContain('"users": 60');
    expect((await done(["survey", "one.csv"], folder)).stderr).toContain("all records are of one user");
  });

  test("bounds that look like the data's; round ones are not", async () => {
    const folder = folderWith({ "o.csv": "user,grid,count\na,g,4\nb,g,9\nc,h,2\n" });
    const plan = (...bounds: string[]) => done(["plan", "o.csv", ...bounds, "--loss", "1", "--json"], folder);
    const told = await plan("--bounds", "3.17,61.42");
    expect(notes(told.stderr)).toEqual([expect.stringContaining("the bound '3.17' has so many digits")]);
    expect(JSON.parse(told.stdout).warnings).toHaveLength(1);
    expect(JSON.parse((await plan("--upper", "61.42")).stdout).warnings).toHaveLength(1);
    const compared = await done(["compare", "o.csv", "--upper", "61.42", "--loss", "1", "--json"], folder);
    expect(JSON.parse(compared.stdout).warnings).toHaveLength(1);
    for (const bounds of [["--bounds", "0,65.5"], ["--bounds=-40,85"], ["--upper", "1000"]]) {
      const { stdout, stderr } = await plan(...bounds);
      expect([JSON.parse(stdout).warnings, notes(stderr)]).toEqual([[], []]);
    }
  });
});

describe.concurrent("a second ledger", SLOW, () => {
  const INIT = ["ledger", "init", "--dataset", "buses", "--budget", "5", "--occupancy-is-public"];

  test("is noticed when it is made, and when it charges the same people", async () => {
    const folder = await releaseFolder();
    const made = await done([...INIT, "--ledger", "second.db", "--json"], folder);
    expect(notes(made.stderr)).toEqual([
      expect.stringMatching(/^note: 'ledger\.db' beside this ledger has a dataset 'buses' already; /),
    ]);
    expect(JSON.parse(made.stdout).warnings).toHaveLength(1);

    await done([...RELEASE, "--json"], folder);
    const second = RELEASE.map((word) => (word === "ledger.db" ? "second.db" : word));
    const said =
      /another ledger beside this one, 'ledger\.db', charges 9 of the same users and has a dataset 'buses' too; /;
    expect((await done([...second, "--dry-run"], folder)).stderr).toMatch(said);
    const released = await done([...second, "--json"], folder);
    expect(released.stderr).toMatch(said);
    expect(JSON.parse(released.stdout).warnings).toHaveLength(1);
  });
});

describe.concurrent("an older copy of the ledger", SLOW, () => {
  /** What a refusal says, after `veilgrid: `. */
  async function refused(args: readonly string[], folder: string): Promise<string> {
    const { status, line } = await refusal(args, folder);
    expect(status).toBe(1);
    expect(line).toMatch(
      /release from the ledger that was charged; if this is the one to go on with, move that file away or add --ledger-is-current$/,
    );
    return line;
  }

  test("beside the newer one is refused; the newer one is not, beside a backup", async () => {
    const folder = await releaseFolder();
    const at = (name: string): string => path.join(folder, name);
    copyFileSync(at("ledger.db"), at("backup.db"));
    const before = readFileSync(at("ledger.db"));
    const first = await done([...RELEASE, "--key", "first", "--json"], folder);
    expect(JSON.parse(first.stdout).warnings).toEqual([]);
    renameSync(at("ledger.db"), at("moved.db"));
    writeFileSync(at("ledger.db"), before);
    for (const more of [[], ["--dry-run"]])
      expect(await refused([...RELEASE, "--key", "second", ...more], folder)).toContain(
        "'moved.db' beside this ledger is a copy of it with changes that this one lacks",
      );
    expect(readFileSync(at("ledger.db"))).toEqual(before);
    // Also once the copy has gone on by itself.
    await done(
      ["ledger", "raise", "--ledger", "ledger.db", "--dataset", "buses", "--budget", "6", "--reason", "x"],
      folder,
    );
    await refused([...RELEASE, "--key", "second"], folder);
    const forced = await done([...RELEASE, "--key", "second", "--ledger-is-current", "--json"], folder);
    expect(JSON.parse(forced.stdout).warnings).toEqual([
      expect.stringContaining("'moved.db' beside this ledger is a copy"),
    ]);
  });

  test.each([
    ["the folder of the output", ["--out", "elsewhere/results/"], "elsewhere/results/result.json", "elsewhere/new/"],
    [
      "the folder of the output, a file",
      ["--out", "elsewhere/a.csv"],
      "elsewhere/a.csv.result.json",
      "elsewhere/b.csv",
    ],
    ["a folder beside the ledger", ["--out", "march/"], "march/result.json", undefined],
    ["the folder of the ledger", ["--out", "march.csv"], "march.csv.result.json", "elsewhere/april/"],
  ])("is refused where a result lies in %s", async (_, out, result, next) => {
    const folder = await releaseFolder();
    const at = (name: string): string => path.join(folder, name);
    mkdirSync(at("elsewhere"));
    const before = readFileSync(at("ledger.db"));
    await done([...RELEASE, ...out, "--key", "march"], folder);
    // The ledger that was charged goes on, under this key and others.
    await done([...RELEASE, ...out, "--key", "march"], folder);
    await done([...RELEASE, "--out", "other/", "--key", "other", "--replay-seed", "7"], folder);
    writeFileSync(at("ledger.db"), before);
    const anew = next === undefined ? RELEASE : [...RELEASE, "--out", next];
    // Under the same key, whose noise would be another, and under a new one.
    for (const key of ["march", "april"])
      expect(await refused([...anew, "--key", key], folder)).toContain(
        `'${result}' holds grids of release 'march' of dataset 'buses' that this ledger has not committed`,
      );
    expect(readFileSync(at("ledger.db"))).toEqual(before);
    await done([...anew, "--key", "april", "--ledger-is-current", "--json"], folder);
  });

  test("is refused where it has the release, but not all grids of a result", async () => {
    const folder = await releaseFolder({ grids: BY_LINE });
    const at = (name: string): string => path.join(folder, name);
    await done([...RELEASE, "--key", "march", "--out", "all.csv"], folder);
    const all = JSON.parse(readFileSync(at("all.csv.result.json"), "utf8"));
    const other = { ...all.rows[0], grid: "C" };
    writeFileSync(at("all.csv.result.json"), JSON.stringify({ ...all, rows: [...all.rows, other] }));
    expect(await refused([...RELEASE, "--key", "april"], folder)).toContain("that this ledger has not committed");
    const noisy = structuredClone(all);
    noisy.rows[0].statistics[0].steps[0] += "0";
    writeFileSync(at("all.csv.result.json"), JSON.stringify(noisy));
    expect(await refused([...RELEASE, "--key", "april"], folder)).toContain("that this ledger has not committed");
    // White space changes no result.
    writeFileSync(at("all.csv.result.json"), `\ufeff${JSON.stringify(all, undefined, 2)}`);
    await done([...RELEASE, "--key", "april", "--json"], folder);
  });

  test("is not suspected for results of other datasets, of experiments, or files that are none", async () => {
    const folder = await releaseFolder();
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at("one.result.json"), "no result");
    mkdirSync(at("two.result.json"));
    await done(
      ["ledger", "init", "--ledger", "taxis.db", "--dataset", "taxis", "--budget", "5", "--occupancy-is-public"],
      folder,
    );
    const taxis = RELEASE.map((word) => ({ "ledger.db": "taxis.db", buses: "taxis" })[word] ?? word);
    await done([...taxis, "--out", "taxis/"], folder);
    await done([...RELEASE, "--out", "april/"], folder);
  });

  test("is refused by the head that was kept of the newer one", async () => {
    const folder = await releaseFolder();
    const at = (name: string): string => path.join(folder, name);
    const before = readFileSync(at("ledger.db"));
    const headOf = async (...more: string[]): Promise<string> =>
      (await done(["ledger", "show", "--ledger", "ledger.db", "--head", ...more], folder)).stdout;
    const first = (await headOf()).trim();
    expect(first).toMatch(/^1:[0-9a-f]{32}$/);
    await done([...RELEASE, "--key", "march", "--after", first], folder);
    const second = JSON.parse(await headOf("--json")).head;
    expect(second).toMatch(/^3:[0-9a-f]{32}$/);
    for (const head of ["0", first, second]) await done([...RELEASE, "--key", "march", "--after", head], folder);
    writeFileSync(at("ledger.db"), before);
    for (const more of [[], ["--dry-run"], ["--ledger-is-current"]]) {
      const { status, line } = await refusal([...RELEASE, "--key", "march", "--after", second, ...more], folder);
      expect(status).toBe(1);
      expect(line).toContain(`the ledger does not contain journal line ${second}, which was seen in it before`);
    }
    expect(readFileSync(at("ledger.db"))).toEqual(before);
    const { status, line } = await refusal([...RELEASE, "--after", "3"], folder);
    expect([status, line]).toEqual([2, expect.stringContaining("veilgrid ledger show --head prints it")]);
  });
});

describe.concurrent("what depends on values is told to the curator and to nobody else", SLOW, () => {
  /** Everything that a release leaves behind or prints for others, byte for byte. */
  async function releasedFrom(csv: string, missing: string) {
    const folder = await releaseFolder();
    writeFileSync(path.join(folder, "records.csv"), csv);
    const grids = ["--user", "who", "--value", "speed", "--by", "line", "--missing", missing];
    await makePlanFile(folder, { grids });
    const run = await done([...RELEASE, "--key", "k", "--replay-seed", "7", "--out", "results/", "--json"], folder);
    const show = await done(["ledger", "show", "--ledger", "ledger.db", "--json"], folder);
    const timeless = show.stdout.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"');
    return {
      files: filesOf(path.join(folder, "results")),
      texts: [run.stdout, timeless, readFileSync(path.join(folder, "plan.json"), "utf8")],
      notes: notes(run.stderr),
    };
  }
  const speeds = (change: (speed: string, at: number) => string): string =>
    recordsCsv(busRecords().map((record, at) => ({ ...record, speed: change(record.speed, at) })));

  test("how many values lay outside the bounds", async () => {
    const atBound = await releasedFrom(
      speeds((speed, at) => (at % 3 === 0 ? "50" : String(Number(speed) % 50))),
      "refuse",
    );
    const beyond = await releasedFrom(
      speeds((speed, at) => (at % 3 === 0 ? "93" : String(Number(speed) % 50))),
      "refuse",
    );
    expect(atBound.notes).toEqual([]);
    expect(beyond.notes).toEqual([
      expect.stringMatching(
        /^note: \d+ values of records\.csv lay outside the bounds .*\(for you only: not to be published\)$/,
      ),
    ]);
    expect([...beyond.files.keys()]).toContain("report.html");
    expect(beyond.files).toEqual(atBound.files);
    expect(beyond.texts).toEqual(atBound.texts);
  });

  test("how many had none, where they count as the middle", async () => {
    const middle = await releasedFrom(
      speeds((speed, at) => (at % 4 === 0 ? "25" : String(Number(speed) % 50))),
      "midpoint",
    );
    const blank = await releasedFrom(
      speeds((speed, at) => (at % 4 === 0 ? "" : String(Number(speed) % 50))),
      "midpoint",
    );
    expect(blank.files).toEqual(middle.files);
    expect(blank.texts).toEqual(middle.texts);
  });
});
