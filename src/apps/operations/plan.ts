/** Plan: from a source and options in text, as flags and forms give them, to a frozen plan and its summary. Spends nothing. */
import { parseDecimal, type Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import {
  type Bounds,
  checkEpsilon,
  defaultMetric,
  ESTIMATORS,
  type EstimatorName,
  type Metric,
  makeBounds,
  makeObjective,
  type Objective,
  parseBounds,
  type Split,
} from "../../core/influence/index.ts";
import { occupancyHash } from "../../core/occupancy/index.ts";
import {
  checkpoint,
  type FrontierGoal,
  inputLattice,
  type KeepRule,
  latticeStep,
  makePlan,
  type Plan,
  type PlanRequest,
  type PlanSummary,
  parseErrorTarget,
  planText,
  runCooperatively,
  STRATEGY_NAMES,
  type StrategyName,
  type StrategyRequest,
  summarisePlan,
} from "../../core/planning/index.ts";
import { nativeHash } from "../../data/sources/index.ts";
import { lossOf } from "./loss-presets.ts";
import { type ReadOptions, readSource, type SourceOptions, type SourceReading } from "./read-source.ts";
import { boundsWarnings } from "./warnings/bounds-warning.ts";
import { refuseSingleRecords } from "./warnings/reading-warnings.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

/** Options as text; numbers are decimal text so that nothing is rounded on the way. */
export interface PlanOptions {
  readonly bounds?: string | undefined;
  readonly upper?: string | undefined;
  readonly epsilon?: string | undefined;
  readonly strategy?: string | undefined;
  readonly statistics?: string | undefined;
  readonly weights?: string | undefined;
  readonly split?: string | undefined;
  /** `relative` if absent where there are several statistics, but `sum` under the paper's strategies. */
  readonly metric?: string | undefined;
  readonly step?: string | undefined;
  readonly estimator?: string | undefined;
  /** The frontier's goals: `--error` as `mean=2,sd=5` or, in a metric that is named, for all statistics together; or `--loss`. */
  readonly error?: string | undefined;
  readonly loss?: string | undefined;
  /** Seconds. */
  readonly timeLimit?: string | undefined;
  readonly errorBound?: string | undefined;
  readonly protectLowest?: boolean | undefined;
  readonly wholeStages?: boolean | undefined;
  readonly caps?: boolean | undefined;
  readonly keep?: string | undefined;
  /** What the columns of a file of records are. */
  readonly records?: SourceOptions | undefined;
}

export interface PlanRunOptions extends ReadOptions {
  /** Write the canonical plan here. */
  readonly out?: string | undefined;
}

export interface PlanResult extends SourceReading {
  readonly plan: Plan;
  readonly summary: PlanSummary;
}

export async function plan(source: string, options: PlanOptions, work: PlanRunOptions = {}): Promise<PlanResult> {
  const request = planRequest(options);
  await checkOut(work.out, source);
  const reading = await readSource(source, options.records ?? {}, work);
  const { occupancy } = reading;
  if (options.records?.oneRecordPerUser !== true) refuseSingleRecords(occupancy);
  // The array's name, worked out once: planning itself has only a portable SHA-256.
  occupancyHash(occupancy, nativeHash);
  const made = await runCooperatively(
    makePlan(occupancy, { ...(await withHelp(request, options)), partition: reading.records?.partition }),
    work,
  );
  refuseNothing(made.plan);
  work.onProgress?.({ step: "comparing with the baseline", done: occupancy.entries });
  const summary = summarisePlan(occupancy, made);
  await checkpoint(work.signal);
  for (const file of reading.records?.files ?? []) await checkOut(work.out, file);
  if (work.out !== undefined) await writeFileWhole(work.out, [planText(made.plan)], work.signal);
  return { plan: made.plan, summary, ...reading, warnings: [...boundsWarnings(options), ...reading.warnings] };
}

/** The paper's estimator has nothing to publish where nothing is kept; the centred one has midpoints. */
function refuseNothing({ strategy, objective, grids }: Plan): void {
  if (objective.estimator === "centred" || strategy.setAside.length < grids.length) return;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `--loss ${strategy.lossTarget!.toShortString()} buys nothing better than midpoints in any grid; larger grids, a larger loss or --estimator centred would help`,
  );
}

/** Adds what only this room has: a clock, and a solver where the strategy needs one. */
export async function withHelp(
  request: PlanRequest & { readonly strategy: StrategyName },
  { timeLimit }: Pick<PlanOptions, "timeLimit">,
): Promise<PlanRequest> {
  const seconds = timeLimit === undefined ? undefined : timeLimitOf(timeLimit);
  if (request.strategy === "clip-user-optimal") {
    const { loadLinearSolver } = await import("./linear-solver.ts");
    const { clipUser, ...rest } = request;
    return { ...rest, optimal: { ...clipUser, solver: await loadLinearSolver(), timeLimitSeconds: seconds } };
  }
  if (seconds === undefined) return request;
  const end = performance.now() + 1000 * seconds;
  return { ...request, timeLimit: { seconds, isOutOfTime: () => performance.now() >= end } };
}

/** Seconds, of `--time-limit`. */
export function timeLimitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--time-limit ${quoteForMessage(text)} is not a whole number of seconds`,
    );
  return Number(text);
}

/** Checks every name before any file is read. */
export function planRequest(options: PlanOptions): PlanRequest & { readonly strategy: StrategyName } {
  const strategy = oneOf<StrategyName>("--strategy", options.strategy ?? "frontier", STRATEGY_NAMES);
  refuseIdle(strategy, options);
  if (options.timeLimit !== undefined) timeLimitOf(options.timeLimit);
  const bounds = boundsOf(options);
  const standard = strategy === "frontier" ? defaultMetric(options.statistics) : "sum";
  const metric = oneOf<Metric>("--metric", options.metric ?? standard, ["sum", "relative"]);
  const estimator = oneOf<EstimatorName>(
    "--estimator",
    options.estimator ?? (strategy === "frontier" ? "centred" : "kept"),
    ESTIMATORS,
  );
  const step = options.step === undefined ? undefined : parseDecimal(options.step, "--step");
  inputLattice(bounds, latticeStep(bounds, step));
  const objective = makeObjective(bounds, {
    statistics: options.statistics,
    weights: options.weights,
    metric,
    estimator,
  });
  if (metric === "relative" && options.weights !== undefined)
    throw new VeilgridError(
      "USAGE",
      "--weights goes with --metric sum; the relative metric, the default for several statistics, has none",
    );
  return {
    strategy,
    objective,
    split: oneOf<Split>("--split", options.split ?? "even", ["even", "best"]),
    step,
    ...strategyRequest(strategy, objective, options),
    keep: oneOf<KeepRule>("--keep", options.keep ?? "spread", ["spread", "first"]),
  };
}

/** Which options mean something to which strategy. */
const SPECIAL_OPTIONS: Readonly<Record<string, readonly StrategyName[]>> = {
  errorBound: ["clip-user", "clip-user-optimal"],
  protectLowest: ["clip-user", "clip-user-optimal"],
  wholeStages: ["clip-user"],
  caps: ["baseline", "clip-user"],
  split: ["baseline", "clip-user", "clip-user-optimal"],
  error: ["frontier"],
  loss: ["frontier"],
  timeLimit: ["frontier", "clip-user-optimal"],
};

function refuseIdle(strategy: StrategyName, options: PlanOptions): void {
  for (const [name, strategies] of Object.entries(SPECIAL_OPTIONS)) {
    const given = options[name as keyof PlanOptions];
    if (given === undefined || given === false || strategies.includes(strategy)) continue;
    throw new VeilgridError(
      "USAGE",
      `${flagOf(name)} goes with --strategy ${strategies.join(" or ")}, not ${strategy}${name === "loss" || name === "error" ? ", which takes --epsilon" : ""}`,
    );
  }
  if (options.estimator === "centred" && strategy !== "frontier") {
    throw new VeilgridError("USAGE", `--estimator centred goes with --strategy frontier; ${strategy} is the paper's`);
  }
}

function strategyRequest(strategy: StrategyName, objective: Objective, options: PlanOptions): StrategyRequest {
  if (strategy === "frontier") return { frontier: goalOf(objective, options) };
  if (options.epsilon === undefined)
    throw new VeilgridError("USAGE", "--epsilon is missing: ε per grid, for example --epsilon 1");
  const epsilon = epsilonOf(options.epsilon, "--epsilon");
  if (strategy === "baseline") return { epsilon, caps: options.caps };
  const clipUser = {
    errorBound: options.errorBound === undefined ? undefined : parsePositive(options.errorBound, "--error-bound"),
    protectLowest: options.protectLowest,
    wholeStages: options.wholeStages,
  };
  return { epsilon, clipUser, caps: options.caps };
}

/** Exactly one of `--loss`, `--error` and `--epsilon`. */
function goalOf(objective: Objective, { error, loss, epsilon, metric }: PlanOptions): FrontierGoal {
  const given = [error, loss, epsilon].filter((name) => name !== undefined);
  if (given.length !== 1) {
    throw new VeilgridError(
      "USAGE",
      `${given.length === 0 ? "nothing to aim for" : "two aims at once"}: give one of --loss (the privacy loss you allow, for example --loss 1), --error (the error you allow) or --epsilon (the baseline's, to do better than)`,
    );
  }
  if (loss !== undefined) return { kind: "loss", loss: lossOf(loss) };
  if (epsilon !== undefined) return { kind: "epsilon", epsilon: epsilonOf(epsilon, "--epsilon") };
  const target = parseErrorTarget(error!, objective);
  if (target.kind === "together") refuseUnnamedMetric(error!, metric, objective);
  return { kind: "error", target };
}

/** Whether one number for several statistics is a share or a sum is never guessed: 50 is a fair sum and a senseless share. */
export function refuseUnnamedMetric(error: string, metric: string | undefined, { statistics }: Objective): void {
  if (metric !== undefined || statistics.length === 1) return;
  throw new VeilgridError(
    "USAGE",
    `--error ${quoteForMessage(error)} for several statistics needs a metric: --metric relative (0.5: half the error of publishing midpoints) or --metric sum (errors added, whatever their units); or give plan one per statistic, --error mean=2,sd=5`,
  );
}

function epsilonOf(text: string, flag: string): Rational {
  const epsilon = parseDecimal(text, flag);
  checkEpsilon(epsilon, flag);
  return epsilon;
}

function parsePositive(text: string, flag: string): Rational {
  const value = parseDecimal(text, flag);
  if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} must be above 0`);
  return value;
}

/** From `--bounds` or `--upper`. */
export function boundsOf(options: Pick<PlanOptions, "bounds" | "upper">): Bounds {
  if (options.bounds !== undefined && options.upper !== undefined) {
    throw new VeilgridError("USAGE", "--bounds and --upper say the same thing; give one of them");
  }
  if (options.bounds !== undefined) return parseBounds(options.bounds);
  if (options.upper !== undefined)
    return makeBounds(parseDecimal("0", "--upper"), parseDecimal(options.upper, "--upper"));
  throw new VeilgridError(
    "USAGE",
    "--bounds a,b is missing: the range values are clamped to, for example --bounds 0,65 (or --upper 65)",
  );
}

function oneOf<Choice extends string>(flag: string, given: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === given);
  if (choice === undefined) {
    throw new VeilgridError("USAGE", `${flag} ${quoteForMessage(given)} is unknown; use ${choices.join(" or ")}`);
  }
  return choice;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
