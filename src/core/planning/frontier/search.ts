/** The search for kept counts: several starts, descent, whole numbers, and the last improvements. */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { LongWork } from "../long-work.ts";
import type { ActiveArray } from "./active-array.ts";
import { descend } from "./descend.ts";
import { Loads } from "./loads.ts";
import { polish } from "./polish.ts";
import { PriceModel } from "./price-model.ts";
import { type Start, startingPoints } from "./starts.ts";
import { wholeCounts } from "./whole-counts.ts";

export interface FrontierOptions {
  /** By the clock; without it the search stops by its steps, and the same input gives the same plan. */
  readonly isOutOfTime?: (() => boolean) | undefined;
  /** Skip the proof of how near to the best the plan is. */
  readonly unproven?: boolean | undefined;
  /**
   * Only what takes milliseconds: a proportional trim in whole records. Its losses and errors are as exact as any plan's; it is not
   * as good. `near` is about the error that a loss buys, where that is known: it is looked for there only.
   */
  readonly sketch?: { readonly near?: number | undefined } | undefined;
}

/** Prices at an error of all statistics together. */
export function modelAt(objective: Objective, error: number): PriceModel {
  return new PriceModel(objective, { kind: "together", error: Rational.fromNumber(error) });
}

/** Whole kept counts with a small largest loss. */
export function* search(
  array: ActiveArray,
  model: PriceModel,
  options: FrontierOptions & { readonly warm?: Float64Array | undefined; readonly quick?: boolean },
): LongWork<Start> {
  const { isOutOfTime } = options;
  if (options.sketch) return yield* sketched(array, model, options.warm);
  const quick = array.scaledSteps(120, 24, 30_000_000);
  const thorough = options.quick ? quick : array.scaledSteps(400, 40, 110_000_000);
  const starts = startingPoints(array, model, { wanted: array.scaledSteps(3, 2, 900_000), isOutOfTime });
  const loads = new Loads(array, model);
  if (options.warm !== undefined && loads.measure(options.warm))
    starts.push({ owned: options.warm, largest: loads.largest });
  starts.sort((left, right) => left.largest - right.largest);
  let best = starts[0]!;
  if (options.quick) starts.length = Math.min(2, starts.length);
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const found = yield* descend(array, model, start, { steps: quick, sharpness: [30, 1000], isOutOfTime });
    if (found.largest < best.largest) best = found;
  }
  const fine = yield* descend(array, model, best, { steps: thorough, sharpness: [100, 4000], isOutOfTime });
  if (fine.largest < best.largest) best = fine;
  const whole = yield* wholeCounts(array, model, best, { rounds: array.scaledSteps(60, 8, 16_000_000), isOutOfTime });
  return yield* polish(array, model, whole, { work: options.quick ? 200_000 : 1_000_000, isOutOfTime });
}

/** The best start, with what was found nearby among them, rounded to whole records and filled up. */
function* sketched(array: ActiveArray, model: PriceModel, warm: Float64Array | undefined): LongWork<Start> {
  const [best] = startingPoints(array, model, { wanted: 1, limits: 8 });
  const loads = new Loads(array, model);
  const isBetter = warm !== undefined && loads.measure(warm) && loads.largest < best!.largest;
  const from = isBetter ? { owned: warm, largest: loads.largest } : best!;
  return yield* wholeCounts(array, model, from, { rounds: 3 });
}
