/** The plans of a comparison over one array: every strategy at every point, so that they can be held against each other. */
import { maximum, parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { defaultMetric } from "../../core/influence/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import {
  type LongWorkOptions,
  type MadePlan,
  makePlan,
  type PlanRequest,
  runCooperatively,
  type StrategyName,
} from "../../core/planning/index.ts";
import { strategyLabel } from "../../publish/report/index.ts";
import type { ComparedLine, CompareRequest, CompareTexts } from "./compare-request.ts";
import { type PlanOptions, planRequest, withHelp } from "./plan.ts";

/** A plan with what it was made for. */
export interface PlannedPoint {
  readonly line: ComparedLine;
  readonly asked: string;
  readonly made: MadePlan;
}

/** Tries of ε at which a strategy that has no loss of its own to aim for comes out near the loss asked for. */
const TRIES = 4;
const NEAR = 0.002;

type LineRequest = PlanRequest & { readonly strategy: StrategyName };

/** What a plan of this line is asked for, but for the point; checks options that a file need not be read for. */
export function lineRequest({ strategy, estimator }: ComparedLine, options: CompareTexts): LineRequest {
  const { bounds, upper, statistics, weights, metric, protectLowest, timeLimit } = options;
  // One metric for every line, the frontier's: in two, errors could not be held against each other.
  const common: PlanOptions = { bounds, upper, statistics, weights, metric: metric ?? defaultMetric(statistics) };
  if (strategy === "frontier") return planRequest({ ...common, strategy, estimator, timeLimit, loss: "1" });
  if (strategy === "balanced") return planRequest({ ...common, strategy, loss: "1" });
  if (strategy === "baseline") return planRequest({ ...common, strategy, epsilon: "1" });
  const clipped: PlanOptions = { ...common, protectLowest, epsilon: "1" };
  if (strategy === "clip-user-optimal") return planRequest({ ...clipped, strategy, timeLimit });
  return planRequest({ ...clipped, strategy: "clip-user", caps: strategy === "clip-user+caps" });
}

/** Point by point, line by line; `prefix` goes before what progress says. */
export async function plansOf(
  occupancy: Occupancy,
  request: CompareRequest,
  options: CompareTexts,
  work: LongWorkOptions & { readonly prefix: string; readonly unproven: boolean },
): Promise<PlannedPoint[]> {
  const baseline = lineRequest({ strategy: "baseline", estimator: "kept" }, options);
  const ofOne = await runCooperatively(makePlan(occupancy, baseline), work);
  const errorOfOne = ofOne.evaluation.guarantees.reduce((worst, each) => maximum(worst, each!.error), Rational.ZERO);
  const lossOfOne = ofOne.plan.loss;
  const planned: PlannedPoint[] = [];
  for (const { asked, value } of request.points) {
    for (const line of request.lines) {
      const at = planned.length + 1;
      const label = `${work.prefix}plan ${at} of ${request.points.length * request.lines.length}, ${strategyLabel(line)} at ${request.goal} ${asked}`;
      const run = async (changes: Partial<PlanRequest>): Promise<MadePlan> => {
        const wanted = { ...lineRequest(line, options), ...changes };
        const helped = await withHelp(wanted, options);
        return runCooperatively(makePlan(occupancy, { ...helped, unproven: work.unproven }), {
          signal: work.signal,
          onProgress: (each) => work.onProgress?.({ ...each, step: `${label}: ${each.step}` }),
        });
      };
      planned.push({ line, asked, made: await planAt(line, request.goal, value, { run, errorOfOne, lossOfOne }) });
    }
  }
  return planned;
}

interface Means {
  run(changes: Partial<PlanRequest>): Promise<MadePlan>;
  /** Of the baseline at ε = 1; its errors go with 1/ε and its losses with ε. */
  readonly errorOfOne: Rational;
  readonly lossOfOne: Rational;
}

async function planAt(
  { strategy }: ComparedLine,
  goal: CompareRequest["goal"],
  value: Rational,
  { run, errorOfOne, lossOfOne }: Means,
): Promise<MadePlan> {
  if (strategy === "frontier") {
    if (goal === "loss") return run({ frontier: { kind: "loss", loss: value } });
    if (goal === "epsilon") return run({ frontier: { kind: "epsilon", epsilon: value } });
    return run({ frontier: { kind: "error", target: { kind: "together", error: value } } });
  }
  if (strategy === "balanced") return run({ balanced: { loss: value } });
  if (goal === "epsilon") return run({ epsilon: value });
  if (goal === "error") return run({ epsilon: shortened(errorOfOne.divide(value).toNumberUp() * (1 + 1e-9)) });
  return nearLoss(value.toNumberNearest(), shortened(value.divide(lossOfOne).toNumberNearest()), run);
}

/** These strategies take an ε: the one at which the loss comes out nearest to what is wanted. */
async function nearLoss(wanted: number, first: Rational, run: Means["run"]): Promise<MadePlan> {
  let epsilon = first;
  let best: { made: MadePlan; distance: number } | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const made = await run({ epsilon });
    const loss = made.plan.loss.toNumberNearest();
    const distance = Math.abs(Math.log(loss / wanted));
    if (best === undefined || distance < best.distance) best = { made, distance };
    if (distance < NEAR || made.plan.strategy.name === "clip-user-optimal") break;
    epsilon = shortened((epsilon.toNumberNearest() * wanted) / loss);
  }
  return best!.made;
}

/** Ten digits, so that plans carry short numbers. */
function shortened(epsilon: number): Rational {
  return parseDecimal(epsilon.toPrecision(10), "--epsilon");
}
