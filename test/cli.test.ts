/** The built command on good input: the vectors, and the promises of --json and --out. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Occupancy } from "#core/occupancy";
import { planFlags, readVectors, veilgrid, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const vectors = readVectors();
const small = vectors.find((vector) => vector.name === "small")!;
/** What users import, from dist. */
const { OccupancyCsvReader } = await import("#core/occupancy");
const { checkPlan, readPlan } = await import("#core/planning");
const { VeilgridError } = await import("#core/errors");

async function planJson(source: string, flags: readonly string[]) {
  return JSON.parse((await veilgridDone(["plan", source, ...flags, "--json"], { in: temporaryFolder() })).stdout);
}

function occupancyOf(csv: string | Uint8Array): Occupancy {
  const reader = new OccupancyCsvReader("test");
  reader.push(Buffer.from(csv));
  return reader.finish().occupancy;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "accepted";
  } catch (error) {
    if (error instanceof VeilgridError) return error.code;
    throw error;
  }
}

/** Equal but for the last digits of a double. */
function expectAllClose(actual: Record<string, number>, expected: Readonly<Record<string, number>>): void {
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  for (const [key, value] of Object.entries(expected)) expect(Math.abs(actual[key]! / value - 1)).toBeLessThan(1e-12);
}

interface GridRow {
  grid: string;
  [key: string]: number | string;
}

function column(perGrid: GridRow[], key: string): Record<string, number> {
  return Object.fromEntries(perGrid.map((grid) => [grid.grid, grid[key] as number]));
}

describe.concurrent("plan on the vectors", () => {
  test("there are eight or more", () => expect(vectors.length).toBeGreaterThanOrEqual(8));

  test.each(vectors)("$name: K, errors, losses and drops in order", async (vector) => {
    const summary = await planJson(vector.csv, planFlags(vector));
    expect(summary.suppressed).toEqual(vector.suppressed);
    expect(summary).toMatchObject({
      degradation: vector.K,
      users: vector.users,
      grids: vector.grids,
      maxGridsPerUser: vector.maxGridsPerUser,
      lossSimple: vector.simpleLoss,
    });
    expectAllClose(column(summary.perGrid, "initialError"), vector.initialErrors);
    expectAllClose(column(summary.perGrid, "error"), vector.errorsAfter);
    expectAllClose({ bound: summary.errorBound }, { bound: vector.errorBound });
    // The loss is that of noise on a fine lattice, rounded up: never below the limit, and hardly above it.
    for (const [charged, limit] of [
      [summary.loss, vector.jointLoss],
      [summary.baselineLoss, vector.baselineJointLoss],
    ]) {
      expect(charged).toBeGreaterThanOrEqual(limit * (1 - 1e-15));
      expect(charged).toBeLessThan(limit * (1 + 1e-9));
    }
  });

  test.each(vectors)("$name: caps and the errors after them", async (vector) => {
    const summary = await planJson(vector.csv, [...planFlags(vector), "--caps"]);
    expect(summary.suppressed).toEqual(vector.suppressed);
    expect(column(summary.perGrid, "cap")).toEqual(vector.caps);
    expectAllClose(column(summary.perGrid, "error"), vector.errorsAfterCaps);
    expectAllClose({ worst: summary.worstError }, { worst: vector.worstAfterCaps });
  });
});

describe.concurrent("plan --json", () => {
  const KEYS =
    "strategy estimator users grids samples maxGridsPerUser epsilon degradation loss lossSimple baselineLoss baselineLossSimple errorBound worstError dataFreeError suppressed trimmed perGrid";
  const GRID_KEYS = "grid users samples kept cap epsilon scales bias initialError error";

  test.each(["baseline", "clip-user"])("has the keys that callers rely on, %s", async (strategy) => {
    const flags = ["--bounds", "-5,60", "--epsilon", "0.5", "--statistics", "variance,share:50,mean"];
    const summary = await planJson(small.csv, [...flags, "--strategy", strategy]);
    expect(Object.keys(summary)).toEqual(expect.arrayContaining(KEYS.split(" ")));
    expect(summary).toMatchObject({ strategy, estimator: "kept", epsilon: 0.5, trimmed: [] });
    for (const grid of summary.perGrid) {
      expect(Object.keys(grid)).toEqual(expect.arrayContaining(GRID_KEYS.split(" ")));
      for (const each of [grid.scales, grid.bias]) expect(Object.keys(each)).toEqual(["variance", "share:50", "mean"]);
      expect(grid.cap).toBeNull();
    }
    if (strategy === "baseline") {
      expect(summary).toMatchObject({ errorBound: null, suppressed: [], loss: summary.baselineLoss });
    }
  });

  test("has loss and simple loss, and the table shows both beside the data-free line", async () => {
    const { stdout } = await veilgridDone(["plan", small.csv, ...planFlags(small)], { in: temporaryFolder() });
    expect(stdout).toMatch(/loss, simple rule .*what the paper counts/);
    expect(stdout).toMatch(/loss, joint rule .*charged/);
    expect(stdout).toMatch(/worst guaranteed error/);
    expect(stdout).toMatch(/data-free error/);
  });
});

describe.concurrent("plan --out", () => {
  test("gives the same bytes for the same occupancy, whatever the order of its rows and its compression", async () => {
    const folder = temporaryFolder();
    const [header, ...rows] = readFileSync(small.csv, "utf8").trimEnd().split("\n");
    const shuffled = [...rows].sort((left, right) =>
      sha256(Buffer.from(left)).localeCompare(sha256(Buffer.from(right))),
    );
    expect(shuffled).not.toEqual(rows);
    const sources: Record<string, string | Uint8Array> = {
      "same.csv": readFileSync(small.csv),
      "reversed.csv": [header, ...rows.toReversed()].join("\n"),
      "shuffled.csv": [header, ...shuffled].join("\r\n"),
      "columns.csv": ["count,user,grid", ...rows.map((row) => row.replace(/^(.*),(\d+)$/, "$2,$1"))].join("\n"),
      "zipped.csv": gzipSync(readFileSync(small.csv)),
    };
    await veilgridDone(["plan", small.csv, ...planFlags(small), "--out", "plan.json"], { in: folder });
    const plan = readFileSync(path.join(folder, "plan.json"), "utf8");
    for (const [name, content] of Object.entries(sources)) {
      writeFileSync(path.join(folder, name), content);
      const run = await veilgridDone(["plan", name, ...planFlags(small), "--out", `${name}.json`], { in: folder });
      expect(run.stderr).toBe("");
      expect(readFileSync(path.join(folder, `${name}.json`), "utf8")).toBe(plan);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);

    writeFileSync(path.join(folder, "other.csv"), [header, ...rows.slice(1)].join("\n"));
    await veilgridDone(["plan", "other.csv", ...planFlags(small), "--out", "other.json"], { in: folder });
    expect(readFileSync(path.join(folder, "other.json"), "utf8")).not.toBe(plan);
  });

  test("writes what readPlan accepts, and refuses once altered, cut short or added to", async () => {
    const folder = temporaryFolder();
    await veilgridDone(["plan", small.csv, ...planFlags(small), "--caps", "--out", "plan.json"], { in: folder });
    const text = readFileSync(path.join(folder, "plan.json"), "utf8");
    const plan = readPlan(text);
    expect(plan.suppressed.map(([user, grid]) => [plan.users[user], plan.grids[grid]])).toEqual(small.suppressed);

    // Every single digit, not one lucky one: most make another plan, some no plan at all.
    const refusals = new Map<string, number>();
    for (const { index } of text.matchAll(/\d/g)) {
      const digit = (Number(text[index]) + 1) % 10;
      const code = codeOf(() => readPlan(text.slice(0, index) + digit + text.slice(index + 1)));
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    }
    expect([...refusals.keys()].sort()).toEqual(["PLAN_ALTERED", "PLAN_MALFORMED"]);
    expect(refusals.get("PLAN_ALTERED")).toBeGreaterThan(200);
    expect(codeOf(() => readPlan(text.replace('"lossSimple":"', '"lossSimple":"1')))).toBe("PLAN_ALTERED");

    for (let length = 0; length < text.length - 1; length += 7)
      expect(codeOf(() => readPlan(text.slice(0, length)))).toBe("PLAN_MALFORMED");
    expect(codeOf(() => readPlan(text.replace('{"format"', '{"extra":1,"format"')))).toBe("PLAN_MALFORMED");
    expect(codeOf(() => readPlan(text.replace('"sha256"', '"extra":1,"sha256"')))).toBe("PLAN_MALFORMED");
    for (const other of ["", "null", "[]", "{}", "user,grid,count\n"])
      expect(codeOf(() => readPlan(other))).toBe("PLAN_MALFORMED");
  });

  test("writes what checkPlan accepts for its occupancy and refuses for another", async () => {
    const folder = temporaryFolder();
    await veilgridDone(["plan", small.csv, ...planFlags(small), "--out", "plan.json"], { in: folder });
    const plan = readPlan(readFileSync(path.join(folder, "plan.json"), "utf8"));
    const csv = readFileSync(small.csv, "utf8");
    expect(checkPlan(occupancyOf(csv), plan).kept.maxGridsPerUser()).toBe(small.K);
    expect(codeOf(() => checkPlan(occupancyOf(`${csv.trimEnd()}\nnew,g00,1\n`), plan))).toBe("PLAN_MISMATCH");
    const oneMore = csv.replace(/,(\d+)\n/, (_, count) => `,${Number(count) + 1}\n`);
    expect(codeOf(() => checkPlan(occupancyOf(oneMore), plan))).toBe("PLAN_MISMATCH");
  });

  test.each(["survey", "plan"])("%s does not write over its source, by whatever name", async (command) => {
    const folder = temporaryFolder();
    const rows = "user,grid,count\nann,north,3\nbob,north,2\n";
    writeFileSync(path.join(folder, "source.csv"), rows);
    symlinkSync("source.csv", path.join(folder, "link.csv"));
    const flags = command === "plan" ? ["--upper", "65", "--epsilon", "1"] : [];
    for (const out of ["source.csv", "./source.csv", "link.csv"]) {
      const { status, stderr } = await veilgrid([command, "source.csv", ...flags, "--out", out], { in: folder });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(/^veilgrid: --out '.*' is the source itself; [^\n]*\n$/),
      });
      expect(readFileSync(path.join(folder, "source.csv"), "utf8")).toBe(rows);
    }
  });

  test("writes through a link, and to a pipe rather than over it", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "target.csv"), "old");
    symlinkSync("target.csv", path.join(folder, "link.csv"));
    await veilgridDone(["simulate", "synthetic", "--grids", "2", "--out", "link.csv", "--force"], { in: folder });
    expect(readFileSync(path.join(folder, "target.csv"), "utf8")).toMatch(/^user,grid,count\n/);

    execFileSync("mkfifo", [path.join(folder, "pipe")]);
    const reader = spawn("cat", [path.join(folder, "pipe")]);
    const chunks: Buffer[] = [];
    reader.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => reader.on("close", resolve));
    try {
      await veilgridDone(["simulate", "synthetic", "--grids", "2", "--out", "pipe"], { in: folder });
      // Nobody wrote to the pipe if it was replaced by a file, and the reader would wait for ever.
      expect(
        readdirSync(folder, { withFileTypes: true })
          .find((entry) => entry.name === "pipe")!
          .isFIFO(),
      ).toBe(true);
      await ended;
    } finally {
      reader.kill();
    }
    expect(Buffer.concat(chunks)).toEqual(readFileSync(path.join(folder, "target.csv")));
    expect(readdirSync(folder).sort()).toEqual(["link.csv", "pipe", "target.csv"]);
  });
});

describe.concurrent("survey", () => {
  test("--out writes the file that occupancyHash names, plain and as .gz that can be read back", async () => {
    const folder = temporaryFolder();
    const survey = async (...args: string[]) =>
      JSON.parse((await veilgridDone(["survey", ...args, "--json"], { in: folder })).stdout);
    const { occupancyHash, users, grids } = await survey(small.csv, "--out", "x.csv");
    expect({ users, grids }).toEqual({ users: small.users, grids: small.grids });
    const canonical = readFileSync(path.join(folder, "x.csv"));
    expect(sha256(canonical)).toBe(occupancyHash);
    expect(occupancyHash).toBe((await planJson(small.csv, planFlags(small))).occupancyHash);

    await survey("x.csv", "--out", "y.csv.gz");
    const zipped = readFileSync(path.join(folder, "y.csv.gz"));
    expect(zipped.equals(canonical)).toBe(false);
    expect(gunzipSync(zipped)).toEqual(canonical);
    expect((await survey("y.csv.gz")).occupancyHash).toBe(occupancyHash);
  });

  test("a large file is written in several gzip members and read back whole", async () => {
    const folder = temporaryFolder();
    await veilgridDone(["simulate", "synthetic", "--grids", "13", "--out", "o.csv.gz"], { in: folder });
    await veilgridDone(["survey", "o.csv.gz", "--out", "o.csv"], { in: folder });
    const plain = readFileSync(path.join(folder, "o.csv"));
    expect(plain.length).toBeGreaterThan(3 * (1 << 16));
    expect(gunzipSync(readFileSync(path.join(folder, "o.csv.gz")))).toEqual(plain);
  });

  test("adds up duplicate rows and says so on standard error", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "twice.csv"), "user,grid,count\na,g,1\nb,g,2\na,g,4\nc,g,0\n");
    const { stdout, stderr } = await veilgridDone(["survey", "twice.csv", "--out", "once.csv", "--json"], {
      in: folder,
    });
    expect(stderr).toMatch(
      /^note: twice\.csv: 1 row.* the counts were added\nnote: twice\.csv: 1 row with count 0.*\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ samples: 7, entries: 2, notes: { duplicateRows: 1, zeroRows: 1 } });
    expect(readFileSync(path.join(folder, "once.csv"), "utf8")).toBe("user,grid,count\na,g,5\nb,g,2\n");
    const plan = await veilgridDone(["plan", "twice.csv", "--upper", "1", "--epsilon", "1"], { in: folder });
    expect(plan.stderr).toContain("the counts were added");
  });

  test.each([
    ["plain", (csv: Uint8Array) => csv],
    ["gzip", (csv: Uint8Array) => gzipSync(csv)],
  ])("reads standard input, %s", async (_, encode) => {
    const input = encode(readFileSync(small.csv));
    const folder = temporaryFolder();
    const fromInput = await veilgridDone(["survey", "-", "--json"], { in: folder, input });
    const fromFile = await veilgridDone(["survey", small.csv, "--json"], { in: folder });
    expect(fromInput.stdout).toBe(fromFile.stdout);
    const plan = await veilgridDone(["plan", "-", ...planFlags(small), "--json"], { in: folder, input });
    expect(JSON.parse(plan.stdout).suppressed).toEqual(small.suppressed);
  });
});

describe.concurrent("an id with terminal escape sequences", () => {
  const id = "\u001b[2J\u009b31m\u202e\u0007";
  const csv = `user,grid,count\n${id}u,${id}g,3\nother,${id}g,3\nother,${id}h,9\n"multi\nline",${id}h,1\n`;
  const shown = "\\u001b[2J\\u009b31m\\u202e\\u0007";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
  const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

  const plan = "plan --upper 1 --epsilon 1 --strategy clip-user --protect-lowest";
  test.each(["survey", "survey --json", plan, `${plan} --json`])("is never printed raw by %s", async (line) => {
    const [command, ...flags] = line.split(" ") as [string, ...string[]];
    const folder = temporaryFolder();
    const file = `${id}.csv`;
    writeFileSync(path.join(folder, file), csv);
    const { stdout } = await veilgridDone([command, file, ...flags, "--out", `${id}.out`], { in: folder });
    expect(stdout).not.toMatch(raw);
    expect(stdout).toContain(flags.includes("--json") ? "\\u001b[2J\\u009b31m" : shown);
    if (flags.includes("--json")) expect(JSON.stringify(JSON.parse(stdout))).toContain("\u009b31m\u202e");
    else if (flags.includes("--protect-lowest")) expect(stdout).toMatch(/is protected from drops/);
  });
});
