/** `npm run large`: a CSV of three gigabytes on one gigabyte of engine memory, surveyed, planned with caps and added up, checked against the numbers it was made from. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { plan } from "#apps/operations";
import { DuckDbEngine } from "#data/engines";
import { readRecipe } from "#data/partition";

const GIGABYTES = Number(process.argv[2] ?? 3);
const RECORDS = Math.round(GIGABYTES * 16_000_000);
const USERS = 100_000;
const GRIDS = 5_000;
/** Binds on a few per cent of the pairs, which have 24 records on average. */
const CAP = 32;
const folder = fileURLToPath(new URL("../build/large", import.meta.url));
const file = path.join(folder, "large.csv");
const FIELDS = `printf('GJ05%06d', hash(x) % ${USERS}) AS license_plate, printf('88%05x3fffffff', (hash(x) % ${USERS} * 7 + hash(x + 77) % 20 * 31) % ${GRIDS}) AS hexagon,
  make_timestamp(1457600000000000 + x * 1640) AS observed, CAST(hash(x + 5) % 651 AS DOUBLE) / 10 AS speed, x % 97 AS route`;

function demand(holds, what) {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

mkdirSync(folder, { recursive: true });
const instance = await DuckDBInstance.create(":memory:", { memory_limit: "500MB" });
const connection = await instance.connect();
console.log(`writing ${RECORDS.toLocaleString("en-US")} records …`);
await connection.run(`COPY (SELECT ${FIELDS} FROM range(${RECORDS}) AS r(x)) TO '${file}' (HEADER)`);
const [[sum, squares]] = (
  await connection.runAndReadAll(
    `SELECT CAST(sum(v) AS BIGINT), CAST(sum(v * v) AS BIGINT) FROM (SELECT CAST(hash(x + 5) % 651 AS BIGINT) AS v FROM range(${RECORDS}) AS r(x))`,
  )
).getRows();
connection.closeSync();
instance.closeSync();
console.log(`${(statSync(file).size / 1e9).toFixed(2)} GB`);

const records = { user: "license_plate", value: "speed", by: "hexagon", time: "observed", tz: "UTC", memory: "1GB" };
const options = { upper: "65.1", step: "0.1", epsilon: "1", strategy: "baseline", records };
const onProgress = ({ step, done, of }) =>
  process.stderr.isTTY && process.stderr.write(`\r\u001b[2K${step}: ${done}${of === undefined ? "" : ` of ${of}`}`);
const started = performance.now();
const made = await plan(file, options, { onProgress });
demand(made.occupancy.samples === RECORDS, "every record is counted");
const planned = performance.now();
console.log(
  `survey and plan: ${made.occupancy.entries.toLocaleString("en-US")} user–grid pairs, ${((planned - started) / 1000).toFixed(0)} s`,
);

const engine = await DuckDbEngine.open({ memory: "1GB" });
const source = await engine.describe(file, {});
const recipe = readRecipe(made.plan.partition);
const all = await engine.readTotals({ source, recipe }, made.plan, {}, { onProgress });
const total = (key) => all.totals.reduce((added, grid) => added + grid[key], 0n);
demand(total("sum") === sum && total("sumOfSquares") === squares, "sums and sums of squares are exact");
const capped = { ...made.plan, caps: made.plan.grids.map(() => CAP) };
const kept = (await engine.readTotals({ source, recipe }, capped, {}, { onProgress })).totals.reduce(
  (added, grid) => added + grid.kept,
  0,
);
const expected = made.occupancy.byUser.count.reduce((added, count) => added + Math.min(count, CAP), 0);
demand(kept === expected, "caps keep as many records as they say");
await engine[Symbol.asyncDispose]();
rmSync(folder, { recursive: true });
const megabytes = process.resourceUsage().maxRSS / 1000;
console.log(
  `totals, without and with caps: ${((performance.now() - planned) / 1000).toFixed(0)} s; exact sums agree; peak memory of the process ${megabytes.toFixed(0)} MB`,
);
demand(megabytes < 2000, "peak memory below 2 GB");
