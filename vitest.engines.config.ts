/** Tests against real database servers, apart from `npm test`, which needs none: `npm run test:engines`. */
import { defineConfig } from "vitest/config";

/** A file is named after the server it needs, `postgres-….engines.ts`; one that needs them all, `all-….engines.ts`. */
const only = process.env["VEILGRID_TEST_ONLY"] ?? "";

export default defineConfig({
  test: {
    name: "engines",
    globalSetup: ["test/support/temporary-root.ts"],
    include: [`test/engines/${only === "" ? "" : `${only}-`}*.engines.ts`],
    // Long enough for a machine that is busy with other things; nothing here is a measurement.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The servers need the cores themselves.
    fileParallelism: false,
  },
});
