/** Plans what was asked, sketched or refined; strategies that take an ε get the one that leads there. */
import { parseDecimal, Rational } from "../../../src/core/arithmetic/index.ts";
import { LOSS_UNITS_PER_ONE, makeObjective, type Objective, parseBounds } from "../../../src/core/influence/index.ts";
import type { Occupancy } from "../../../src/core/occupancy/index.ts";
import { type LongWork, type MadePlan, makePlan, runNow, summarisePlan } from "../../../src/core/planning/index.ts";
import type { PlanAsked, PlanSettings, PlanView } from "./messages.ts";

export type Quality = { readonly kind: "sketch"; readonly near: number | undefined } | { readonly kind: "refined" };

/** Tries of ε until CLIP-USER's loss is at most what is allowed. */
const TRIES = 6;

export function objectiveOf(settings: PlanSettings): Objective {
  const { bounds, statistics, estimator, metric } = settings;
  return makeObjective(parseBounds(bounds), { statistics, estimator, metric });
}

export function* planFor(occupancy: Occupancy, asked: PlanAsked, quality: Quality): LongWork<MadePlan> {
  const { strategy, goal } = asked;
  const value = parseDecimal(goal.value, goal.kind);
  if (strategy !== "frontier") return yield* planWithEpsilon(occupancy, asked, value);
  const objective = objectiveOf(asked.settings);
  return yield* makePlan(occupancy, {
    objective,
    frontier:
      goal.kind === "loss"
        ? { kind: "loss", loss: value }
        : { kind: "error", target: { kind: "together", error: value } },
    sketch: quality.kind === "sketch" ? { near: quality.near } : undefined,
  });
}

/** The paper's strategies, under its estimator. */
function* planWithEpsilon(
  occupancy: Occupancy,
  { settings, strategy, goal }: PlanAsked,
  value: Rational,
): LongWork<MadePlan> {
  const objective = objectiveOf({ ...settings, estimator: "kept" });
  const make = (epsilon: Rational): LongWork<MadePlan> =>
    makePlan(occupancy, { objective, epsilon, clipUser: strategy === "clip-user" ? {} : undefined });
  const one = baselineAtOne(occupancy, objective);
  if (goal.kind === "error") return yield* make(shortened((one.error / value.toNumberNearest()) * (1 + 1e-9)));
  const wanted = value.toNumberNearest();
  let epsilon = wanted / one.joint;
  let best: MadePlan | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const made: MadePlan = yield* make(shortened(epsilon));
    const loss = made.plan.loss.toNumberNearest();
    const fits = made.plan.loss.compare(value) <= 0;
    if (fits && (best === undefined || made.plan.loss.compare(best.plan.loss) > 0)) best = made;
    if (fits && loss > 0.995 * wanted) break;
    epsilon *= (wanted / loss) * (fits ? 1 : 0.999);
  }
  return best ?? (yield* make(shortened((0.9 * wanted) / occupancy.maxGridsPerUser())));
}

export interface BaselineAtOne {
  readonly joint: number;
  readonly simple: number;
  readonly error: number;
}

/** What the baseline costs and guarantees at ε = 1. */
export function baselineAtOne(occupancy: Occupancy, objective: Objective): BaselineAtOne {
  const { plan, evaluation } = runNow(makePlan(occupancy, { objective, epsilon: Rational.ONE }));
  const errors = evaluation.guarantees.map((each) => each!.error.toNumberUp());
  return {
    joint: plan.loss.toNumberNearest(),
    simple: plan.lossSimple.toNumberNearest(),
    error: errors.reduce((most, each) => Math.max(most, each), 0),
  };
}

/** Ten digits, so that plans carry short numbers. */
function shortened(epsilon: number): Rational {
  return parseDecimal(epsilon.toPrecision(10), "ε");
}

const BINS = 10;
const UNITS_PER_ONE = Number(LOSS_UNITS_PER_ONE);

export function viewOf(occupancy: Occupancy, made: MadePlan): PlanView {
  const { suppressed, trimmed, ...summary } = summarisePlan(occupancy, made);
  const losses = made.evaluation.joint;
  const largest = summary.loss;
  const lossBins = new Array<number>(BINS).fill(0);
  for (let user = 0; user < occupancy.users.length; user++) {
    const loss = Number(losses.unitsOf(user)) / UNITS_PER_ONE;
    if (loss > 0) lossBins[Math.min(BINS - 1, Math.floor((BINS * loss) / largest))]! += 1;
  }
  return { ...summary, suppressedPairs: suppressed.length, trimmedPairs: trimmed.length, lossBins };
}
