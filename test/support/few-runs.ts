/**
 * Stands in for fast-check: a property that asks for no number of cases is tried with a quarter of the usual ones in `npm test`, with all in `npm run test:full`;
 * mutation testing, where thousands of changes are held to each property, sets VEILGRID_MOST_RUNS and looks for no smaller counterexample.
 */
import * as fastCheck from "../../node_modules/fast-check/lib/fast-check.js";
import { isFull } from "./full.ts";

const FULL_RUNS = 100;
const FEW_RUNS = 25;
const most = process.env["VEILGRID_MOST_RUNS"];

/** A test that asks for a number of cases needs them: some count what they have met. */
function runsOf(asked: number | undefined): number {
  if (most !== undefined) return Math.min(asked ?? FEW_RUNS, Number(most));
  return asked ?? (isFull ? FULL_RUNS : FEW_RUNS);
}

const assert = ((property, parameters) =>
  fastCheck.assert(property as never, {
    ...parameters,
    numRuns: runsOf(parameters?.numRuns),
    endOnFailure: most !== undefined,
  })) as typeof fastCheck.assert;

const fc: typeof fastCheck = { ...fastCheck, assert };

export { fc as default };
