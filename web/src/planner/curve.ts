/** Computes loss against error for one metric: a sketch at once, then point by point refined, with the bound that no plan goes below. */

import { parseDecimal } from "../../../src/core/arithmetic/index.ts";
import { itemAt } from "../../../src/core/errors/index.ts";
import { dataFreeError, type Objective } from "../../../src/core/influence/index.ts";
import type { Occupancy } from "../../../src/core/occupancy/index.ts";
import { makePlan, type Progress, runNow } from "../../../src/core/planning/index.ts";
import type { Curve, FrontierCurvePoint, PlanSettings } from "./messages.ts";
import { baselineAtOne, objectiveOf } from "./plan-for.ts";

/** Of the data-free error. */
const PARTS = [0.97, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.32, 0.25, 0.19, 0.14, 0.1, 0.07, 0.05, 0.035];
/** In this order, so that the middle of the curve is settled first. */
const REFINED_ORDER = [5, 2, 8, 10, 0, 12, 4, 6, 9, 1, 7, 11, 3, 13, 14];
const CLIP_USER_EPSILONS = [0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 4, 7];

export type CurveStep = { readonly curve: Curve } | { readonly progress: Progress };

/** Yields the curve as it gets better; between yields it holds the thread for some milliseconds. */
export function* curveOf(occupancy: Occupancy, settings: PlanSettings): Generator<CurveStep, void, void> {
  const objective = objectiveOf(settings);
  const paper = objectiveOf({ ...settings, estimator: "kept" });
  const dataFree = largestFree(occupancy, objective);
  let curve: Curve = {
    dataFreeError: dataFree,
    baseline: baselineAtOne(occupancy, paper),
    clipUser: [],
    frontier: [],
  };
  yield { curve };
  const points = new Map<number, FrontierCurvePoint>();
  const withPoint = (at: number, point: FrontierCurvePoint): Curve => {
    points.set(at, point);
    const frontier = [...points].sort(([left], [right]) => right - left).map(([, each]) => each);
    return { ...curve, frontier: withoutTeeth(frontier) };
  };
  for (const at of PARTS.keys()) {
    const sketched = runNow(pointAt(occupancy, objective, itemAt(PARTS, at) * dataFree, "sketch"));
    if (sketched !== undefined) curve = withPoint(at, sketched);
    if (at % 3 === 2) yield { curve };
  }
  for (const epsilon of CLIP_USER_EPSILONS) {
    curve = { ...curve, clipUser: [...curve.clipUser, clipUserAt(occupancy, paper, epsilon)] };
    yield { curve };
  }
  for (const at of REFINED_ORDER) {
    const work = pointAt(occupancy, objective, itemAt(PARTS, at) * dataFree, "refined");
    let next = work.next();
    while (!next.done) {
      yield { progress: next.value };
      next = work.next();
    }
    if (next.value !== undefined) curve = withPoint(at, next.value);
    yield { curve };
  }
}

/**
 * A plan for a smaller error is one for every larger error too, and what is proven of a larger error holds for every smaller one:
 * where the search did worse than that, what is known elsewhere stands in. Ascending error.
 */
export function withoutTeeth(points: readonly FrontierCurvePoint[]): FrontierCurvePoint[] {
  let least = Number.POSITIVE_INFINITY;
  const fallen = points.map((point) => {
    least = Math.min(least, point.loss);
    return { ...point, loss: least };
  });
  let most: number | null = null;
  for (let at = fallen.length - 1; at >= 0; at--) {
    const { lowerBound } = itemAt(fallen, at);
    if (lowerBound === null) continue;
    most = Math.max(most ?? 0, lowerBound);
    fallen[at] = { ...itemAt(fallen, at), lowerBound: most };
  }
  return fallen;
}

function largestFree(occupancy: Occupancy, objective: Objective): number {
  let largest = 0;
  for (const total of occupancy.samplesOfGrid)
    largest = Math.max(largest, dataFreeError(objective, total).toNumberNearest());
  return largest;
}

/** undefined where so small an error would protect nothing. */
function* pointAt(
  occupancy: Occupancy,
  objective: Objective,
  wanted: number,
  quality: "sketch" | "refined",
): Generator<Progress, FrontierCurvePoint | undefined, void> {
  const error = parseDecimal(wanted.toPrecision(6), "error");
  try {
    const { plan } = yield* makePlan(occupancy, {
      objective,
      frontier: { kind: "error", target: { kind: "together", error } },
      sketch: quality === "sketch" ? {} : undefined,
    });
    return {
      loss: plan.loss.toNumberNearest(),
      error: error.toNumberNearest(),
      lowerBound: plan.bound?.lowerBound.toNumberNearest() ?? null,
      refined: quality === "refined",
    };
  } catch {
    return undefined;
  }
}

function clipUserAt(occupancy: Occupancy, objective: Objective, epsilon: number): Curve["clipUser"][number] {
  const { plan, evaluation } = runNow(
    makePlan(occupancy, { objective, epsilon: parseDecimal(String(epsilon), "ε"), clipUser: {} }),
  );
  const errors = evaluation.guarantees.map((each) => each?.error.toNumberUp() ?? Number.POSITIVE_INFINITY);
  return {
    epsilon,
    loss: plan.loss.toNumberNearest(),
    simple: plan.lossSimple.toNumberNearest(),
    error: errors.reduce((most, each) => Math.max(most, each), 0),
  };
}

/** About the error that a loss buys, read off the curve; undefined where it does not reach. */
export function errorNear(curve: Curve, loss: number): number | undefined {
  const points = [...curve.frontier].filter((point) => point.loss > 0).sort((one, other) => one.loss - other.loss);
  const above = points.findIndex((point) => point.loss >= loss);
  if (above <= 0) return undefined;
  const [low, high] = [itemAt(points, above - 1), itemAt(points, above)];
  const part = Math.log(loss / low.loss) / Math.log(high.loss / low.loss);
  return low.error * (high.error / low.error) ** part;
}
