/**
 * Mistreats every reader with mutated and made-up inputs: `npm run fuzz`. Whatever comes, a reader either reads it or refuses it in one clear
 * line; it never throws anything else, crashes, hangs or grows. The `differential-` targets hold what is fast against what is plain.
 * `-- --seconds 60` per target, `--only NAME,NAME`, `--seed N`, `--inputs N` instead of a time, `--only NAME --input FILE` for one input again.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { SeededRandom } from "#evidence/simulation";
import { mutate } from "./mutate.mjs";
import { targets as plain } from "./targets.mjs";

const root = path.resolve(import.meta.dirname, "..", "..");
const CORPUS = path.join(import.meta.dirname, "corpus");
const FOUND = path.join(root, "build", "fuzz");
/** Of the processor, so that a busy machine accuses nobody; whoever waits for ever is ended with the process. */
const LONGEST_MS = 5_000;
const MOST_BYTES = 2_000_000_000;
/** Targets at a time, where there are as many cores. */
const AT_ONCE = 2;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    inputs: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    input: { type: "string" },
    child: { type: "boolean", default: false },
  },
});

const targets = flags.child && Object.hasOwn(plain, flags.only) ? plain : { ...plain, ...(await compiledTargets()) };
const WIDTH = Math.max(...Object.keys(targets).map((name) => name.length));

/** Compiled with the sources they are held against, which look for their version two folders up. */
async function compiledTargets() {
  const folder = path.join(root, "build", "fuzz-targets");
  copyFileSync(path.join(root, "package.json"), path.join(folder, "package.json"));
  return (await import(pathToFileURL(path.join(folder, "lab", "fuzz", "index.js")))).targets;
}

/** The inputs that are kept for a target, or the one that is asked for. */
function corpusOf(name) {
  if (flags.input !== undefined) return [readFileSync(flags.input)];
  const folder = path.join(CORPUS, name);
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(path.join(folder, file)));
}

/** Runs one target in this process until its time or number of inputs is over; prints what it counted. */
async function run(name) {
  const { prepare, generate = mutate, try: attempt, finish } = targets[name];
  const seeds = corpusOf(name);
  const random = new SeededRandom(Number(flags.seed));
  const most = flags.input !== undefined ? 1 : Number(flags.inputs ?? Number.POSITIVE_INFINITY);
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-fuzz-"));
  const last = path.join(FOUND, `${name}.last`);
  const counts = { inputs: 0, read: 0, refused: 0 };
  let state;
  try {
    state = await prepare?.(folder);
    const until = performance.now() + 1000 * Number(flags.seconds);
    const isOver = () => counts.inputs >= most || (flags.inputs === undefined && performance.now() > until);
    // What is kept is always tried.
    for (; counts.inputs < Math.min(most, seeds.length) || !isOver(); counts.inputs++) {
      const input = counts.inputs < seeds.length ? seeds[counts.inputs] : generate(random, seeds, state);
      // Written before, where a crash would leave no time for it afterwards.
      if (targets[name].mayCrash) writeFileSync(last, input);
      const start = process.cpuUsage();
      const trouble = await troubleWith(() => attempt(input, state, random), counts);
      const { user, system } = process.cpuUsage(start);
      const milliseconds = (user + system) / 1000;
      if (trouble === undefined && milliseconds < (targets[name].longestMs ?? LONGEST_MS)) continue;
      const kept = path.join(FOUND, `${name}-${counts.inputs}`);
      writeFileSync(kept, input);
      console.error(
        `fuzz: ${name}: input ${counts.inputs}: ${trouble ?? `took ${milliseconds.toFixed(0)} ms`}; kept as ${path.relative(root, kept)}`,
      );
      process.exitCode = 1;
      return;
    }
  } finally {
    await finish?.(state);
    rmSync(folder, { recursive: true, force: true });
  }
  if (process.memoryUsage().rss > MOST_BYTES) {
    console.error(`fuzz: ${name}: the process has grown to ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
    process.exitCode = 1;
  }
  console.log(JSON.stringify(counts));
}

/** What a reader did that it must not do, in words. */
async function troubleWith(work, counts) {
  try {
    const wrong = await work();
    counts.read += 1;
    return wrong;
  } catch (error) {
    counts.refused += 1;
    if (error?.name !== "VeilgridError") return `threw ${error?.stack ?? error}`;
    if (error.code === "INTERNAL") return `broke an invariant: ${error.message}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(error.message))
      return `answers with control characters: ${JSON.stringify(error.message)}`;
    if (error.message.length > 1_000) return `answers with ${error.message.length} characters`;
    return undefined;
  }
}

/** One target in a process of its own, so that a crash is that target's. */
function inProcess(name) {
  const parameters = ["seed", "seconds", "inputs", "input"].flatMap((flag) =>
    flags[flag] === undefined ? [] : [`--${flag}`, flags[flag]],
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(import.meta.url), "--child", "--only", name, ...parameters],
      { timeout: 1000 * (120 + 3 * Number(flags.seconds)) },
      (error, stdout, stderr) =>
        resolve({ failed: error !== null || stderr !== "", signal: error?.signal, stdout, stderr }),
    );
  });
}

async function main() {
  mkdirSync(FOUND, { recursive: true });
  const names = flags.only === undefined ? Object.keys(targets) : flags.only.split(",");
  const unknown = names.find((name) => targets[name] === undefined);
  if (unknown !== undefined || (flags.input !== undefined && names.length !== 1)) {
    console.error(`fuzz: --only takes some of ${Object.keys(targets).join(", ")}, with --input one of them`);
    process.exitCode = 2;
    return;
  }
  const all = { inputs: 0, read: 0, refused: 0 };
  let failed = 0;
  const waiting = [...names];
  const take = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await inProcess(name);
      process.stderr.write(result.stderr);
      if (result.failed) {
        failed += 1;
        const how = result.signal ? `: ended by ${result.signal}; its last input is build/fuzz/${name}.last` : "";
        console.log(`${name.padEnd(WIDTH)} FAILED${how}`);
        continue;
      }
      const counts = JSON.parse(result.stdout);
      for (const key of Object.keys(all)) all[key] += counts[key];
      const shown = (key) => counts[key].toLocaleString("en-US");
      console.log(
        `${name.padEnd(WIDTH)} ${shown("inputs").padStart(9)} inputs, ${shown("read")} read, ${shown("refused")} refused in one line`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, availableParallelism()) }, take));
  console.log(`${names.length} targets, ${all.inputs.toLocaleString("en-US")} inputs, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

if (flags.child) await run(flags.only);
else await main();
