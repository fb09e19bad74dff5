/**
 * Runs the same commands with this build and with another one, and compares every byte they write: `node lab/same-bytes.mjs ../other-clone`.
 * Both folders must be built. Text for people on the terminal is not compared; exit codes and everything for programs is.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [other] = process.argv.slice(2);
if (other === undefined) {
  console.error("usage: node lab/same-bytes.mjs OTHER_BUILT_CLONE");
  process.exit(2);
}

const CITY =
  "--user vehicle_id --value speed --lat latitude --lon longitude --h3 7 --time timestamp --slot 1d --top 12";
const SHOPS = "--user who --value v --by shop --step 0.5";
const LEDGER = "--ledger l.db --dataset d";
const REPLAY = `${LEDGER} --replay-seed 7`;

/** The files that commands need and neither build writes. */
function writeInputs(folder) {
  const rows = ["who,shop,v,at"];
  for (let index = 0; index < 600; index++) {
    const minute = String(index % 60).padStart(2, "0");
    rows.push(
      `u${(index * 7) % 41},s${(index * index) % 5},${(index * 13) % 100},2026-01-0${1 + (index % 9)}T10:${minute}:00Z`,
    );
  }
  writeFileSync(path.join(folder, "shops.csv"), `${rows.join("\n")}\n`);
}

/** What is run in order in one folder. `quiet` commands are compared by exit code and files alone. */
const COMMANDS = [
  "simulate synthetic --gamma 3 --q 0.01 --seed 1 --out o.csv",
  "simulate synthetic --gamma 6 --q 0.02 --grids 9 --seed 5",
  "simulate city --records 30000 --seed 3 --out city.csv",
  "simulate city --records 8000 --schema wild --out wild.json",
  "simulate city --records 8000 --preset paper --out paper.parquet",
  "survey o.csv --json",
  "survey city.csv --json",
  `survey city.csv ${CITY} --json --out city-counts.csv --write-config city.yaml`,
  "plan o.csv --upper 65 --loss 1 --strategy frontier --json --out p-loss.json",
  "plan o.csv --upper 65 --loss 2/52 --strategy frontier --statistics mean --json",
  "plan o.csv --upper 65 --error mean=5,sd=15 --json --out p-error.json",
  "plan o.csv --upper 65 --epsilon 1 --strategy clip-user --protect-lowest --json --out p-clip.json",
  "plan o.csv --upper 65 --epsilon 0.5 --strategy clip-user --caps --whole-stages --split best --keep first --json --out p-caps.json",
  "plan o.csv --upper 65 --epsilon 1 --strategy baseline --metric relative --json --out p-base.json",
  "plan o.csv --bounds -10,55 --loss careful --strategy frontier --estimator kept --statistics mean,share:20,sum,second-moment --json --out p-many.json",
  "compare o.csv --upper 65 --loss 0.5,1 --statistics mean --json",
  "compare o.csv --upper 65 --loss 1 --statistics mean --out compare.svg --unit km/h",
  `plan city.csv --config city.yaml --upper 65 --statistics mean --loss common --strategy frontier --json --out p-city.json`,
  `plan shops.csv ${SHOPS} --bounds 0,100 --loss 3 --strategy frontier --statistics mean,variance,sum,share:50,histogram:20/60 --json --out p-shops.json`,
  `plan shops.csv ${SHOPS} --time at --slot 1d --hours 9-11 --bounds 0,100 --epsilon 2 --strategy clip-user --caps --statistics mean --min-users 3 --json --out p-days.json`,
  `ledger init ${LEDGER} --budget 500 --occupancy-is-public --json`,
  `release shops.csv --plan p-shops.json ${REPLAY} --dry-run --json`,
  `release shops.csv --plan p-shops.json ${REPLAY} --key first --out first/ --json`,
  `release shops.csv --plan p-shops.json ${REPLAY} --key first --format csv --confidence 0.9`,
  `release shops.csv --plan p-days.json ${REPLAY} --key days --format json`,
  `release city.csv --plan p-city.json ${REPLAY} --out city/ --json`,
  `ledger raise ${LEDGER} --budget 600 --reason more --json`,
  `ledger show ${LEDGER} --json`,
  `ledger verify --ledger l.db --json`,
  "reproduce synthetic --figures paper --draws 2 --out figures",
  // Refusals: the code and the exit status count, not the words.
  "plan o.csv --loss 1",
  "plan o.csv --upper 65",
  "plan o.csv --upper 65 --loss 1 --error 2",
  "plan o.csv --upper nothing --loss 1",
  "plan gone.csv --upper 65 --loss 1",
  "plan city.csv --upper 65 --loss 1",
  "plan shops.csv --user who --value v --by v --bounds 0,1 --loss 1",
  `release shops.csv --plan p-city.json ${LEDGER}`,
  `release shops.csv --plan o.csv ${LEDGER}`,
  `release shops.csv --plan p-shops.json --ledger l.db --dataset nobody`,
  `ledger void ${LEDGER} --key first`,
  "frobnicate",
];

/** Times, processes' ids and how long things took differ between two runs of one build. */
function withoutTimes(text) {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
    .replace(/"(seconds|milliseconds|took)": ?[\d.]+/g, '"$1": TIME');
}

/** The rows of a ledger. Its journal's hashes cover the times; `ledger verify` has checked them. */
function ledgerText(file) {
  const database = new Database(file);
  const tables = database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
  const rows = tables
    .filter(({ sql }) => sql?.startsWith("CREATE TABLE"))
    .map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).raw().all()]);
  database.close();
  const journal = rows.find(([name]) => name === "journal");
  for (const line of journal?.[1] ?? []) line.pop();
  return withoutTimes(JSON.stringify([tables, rows]));
}

function filesOf(folder, below = "") {
  return readdirSync(path.join(folder, below)).flatMap((name) => {
    const file = path.join(below, name);
    return statSync(path.join(folder, file)).isDirectory() ? filesOf(folder, file) : [file];
  });
}

/** Name → fingerprint of everything that a build printed and wrote. */
function outputsOf(build) {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-bytes-"));
  const outputs = new Map();
  const keep = (name, bytes) => outputs.set(name, createHash("sha256").update(bytes).digest("hex"));
  try {
    writeInputs(folder);
    mkdirSync(path.join(folder, "figures"));
    for (const command of COMMANDS) {
      const program = path.join(build, "dist", "apps", "cli", "main.js");
      const run = spawnSync(process.execPath, [program, ...command.split(" ")], { cwd: folder, maxBuffer: 2 ** 28 });
      keep(`exit of: ${command}`, String(run.status));
      if (run.status === 0) keep(`stdout of: ${command}`, withoutTimes(run.stdout.toString()));
      console.error(`${run.status} ${command}`);
    }
    for (const file of filesOf(folder)) {
      if (/\.db-(shm|wal)$|\.lock$/.test(file)) continue;
      const whole = path.join(folder, file);
      keep(file, file.endsWith(".db") ? ledgerText(whole) : readFileSync(whole));
    }
  } finally {
    if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.error(`kept: ${folder}`);
  }
  return outputs;
}

const before = outputsOf(path.resolve(other));
const now = outputsOf(here);
const names = [...new Set([...before.keys(), ...now.keys()])];
const different = names.filter((name) => before.get(name) !== now.get(name));
for (const name of different) console.log(`differs: ${name}`);
console.log(`${names.length - different.length} outputs are the same, ${different.length} differ`);
process.exitCode = different.length === 0 ? 0 : 1;
