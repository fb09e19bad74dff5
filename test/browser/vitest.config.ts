/** Tests in a real browser, apart from `npm test`, which needs none: `npm run browser`. */
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: path.join(import.meta.dirname, "..", ".."),
  test: {
    name: "browser",
    include: ["test/browser/**/*.browser.ts"],
    globalSetup: [path.join(import.meta.dirname, "support", "demo-template.ts")],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser and a service need the cores themselves.
    fileParallelism: false,
  },
});
