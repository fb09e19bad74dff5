/** Plan: from a source and options in text, as flags and forms give them, to a frozen plan and its summary. Spends nothing. */
import { parseDecimal, type Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import {
  type Bounds,
  checkEpsilon,
  defaultMetric,
  LOSS_UNIT,
  makeBounds,
  makeObjective,
  type Objective,
  parseBounds,
} from "../../core/influence/index.ts";
import { type Occupancy, occupancyHash } from "../../core/occupancy/index.ts";
import {
  ABOUT_OPTIONS,
  checkedTexts,
  chosen,
  flagOf,
  type OptionTable,
  type OptionTexts,
  type OptionValues,
  optionTexts,
  PLAN_OPTIONS,
  type RecordsOptions,
  wholeNumber,
} from "../../core/options/index.ts";
import {
  type BalancedGoal,
  checkpoint,
  type FrontierGoal,
  inputLattice,
  latticeStep,
  makePlan,
  type Plan,
  type PlanRequest,
  type PlanSummary,
  parseErrorTarget,
  parseSpread,
  planText,
  runCooperatively,
  type StrategyName,
  type StrategyRequest,
  summarisePlan,
} from "../../core/planning/index.ts";
import { nativeHash } from "../../data/sources/index.ts";
import { type ReadOptions, readSource, type SourceReading } from "./read-source.ts";
import { type Records, withSource } from "./records.ts";
import type { Surveyed } from "./survey.ts";
import { boundsWarnings, refuseSingleRecords } from "./warnings/reading-warnings.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

/** Numbers are read as their shortest decimal text, so that nothing is rounded on the way. */
export interface PlanOptions extends OptionValues<typeof PLAN_OPTIONS> {
  /** What the columns of a file of records are. */
  readonly records?: RecordsOptions | undefined;
}
type PlanTexts = OptionTexts<typeof PLAN_OPTIONS>;

export interface PlanRunOptions extends ReadOptions {
  /** Write the canonical plan here. */
  readonly out?: string | undefined;
}

export interface PlanResult extends SourceReading {
  readonly plan: Plan;
  readonly summary: PlanSummary;
}

/** Plans from counts, or from records, which are counted first. */
export async function planRecords(
  counts: Occupancy | Surveyed | Records,
  options: OptionValues<typeof PLAN_OPTIONS>,
  work: ReadOptions = {},
): Promise<PlanResult> {
  const request = planRequest(options);
  if ("survey" in counts) {
    const { occupancy, survey, oneRecordPerUser } = counts;
    return planReading({ ...survey, occupancy }, request, { ...options, records: { oneRecordPerUser } }, work);
  }
  if ("byUser" in counts)
    return planReading({ occupancy: counts, notes: null, records: null, warnings: [] }, request, options, work);
  const read = async (source: string, records: RecordsOptions): Promise<PlanResult> =>
    planReading(await readSource(source, records, work), request, { ...options, records }, work);
  return withSource(counts, read, work);
}

/** The same of a file; the plan may go into another. */
export async function plan(
  source: string,
  { records = {}, ...options }: PlanOptions,
  { out, ...work }: PlanRunOptions = {},
): Promise<PlanResult> {
  const request = planRequest(options);
  await checkOut(out, source);
  const planned = await planReading(await readSource(source, records, work), request, { ...options, records }, work);
  for (const file of planned.records?.files ?? []) await checkOut(out, file);
  if (out !== undefined) await writeFileWhole(out, [planText(planned.plan)], work.signal);
  return planned;
}

async function planReading(
  { occupancy, notes, records, warnings }: SourceReading,
  request: ReturnType<typeof planRequest>,
  options: PlanOptions,
  work: ReadOptions,
): Promise<PlanResult> {
  if (options.records?.oneRecordPerUser !== true) refuseSingleRecords(occupancy);
  // The array's name, worked out once: planning itself has only a portable SHA-256.
  occupancyHash(occupancy, nativeHash);
  const texts = optionTexts(PLAN_OPTIONS, options);
  const helped = { ...(await withHelp(request, texts)), partition: records?.partition };
  const made = await runCooperatively(makePlan(occupancy, helped), work);
  refuseNothing(made.plan);
  work.onProgress?.({ step: "comparing with the baseline", done: occupancy.entries });
  const summary = summarisePlan(occupancy, made);
  await checkpoint(work.signal);
  const noticed = [...boundsWarnings(texts), ...warnings];
  return { plan: made.plan, summary, occupancy, notes, records, warnings: noticed };
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
  { timeLimit }: Pick<PlanTexts, "timeLimit">,
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
  return wholeNumber(text, "--time-limit", 1, 999_999);
}

/** Checks every name before any file is read. */
export function planRequest(given: PlanOptions): PlanRequest & { readonly strategy: StrategyName } {
  const options = optionTexts(PLAN_OPTIONS, given);
  const strategy = chosen(PLAN_OPTIONS, "strategy", options.strategy, defaultStrategy(options));
  refuseIdle(strategy, options);
  if (options.timeLimit !== undefined) timeLimitOf(options.timeLimit);
  const bounds = boundsOf(options);
  const isPapers = strategy !== "frontier" && strategy !== "balanced";
  const metric = chosen(PLAN_OPTIONS, "metric", options.metric, isPapers ? "sum" : defaultMetric(options.statistics));
  const estimator =
    strategy === "balanced"
      ? "weighted"
      : chosen(PLAN_OPTIONS, "estimator", options.estimator, isPapers ? "kept" : "centred");
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
    about: checkedTexts(ABOUT_OPTIONS, options),
    objective,
    split: chosen(PLAN_OPTIONS, "split", options.split, "even"),
    step,
    ...strategyRequest(strategy, objective, options),
    keep: chosen(PLAN_OPTIONS, "keep", options.keep, "spread"),
  };
}

/** Balanced for a loss, unless an option says what only the frontier does. */
function defaultStrategy({ loss, error, epsilon, estimator }: PlanTexts): StrategyName {
  const isBalanced = loss !== undefined && [error, epsilon, estimator].every((option) => option === undefined);
  return isBalanced ? "balanced" : "frontier";
}

/** Refuses an option that means nothing to the strategy. */
function refuseIdle(strategy: StrategyName, options: PlanTexts): void {
  const table: OptionTable = PLAN_OPTIONS;
  for (const [name, { strategies }] of Object.entries(table)) {
    if (!(name in options) || strategies === undefined || strategies.includes(strategy)) continue;
    throw new VeilgridError(
      "USAGE",
      `${flagOf(name)} goes with --strategy ${strategies.join(" or ")}, not ${strategy}${name === "loss" || name === "error" ? ", which takes --epsilon" : ""}`,
    );
  }
  if (options.estimator === "centred" && strategy !== "frontier") {
    throw new VeilgridError("USAGE", `--estimator centred goes with --strategy frontier; ${strategy} is the paper's`);
  }
}

function strategyRequest(strategy: StrategyName, objective: Objective, options: PlanTexts): StrategyRequest {
  if (strategy === "frontier") return { frontier: goalOf(objective, options) };
  if (strategy === "balanced") return { balanced: balancedGoal(objective, options) };
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

function balancedGoal(
  objective: Objective,
  { loss, error, epsilon, spread, aim, guarantee, passes, metric }: PlanTexts,
): BalancedGoal {
  if (loss === undefined || error !== undefined || epsilon !== undefined) {
    throw new VeilgridError(
      "USAGE",
      "--strategy balanced takes --loss, the privacy loss you allow, for example --loss 1; --error and --epsilon go with --strategy frontier",
    );
  }
  if (guarantee !== undefined && passes === "2") {
    throw new VeilgridError(
      "USAGE",
      "--guarantee goes with --passes 1: before the first pass nothing is known of the second",
    );
  }
  const target = guarantee === undefined ? undefined : parseErrorTarget(guarantee, objective);
  if (target?.kind === "together") refuseUnnamedMetric(guarantee!, metric, objective);
  return {
    loss: lossOf(loss),
    spread: parseSpread(spread, objective.bounds),
    aim: chosen(PLAN_OPTIONS, "aim", aim),
    guarantee: target,
    passes: passes === undefined ? undefined : passes === "1" ? 1 : 2,
  };
}

/** Exactly one of `--loss`, `--error` and `--epsilon`. */
function goalOf(objective: Objective, { error, loss, epsilon, metric }: PlanTexts): FrontierGoal {
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

export function epsilonOf(text: string, flag: string): Rational {
  const epsilon = parseDecimal(text, flag);
  checkEpsilon(epsilon, flag);
  return epsilon;
}

export function parsePositive(text: string, flag: string): Rational {
  const value = parseDecimal(text, flag);
  if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} must be above 0`);
  return value;
}

/** From `--bounds` or `--upper`. */
export function boundsOf(options: Pick<PlanTexts, "bounds" | "upper">): Bounds {
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

/** Losses by name. Percentages: e^λ/(1 + e^λ), how often a guess between two equally likely values of one user is right at best. */
export const LOSS_PRESETS = [
  { name: "careful", loss: "0.1", meaning: "a coin toss about one user's values is right at most 52.5 % of the time" },
  { name: "common", loss: "1", meaning: "at most 73.2 % of the time: the usual choice for a single publication" },
  { name: "loose", loss: "3", meaning: "at most 95.3 % of the time: little is left of deniability" },
] as const;

/** `--loss 0.5`, `--loss common` or `--loss 2/52`: a budget shared by so many releases, rounded down to 18 digits. */
export function lossOf(text: string): Rational {
  const preset = LOSS_PRESETS.find(({ name }) => name === text);
  if (preset !== undefined) return parseDecimal(preset.loss, "--loss");
  const [, budget, releases = "1"] = /^\s*(-?[\d.]+(?:e-?\d{1,3})?)\s*(?:\/\s*([1-9]\d{0,8})\s*)?$/i.exec(text) ?? [];
  if (budget === undefined)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--loss ${quoteForMessage(text)} is not a number such as 0.5, a budget over a number of releases (2/52), or one of ${LOSS_PRESETS.map(({ name }) => name).join(", ")}`,
    );
  return epsilonOf(budget, "--loss").divide(parseDecimal(releases, "--loss")).floorToMultipleOf(LOSS_UNIT);
}
