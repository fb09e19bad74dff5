/** The command on files of records: first looks whose commands work, config files, the same counts from every format, and the real data where it is at hand. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root, veilgrid, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** The words of the command that a first look prints, as a shell splits them. */
function printedCommand(look: string, name: "survey" | "plan"): string[] {
  const line = look.split("\n").find((each) => each.startsWith(`  npx veilgrid ${name} `));
  const words = (line ?? "").trim().match(/'[^']*'|\S+/g) ?? [];
  return words.slice(2).map((word) => word.replace(/^'(.*)'$/, "$1"));
}

const surveyOf = async (args: readonly string[], folder: string) =>
  JSON.parse((await veilgridDone([...args, "--json"], { in: folder })).stdout);

describe.concurrent("the first look", () => {
  test.each([
    ["feed.csv", "wild"],
    ["feed.csv.gz", "wild"],
    ["feed.json", "wild"],
    ["feed.jsonl", "wild"],
    ["buses.csv", "plain"],
    ["buses.parquet", "plain"],
    ["with space.json", "plain"],
  ])("at %s (%s) prints a command that works as printed", async (file, schema) => {
    const folder = temporaryFolder();
    await veilgridDone(["simulate", "city", "--schema", schema, "--records", "6000", "--out", file], { in: folder });
    const look = await veilgridDone(["survey", file], { in: folder });
    expect(look.stderr).toBe("");
    const survey = await surveyOf(printedCommand(look.stdout, "survey"), folder);
    expect(survey.grids).toBeGreaterThan(1);
    expect(survey.grids).toBeLessThanOrEqual(20);
    expect(survey.users).toBeGreaterThan(20);
    expect(survey.records.notes.repeated > 0).toBe(schema === "wild");
    const plan = printedCommand(look.stdout, "plan").map((word) => (word === "A,B" ? "0,65" : word));
    const made = JSON.parse((await veilgridDone([...plan, "--json"], { in: folder })).stdout);
    expect(made.users).toBe(survey.users);
  });

  test("shows nothing of a column that may be the value", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "cards.csv"), "card_id,shop,amount\nc1,north,4711.25\nc2,south,4712.25\n");
    for (const flags of [[], ["--json"]]) {
      const { stdout } = await veilgridDone(["survey", "cards.csv", ...flags], { in: folder });
      expect(stdout).toContain("north");
      expect(stdout).not.toContain("471");
    }
  });
});

test("the same records count the same in every format, and repeated rows once", async () => {
  const folder = temporaryFolder();
  const flags =
    "--user license_plate --value speed --point location.coordinates --h3 8 --time observationDateTime --tz +05:30 --slot 1h --dedupe trip_id,observationDateTime --missing midpoint".split(
      " ",
    );
  const hashes = new Set<string>();
  for (const file of ["a.csv", "a.csv.gz", "a.json", "a.jsonl"]) {
    await veilgridDone(["simulate", "city", "--schema", "wild", "--records", "5000", "--out", file], { in: folder });
    const survey = await surveyOf(["survey", file, ...flags], folder);
    hashes.add(survey.occupancyHash);
    expect(survey.records.notes.records - survey.records.notes.repeated).toBe(survey.samples);
  }
  expect(hashes.size).toBe(1);
});

test("the plan that a first look prints, made by the frontier, guarantees no statistic less than its midpoint", async () => {
  const folder = temporaryFolder();
  await veilgridDone(["simulate", "city", "--records", "20000", "--out", "city.csv"], { in: folder });
  const { stdout } = await veilgridDone(["survey", "city.csv"], { in: folder });
  const [, command] = /^ {2}npx veilgrid (plan .*)$/m.exec(stdout)!;
  const words = command!.replace("A,B", "0,65 --strategy frontier").split(" ");
  const { perStatistic } = JSON.parse((await veilgridDone([...words, "--json"], { in: folder })).stdout);
  expect(perStatistic.map(({ statistic }: { statistic: string }) => statistic)).toEqual(["mean", "variance"]);
  for (const { worstError, dataFreeError } of perStatistic) expect(worstError).toBeLessThanOrEqual(dataFreeError);
});

describe.concurrent("config files", () => {
  test("carry the flags of a survey to the next command, and flags win", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.csv"), "who,where,what\na,n,1\na,s,2\nb,n,3\n");
    const flags = ["--user", "who", "--value", "what", "--by", "where"];
    const first = await surveyOf(["survey", "r.csv", ...flags, "--write-config", "r.yaml"], folder);
    expect(readFileSync(path.join(folder, "r.yaml"), "utf8")).toContain("user: who\nvalue: what\nby: where\n");
    const second = await surveyOf(["survey", "r.csv", "--config", "r.yaml"], folder);
    expect(second.occupancyHash).toBe(first.occupancyHash);
    expect((await surveyOf(["survey", "r.csv", "--config", "r.yaml", "--top", "1"], folder)).grids).toBe(1);
    writeFileSync(
      path.join(folder, "p.yaml"),
      "user: who\nvalue: what\nby: where\nbounds: 0,5\nepsilon: 1\nstrategy: clip-user\ncaps: true\n",
    );
    const plan = await veilgridDone(["plan", "r.csv", "--config", "p.yaml", "--out", "plan.json"], { in: folder });
    expect(plan.stdout).toContain("2 users, 2 grids, 3 records");
    const { partition, keep } = JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));
    expect(partition).toEqual({ user: "who", value: "what", by: "where", missing: "refuse", minUsers: "1" });
    expect(keep).toBe("spread");
    expect((await surveyOf(["survey", "r.csv", "--config", "p.yaml"], folder)).users).toBe(2);
  });

  test("with a key that no command has are refused", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.yaml"), "usr: who\n");
    const run = await veilgrid(["survey", "r.csv", "--config", "r.yaml"], { in: folder });
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toMatch(/^veilgrid: 'r\.yaml': 'usr' is no flag.*\n$/);
  });
});

describe.concurrent("records without a user", () => {
  const ROWS = "who,where,what\na,n,1\n,n,2\nb,n,3\n,s,4\n";
  const FLAGS = ["--user", "who", "--value", "what", "--by", "where"];
  const made = (content = ROWS): string => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.csv"), content);
    return folder;
  };

  test("are refused with their number by whatever counts records", async () => {
    const folder = made();
    const planned = [...FLAGS, "--upper", "5", "--epsilon", "1"];
    for (const args of [
      ["survey", "r.csv", ...FLAGS, "--out", "o.csv"],
      ["plan", "r.csv", ...planned, "--out", "o.csv"],
      ["compare", "r.csv", ...FLAGS, "--upper", "5", "--loss", "1", "--out", "o.csv"],
    ]) {
      const run = await veilgrid(args, { in: folder });
      expect(run).toMatchObject({ status: 1, stdout: "" });
      expect(run.stderr).toContain(
        "veilgrid: column 'who' is empty in 2 records; use --empty-user drop to leave such records out, or --empty-user one to count all of them as one user\n",
      );
      expect(existsSync(path.join(folder, "o.csv"))).toBe(false);
    }
  });

  test.each([
    ["one", "note: r.csv: 2 records without a user: they count as one user, whose id is empty\n", 3, 2],
    ["drop", "note: r.csv: 2 records without a user: left out\n", 2, 1],
  ] as const)("are %s where that is said, by a flag, a config file and the plan that a release reads", async (rule, note, users, grids) => {
    const folder = made();
    const survey = await veilgridDone(
      ["survey", "r.csv", ...FLAGS, "--empty-user", rule, "--write-config", "r.yaml", "--json"],
      { in: folder },
    );
    expect(survey.stderr).toContain(note);
    expect(JSON.parse(survey.stdout)).toMatchObject({ users, grids, records: { partition: { emptyUser: rule } } });
    expect(readFileSync(path.join(folder, "r.yaml"), "utf8")).toContain(`empty-user: ${rule}\n`);
    const plan = ["plan", "r.csv", "--config", "r.yaml", "--upper", "5", "--epsilon", "1", "--out", "plan.json"];
    expect((await veilgridDone(plan, { in: folder })).stderr).toContain(note);
    const { partition } = JSON.parse(readFileSync(path.join(folder, "plan.json"), "utf8"));
    expect(partition.emptyUser).toBe(rule);
    const named = ["--ledger", "l.db", "--dataset", "d"];
    await veilgridDone(["ledger", "init", ...named, "--budget", "9", "--occupancy-is-public"], { in: folder });
    const release = ["release", "r.csv", "--plan", "plan.json", ...named, "--out", "out/"];
    await veilgridDone(release, { in: folder });
    const other = rule === "one" ? "drop" : "one";
    expect(await veilgrid([...release, "--key", "k", "--empty-user", other], { in: folder })).toMatchObject({
      status: 2,
    });
  });

  test("are left out by the command that a first look prints", async () => {
    const folder = made("rider,shop,speed\nu1,n,1.5\n,n,2.5\nu2,n,3.5\n");
    const { stdout } = await veilgridDone(["survey", "r.csv"], { in: folder });
    expect(stdout).toContain("Some records have no user; --empty-user drop leaves them out");
    expect((await surveyOf(printedCommand(stdout, "survey"), folder)).users).toBe(2);
  });

  test("a plan of records that all have one says nothing of it", async () => {
    const sound = made(ROWS.replaceAll("\n,", "\nc,"));
    const hashes = new Set<string>();
    for (const flags of [[], ["--empty-user", "refuse"]]) {
      await veilgridDone(["plan", "r.csv", ...FLAGS, ...flags, "--upper", "5", "--epsilon", "1", "--out", "p.json"], {
        in: sound,
      });
      const text = readFileSync(path.join(sound, "p.json"), "utf8");
      expect(text).not.toContain("emptyUser");
      hashes.add(text);
    }
    expect(hashes.size).toBe(1);
  });
});

describe.concurrent("a file of records", () => {
  const ROWS =
    "who,where,what,lat,lon,at\na,n,1,30.1,-97.5,2016-12-16T09:00:00-06:00\nb,n,2,30.2,-97.6,2016-12-16T09:30:00-06:00\n";
  const FLAGS = ["--user", "who", "--value", "what", "--by", "where"];
  const PLACE = ["--lat", "lat", "--lon", "lon", "--h3", "8"];
  const SECRET = "77.4711";

  test.each([
    [
      "text as a value",
      ROWS.replace(",2,30.2", `,x${SECRET},30.2`),
      FLAGS,
      /'r\.csv': row 2: column 'what' holds text/,
    ],
    [
      "an underscore in a value",
      ROWS.replace(",2,30.2", ",2_0,30.2"),
      FLAGS,
      /'r\.csv': row 2: column 'what' holds text that is not a number/,
    ],
    [
      "an infinite value",
      ROWS.replace(",2,30.2", ",inf,30.2"),
      FLAGS,
      /row 2: column 'what' holds text that is not a number/,
    ],
    [
      "an empty value",
      ROWS.replace(",2,30.2", ",,30.2"),
      FLAGS,
      /row 2: column 'what' is empty; use --missing midpoint/,
    ],
    [
      "a latitude off the Earth",
      ROWS.replace("30.2", "97.2"),
      [...FLAGS, ...PLACE],
      /row 2: column 'lat' and 'lon': '97\.2, -97\.6' is no place/,
    ],
    [
      "what is no cell",
      ROWS,
      ["--user", "who", "--value", "what", "--cell", "where"],
      /row 1: column 'where': 'n' is no H3 cell; expected 15 hexadecimal digits/,
    ],
    [
      "a time that is none",
      ROWS.replace("09:30:00", "29:30:00"),
      [...FLAGS, "--time", "at"],
      /row 2: column 'at': '2016-12-16T29:30:00-06:00' is not a time/,
    ],
    [
      "a row too long",
      ROWS.replace("b,n,2", `b,n,${SECRET},2`),
      FLAGS,
      /'r\.csv': line 3: 7 columns where the header has 6/,
    ],
    [
      "an open quote",
      ROWS.replace("b,n,2", `b,"n,${SECRET}`),
      FLAGS,
      /'r\.csv': line 3: a quote is opened and not closed/,
    ],
    [
      "no such column",
      ROWS,
      ["--user", "whom", "--value", "what", "--by", "where"],
      /has no column 'whom' \(--user\); it has 'who', 'where'/,
    ],
    [
      "nothing in the filter",
      ROWS,
      [...FLAGS, "--time", "at", "--from", "2020-01-01"],
      /no record is left after the filters/,
    ],
    ["too few users", ROWS, [...FLAGS, "--min-users", "3"], /no grid has 3 users/],
    ["no rows", "who,where,what\n", FLAGS, /no record is left|empty/],
  ])("with %s is refused in one line without a value", async (_, content, flags, message) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.csv"), content);
    const run = await veilgrid(["survey", "r.csv", ...flags], { in: folder });
    expect(run).toMatchObject({ status: 1, stdout: "" });
    // Besides notes, and progress where the machine is busy.
    const lines = run.stderr.split("\n").filter((line) => line !== "" && !/^note: | \(\d+ s\)$/.test(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(message);
    expect(run.stderr).not.toContain(SECRET);
  });

  test("days written one way or the other must be told", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.csv"), "who,what,at\na,1,03/04/2016 09:00\nb,2,05/06/2016 10:00\n");
    const flags = ["--user", "who", "--value", "what", "--time", "at", "--slot", "1d"];
    const run = await veilgrid(["survey", "r.csv", ...flags], { in: folder });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("--time-format dd/mm/yyyy or mm/dd/yyyy");
    const told = await surveyOf(["survey", "r.csv", ...flags, "--time-format", "dd/mm/yyyy"], folder);
    expect(told.perGrid.map((each: { grid: string }) => each.grid)).toEqual([
      "2016-04-03T00:00+00:00",
      "2016-06-05T00:00+00:00",
    ]);
  });

  test("one row of the first ones that proves the order of days and months is used for all", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "r.csv"), "who,what,at\na,1,8/9/13 11:05 PM\nb,2,8/29/13 2:05 am\n");
    const flags = ["--user", "who", "--value", "what", "--time", "at", "--slot", "1d"];
    const run = await veilgrid(["survey", "r.csv", ...flags, "--json"], { in: folder });
    expect(run.status).toBe(0);
    expect(run.stderr).toContain("times are read as mm/dd/yy");
    expect(run.stdout).toContain("2013-08-09T00:00+00:00");
    expect(run.stdout).toContain("2013-08-29T00:00+00:00");
    const refused = await veilgrid(["survey", "r.csv", ...flags, "--time-format", "mm/dd/yyyy"], { in: folder });
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain("'8/9/13 11:05 PM' is not a time written as mm/dd/yyyy; write --time-format");
  });

  test("several files by a pattern, columns in any order and between other characters", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "d1.csv"), "what,who,where\n1,a,n\n2,b,s\n");
    writeFileSync(path.join(folder, "d2.csv"), "where;what;who\nn;1,5;a\ns;2,5;c\n");
    const survey = await surveyOf(["survey", "d*.csv", ...FLAGS], folder);
    expect([survey.users, survey.grids, survey.samples, survey.entries]).toEqual([3, 2, 4, 3]);
    writeFileSync(path.join(folder, "d3.csv"), "where,what\nn,1\n");
    expect((await veilgrid(["survey", "d*.csv", ...FLAGS], { in: folder })).stderr).toMatch(
      /'d3\.csv' has no column 'who'/,
    );
  });
});

const REAL = path.join(root, "..", "shared", "data", "capmetro-2016-12-16.csv.gz");

/** K, E, drops and the worst error after caps, as an independent implementation found them. */
const REAL_RESULTS: ReadonlyArray<readonly [epsilon: string, K: number, E: number, drops: number, capped: number]> = [
  ["0.1", 2, 21776.3265, 716, 17284.6936],
  ["0.5", 2, 4355.2653, 622, 3500.4935],
  ["1", 4, 2177.6327, 420, 2132.9307],
  ["2", 6, 1088.8163, 193, 1088.8163],
];

describe.skipIf(!existsSync(REAL))("a real morning of buses", () => {
  const FLAGS =
    "--user vehicle_id --value speed --lat latitude --lon longitude --h3 8 --time timestamp --slot 1h --hours 9-10 --top 50".split(
      " ",
    );

  test.each(["-06:00", "America/Chicago"])("has the counts of its description, in %s", async (zone) => {
    const survey = await surveyOf(["survey", REAL, ...FLAGS, "--tz", zone], temporaryFolder());
    expect([survey.users, survey.grids, survey.samples, survey.maxGridsPerUser]).toEqual([217, 50, 3126, 15]);
    expect(survey.records.notes.records).toBe(5863);
    expect(survey.perGrid[0].grid).toMatch(/^88489e[0-9a-f]{9}\/2016-12-16T09:00-06:00$/);
  });

  test.each(REAL_RESULTS)("is planned at ε = %s with K = %d", async (epsilon, K, E, drops, capped) => {
    const folder = temporaryFolder();
    const plan = [
      "plan",
      REAL,
      ...FLAGS,
      "--tz",
      "-06:00",
      "--upper",
      "65",
      "--epsilon",
      epsilon,
      "--strategy",
      "clip-user",
    ];
    const made = await surveyOf(plan, folder);
    expect([made.degradation, made.suppressed.length]).toEqual([K, drops]);
    expect(made.errorBound).toBeCloseTo(E, 4);
    expect(made.suppressed.slice(0, 2)).toEqual([
      ["5011", "88489e3467fffff/2016-12-16T09:00-06:00"],
      ["5013", "88489e3467fffff/2016-12-16T09:00-06:00"],
    ]);
    expect((await surveyOf([...plan, "--caps"], folder)).worstError).toBeCloseTo(capped, 4);
  });

  test("the first look's command works as printed", async () => {
    const look = await veilgridDone(["survey", REAL], { in: root });
    const survey = await surveyOf(printedCommand(look.stdout, "survey"), root);
    expect(survey.grids).toBe(20);
  });
});
