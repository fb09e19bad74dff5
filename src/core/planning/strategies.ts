/** The strategies in one table: for each what a plan made by it may say, and how it decides from occupancy alone what is kept and how noisy every grid is. */
import { Rational } from "../arithmetic/index.ts";
import { invariant, VeilgridError } from "../errors/index.ts";
import { checkEpsilon, ErrorModel, type Objective, type Split } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { type BalancedGoal, balance } from "./balanced/balance.ts";
import type { BalancedTerms } from "./balanced/terms.ts";
import { chooseCaps } from "./caps.ts";
import { type ClipUserOptions, clipUser } from "./clip-user/clip-user.ts";
import { type PlanEvaluation, uniformNoise, worstBaselineError } from "./evaluate-plan.ts";
import type { ErrorTarget } from "./frontier/error-target.ts";
import { leastError, leastLoss } from "./frontier/frontier.ts";
import type { FrontierOptions } from "./frontier/search.ts";
import { latticeStep } from "./lattice.ts";
import type { LongWork } from "./long-work.ts";
import type { PlanBound, PlanNoise, PlanStrategy, StrategyName } from "./plan.ts";
import type { LinearSolver } from "./smallest-k/linear-solver.ts";
import { type ClipUserOptimalOptions, clipUserOptimal } from "./smallest-k/smallest-k.ts";

/** What the frontier is asked for: the least loss at an error (or at the error the baseline has at ε), or the least error at a loss. */
export type FrontierGoal =
  | { readonly kind: "error"; readonly target: ErrorTarget }
  | { readonly kind: "epsilon"; readonly epsilon: Rational }
  | { readonly kind: "loss"; readonly loss: Rational };

/** Seconds, for the record, and the clock that counts them. */
export interface TimeLimit {
  readonly seconds: number;
  readonly isOutOfTime: () => boolean;
}

/** What a plan is asked for. `clipUser`, `optimal`, `frontier` or `balanced` chooses that strategy; without them it is the baseline, which drops nobody. */
export interface StrategyRequest {
  /** ε per grid; the frontier has its own goal instead. */
  readonly epsilon?: Rational | undefined;
  readonly clipUser?: ClipUserOptions | undefined;
  readonly optimal?: (ClipUserOptimalOptions & { readonly solver: LinearSolver }) | undefined;
  readonly frontier?: FrontierGoal | undefined;
  readonly balanced?: BalancedGoal | undefined;
  /** Choose caps afterwards: baseline and clip-user. */
  readonly caps?: boolean | undefined;
  /** Only the frontier stops by it with whatever it has; balanced plans stop by their steps, always the same. */
  readonly timeLimit?: TimeLimit | undefined;
  /** The frontier without the proof of how near to the best it is. */
  readonly unproven?: boolean | undefined;
  /** h; U·2⁻²⁰ if absent. */
  readonly step?: Rational | undefined;
  /** The first answer of the frontier or of a balanced plan, many times sooner than the best one; nothing is proven of it. */
  readonly sketch?: FrontierOptions["sketch"];
}

export interface Decision {
  readonly strategy: PlanStrategy;
  readonly kept: Kept;
  readonly noise: readonly PlanNoise[];
  readonly caps: Uint32Array | null;
  /** Entries that are dropped, in the order dropped. */
  readonly suppressed: Uint32Array;
  /** With users by their number. */
  readonly bound: PlanBound | null;
  readonly balanced?: BalancedTerms | undefined;
  /** What follows from the decision, where the strategy has worked it out already. */
  readonly evaluation?: PlanEvaluation | undefined;
}

/** What a strategy decides from. */
interface Question {
  readonly occupancy: Occupancy;
  readonly objective: Objective;
  readonly split: Split;
  readonly request: StrategyRequest;
}

/** A strategy and the parts of a plan that only some strategies fill: `check-plan.ts` refuses them in plans of the others. */
interface Strategy {
  readonly dropsUsers: boolean;
  /** Every grid has the ε of the request. Otherwise grids differ, and errors, a loss and grids set aside may be targets. */
  readonly isUniform: boolean;
  /** Its plans weight users' averages instead of leaving records out. */
  readonly isWeighted: boolean;
  readonly hasStages: boolean;
  readonly hasCaps: boolean;
  /** What its lower bound is of; null where it has none. */
  readonly boundOf: (strategy: PlanStrategy) => PlanBound["of"] | null;
  readonly decide: (question: Question) => LongWork<Decision>;
}

const UNIFORM = {
  dropsUsers: true,
  isUniform: true,
  isWeighted: false,
  hasStages: false,
  hasCaps: false,
  boundOf: () => null,
};

export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  baseline: { ...UNIFORM, dropsUsers: false, hasCaps: true, decide: decideClipped },
  "clip-user": { ...UNIFORM, hasStages: true, hasCaps: true, decide: decideClipped },
  "clip-user-optimal": { ...UNIFORM, boundOf: () => "degradation", decide: decideOptimal },
  frontier: {
    ...UNIFORM,
    isUniform: false,
    boundOf: ({ lossTarget }) => (lossTarget === null ? "loss" : "error"),
    decide: decideFrontier,
  },
  balanced: { ...UNIFORM, dropsUsers: false, isUniform: false, isWeighted: true, decide: decideBalanced },
};

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[];

/** The strategy that a request chooses. */
export function strategyOf({ balanced, frontier, optimal, clipUser }: StrategyRequest): Strategy {
  if (balanced !== undefined) return STRATEGIES.balanced;
  if (frontier !== undefined) return STRATEGIES.frontier;
  if (optimal !== undefined) return STRATEGIES["clip-user-optimal"];
  return clipUser === undefined ? STRATEGIES.baseline : STRATEGIES["clip-user"];
}

const UNDECIDED: Omit<PlanStrategy, "name" | "epsilon"> = {
  errorBound: null,
  errorTargets: null,
  lossTarget: null,
  setAside: [],
  timeLimitSeconds: null,
  protectedGrid: null,
  wholeStages: false,
  caps: false,
};

/** The checked ε of a strategy that gives every grid the same, and decides by the paper's estimator unless nothing is decided. */
function uniformEpsilon({ objective, request }: Question): Rational {
  const { epsilon } = request;
  if (epsilon === undefined) throw new VeilgridError("PARAMETER_INVALID", "--epsilon is missing: ε per grid");
  checkEpsilon(epsilon, "--epsilon");
  if (objective.estimator !== "kept" && (request.clipUser ?? request.optimal ?? (request.caps || undefined))) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      "clip-user, clip-user-optimal and --caps decide by the paper's estimator; use --estimator kept or --strategy frontier",
    );
  }
  return epsilon;
}

/** The baseline and clip-user, with or without caps. */
function* decideClipped(question: Question): LongWork<Decision> {
  const { occupancy, objective, split, request } = question;
  const epsilon = uniformEpsilon(question);
  const modelOf = (): ErrorModel => new ErrorModel(objective, epsilon);
  const clipped = request.clipUser === undefined ? undefined : yield* clipUser(occupancy, modelOf(), request.clipUser);
  const capped = request.caps ? yield* chooseCaps(clipped?.kept ?? Kept.all(occupancy), modelOf()) : undefined;
  const kept = capped?.kept ?? clipped?.kept ?? Kept.all(occupancy);
  return {
    strategy: {
      ...UNDECIDED,
      name: clipped === undefined ? "baseline" : "clip-user",
      epsilon,
      errorBound: clipped?.errorBound ?? null,
      protectedGrid: clipped?.protectedGrid ?? null,
      wholeStages: request.clipUser?.wholeStages ?? false,
      caps: capped !== undefined,
    },
    kept,
    noise: uniformNoise(kept, objective, { epsilon, split }),
    caps: capped?.caps ?? null,
    suppressed: clipped?.suppressed ?? new Uint32Array(0),
    bound: null,
  };
}

function* decideOptimal(question: Question): LongWork<Decision> {
  const { occupancy, objective, split, request } = question;
  const epsilon = uniformEpsilon(question);
  const model = new ErrorModel(objective, epsilon);
  const { kept, ...found } = yield* clipUserOptimal(occupancy, model, request.optimal?.solver, request.optimal);
  return {
    strategy: {
      ...UNDECIDED,
      name: "clip-user-optimal",
      epsilon,
      errorBound: found.errorBound,
      protectedGrid: found.protectedGrid ?? null,
      timeLimitSeconds: request.optimal?.timeLimitSeconds ?? null,
    },
    kept,
    noise: uniformNoise(kept, objective, { epsilon, split }),
    caps: null,
    suppressed: found.suppressed,
    bound: {
      of: "degradation",
      lowerBound: Rational.of(found.lowerBound),
      weights: [],
      prices: found.certificate?.prices ?? null,
    },
  };
}

function* decideFrontier({ occupancy, objective, request }: Question): LongWork<Decision> {
  const { frontier: goal, timeLimit, unproven, sketch } = request;
  invariant(goal !== undefined, "the frontier has a goal");
  if (goal.kind !== "error") checkEpsilon(goal.kind === "loss" ? goal.loss : goal.epsilon, `--${goal.kind}`);
  const options = { isOutOfTime: timeLimit?.isOutOfTime, unproven: unproven || sketch !== undefined, sketch };
  const found =
    goal.kind === "loss"
      ? yield* leastError(occupancy, objective, goal.loss, options)
      : yield* leastLoss(occupancy, objective, targetOf(occupancy, objective, goal), options);
  const { target, kept, noise, setAside, bound } = found;
  return {
    strategy: {
      ...UNDECIDED,
      name: "frontier",
      epsilon: goal.kind === "epsilon" ? goal.epsilon : null,
      errorBound: target.kind === "together" ? target.error : null,
      errorTargets: target.kind === "each" ? target.errors : null,
      lossTarget: goal.kind === "loss" ? goal.loss : null,
      setAside,
      timeLimitSeconds: timeLimit?.seconds ?? null,
    },
    kept,
    noise,
    caps: null,
    suppressed: kept.droppedEntries(),
    bound: bound === null ? null : { ...bound, prices: null },
  };
}

function* decideBalanced({ occupancy, objective, request }: Question): LongWork<Decision> {
  const { balanced: goal } = request;
  invariant(goal !== undefined && objective.estimator === "weighted", "a balanced plan has a goal and weights");
  checkEpsilon(goal.loss, "--loss");
  const found = yield* balance(occupancy, {
    objective,
    goal,
    latticeStep: latticeStep(objective.bounds, request.step),
    isSketch: request.sketch !== undefined,
  });
  const { noise, ...evaluation } = found.evaluation;
  const { guarantee } = goal;
  return {
    strategy: {
      ...UNDECIDED,
      name: "balanced",
      epsilon: null,
      errorBound: guarantee?.kind === "together" ? guarantee.error : null,
      errorTargets: guarantee?.kind === "each" ? guarantee.errors : null,
      lossTarget: goal.loss,
    },
    kept: evaluation.kept,
    noise,
    caps: null,
    suppressed: new Uint32Array(),
    bound: null,
    balanced: found.terms,
    evaluation,
  };
}

function targetOf(
  occupancy: Occupancy,
  objective: Objective,
  goal: Exclude<FrontierGoal, { kind: "loss" }>,
): ErrorTarget {
  if (goal.kind === "error") return goal.target;
  return { kind: "together", error: worstBaselineError(occupancy, objective, goal.epsilon) };
}
