/** Test runner set-up: `unit` is what `npm run check` runs; the rest needs the built package. */
import { defineConfig } from "vitest/config";

/** Tests of the whole house that need its sources only. */
const OF_SOURCES = ["test/walls.test.ts", "test/errors-doc.test.ts", "test/conformance/**/*.test.ts"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", testTimeout: 60_000, include: ["src/**/*.test.ts", ...OF_SOURCES] } },
      { test: { name: "package", include: ["test/**/*.test.ts"], exclude: OF_SOURCES, testTimeout: 60_000 } },
    ],
  },
});
