/** Test runner set-up: `unit` is what `npm run check` runs; the rest needs the built package. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts", "test/walls.test.ts"] } },
      {
        test: { name: "package", include: ["test/**/*.test.ts"], exclude: ["test/walls.test.ts"], testTimeout: 60_000 },
      },
    ],
  },
});
