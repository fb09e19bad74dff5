/** The half of the resident runner that lives among the tests: runs those it is told to, with one mutant switched on, and says what they noticed. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { BroadcastChannel } from "node:worker_threads";
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from "vitest";
import { getFn, getHooks } from "vitest/suite";

/** What instrumented code looks at and writes down. */
interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: { perTest: Record<string, Record<string, number>> };
}

interface MutantRun {
  run: "mutant";
  mutant: string;
  testFilter?: string[];
}

type Question = { run: "all" | "no more" } | MutantRun;

/** A mutant met more often within one test has made an endless loop: twice as often as any may be met without. */
const MOST_HITS = 30_000_000;

/** For the next process, should a mutant hang this one. */
const TIMES_FILE = "test/mutation/times.json";

const stryker = globalThis as typeof globalThis & { __stryker__: Stryker };

class MutantServer extends TestRunner {
  /** By full name; tests of the same name are run together. */
  readonly #tests = new Map<string, RunnerTestCase[]>();
  readonly #suites: RunnerTestSuite[] = [];
  /** How long each test took. */
  readonly #milliseconds: Map<string, number> = existsSync(TIMES_FILE)
    ? new Map(Object.entries(JSON.parse(readFileSync(TIMES_FILE, "utf8"))))
    : new Map();

  async onBeforeRunFiles(files: RunnerTestFile[] = []): Promise<void> {
    for (const file of files) this.#list(file, "");
    for (const suite of this.#suites) for (const hook of getHooks(suite).beforeAll) await hook(suite);
    const channel = new BroadcastChannel("mutants");
    await new Promise<void>((done) => {
      channel.onmessage = async (event) => {
        const question = (event as { data: Question & { from: string } }).data;
        if (question.from !== "stryker") return;
        if (question.run === "no more") return done();
        const answer = question.run === "mutant" ? await this.#runMutant(question) : await this.#runAll();
        channel.postMessage({ from: "tests", ...answer });
      };
      channel.postMessage({ from: "tests" });
    });
    channel.close();
    for (const suite of this.#suites) for (const hook of getHooks(suite).afterAll) await hook(suite);
    // All was run as often as it was asked for.
    for (const file of files) file.mode = "skip";
  }

  #list(suite: RunnerTestSuite, name: string): void {
    this.#suites.push(suite);
    for (const task of suite.tasks) {
      const id = `${name} ${task.name}`.trim();
      if (task.type === "suite") this.#list(task, id);
      else if (task.mode === "run") this.#tests.set(id, [...(this.#tests.get(id) ?? []), task]);
    }
  }

  async #runAll(): Promise<object> {
    const tests = [];
    for (const id of this.#tests.keys()) {
      stryker.__stryker__.currentTestId = id;
      const failure = await this.#failureOf(id);
      const told = { id, name: id, timeSpentMs: this.#milliseconds.get(id) ?? 0 };
      tests.push(failure === undefined ? { ...told, status: 0 } : { ...told, status: 1, failureMessage: failure });
    }
    stryker.__stryker__.currentTestId = undefined;
    const hits = Object.values(stryker.__stryker__.mutantCoverage?.perTest ?? {}).flatMap(Object.values);
    if (hits.some((many) => many > MOST_HITS / 2)) throw new Error("a test meets a mutant too often without looping");
    writeFileSync(TIMES_FILE, JSON.stringify(Object.fromEntries(this.#milliseconds)));
    return { tests, mutantCoverage: stryker.__stryker__.mutantCoverage };
  }

  async #runMutant({ mutant, testFilter }: MutantRun): Promise<object> {
    const state = stryker.__stryker__;
    Object.assign(state, { activeMutant: mutant, hitLimit: MOST_HITS });
    try {
      let ran = 0;
      // The fastest first: most mutants fall to many tests.
      const time = (id: string): number => this.#milliseconds.get(id) ?? 0;
      for (const id of [...(testFilter ?? this.#tests.keys())].sort((left, right) => time(left) - time(right))) {
        ran += 1;
        state.hitCount = 0;
        const message = await this.#failureOf(id);
        const isEndless = state.hitCount > MOST_HITS;
        if (message !== undefined || isEndless) return { ran, killer: id, message, isEndless };
      }
      return { ran };
    } finally {
      state.activeMutant = undefined;
    }
  }

  async #failureOf(id: string): Promise<string | undefined> {
    const start = performance.now();
    try {
      for (const test of this.#tests.get(id)!) await runWithHooks(test);
      this.#milliseconds.set(id, performance.now() - start);
      return undefined;
    } catch (error) {
      return String(error);
    }
  }
}

async function runWithHooks(test: RunnerTestCase): Promise<void> {
  const suites = suitesAround(test);
  const cleanups: Array<() => unknown> = [];
  try {
    for (const suite of suites) {
      for (const hook of getHooks(suite).beforeEach) {
        const cleanup: unknown = await hook(test.context as never, suite);
        if (typeof cleanup === "function") cleanups.push(cleanup as () => unknown);
      }
    }
    await getFn(test)();
  } finally {
    for (const suite of suites.reverse())
      for (const hook of getHooks(suite).afterEach) await hook(test.context as never, suite);
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Outermost first. */
function suitesAround(test: RunnerTask): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite);
  return suites[0] === test.file ? suites : [test.file, ...suites];
}

export { MutantServer as default };
