/** Properties are tried fewer times than in `npm test`: thousands of mutants are held to them, and most fall at once. */
import fc from "fast-check";
import { vi } from "vitest";

const MOST_RUNS = 30;

fc.configureGlobal({ numRuns: 30 });

/** Tests that ask for hundreds of runs by themselves get fewer of them, too. */
vi.mock("fast-check", async (original) => {
  const real = (await original()) as { default: typeof fc };
  const assert = (property: never, options: { numRuns?: number } = {}) =>
    real.default.assert(property, { ...options, numRuns: Math.min(options.numRuns ?? 30, MOST_RUNS) });
  return { ...real, default: { ...real.default, assert } };
});
