/** The strategies: each decides from occupancy alone what is kept, how much noise every grid gets, and why. */
import { Rational } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { checkEpsilon, ErrorModel, type Objective, type Split } from "../influence/index.ts";
import { Kept, type Occupancy } from "../occupancy/index.ts";
import { chooseCaps } from "./caps.ts";
import { type ClipUserOptions, clipUser } from "./clip-user/clip-user.ts";
import { uniformNoise, worstBaselineError } from "./evaluate-plan.ts";
import type { ErrorTarget } from "./frontier/error-target.ts";
import { leastError, leastLoss } from "./frontier/frontier.ts";
import type { FrontierBound } from "./frontier/prove.ts";
import type { FrontierOptions } from "./frontier/search.ts";
import type { LongWork } from "./long-work.ts";
import type { PlanNoise, PlanStrategy } from "./plan.ts";
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

/** One of the four; without `clipUser`, `optimal` and `frontier` it is the baseline, which drops nobody. */
export interface StrategyRequest {
  /** ε per grid; the frontier has its own goal instead. */
  readonly epsilon?: Rational | undefined;
  readonly clipUser?: ClipUserOptions | undefined;
  readonly optimal?: (ClipUserOptimalOptions & { readonly solver: LinearSolver }) | undefined;
  readonly frontier?: FrontierGoal | undefined;
  /** Choose caps afterwards: baseline and clip-user. */
  readonly caps?: boolean | undefined;
  /** Only the frontier stops by it with whatever it has. */
  readonly timeLimit?: TimeLimit | undefined;
  /** The frontier without the proof of how near to the best it is. */
  readonly unproven?: boolean | undefined;
  /** The frontier's first answer, in milliseconds; nothing is proven of it. */
  readonly sketch?: FrontierOptions["sketch"];
}

export interface Decision {
  readonly strategy: PlanStrategy;
  readonly kept: Kept;
  readonly noise: readonly PlanNoise[];
  readonly caps: Uint32Array | null;
  /** Entries that are dropped, in the order dropped. */
  readonly suppressed: Uint32Array;
  readonly bound: DecisionBound | null;
}

/** `PlanBound` with users by their number. */
export interface DecisionBound extends Omit<FrontierBound, "of"> {
  readonly of: "loss" | "error" | "degradation";
  readonly prices: readonly bigint[] | null;
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

export function* decide(
  occupancy: Occupancy,
  objective: Objective,
  split: Split,
  request: StrategyRequest,
): LongWork<Decision> {
  if (request.frontier !== undefined) return yield* decideFrontier(occupancy, objective, request.frontier, request);
  const { epsilon } = request;
  if (epsilon === undefined) throw new VeilgridError("PARAMETER_INVALID", "--epsilon is missing: ε per grid");
  checkEpsilon(epsilon, "--epsilon");
  if (objective.estimator !== "kept" && (request.clipUser ?? request.optimal ?? (request.caps || undefined))) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      "clip-user, clip-user-optimal and --caps decide by the paper's estimator; use --estimator kept or --strategy frontier",
    );
  }
  const uniform = { objective, split, epsilon };
  if (request.optimal !== undefined) return yield* decideOptimal(occupancy, uniform, request.optimal);
  return yield* decideClipped(occupancy, uniform, request);
}

interface Uniform {
  readonly objective: Objective;
  readonly split: Split;
  readonly epsilon: Rational;
}

function* decideClipped(
  occupancy: Occupancy,
  { objective, split, epsilon }: Uniform,
  request: StrategyRequest,
): LongWork<Decision> {
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

function* decideOptimal(
  occupancy: Occupancy,
  { objective, split, epsilon }: Uniform,
  { solver, ...options }: ClipUserOptimalOptions & { readonly solver: LinearSolver },
): LongWork<Decision> {
  const found = yield* clipUserOptimal(occupancy, new ErrorModel(objective, epsilon), solver, options);
  return {
    strategy: {
      ...UNDECIDED,
      name: "clip-user-optimal",
      epsilon,
      errorBound: found.errorBound,
      protectedGrid: found.protectedGrid ?? null,
      timeLimitSeconds: options.timeLimitSeconds ?? null,
    },
    kept: found.kept,
    noise: uniformNoise(found.kept, objective, { epsilon, split }),
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

function* decideFrontier(
  occupancy: Occupancy,
  objective: Objective,
  goal: FrontierGoal,
  { timeLimit, unproven, sketch }: StrategyRequest,
): LongWork<Decision> {
  if (goal.kind !== "error") checkEpsilon(goal.kind === "loss" ? goal.loss : goal.epsilon, `--${goal.kind}`);
  const options = { isOutOfTime: timeLimit?.isOutOfTime, unproven: unproven || sketch !== undefined, sketch };
  const found =
    goal.kind === "loss"
      ? yield* leastError(occupancy, objective, goal.loss, options)
      : yield* leastLoss(occupancy, objective, targetOf(occupancy, objective, goal), options);
  const entries = Uint32Array.from({ length: occupancy.entries }, (_, entry) => entry);
  return {
    strategy: {
      ...UNDECIDED,
      name: "frontier",
      epsilon: goal.kind === "epsilon" ? goal.epsilon : null,
      errorBound: found.target.kind === "together" ? found.target.error : null,
      errorTargets: found.target.kind === "each" ? found.target.errors : null,
      lossTarget: goal.kind === "loss" ? goal.loss : null,
      setAside: found.setAside,
      timeLimitSeconds: timeLimit?.seconds ?? null,
    },
    kept: found.kept,
    noise: found.noise,
    caps: null,
    suppressed: entries.filter((entry) => found.kept.ofEntry[entry] === 0),
    bound: found.bound === null ? null : { ...found.bound, prices: null },
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
