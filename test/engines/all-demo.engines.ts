/** The demo's city as files, in PostgreSQL and in two ClickHouse shards: with only the source changed, the same counts, plan and release, byte for byte. */
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { veilgrid, veilgridDone } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { clickhouseShards, postgresAddress } from "./support/servers.ts";

const RECORDS = 100_000;
const COLUMNS = ["vehicle_id", "route_id", "trip_id", "timestamp", "latitude", "longitude", "speed"];
const FLAGS =
  "--user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --tz +05:30 --min-users 100".split(
    " ",
  );

const folder = temporaryFolder();
const HERE = { in: folder, env: { PGPASSWORD: process.env["PGPASSWORD"] ?? "" } };
const shards = clickhouseShards();
const inPostgres = `${postgresAddress()}?table=demo_city`;
const inClickHouse = `clickhouse://${new URL(shards[0]!).host}/default?table=demo_city`;

beforeAll(async () => {
  await veilgridDone(
    ["simulate", "city", "--vehicles", "600", "--records", String(RECORDS), "--seed", "1", "--out", "city.csv"],
    HERE,
  );
  await Promise.all([fillPostgres(), fillClickHouse()]);
});

async function fillPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAddress() });
  await client.connect();
  try {
    await client.query(
      `CREATE TABLE demo_city (vehicle_id text, route_id text, trip_id text, "timestamp" timestamptz, latitude double precision, longitude double precision, speed numeric)`,
    );
    for await (const rows of rowsOfCity()) {
      await client.query(
        "INSERT INTO demo_city SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::float8[], $6::float8[], $7::numeric[])",
        COLUMNS.map((_, column) => rows.map((row) => row[column])),
      );
    }
  } finally {
    await client.end();
  }
}

/** The simulated city quotes nothing. */
async function* rowsOfCity(): AsyncGenerator<string[][]> {
  const lines = createInterface({ input: createReadStream(path.join(folder, "city.csv")) });
  let rows: string[][] = [];
  let isHeader = true;
  for await (const line of lines) {
    if (!isHeader) rows.push(line.split(","));
    isHeader = false;
    if (rows.length < 20_000) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** Every other row to each shard: one bus is on both. */
async function fillClickHouse(): Promise<void> {
  const columns =
    "vehicle_id String, route_id String, trip_id String, timestamp String, latitude Float64, longitude Float64, speed Float64";
  for (const shard of shards) {
    await ask(shard, `CREATE TABLE default.demo_city_local (${columns}) ENGINE = MergeTree ORDER BY vehicle_id`);
    await ask(
      shard,
      `CREATE TABLE default.demo_city (${columns}) ENGINE = Distributed(veilgrid, default, demo_city_local, rand())`,
    );
  }
  const lines = readFileSync(path.join(folder, "city.csv"), "utf8").trimEnd().split("\n").slice(1);
  for (const [index, shard] of shards.entries()) {
    const mine = lines.filter((_, line) => line % shards.length === index);
    await ask(shard, `INSERT INTO default.demo_city_local FORMAT CSV\n${mine.join("\n")}\n`);
  }
}

async function ask(shard: string, body: string): Promise<void> {
  const answer = await fetch(shard, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
}

interface Made {
  readonly occupancyHash: string;
  readonly plan: string;
  /** By name. */
  readonly files: ReadonlyMap<string, string>;
}

async function makeFrom(source: string, name: string): Promise<Made> {
  const run = async (...args: string[]): Promise<string> => (await veilgridDone(args, HERE)).stdout;
  const { occupancyHash } = JSON.parse(await run("survey", source, ...FLAGS, "--json")) as { occupancyHash: string };
  const planFile = `${name}-plan.json`;
  await run("plan", source, ...FLAGS, "--upper", "65", "--statistics", "mean", "--loss", "1", "--out", planFile);
  const ledger = ["--ledger", `${name}.db`, "--dataset", "city"];
  await run("ledger", "init", ...ledger, "--budget", "3", "--occupancy-is-public");
  await run("release", source, "--plan", planFile, ...ledger, "--replay-seed", "7", "--out", `${name}/`);
  const files = readdirSync(path.join(folder, name)).map((file): [string, string] => [
    file,
    readFileSync(path.join(folder, name, file)).toString("latin1"),
  ]);
  return { occupancyHash, plan: readFileSync(path.join(folder, planFile), "utf8"), files: new Map(files) };
}

describe("the demo's city", () => {
  let fromFile: Made;
  beforeAll(async () => {
    fromFile = await makeFrom("city.csv", "file");
  });

  test("the release says what it is, and has rows", () => {
    expect([...fromFile.files.keys()].sort()).toContain("result.json");
    expect(fromFile.files.get("result.json")).toContain("NOT PRIVATE");
    expect(fromFile.files.get("statistics.csv")!.trim().split("\n").length).toBeGreaterThan(5);
  });

  test.each([
    ["PostgreSQL", inPostgres, "postgres"],
    ["two ClickHouse shards", inClickHouse, "clickhouse"],
  ])("in %s: the same counts, plan and bytes", async (_, source, name) => {
    const made = await makeFrom(source, name);
    expect(made.occupancyHash).toBe(fromFile.occupancyHash);
    expect(made.plan).toBe(fromFile.plan);
    expect([...made.files.keys()]).toEqual([...fromFile.files.keys()]);
    for (const [file, bytes] of made.files) expect([file, bytes === fromFile.files.get(file)]).toEqual([file, true]);
  });

  test.each([
    ["postgres", inPostgres],
    ["clickhouse", inClickHouse],
  ])("a first look at a table names its columns and a command, and shows no speed (%s)", async (_, source) => {
    const { stdout } = await veilgridDone(["survey", source], HERE);
    for (const column of COLUMNS) expect(stdout).toContain(column);
    expect(stdout).toContain("npx veilgrid survey");
  });

  test.each([
    ["postgres", inPostgres.replace("demo_city", "no_such_table")],
    ["clickhouse", inClickHouse.replace("demo_city", "no_such_table")],
  ])("a table that is not there is named, in a line (%s)", async (_, source) => {
    const run = await veilgrid(["survey", source, ...FLAGS], HERE);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("no_such_table");
    expect(run.stderr.trim().split("\n")).toHaveLength(1);
  });
});
