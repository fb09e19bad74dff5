/** The half of the resident runner that lives among the tests: runs those it is told to, with one mutant switched on, and says what they noticed. */
import { BroadcastChannel } from "node:worker_threads";
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from "vitest";
import { getFn, getHooks } from "vitest/suite";

/** What instrumented code looks at and writes down. */
interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

interface MutantRun {
  run: "mutant";
  mutant: string;
  hitLimit?: number;
  testFilter?: string[];
}

type Question = { run: "all" | "no more" } | MutantRun;

const stryker = globalThis as typeof globalThis & { __stryker__: Stryker };

class MutantServer extends TestRunner {
  /** By full name; tests of the same name are run together. */
  readonly #tests = new Map<string, RunnerTestCase[]>();
  readonly #suites: RunnerTestSuite[] = [];

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
      const start = performance.now();
      const failure = await this.#failureOf(id);
      const told = { id, name: id, timeSpentMs: performance.now() - start };
      tests.push(failure === undefined ? { ...told, status: 0 } : { ...told, status: 1, failureMessage: failure });
    }
    stryker.__stryker__.currentTestId = undefined;
    return { tests, mutantCoverage: stryker.__stryker__.mutantCoverage };
  }

  async #runMutant({ mutant, hitLimit, testFilter }: MutantRun): Promise<object> {
    const state = stryker.__stryker__;
    Object.assign(state, { activeMutant: mutant, hitLimit, hitCount: 0 });
    try {
      let ran = 0;
      for (const id of testFilter ?? this.#tests.keys()) {
        ran += 1;
        const message = await this.#failureOf(id);
        const isEndless = hitLimit !== undefined && state.hitCount! > hitLimit;
        if (message !== undefined || isEndless) return { ran, killer: id, message, isEndless };
      }
      return { ran };
    } finally {
      state.activeMutant = undefined;
    }
  }

  async #failureOf(id: string): Promise<string | undefined> {
    try {
      for (const test of this.#tests.get(id)!) await runWithHooks(test);
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
