/** Tests in a real browser, apart from `npm test`, which needs none: `npm run browser`. */
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: path.join(import.meta.dirname, "..", ".."),
  test: {
    name: "browser",
    include: ["test/browser/**/*.browser.ts"],
    globalSetup: ["test/support/temporary-root.ts", path.join(import.meta.dirname, "support", "demo-template.ts")],
    // Long enough for a machine that is busy with other things; nothing here is a measurement.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A machine that is busy elsewhere may let a step miss its moment; what fails twice has failed.
    retry: 1,
    // A browser and a service need the cores themselves.
    fileParallelism: false,
  },
});
