/** All tests of a room in one thread, which stays. */
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: [{ find: /^fast-check$/, replacement: path.resolve("test/mutation/few-runs.ts") }] },
  test: {
    include: ["test/mutation/all-tests.ts"],
    runner: "test/mutation/serve-mutants.ts",
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    // Tests of millions of rows are not for thousands of mutants.
    testNamePattern: "^(?!.*million)",
  },
});
