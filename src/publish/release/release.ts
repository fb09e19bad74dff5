/** Releases: checks the plan, reserves its price, reads exact totals, adds noise, commits, and discloses what was committed. In this order. */
import { Rational } from "../../core/arithmetic/index.ts";
import { jointLosses, type NoiseBudget, type UserLosses, weightedLosses } from "../../core/composition/index.ts";
import { invariant, itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { Guarantee, Statistic } from "../../core/influence/index.ts";
import { RandomBits, type Uniform } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { ABOUT_OPTIONS, type About, flagOf, optionTexts } from "../../core/options/index.ts";
import {
  checkPlan,
  checkpoint,
  type LongWorkOptions,
  type Plan,
  type PlanEvaluation,
  passCosts,
} from "../../core/planning/index.ts";
import type { GridTotals } from "../../data/engines/index.ts";
import type { Committed, Ledger } from "../ledger/index.ts";
import { addNoise } from "./add-noise.ts";
import { type ExactStatistics, exactStatistics } from "./exact-statistics.ts";
import type { EvaluatedRequest, FinishRequest, ReleaseParties, ReleaseRequest } from "./request.ts";
import { gridText, headerText, type ReleasedGrid, type ReleasedStatistic, readHeader, resultText } from "./result.ts";
import { finishWeighted, partsOf } from "./weighted/finish-weighted.ts";
import { earlierParts } from "./weighted/passes.ts";

export interface ReleaseOutcome {
  /** The canonical result, as committed. */
  readonly text: string;
  /** Grids that this call charged for; 0 where everything was released before under the same key. */
  readonly chargedGrids: number;
  /** Whether an earlier attempt had reserved some of it and was cut short. */
  readonly resumed: boolean;
  /** Values outside the bounds in the grids that this call read, for the curator only; null where no value was read. */
  readonly clampedValues: number | null;
}

/** Charges every user its loss in the wanted grids, then reads their totals, and returns the committed result (docs/mathematics.md, Theorem 14). */
export async function release(
  { engine, ledger, random }: ReleaseParties,
  request: ReleaseRequest,
  options: LongWorkOptions = {},
): Promise<ReleaseOutcome> {
  const { plan, occupancy, dataset, key } = request;
  if (request.evaluation === undefined) options.onProgress?.({ step: "checking the plan", done: 0 });
  const { evaluation = checkPlan(occupancy, plan) } = request;
  const grids = wantedGrids(plan, request.grids);
  await checkpoint(options.signal);

  options.onProgress?.({ step: "reserving", done: 0 });
  const reservation = await ledger.reserve({
    dataset,
    key,
    planHash: plan.hash,
    header: headerOf(request),
    parts: partsOf(plan, grids),
    chargesOf: (parts) => charges(occupancy, plan, evaluation, parts),
    separately: request.separately,
    ...checksBefore(request),
  });
  const { toCompute, committed, charged, resumed } = reservation;
  const finished =
    toCompute.length === 0
      ? { texts: committed, clampedValues: null }
      : await (plan.balanced === undefined ? finish : finishWeighted)(
          { engine, ledger, random },
          { ...request, evaluation, parts: toCompute, committed },
          options,
        ).catch(sayItIsPending);
  options.onProgress?.({ step: "disclosing", done: 0 });
  const texts = new Map([...committed, ...finished.texts]);
  return {
    text: resultText(
      reservation.header,
      grids.map((grid) => texts.get(grid)!),
    ),
    chargedGrids: charged.filter((part) => !earlierParts(plan).includes(part)).length,
    resumed,
    clampedValues: finished.clampedValues,
  };
}

/** Reads exact totals of grids that are charged, adds noise to them and commits them. What the ledger gives back is final: another process may have committed first. */
async function finish(
  { engine, ledger, random }: ReleaseParties,
  request: FinishRequest,
  options: LongWorkOptions,
): Promise<{ readonly texts: ReadonlyMap<string, string>; readonly clampedValues: number }> {
  const { plan, occupancy, dataset, key, parts: grids } = request;
  const { bounds, statistics } = plan.objective;
  const exact = exactStatistics(statistics, { bounds, step: plan.latticeStep });
  await checkpoint(options.signal);
  options.onProgress?.({ step: "reading totals", done: 0 });
  const { totals, clampedValues } = await engine.readTotals(
    request.records,
    plan,
    { only: { grids, occupancy }, thresholds: exact.thresholds, clampedSums: exact.clampedSums },
    options,
  );
  options.onProgress?.({ step: "adding noise", done: 0 });
  const uniform = new RandomBits(random);
  const totalsOf = new Map(totals.map((each) => [each.grid, each]));
  const indexOf = new Map(plan.grids.map((grid, index) => [grid, index]));
  const parts = grids.map((grid) => {
    const [index, found] = [indexOf.get(grid), totalsOf.get(grid)];
    invariant(index !== undefined && found !== undefined, "the engine left out a grid that it was asked for");
    return [grid, gridText(noisyGrid({ ...request, index }, found, exact, uniform))] as const;
  });
  options.onProgress?.({ step: "committing", done: 0 });
  const { texts } = await ledger.commit({ dataset, key, planHash: plan.hash, parts });
  return { texts, clampedValues };
}

/** Past the reservation a failure leaves a charge behind. */
function sayItIsPending(error: unknown): never {
  // What was given up meanwhile is refunded.
  if (!(error instanceof VeilgridError) || error.code === "RESERVATION_VOID") throw error;
  throw new VeilgridError(
    error.code,
    `${error.message}; it is charged and pending: the same release again finishes it, veilgrid ledger void gives it up`,
  );
}

/** The committed result, if all that is asked for was committed under this key before; reads no record (docs/mathematics.md, Theorem 14). */
export async function releasedBefore(
  ledger: Pick<Ledger, "committed">,
  request: Pick<ReleaseRequest, "plan" | "dataset" | "key" | "grids" | "notPrivate">,
): Promise<string | undefined> {
  const { plan, dataset, key, notPrivate } = request;
  const grids = wantedGrids(plan, request.grids);
  const found = await ledger.committed({ dataset, key, parts: grids });
  return releasedText(found, { planHash: plan.hash, key, grids, notPrivate });
}

/** The result for these grids out of what the ledger has; undefined if not all of them are committed under this plan. */
export function releasedText(
  found: Committed | undefined,
  {
    planHash,
    key,
    grids,
    notPrivate,
  }: Pick<ReleaseRequest, "key" | "notPrivate"> & { readonly planHash: string; readonly grids: readonly string[] },
): string | undefined {
  // Another plan under this key is refused by `reserve`, in its words.
  if (found === undefined || found.planHash !== planHash) return undefined;
  checkNoise(found.header, { key, notPrivate });
  const texts = grids.flatMap((grid) => found.texts.get(grid) ?? []);
  return texts.length < grids.length ? undefined : resultText(found.header, texts);
}

/** Holds a release to its dataset's column of users and its key's kind of noise, within the transaction that reserves or prices it. */
export function checksBefore(
  request: Pick<ReleaseRequest, "plan" | "dataset" | "key" | "notPrivate">,
): Record<"checkFirst" | "checkKnown", (header: string) => void> {
  return {
    checkFirst: (header) => checkUserColumn(header, request),
    checkKnown: (header) => checkNoise(header, request),
  };
}

/**
 * Budgets are kept by user id: ids from another column than the dataset's first release's would be other people, and nobody's
 * losses would add up.
 */
function checkUserColumn(
  header: string,
  { dataset, plan }: Pick<ReleaseRequest, "dataset"> & { readonly plan: Pick<Plan, "partition"> },
): void {
  const column = readHeader(header).partition["user"];
  const own = plan.partition?.["user"];
  if (column === own) return;
  throw new VeilgridError(
    "LEDGER_CONFLICT",
    `dataset ${quoteForMessage(dataset)} keeps budgets by column ${quoteForMessage(String(column))}, this plan by ${quoteForMessage(String(own))}: losses would not add up; use one column, or another dataset`,
  );
}

/** A key is either private or replayed, for good. */
function checkNoise(header: string, { key, notPrivate }: Pick<ReleaseRequest, "key" | "notPrivate">): void {
  if (readHeader(header).notPrivate === notPrivate) return;
  throw new VeilgridError(
    "KEY_CONFLICT",
    `key ${quoteForMessage(key)} was reserved ${notPrivate ? "for a private release" : "with --replay-seed"}; use another --key`,
  );
}

/** In the plan's order. */
function wantedGrids(plan: Plan, wanted: readonly string[] | undefined): readonly string[] {
  if (wanted === undefined) return plan.grids;
  const asked = new Set(wanted);
  const known = plan.grids.filter((grid) => asked.has(grid));
  if (known.length < asked.size || asked.size === 0) {
    const unknown = wanted.find((grid) => !plan.grids.includes(grid));
    throw new VeilgridError(
      "PARAMETER_INVALID",
      unknown === undefined ? "no grid was asked for" : `grid ${quoteForMessage(unknown)} is not in the plan`,
    );
  }
  return known;
}

/** Every user's own joint loss by the given parts: grids, and passes before them (docs/mathematics.md, Theorems 14 and 17). */
export function* charges(
  occupancy: Occupancy,
  plan: Plan,
  evaluation: Pick<PlanEvaluation, "kept" | "balanced">,
  parts: readonly string[],
): Generator<readonly [user: string, units: bigint]> {
  const losses = lossesBy(occupancy, plan, evaluation, parts);
  for (let user = 0; user < losses.length; user++) {
    const units = losses.unitsOf(user);
    if (units > 0n) yield [occupancy.users.get(user), units];
  }
}

function lossesBy(
  occupancy: Occupancy,
  plan: Plan,
  { kept, balanced }: Pick<PlanEvaluation, "kept" | "balanced">,
  parts: readonly string[],
): UserLosses {
  const passes = earlierParts(plan);
  const grids = parts.filter((part) => !passes.includes(part)).map((grid) => occupancy.grids.indexOf(grid));
  if (plan.balanced !== undefined && balanced !== undefined) {
    const { first, rings, last } = passCosts(plan.balanced, balanced.features);
    const losses = weightedLosses(balanced.weights, last, grids);
    for (const [at, cost] of [first, rings].entries()) {
      if (cost === null || !parts.includes(passes[at]!)) continue;
      losses.addAll(weightedLosses(balanced.weights, cost));
    }
    return losses;
  }
  const budget: NoiseBudget = {
    statistics: plan.objective.statistics,
    epsilonOfGrid: plan.noise.map((grid) => grid.epsilon),
    epsilonsOfGrid: plan.noise.map((grid) => grid.epsilons),
  };
  return jointLosses(kept, budget, grids);
}

/** What the plan says stands; a release may add to it. */
function aboutOf(plan: Plan, added: About | undefined): About | undefined {
  const changed = Object.entries(added ?? {}).find(
    ([name, text]) => (plan.about?.[name as keyof About] ?? text) !== text,
  );
  if (changed !== undefined)
    throw new VeilgridError("USAGE", `${flagOf(changed[0])} is another in the plan; leave it out or plan again`);
  return plan.about === undefined && added === undefined
    ? undefined
    : optionTexts(ABOUT_OPTIONS, { ...added, ...plan.about });
}

function headerOf({ plan, dataset, key, tool, reservedAt, notPrivate, about }: ReleaseRequest): string {
  const { objective, strategy, occupancy } = plan;
  return headerText({
    ...{ tool, dataset, key, reservedAt: reservedAt.toISOString() },
    notPrivate,
    plan: plan.hash,
    occupancy: occupancy.sha256,
    bounds: [objective.bounds.lower, objective.bounds.upper],
    latticeStep: plan.latticeStep,
    statistics: objective.statistics.map((statistic) => statistic.key),
    estimator: objective.estimator,
    strategy: strategy.name,
    epsilon: strategy.name === "frontier" ? null : strategy.epsilon,
    ...(plan.balanced && { spread: plan.balanced.spread, passes: plan.balanced.passes }),
    partition: plan.partition ?? {},
    about: aboutOf(plan, about),
    ...{ users: occupancy.users, grids: occupancy.grids, samples: occupancy.samples },
    loss: plan.loss,
    lossSimple: plan.lossSimple,
  });
}

function noisyGrid(
  { plan, evaluation, occupancy, index }: EvaluatedRequest & { readonly index: number },
  totals: GridTotals,
  exact: ExactStatistics,
  uniform: Uniform,
): ReleasedGrid {
  const counts = evaluation.kept.countsOf(index);
  const guarantee = evaluation.guarantees[index];
  const { epsilons } = itemAt(plan.noise, index);
  const released = ({ bias, scale }: Guarantee, statistic: Statistic, at: number): ReleasedStatistic => {
    const epsilon = itemAt(epsilons, at);
    const value = itemAt(exact.of, at)(totals, counts);
    const { rounding, ...noisy } = addNoise(value, { statistic, counts, epsilon }, uniform);
    return {
      ...noisy,
      epsilon,
      scale: scale[at] ?? Rational.ZERO,
      bias: itemAt(bias, at),
      latticeError: statistic.latticeError(plan.latticeStep, counts.total).add(rounding),
    };
  };
  return {
    grid: totals.grid,
    users: occupancy.usersOfGrid(index),
    samples: counts.total,
    kept: counts.kept,
    statistics:
      guarantee === undefined ? null : plan.objective.statistics.map((each, at) => released(guarantee, each, at)),
  };
}
