/** The tests that mutants are held to: those named by `npm run mutation` for the room at hand. */
import { defineConfig } from "vitest/config";

const include = process.env.MUTATION_TESTS?.split(",") ?? [];

/** Modules are loaded once for all files of a run: loading them took most of the time, and no test of these rooms replaces one. */
export default defineConfig({
  test: { include, isolate: false, testTimeout: 120_000, setupFiles: ["test/mutation/few-runs.ts"] },
});
