/** All tests of a room in one thread, which stays. */
import path from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

/** What Stryker puts into every file to count who meets which mutant: wanted in the first run of all tests only, and most of the time ever after. */
const COUNTING = "function cover() {";

const countOnce: Plugin = {
  name: "count-once",
  enforce: "pre",
  transform: (code) => code.replace(COUNTING, `${COUNTING} if (ns.activeMutant !== undefined) return;`),
};

export default defineConfig({
  plugins: [countOnce],
  resolve: { alias: [{ find: /^fast-check$/, replacement: path.resolve("test/support/few-runs.ts") }] },
  test: {
    include: ["lab/mutation/all-tests.ts"],
    globalSetup: ["test/support/temporary-root.ts"],
    runner: "lab/mutation/serve-mutants.ts",
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    // Tests of millions of rows are not for thousands of mutants.
    testNamePattern: "^(?!.*million)",
  },
});
