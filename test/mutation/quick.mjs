/**
 * The same changes as Stryker's, tried in one warm process: its instrumenter plants them all, rolldown makes one script of every test
 * file, and a worker runs it again and again with another change switched on. For rooms whose thousands of mutants would take hours.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";

/** On top of many times what the tests take without a change. */
const PATIENCE_MS = 20_000;

/**
 * `files` may end in lines, `a.ts:10-20`. The answer is shaped like Stryker's report. Module-level code is run anew for every change, so
 * that what Stryker calls static is counted like everything else. With `seconds`, as many as can be tried in that time, drawn at random but the same every time.
 */
export async function runQuickly({ root, home, files, tests, seconds, onProgress }) {
  const { instrumented, mutants } = await instrument({ root, home, files });
  const scripts = [];
  for (const test of tests) scripts.push({ name: test, code: await bundle(root, test, instrumented) });
  const bench = new Bench(path.join(home, "quick-worker.mjs"), scripts);
  const sketch = await bench.ask({ kind: "look" }, 3_600_000);
  if (sketch.failed !== undefined) throw new Error(`a test fails without any change: ${sketch.failed}`);
  let done = 0;
  let survived = 0;
  const deadline = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * seconds;
  for (const mutant of seconds === undefined ? mutants : shuffled(mutants)) {
    if (mutant.status === "Ignored") continue;
    if (Date.now() > deadline) {
      mutant.status = "Pending";
      continue;
    }
    done += 1;
    const chosen = sketch.coverage.map((covered) => covered[mutant.id]).filter((each) => each !== undefined);
    if (chosen.length === 0) mutant.status = "NoCoverage";
    else {
      const takes = chosen.reduce((sum, { ms }) => sum + ms, 0);
      const answer = await bench.ask({ kind: "try", id: mutant.id, chosen }, PATIENCE_MS + 4 * takes);
      mutant.status = answer === undefined ? "Timeout" : answer.killedBy === undefined ? "Survived" : "Killed";
      mutant.killedBy = answer?.killedBy;
    }
    if (mutant.status === "Survived" || mutant.status === "NoCoverage") survived += 1;
    onProgress({ done, of: mutants.length, survived });
  }
  await bench.close();
  const report = {};
  // Counted from 1, as editors do.
  const next = ({ line, column }) => ({ line: line + 1, column: column + 1 });
  for (const { fileName, location, ...mutant } of mutants) {
    report[fileName] ??= { source: readFileSync(path.join(root, fileName), "utf8"), mutants: [] };
    report[fileName].mutants.push({ ...mutant, location: { start: next(location.start), end: next(location.end) } });
  }
  return { files: report };
}

/** Ordered by a hash of the number, which has nothing to do with where a mutant stands. */
function shuffled(mutants) {
  const key = ({ id }) => Math.imul(Number(id) + 1, 0x9e3779b1) >>> 0;
  return [...mutants].sort((left, right) => key(left) - key(right));
}

async function instrument({ root, home, files }) {
  const from = (name) => import(pathToFileURL(path.join(home, "node_modules", "@stryker-mutator", ...name)).href);
  const { Instrumenter } = await from(["instrumenter", "dist", "src", "index.js"]);
  const { strykerPlugins } = await import("./message-words.mjs");
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: console.error, isDebugEnabled: () => false };
  const wanted = new Map();
  for (const file of files) {
    const [, name, first, last] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(file);
    const lines =
      first === undefined ? true : { start: { line: first - 1, column: 0 }, end: { line: +last, column: 0 } };
    wanted.set(name, lines === true ? true : [...(wanted.get(name) ?? []), lines]);
  }
  const sources = [...wanted].map(([name, mutate]) => ({
    name,
    mutate,
    content: readFileSync(path.join(root, name), "utf8"),
  }));
  const ignorers = strykerPlugins.map((plugin) => plugin.value);
  const result = await new Instrumenter(logger).instrument(sources, {
    ignorers,
    excludedMutations: [],
    plugins: null,
  });
  return {
    instrumented: new Map(result.files.map(({ name, content }) => [path.join(root, name), content])),
    mutants: result.mutants,
  };
}

async function bundle(root, test, instrumented) {
  const build = await rolldown({
    input: path.join(root, test),
    external: ["vitest", "fast-check", /^node:/],
    logLevel: "silent",
    treeshake: false,
    plugins: [
      {
        name: "instrumented",
        load: (id) => {
          if (!/\.ts$/.test(id)) return null;
          const code = instrumented.get(id) ?? readFileSync(id, "utf8");
          return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)), moduleType: "ts" };
        },
      },
    ],
  });
  const { output } = await build.generate({ format: "cjs", codeSplitting: false });
  await build.close();
  return output[0].code;
}

/** A worker that answers one question at a time, and is replaced if it does not answer. */
class Bench {
  #file;
  #scripts;
  #worker;

  constructor(file, scripts) {
    this.#file = file;
    this.#scripts = scripts;
  }

  /** undefined if there was no answer in time. */
  async ask(question, patienceMs) {
    this.#worker ??= new Worker(this.#file, { workerData: this.#scripts });
    const worker = this.#worker;
    const answer = await new Promise((resolve) => {
      const settle = (value) => {
        clearTimeout(timer);
        worker.off("message", settle).off("error", fail);
        resolve(value);
      };
      const fail = (error) => settle({ failed: error.message, killedBy: error.message, isOver: true });
      const timer = setTimeout(settle, patienceMs, undefined);
      worker.on("message", settle).on("error", fail).postMessage(question);
    });
    if (answer === undefined || answer.isOver) await this.close();
    return answer;
  }

  async close() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
