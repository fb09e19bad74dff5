/** All tests of a room in one thread, which stays. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/mutation/all.test.ts"],
    setupFiles: ["test/mutation/few-runs.ts"],
    runner: "test/mutation/serve-mutants.ts",
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    coverage: { enabled: false },
  },
});
