/** Survey and totals on every engine beside that engine's bare GROUP BY with the same sums, and survey beside one of counts alone, in one run; started by `npm run bench:engines`. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { survey } from "#apps/operations";
import { Rational } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import type { Occupancy } from "#core/occupancy";
import { makePlan, type Plan, runNow } from "#core/planning";
import { openEngine } from "#data/engines";
import { parseRecipe } from "#data/partition";
import { collectGarbage } from "./collect-garbage.js";

/** The machine's noise is larger than the differences: the fastest of a few runs, taken in turns. */
const RUNS = 3;
const MOST_TIMES = 1.5;
const RECIPE = { user: "bus", value: "speed", by: "stop" };
const given = process.argv.indexOf("--records");
const records = given < 0 ? 10_000_000 : Number(process.argv[given + 1]);
/** Twenty stops each, about ten records at each: a million groups of ten million records. */
const users = Math.max(1, Math.round(records / 200));
const stops = Math.max(20, Math.round(users / 10));

/** i = floor((x − 0)/h + 0.5), clamped, as the plan's lattice has it; `double` is the engine's type. */
const lattice = (double: string, whole: string): string =>
  `CAST(greatest(CAST(0 AS ${double}), least(CAST(1048576 AS ${double}), floor((speed - CAST(0 AS ${double})) / CAST('0.00006198883056640625' AS ${double}) + CAST(0.5 AS ${double})))) AS ${whole})`;

interface Bench {
  readonly name: string;
  readonly source: string;
  /** What it runs on, told by the server. */
  readonly version: string;
  bare(sql: "counts" | "sums"): Promise<unknown>;
  close(): Promise<void>;
}

async function duckdb(): Promise<Bench> {
  const folder = fileURLToPath(new URL("../bench-data/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `engines-${records}.parquet`);
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GB" });
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT 'bus ' || u AS bus, 'stop ' || (u * 7 + h * 31) % ${stops} AS stop, round((x * 7919) % 65000 / 1000.0, 2) AS speed
       FROM (SELECT x, hash(x) % ${users} AS u, hash(x + 77) % 20 AS h FROM range(${records}) AS r(x))) TO '${file}' (FORMAT parquet)`,
  );
  const sums = `SELECT bus, stop, count(*), sum(i), sum(i * i) FROM (SELECT bus, stop, ${lattice("DOUBLE", "BIGINT")} AS i FROM '${file}') GROUP BY bus, stop`;
  const counts = `SELECT bus, stop, count(*) FROM '${file}' GROUP BY bus, stop`;
  const [row] = (await connection.runAndReadAll("SELECT version()")).getRows();
  return {
    name: "DuckDB, Parquet",
    source: file,
    version: String(row![0]),
    bare: (sql) => connection.runAndReadAll(sql === "sums" ? sums : counts),
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function postgres(): Promise<Bench> {
  const address = process.env["VEILGRID_TEST_POSTGRES"]!;
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(
    `CREATE UNLOGGED TABLE bench AS SELECT 'bus ' || u AS bus, 'stop ' || (u * 7 + h * 31) % ${stops} AS stop, CAST((x * 7919) % 65000 AS double precision) / 1000 AS speed
       FROM (SELECT x, abs(hashint8(x)::bigint) % ${users} AS u, abs(hashint8(x + 77)::bigint) % 20 AS h FROM generate_series(1, ${records}::bigint) AS r(x)) AS drawn`,
  );
  await client.query("VACUUM ANALYZE bench");
  // Enough for the groups, as the engine asks for; otherwise the bare query would spill.
  await client.query("SET work_mem = '128MB'; SET hash_mem_multiplier = 2; SET jit = off");
  const sums = `SELECT bus, stop, count(*), sum(i), sum(i * i) FROM (SELECT bus, stop, ${lattice("double precision", "bigint")} AS i FROM bench) AS lattice GROUP BY bus, stop`;
  const counts = "SELECT bus, stop, count(*) FROM bench GROUP BY bus, stop";
  const { rows } = await client.query("SHOW server_version");
  let runs = -1;
  return {
    name: "PostgreSQL",
    source: `${address}?table=bench`,
    version: String(rows[0].server_version),
    async bare(sql) {
      // As planned, then in one process, and so on: for many groups the planner's own choice may be the slower one.
      runs += 1;
      await client.query(
        runs % 4 < 2 ? "RESET max_parallel_workers_per_gather" : "SET max_parallel_workers_per_gather = 0",
      );
      return client.query({ text: sql === "sums" ? sums : counts, rowMode: "array" });
    },
    close: () => client.end(),
  };
}

/** Half of the records on either shard, by user. */
async function clickhouse(): Promise<Bench> {
  const shards = JSON.parse(process.env["VEILGRID_TEST_CLICKHOUSE"]!) as string[];
  const ask = async (shard: string, sql: string): Promise<ArrayBuffer> => {
    const answer = await fetch(shard, { method: "POST", body: sql });
    const body = await answer.arrayBuffer();
    if (!answer.ok) throw new Error(new TextDecoder().decode(body));
    return body;
  };
  for (const [index, shard] of shards.entries()) {
    await ask(
      shard,
      "CREATE TABLE bench_local (bus String, stop String, speed Float64) ENGINE = MergeTree ORDER BY bus",
    );
    await ask(
      shard,
      "CREATE TABLE bench AS bench_local ENGINE = Distributed(veilgrid, default, bench_local, cityHash64(bus))",
    );
    await ask(
      shard,
      `INSERT INTO bench_local SELECT concat('bus ', toString(u)), concat('stop ', toString((u * 7 + h * 31) % ${stops})), (number * 7919) % 65000 / 1000
         FROM (SELECT number, intHash64(number) % ${users} AS u, intHash64(number + 77) % 20 AS h FROM system.numbers LIMIT ${records})
         WHERE cityHash64(concat('bus ', toString(u))) % ${shards.length} = ${index}`,
    );
  }
  const i =
    "toInt64(greatest(toFloat64(0), least(toFloat64(1048576), floor((speed - 0) / 0.00006198883056640625 + 0.5))))";
  const sums = `SELECT bus, stop, count(), sum(i), sum(i * i) FROM (SELECT bus, stop, ${i} AS i FROM bench) GROUP BY bus, stop FORMAT Native`;
  const counts = "SELECT bus, stop, count() FROM bench GROUP BY bus, stop FORMAT Native";
  const version = new TextDecoder().decode(await ask(shards[0]!, "SELECT version()")).trim();
  return {
    name: `ClickHouse, ${shards.length} shards`,
    source: `clickhouse://${new URL(shards[0]!).host}/default?table=bench`,
    version,
    bare: (sql) => ask(shards[0]!, sql === "sums" ? sums : counts),
    close: async () => undefined,
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  await collectGarbage();
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Whether survey and totals stay within one and a half times the bare queries. */
async function compare(bench: Bench): Promise<boolean> {
  const { survey: found, occupancy } = await survey(bench.source, { records: RECIPE });
  const plan = baseline(occupancy);
  const totals = async (): Promise<void> => {
    await using engine = await openEngine(bench.source);
    const source = await engine.describe(bench.source, {});
    await engine.readTotals({ source, recipe: parseRecipe(RECIPE) }, plan);
  };
  const works = {
    bareCounts: () => bench.bare("counts"),
    survey: () => survey(bench.source, { records: RECIPE }),
    bareSums: () => bench.bare("sums"),
    totals,
  };
  const best = { bareCounts: Infinity, survey: Infinity, bareSums: Infinity, totals: Infinity };
  for (let run = 0; run < RUNS; run++)
    for (const [name, work] of Object.entries(works) as Array<[keyof typeof works, () => Promise<unknown>]>)
      best[name] = Math.min(best[name], await seconds(work));
  console.log(
    `${bench.name} ${bench.version}: ${found.samples.toLocaleString("en-US")} records, ${occupancy.entries.toLocaleString("en-US")} groups, best of ${RUNS}`,
  );
  const { bareSums, bareCounts } = best;
  const times = [
    tell("survey", "with the same sums", bareSums, best.survey),
    tell("totals", "with the same sums", bareSums, best.totals),
  ];
  // A survey adds nothing up: beside the least that any count of groups takes, it shows what the array and its hash cost.
  tell("survey", "of counts alone", bareCounts, best.survey);
  return times.every((each) => each <= MOST_TIMES);
}

function tell(name: string, what: string, bare: number, ours: number): number {
  const times = ours / bare;
  console.log(
    `  ${name.padEnd(7)} bare GROUP BY ${what} ${bare.toFixed(2)} s, veilgrid ${ours.toFixed(2)} s: ${times.toFixed(2)} times`,
  );
  return times;
}

function baseline(occupancy: Occupancy): Plan {
  return runNow(makePlan(occupancy, { objective: makeObjective(parseBounds("0,65")), epsilon: Rational.ONE })).plan;
}

const ENGINES = { duckdb, postgres, clickhouse };
const only = process.argv.indexOf("--only");
const wanted = only < 0 ? Object.keys(ENGINES) : [process.argv[only + 1]!];
let good = true;
for (const [name, open] of Object.entries(ENGINES)) {
  if (!wanted.includes(name)) continue;
  const bench = await open();
  good = (await compare(bench)) && good;
  await bench.close();
}
process.exitCode = good ? 0 : 1;
