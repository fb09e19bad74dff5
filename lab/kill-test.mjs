/** `npm run kill`: kills real releases with SIGKILL in each of their steps, runs them again, and looks into the ledger. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ledgerInit, ledgerShow, ledgerVerify, openLedger, plan, releaseRecords } from "#apps/operations";

const STEPS = {
  reserving: "reserve",
  "reading totals": "compute",
  "reading sums": "compute",
  "committing an earlier pass": "pass",
  "adding noise": "compute",
  committing: "commit",
  disclosing: "disclose",
};
/** A balanced plan of two passes commits two passes before its grids. */
const PLANS = {
  baseline: { epsilon: "0.1", strategy: "baseline" },
  balanced: { loss: "0.1", passes: "2" },
};
const WANTED = Number(process.argv[2] ?? 20);
const script = fileURLToPath(import.meta.url);

/** The child: one release, telling each step before it begins. */
if (process.argv[2] === "--child") {
  const { writeSync } = await import("node:fs");
  const options = JSON.parse(process.argv[3]);
  await releaseRecords("records.csv", options, { onProgress: ({ step }) => writeSync(1, `${step}\n`) });
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-kill-"));
process.chdir(folder);
const rows = Array.from({ length: 4000 }, (_, row) => `u${row % 97},g${(row * 7) % 40},${(row * 13) % 65}`);
writeFileSync("records.csv", `user,grid,speed\n${rows.join("\n")}\n`);
for (const [name, options] of Object.entries(PLANS)) {
  const records = { user: "user", value: "speed", by: "grid" };
  await plan("records.csv", { upper: "65", ...options, records }, { out: `${name}.json` });
  await ledgerInit({ ledger: "ledger.db", dataset: name, budget: "1000", occupancyIsPublic: true });
}

/** Runs a release and kills it soon after it has told `target`; says in which step it died, or undefined if it was done first. */
function killIn(target, options) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, "--child", JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let told = "";
    let armed = false;
    child.stdout.on("data", (data) => {
      told += data;
      const at = told.split("\n").find((line) => STEPS[line] === target);
      if (at === undefined || armed) return;
      armed = true;
      const kill = () => child.kill("SIGKILL");
      // Steps differ in length; a delay drawn anew each time reaches into each of them, and sometimes into the next.
      const delay = (target === "compute" ? 60 : 6) * ((kills * 0.618) % 1);
      if (delay < 1) kill();
      else setTimeout(kill, delay);
    });
    child.on("exit", (_, signal) => {
      const last = told
        .trim()
        .split("\n")
        .findLast((line) => STEPS[line] !== undefined);
      resolve(signal === "SIGKILL" ? STEPS[last] : undefined);
    });
  });
}

function bytesOf(out) {
  const hash = createHash("sha256");
  for (const file of readdirSync(out)
    .filter((name) => !name.endsWith(".tmp"))
    .sort())
    hash.update(readFileSync(path.join(out, file)));
  return hash.digest("hex");
}

const answers = new Map();
const problems = [];
let kills = 0;

for (const name of Object.keys(PLANS)) await killReleasesOf(name);
const verification = await ledgerVerify({ ledger: "ledger.db" });
if (!verification.consistent) problems.push(...verification.problems);
console.log(
  `every key had one answer, the same before and after the kill: ${problems.some((line) => line.includes("answer") || line.includes("differs")) ? "NO" : "yes"}`,
);
console.log(`ledger verify: ${verification.consistent ? "consistent" : "NOT consistent"}`);
process.chdir(tmpdir());
rmSync(folder, { recursive: true, force: true });
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Kills releases of a plan until each of their steps was hit so often, and looks at what its dataset spent. */
async function killReleasesOf(name) {
  const hits = { reserve: 0, compute: 0, ...(name === "balanced" && { pass: 0 }), commit: 0, disclose: 0 };
  const killsBefore = kills;
  let keys = 0;
  while (Object.values(hits).some((count) => count < WANTED) && kills - killsBefore < 40 * WANTED) {
    const target = Object.entries(hits).sort((a, b) => a[1] - b[1])[0][0];
    const key = `${name}-${keys++}`;
    const options = { plan: `${name}.json`, ledger: "ledger.db", dataset: name, key, format: "csv,json" };
    kills += 1;
    const step = await killIn(target, { ...options, out: `${key}-killed/` });
    if (step !== undefined) hits[step] += 1;
    // What the killed one left behind, if it came that far; then twice again, which must agree with it and with each other.
    let left = [];
    try {
      left = readdirSync(`${key}-killed`).filter((file) => !file.endsWith(".tmp"));
    } catch {}
    const before = new Map(left.map((file) => [file, readFileSync(path.join(`${key}-killed`, file), "utf8")]));
    const passes = await passesOf(name, key);
    const first = await releaseRecords("records.csv", { ...options, out: `${key}-1/` });
    for (const [file, text] of before)
      if (readFileSync(path.join(`${key}-1`, file), "utf8") !== text)
        problems.push(`${key}: ${file} differs from what was disclosed before the kill`);
    for (const [part, text] of passes)
      if ((await passesOf(name, key)).get(part) !== text)
        problems.push(`${key}: ${part} differs from what was committed`);
    const again = await releaseRecords("records.csv", { ...options, out: `${key}-2/` });
    if (first.text !== again.text || bytesOf(`${key}-1`) !== bytesOf(`${key}-2`))
      problems.push(`${key}: two answers for one key`);
    if (again.chargedGrids !== 0) problems.push(`${key}: charged twice`);
    if (answers.has(first.text)) problems.push(`${key}: the noise of another key`);
    answers.set(first.text, key);
    for (const end of ["killed", "1", "2"]) rmSync(`${key}-${end}`, { recursive: true, force: true });
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${kills - killsBefore} kills ${JSON.stringify(hits)}`);
  }
  if (process.stderr.isTTY) process.stderr.write("\n");

  const [standing] = await ledgerShow({ ledger: "ledger.db", dataset: name });
  const price = standing.releases[0].loss;
  const spent = price.multiply(price.constructor.of(keys));
  if (!standing.loss.equals(spent)) problems.push(`spent ${standing.loss} on ${keys} releases of ${price} each`);
  if (standing.loss.compare(standing.budget) > 0) problems.push("overspent");
  for (const [step, count] of Object.entries(hits))
    if (count < WANTED) problems.push(`${name}: ${step} was hit ${count} times only`);
  console.log(
    `${name}, killed: ${Object.entries(hits)
      .map(([step, count]) => `${step} ${count}`)
      .join(", ")} (${kills - killsBefore} releases started and killed)`,
  );
  console.log(
    `charged once each: ${keys} releases of ${price} are ${standing.loss}, of a budget of ${standing.budget}`,
  );
}

/** The passes before the grids that the ledger has committed under a key. */
async function passesOf(dataset, key) {
  const ledger = await openLedger("ledger.db");
  const found = await ledger.committed({ dataset, key, parts: ["%first pass", "%rings"] });
  await ledger[Symbol.asyncDispose]();
  return found?.texts ?? new Map();
}
