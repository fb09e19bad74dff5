/** Test runner set-up: `unit` is what `npm run check` runs; `conformance` holds engines to a plain computation; `simulation` crashes ledgers and attacks the mechanism; `package` needs the built package. */
import path from "node:path";
import { defineConfig } from "vitest/config";

/** Tests of the whole house that need its sources only. */
const OF_SOURCES = ["test/walls.test.ts", "test/errors-doc.test.ts"];
const CONFORMANCE = ["test/conformance/**/*.test.ts"];
const SIMULATION = ["test/simulation/**/*.test.ts", "test/statistical/**/*.test.ts"];
/** Node loads the built package itself, so that its threads and the tests use the same files. */
const common = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  globalSetup: ["test/support/temporary-root.ts"],
  server: { deps: { external: [/\/dist\//] } },
};

/** Properties are tried with fewer cases than in `npm run test:full`. */
const resolve = { alias: [{ find: /^fast-check$/, replacement: path.resolve("test/support/few-runs.ts") }] };

export default defineConfig({
  test: {
    // The runner would leave a core idle, which on two cores is half of the machine.
    maxWorkers: "100%",
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          ...common,
          // One process runs many files: loading the sources again for each took longer than most tests.
          isolate: false,
          include: ["src/**/*.test.ts", "web/src/**/*.test.ts", ...OF_SOURCES],
        },
      },
      { resolve, test: { name: "conformance", ...common, include: CONFORMANCE } },
      { resolve, test: { name: "simulation", ...common, include: SIMULATION } },
      {
        resolve,
        test: {
          name: "package",
          ...common,
          include: ["test/**/*.test.ts"],
          exclude: [...OF_SOURCES, ...CONFORMANCE, ...SIMULATION],
        },
      },
    ],
  },
});
