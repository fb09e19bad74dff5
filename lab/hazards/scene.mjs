/** A folder with everything a release takes, the built command run in it, and the books held to account afterwards. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ledgerInit, ledgerShow, ledgerVerify, plan, releaseRecords } from "#apps/operations";
import { SECRET } from "./secret.mjs";

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
export const builtProgram = path.join(root, "dist", "apps", "cli", "main.js");
const inject = path.join(import.meta.dirname, "inject.mjs");
const PATIENCE_MS = 180_000;
const HANGS_MS = 600_000;

export const COLUMNS = { user: "user", value: "speed", by: "grid" };
export const COLUMN_FLAGS = ["--user", "user", "--value", "speed", "--by", "grid"];
export const PLAN_FLAGS = [...COLUMN_FLAGS, "--upper", "65", "--strategy", "baseline", "--epsilon", "0.1"];

/** Every value carries the secret. */
export function recordsText(rows = 1500) {
  const lines = Array.from(
    { length: rows },
    (_, row) => `u${row % 97},g${(row * 7) % 12},${(row * 13) % 64}.${SECRET}`,
  );
  // One who has far more than anyone else, so that a plan has something to leave out.
  for (let row = 0; row < 150; row++) lines.push(`u3,g3,${(row * 7) % 64}.${SECRET}`);
  return `user,grid,speed\n${lines.join("\n")}\n`;
}

/** Made once, copied for each injection. */
export async function makeTemplate(folder) {
  mkdirSync(folder);
  const records = path.join(folder, "records.csv");
  writeFileSync(records, recordsText());
  const options = { upper: "65", epsilon: "0.1", strategy: "baseline", records: COLUMNS };
  await plan(records, options, { out: path.join(folder, "plan.json") });
  // A plan that leaves records out reads some of them a second time.
  const cutting = { upper: "65", epsilon: "0.1", strategy: "baseline", caps: true, records: COLUMNS };
  await plan(records, cutting, { out: path.join(folder, "cutting.json") });
  const ledger = path.join(folder, "ledger.db");
  await ledgerInit({ ledger, dataset: "d", budget: "1000", occupancyIsPublic: true });
  await releaseRecords(records, { plan: path.join(folder, "plan.json"), ledger, dataset: "d", key: "before" });
  const [{ loss: price }] = await ledgerShow({ ledger, dataset: "d" });
  // Another plan charges other users most, so that its price beside the first is read from a ledger that holds both.
  const both = path.join(folder, "both.db");
  copyFileSync(ledger, both);
  await releaseRecords(records, { plan: path.join(folder, "cutting.json"), ledger: both, dataset: "d", key: "k" });
  const [{ loss: withCutting }] = await ledgerShow({ ledger: both, dataset: "d" });
  return { folder, price, withCutting };
}

/** What became of the injections of one hazard. */
export class Tally {
  injected = 0;
  lost = 0;
  doubled = 0;
  outcomes = new Map();
  problems = [];
  skipped = [];

  injection(outcome) {
    this.injected += 1;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
  /** Charged, and neither finished nor given back. */
  loss(what) {
    this.lost += 1;
    this.problems.push(`lost: ${what}`);
  }
  /** Disclosed with other bytes than before, or without a charge. */
  double(what) {
    this.doubled += 1;
    this.problems.push(`disclosed twice: ${what}`);
  }
  problem(what) {
    this.problems.push(what);
  }
  skip(why) {
    this.skipped.push(why);
  }
}

export class Scene {
  static made = 0;

  constructor({ template, folder, tally, random }) {
    this.template = template;
    this.tally = tally;
    this.random = random;
    this.folder = path.join(folder, `scene-${Scene.made++}`);
    mkdirSync(this.folder, { mode: 0o777 });
    for (const file of ["records.csv", "plan.json", "cutting.json", "ledger.db"])
      copyFileSync(path.join(template.folder, file), this.at(file));
    /** Releases that the ledger must hold in the end, besides the one in the template. */
    this.keys = new Set();
    this.ledger = this.at("ledger.db");
  }

  at(...names) {
    return path.join(this.folder, ...names);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  releaseFlags(key, out = this.at(`out-${key}/`), planFile = "plan.json") {
    const flags = ["--plan", this.at(planFile), "--ledger", this.ledger, "--dataset", "d", "--key", key];
    return ["release", this.at("records.csv"), ...flags, ...(out === undefined ? [] : ["--out", out, ...formats(out)])];
  }

  /**
   * Starts the built command. `hazard`: what inject.mjs does in it; with `at` alone it waits there, `reached` tells, `go()` lets it go on.
   * `under`: a command that runs it, such as a shell with limits.
   */
  start(args, { hazard, env = {}, nodeFlags = [], under = [], program = builtProgram, ...spawning } = {}) {
    const [reached, go] = ["reached", "go"].map((name) => this.at(`${name}-${Scene.made++}`));
    const told =
      hazard === undefined ? undefined : [hazard].flat().map((each) => ({ what: "wait", reached, go, ...each }));
    const flags = [...(told === undefined ? [] : ["--import", inject]), ...nodeFlags, program, ...args];
    const [file, ...rest] = [...under, process.execPath, ...flags];
    const child = spawn(file, rest, {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: this.folder, ...env, ...(told && { HAZARD: JSON.stringify(told) }) },
      stdio: ["ignore", "pipe", "pipe"],
      ...spawning,
    });
    const run = { child, stdout: "", stderr: "", status: null, signal: null };
    child.stdout?.on("data", (data) => {
      run.stdout += data;
    });
    child.stderr?.on("data", (data) => {
      run.stderr += data;
    });
    run.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => resolve(Object.assign(run, { status, signal })));
    });
    // What hangs is found out, not waited for.
    const hangs = setTimeout(() => {
      this.tally.problem(`${args.slice(0, 2).join(" ")} hangs`);
      child.kill("SIGKILL");
    }, HANGS_MS);
    void run.ended.finally(() => clearTimeout(hangs)).catch(() => undefined);
    run.reached = async () => {
      for (const until = performance.now() + PATIENCE_MS; !existsSync(reached); await sleep(2)) {
        if (child.exitCode !== null || child.signalCode !== null) return false;
        if (performance.now() > until) throw new Error(`${args.join(" ")} does not get to ${told[0].at}`);
      }
      return true;
    };
    run.go = () => writeFileSync(go, "");
    return run;
  }

  run(args, options) {
    return this.start(args, options).ended;
  }

  /** Pauses the command at a moment, does `harm` there, and lets it go on to its end. */
  async harmed(args, at, harm, options = {}) {
    const run = this.start(args, { ...options, hazard: { at } });
    if (!(await run.reached())) this.tally.problem(`${args[0]} ended before ${at}: ${run.stderr.trim()}`);
    await harm(run);
    run.go();
    return run.ended;
  }

  /** A command that must have been refused: exit status 1, one clear line, no trace, no value. */
  refused(run, { what, line, status = 1 }) {
    const { tally } = this;
    const lines = saidBy(run);
    if (run.signal !== null) tally.problem(`${what}: ended by ${run.signal}`);
    if (run.status !== status) tally.problem(`${what}: exit status ${run.status}: ${run.stderr.trim().slice(0, 300)}`);
    if (lines.length !== 1 || !lines[0].startsWith("veilgrid: "))
      tally.problem(`${what}: said ${JSON.stringify(run.stderr.slice(0, 400))}`);
    else if (line !== undefined && !line.test(lines[0])) tally.problem(`${what}: said ${lines[0]}`);
    this.#quotesNothing(run, what);
  }

  #quotesNothing({ stdout, stderr }, what) {
    if (`${stdout}${stderr}`.includes(SECRET)) this.tally.problem(`${what}: quotes a value: ${stdout}${stderr}`);
    if (/^\s+at .*[:(]\d|this should not happen/m.test(stderr)) this.tally.problem(`${what}: ${stderr.slice(0, 400)}`);
  }

  /** What a folder of results holds under final names; null where there is none. */
  disclosed(out) {
    if (!existsSync(out)) return null;
    const files = new Map();
    for (const name of readdirSync(out))
      if (!name.endsWith(".tmp")) files.set(name, readFileSync(path.join(out, name)));
    return files.size === 0 ? null : files;
  }

  /** No temporary file stays behind where the command could still take it away. */
  tidy(folder, what) {
    const left = existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => /\.tmp$/.test(name))
      : [];
    if (left.length > 0) this.tally.problem(`${what}: left ${left.join(", ")}`);
  }

  release(key, out = this.at(`again-${key}/`), planFile = "plan.json") {
    const options = { plan: this.at(planFile), ledger: this.ledger, dataset: "d", key, out, format: "csv,json" };
    return releaseRecords(this.at("records.csv"), options);
  }

  /**
   * The fault is gone: the release works, twice the same, equals whatever was disclosed before, and was charged once. `command`: by the real
   * command instead of in this process.
   */
  async worksAgain(key, { what, before = null, planFile, command = false }) {
    const { tally } = this;
    this.keys.add(key);
    const [out, twice] = [this.at(`again-${key}/`), this.at(`twice-${key}/`)];
    try {
      if (command) {
        const run = await this.run(this.releaseFlags(key, out, planFile));
        if (run.status !== 0) throw new Error(run.stderr);
      } else {
        const first = await this.release(key, out, planFile);
        if (before !== null && first.chargedGrids > 0) tally.double(`${what}: given out and not charged`);
      }
    } catch (error) {
      tally.loss(`${what}: does not work again: ${error.message}`);
      return;
    }
    const second = await this.release(key, twice, planFile);
    if (second.chargedGrids !== 0) tally.loss(`${what}: charged twice`);
    for (const [name, bytes] of before ?? [])
      if (!bytes.equals(readFileSync(path.join(out, name)))) tally.double(`${what}: ${name} differs`);
    for (const name of readdirSync(out))
      if (!readFileSync(path.join(out, name)).equals(readFileSync(path.join(twice, name))))
        tally.double(`${what}: two answers under one key: ${name}`);
    for (const folder of [out, twice]) rmSync(folder, { recursive: true, force: true });
  }

  /** Every charge accounted for: consistent, and exactly the price of the keys that were released. */
  async accounts(what, { total, ledger = this.ledger } = {}) {
    const { tally } = this;
    const { consistent, problems } = await ledgerVerify({ ledger });
    if (!consistent) tally.loss(`${what}: ledger verify: ${problems[0]}`);
    const [{ loss, releases }] = await ledgerShow({ ledger, dataset: "d" });
    let expected = total ?? this.template.price;
    if (total === undefined) for (const _ of this.keys) expected = expected.add(this.template.price);
    if (loss.compare(expected) > 0)
      tally.loss(`${what}: ${loss} is charged for ${this.keys.size + 1} releases, not ${expected}`);
    if (loss.compare(expected) < 0) tally.double(`${what}: only ${loss} is charged, not ${expected}`);
    const pending = releases.filter((each) => each.pending.length > 0);
    if (pending.length > 0) tally.loss(`${what}: ${pending.length} releases stay pending`);
  }

  /** The state of a key: undefined if the ledger has none. */
  async standing(key) {
    const [{ releases }] = await ledgerShow({ ledger: this.ledger, dataset: "d" });
    return releases.find((each) => each.key === key)?.state;
  }
}

function formats(out) {
  return out.endsWith("/") ? ["--format", "csv,json"] : [];
}

/** What was said besides notes and progress. */
function saidBy({ stderr }) {
  const besides = /^note: |: [\d,]+( of [\d,]+)? \(\d+ s\)$/;
  return stderr.split("\n").filter((line) => line !== "" && !besides.test(line));
}
