/** The half of the resident runner that lives among the tests: runs those it is told to, with one mutant switched on, and says what they noticed. */
import { readFileSync, writeFileSync } from "node:fs";
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

/** What the first run of all tests has shown. Kept in a file for the process beside this one, and for the next, should a mutant hang this one. */
interface Measured {
  milliseconds: Record<string, number>;
  /** How often each test meets each mutant's place. */
  hits: Record<string, Record<string, number>>;
}

const MEASURED_FILE = "lab/mutation/measured.json";
/** Met so many times as often as its place usually is in a test, and so many times more, a mutant has made an endless loop. */
const ENDLESS_FACTOR = 10;
const ENDLESS_MORE = 1_000_000;

const stryker = globalThis as typeof globalThis & { __stryker__: Stryker };

class MutantServer extends TestRunner {
  /** By full name; tests of the same name are run together. */
  readonly #tests = new Map<string, RunnerTestCase[]>();
  readonly #suites: RunnerTestSuite[] = [];
  #measured: Measured | undefined;

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
    const milliseconds: Record<string, number> = {};
    for (const id of this.#tests.keys()) {
      stryker.__stryker__.currentTestId = id;
      const start = performance.now();
      const failure = await this.#failureOf(id);
      milliseconds[id] = performance.now() - start;
      const told = { id, name: id, timeSpentMs: milliseconds[id] };
      tests.push(failure === undefined ? { ...told, status: 0 } : { ...told, status: 1, failureMessage: failure });
    }
    stryker.__stryker__.currentTestId = undefined;
    this.#measured = { milliseconds, hits: stryker.__stryker__.mutantCoverage?.perTest ?? {} };
    writeFileSync(MEASURED_FILE, JSON.stringify(this.#measured));
    return { tests, mutantCoverage: stryker.__stryker__.mutantCoverage };
  }

  async #runMutant({ mutant, testFilter }: MutantRun): Promise<object> {
    const state = stryker.__stryker__;
    // Read only now: a process that starts beside the first one starts before there is anything to read.
    this.#measured ??= JSON.parse(readFileSync(MEASURED_FILE, "utf8")) as Measured;
    const { milliseconds, hits } = this.#measured;
    // A key is one and the same text wherever it stands, so that millions of comparisons look at no letter of it.
    const [activeMutant] = Object.keys({ [mutant]: true });
    state.activeMutant = activeMutant;
    try {
      let ran = 0;
      // The fastest first: most mutants fall to many tests.
      const time = (id: string): number => milliseconds[id] ?? 0;
      for (const id of [...(testFilter ?? this.#tests.keys())].sort((left, right) => time(left) - time(right))) {
        ran += 1;
        const hitLimit = ENDLESS_FACTOR * (hits[id]?.[mutant] ?? 0) + ENDLESS_MORE;
        state.hitCount = 0;
        state.hitLimit = hitLimit;
        const message = await this.#failureOf(id);
        const isEndless = state.hitCount > hitLimit;
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
