/** Test runner set-up: `unit` is what `npm run check` runs; `conformance` holds engines to a plain computation; `simulation` crashes ledgers and attacks the mechanism; `package` needs the built package. */
import { defineConfig } from "vitest/config";

/** Tests of the whole house that need its sources only. */
const OF_SOURCES = ["test/walls.test.ts", "test/errors-doc.test.ts"];
const CONFORMANCE = ["test/conformance/**/*.test.ts"];
const SIMULATION = ["test/simulation/**/*.test.ts", "test/statistical/**/*.test.ts"];
const testTimeout = 120_000;
const hookTimeout = testTimeout;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          testTimeout,
          hookTimeout,
          include: ["src/**/*.test.ts", "web/src/**/*.test.ts", ...OF_SOURCES],
        },
      },
      { test: { name: "conformance", testTimeout, hookTimeout, include: CONFORMANCE } },
      { test: { name: "simulation", testTimeout, hookTimeout, include: SIMULATION } },
      {
        test: {
          name: "package",
          testTimeout,
          hookTimeout,
          include: ["test/**/*.test.ts"],
          exclude: [...OF_SOURCES, ...CONFORMANCE, ...SIMULATION],
        },
      },
    ],
  },
});
