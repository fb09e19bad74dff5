/** `veilgrid reproduce`: the same bytes on one core and on two, the city's pipeline, real records, refusals. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root, veilgrid, veilgridDone } from "./support/cli.ts";
import { isFull } from "./support/full.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

function hashes(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(path.join(folder, name)))
        .digest("hex"),
    ]),
  );
}

/** Rows of a figure's CSV by ε. */
function rowsOf(file: string): Record<string, Record<string, number>> {
  const [header, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  const names = header!.split(",");
  return Object.fromEntries(
    rows.map((row) => {
      const cells = row.split(",");
      return [cells[0]!, Object.fromEntries(names.map((name, at) => [name, Number(cells[at])]))];
    }),
  );
}

/** A small array in which guarantees are worth something from ε = 1 or so on. */
function smallArray(folder: string): string {
  const rows = Array.from({ length: 60 }, (_, user) =>
    Array.from({ length: 4 }, (_, grid) => `u${user},g${grid},${1 + ((user * (grid + 3)) % 7)}`),
  );
  writeFileSync(path.join(folder, "o.csv"), `user,grid,count\n${rows.flat().join("\n")}\n`);
  return "o.csv";
}

// The city, below, runs on one core and on two in every run.
test.runIf(isFull)("the same seed gives the same bytes on one core and on two, another seed others", async () => {
  const folder = temporaryFolder();
  const run = (out: string, ...flags: string[]) =>
    veilgridDone(["reproduce", "synthetic", "--draws", "2", "--figures", "paper", "--out", out, ...flags], {
      in: folder,
    });
  await Promise.all([run("one", "--workers", "1"), run("two", "--workers", "2"), run("other", "--seed", "7")]);
  const [one, two, other] = ["one", "two", "other"].map((name) => hashes(path.join(folder, name)));
  expect(Object.keys(one!)).toHaveLength(6 * 3 + 2);
  expect(two).toEqual(one);
  for (const name of Object.keys(one!).filter((each) => each !== "index.html"))
    expect(other![name], name).not.toBe(one![name]);
});

test("a city from an occupancy file: both sets of figures, the same on one core and on two", async () => {
  const folder = temporaryFolder();
  const file = smallArray(folder);
  const run = (workers: string) =>
    veilgridDone(
      [
        "reproduce",
        "city",
        "--records",
        file,
        "--upper",
        "20",
        "--unit",
        "€",
        "--out",
        workers,
        "--workers",
        workers,
        "--json",
      ],
      { in: folder },
    );
  const [first] = await Promise.all([run("1"), run("2")]);
  expect(hashes(path.join(folder, "2"))).toEqual(hashes(path.join(folder, "1")));
  const told = JSON.parse(first!.stdout);
  expect(told.figures.map(({ id }: { id: string }) => id)).toEqual([
    "paper-loss-city",
    "paper-error-city",
    "beyond-loss-city",
    "beyond-error-city",
  ]);
  expect(told.command).toBe("npx veilgrid reproduce city --records o.csv --upper 20 --unit '€'");
  expect(told.files).toHaveLength(4 * 3 + 2);
  const page = readFileSync(path.join(folder, "1", "index.html"), "utf8");
  for (const { id } of told.figures) expect(page).toContain(`id="${id}"`);
  expect(page).not.toMatch(/src=|https?:\/\/(?!www\.w3\.org)/);
  // The frontier against the plan that has it.
  const rows = rowsOf(path.join(folder, "1", "beyond-loss-city.csv"));
  const epsilon = Object.keys(rows).find((each) => rows[each]!["frontier_centred"]! > 0)!;
  const plan = JSON.parse(
    (
      await veilgridDone(["plan", file, "--upper", "20", "--metric", "sum", "--epsilon", epsilon, "--json"], {
        in: folder,
      })
    ).stdout,
  );
  expect(plan.strategy).toBe("frontier");
  expect(rows[epsilon]!["frontier_centred"]).toBeCloseTo(plan.loss, 6);
  expect(rows[epsilon]!["joint_before"]).toBeCloseTo(plan.baselineLoss, 6);
});

test("the simulated city's figures are those in docs/figures, and what the pipeline gives by hand", async () => {
  const folder = temporaryFolder();
  await veilgridDone(["reproduce", "city", "--figures", "paper", "--out", "out"], { in: folder });
  for (const name of ["paper-loss-city", "paper-error-city"])
    for (const ending of ["csv", "svg"])
      expect(readFileSync(path.join(folder, "out", `${name}.${ending}`), "utf8")).toBe(
        readFileSync(path.join(root, "docs", "figures", `${name}.${ending}`), "utf8"),
      );
  await veilgridDone(["simulate", "city", "--preset", "paper", "--out", "city.csv"], { in: folder });
  const flags =
    "--user vehicle_id --value speed --lat latitude --lon longitude --h3 8 --time timestamp --tz +05:30 --slot 1h --hours 9-10 --top 50 --upper 65 --strategy clip-user --caps --epsilon 0.5 --json";
  const plan = JSON.parse((await veilgridDone(["plan", "city.csv", ...flags.split(" ")], { in: folder })).stdout);
  expect(rowsOf(path.join(folder, "out", "paper-loss-city.csv"))["0.5"]!["K"]).toBe(plan.degradation);
  const errors = rowsOf(path.join(folder, "out", "paper-error-city.csv"))["0.5"]!;
  expect(errors["error_before"]).toBeCloseTo(plan.errorBound, 3);
  expect(errors["error_after"]).toBeCloseTo(plan.worstError, 3);
});

const real = path.join(root, "../shared/data/capmetro-2016-12-16.csv.gz");

test.skipIf(!existsSync(real))("real records: K, E and Ē as computed elsewhere in exact arithmetic", async () => {
  const folder = temporaryFolder();
  const flags = `--user vehicle_id --value speed --lat latitude --lon longitude --time timestamp --tz -06:00 --figures paper --out out`;
  await veilgridDone(["reproduce", "city", "--records", real, ...flags.split(" ")], { in: folder });
  const losses = rowsOf(path.join(folder, "out", "paper-loss-city.csv"));
  const errors = rowsOf(path.join(folder, "out", "paper-error-city.csv"));
  for (const [epsilon, degradation, before, after] of [
    ["0.1", 2, 21776.3265, 17284.6936],
    ["0.5", 2, 4355.2653, 3500.4935],
    ["1", 4, 2177.6327, 2132.9307],
    ["2", 6, 1088.8163, 1088.8163],
  ] as const) {
    expect(losses[epsilon]!["K"]).toBe(degradation);
    expect(losses[epsilon]!["loss_before"]).toBeCloseTo(15 * Number(epsilon), 9);
    expect(errors[epsilon]!["error_before"]).toBeCloseTo(before, 2);
    expect(errors[epsilon]!["error_after"]).toBeCloseTo(after, 2);
  }
});

test("the command on the page is this command's, and safe to paste", async () => {
  const folder = temporaryFolder();
  smallArray(folder);
  writeFileSync(path.join(folder, "c.yaml"), "records: o.csv\nfigures: paper\nledger: x.db\nepsilon: 0.5\n");
  const flags = ["--config", "c.yaml", "--unit", "`id` $(id) it's", "--out", "out", "--json"];
  const { stdout } = await veilgridDone(["reproduce", "city", ...flags], { in: folder });
  const { command } = JSON.parse(stdout);
  expect(command).toMatch(
    /^npx veilgrid reproduce city (--(records o\.csv|figures paper|unit '`id` \$\(id\) it'\\''s') ?){3}$/,
  );
});

test("bounds as large as may be are drawn or left blank, not a failure", async () => {
  const folder = temporaryFolder();
  smallArray(folder);
  const flags = ["--records", "o.csv", "--upper", "1e100", "--figures", "paper", "--out", "out"];
  await veilgridDone(["reproduce", "city", ...flags], { in: folder });
  expect(readdirSync(path.join(folder, "out"))).toHaveLength(8);
});

describe.concurrent("is refused before anything is written", () => {
  test.each([
    ["a set that is none", "all --figures some", /--figures 'some' is unknown; use paper or all/, 2],
    ["no draws", "synthetic --draws 0", /--draws 0 must be a whole number from 1/, 2],
    ["half a worker", "synthetic --workers 0.5", /--workers 0\.5 must be a whole number from 1/, 2],
    ["a seed that is none", "synthetic --seed x", /--seed 'x' is not a number/, 2],
    ["flags about records without any", "city --user bus", /flags about records need --records FILE/, 2],
    ["records without columns", "city --records records.csv", /--records needs to be told what the columns are/, 2],
    ["records that are not there", "city --records gone.csv --user u --value v --by g", /gone\.csv/, 1],
    ["records that would be written over", "city --records out/findings.csv --out out", /is in use/, 2],
    ["two ranges", "city --records o.csv --bounds 0,1 --upper 2", /--bounds and --upper say the same thing/, 2],
    ["a folder in a folder that is not there", "synthetic --out gone/out", /cannot write 'gone\/out'/, 1],
    ["a file as a folder", "synthetic --out o.csv", /its folder is a file/, 1],
    ["a folder where a file is to be", "synthetic --out full", /cannot write 'full\/index\.html': it is a folder/, 1],
    ["standard output as a folder", "synthetic --out -", /--out - is no file/, 2],
    ["no command", "", /help/, 2],
  ])("%s", async (_, words, message, status) => {
    const folder = temporaryFolder();
    smallArray(folder);
    writeFileSync(path.join(folder, "records.csv"), "bus,speed,x\n1,2,3\n");
    mkdirSync(path.join(folder, "out"));
    mkdirSync(path.join(folder, "full", "index.html"), { recursive: true });
    writeFileSync(path.join(folder, "out", "findings.csv"), readFileSync(path.join(folder, "o.csv")));
    const before = readdirSync(folder);
    const run = await veilgrid(["reproduce", ...words.split(" ").filter((word) => word !== "")], { in: folder });
    expect(run.stderr + run.stdout).toMatch(message);
    expect(run.status).toBe(status);
    expect(readdirSync(folder)).toEqual(before);
  });
});
