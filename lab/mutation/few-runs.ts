/**
 * Stands in for fast-check: properties are tried fewer times than in `npm test`, and no smaller counterexample is looked for. Thousands of
 * mutants are held to them, and most fall at once.
 */
import * as fastCheck from "../../node_modules/fast-check/lib/fast-check.js";

const USUAL_RUNS = 30;
const MOST_RUNS = 200;

const assert = ((property, parameters) =>
  fastCheck.assert(property as never, {
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? USUAL_RUNS, MOST_RUNS),
    endOnFailure: true,
  })) as typeof fastCheck.assert;

const fc: typeof fastCheck = { ...fastCheck, assert };

export { fc as default };
