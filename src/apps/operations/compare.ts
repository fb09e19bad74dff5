/** Compare: strategies, estimators and partitions side by side, from counts alone; spends nothing. */

import { maximum, Rational } from "../../core/arithmetic/index.ts";
import { escapeControls, itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { dataFreeError } from "../../core/influence/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { checkpoint, type LongWorkOptions, summarisePlan } from "../../core/planning/index.ts";
import { actualErrors, simulateValues, VALUE_MODELS } from "../../evidence/simulation/index.ts";
import {
  type ComparedActual,
  type ComparedPartition,
  type ComparedPlan,
  type Comparison,
  comparisonCsv,
  comparisonSvg,
  partitionLabel,
} from "../../publish/report/index.ts";
import { lineRequest, type PlannedPoint, plansOf } from "./compare-plans.ts";
import { type CompareOptions, type CompareRequest, compareRequest, compareTexts } from "./compare-request.ts";
import { LOSS_PRESETS, refuseUnnamedMetric } from "./plan.ts";
import { readSource, type SourceReading } from "./read-source.ts";
import { boundsWarnings } from "./warnings/reading-warnings.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

export interface CompareRunOptions extends LongWorkOptions {
  /** A `.csv`, `.svg` or `.json` file. */
  readonly out?: string | undefined;
}

export interface CompareResult {
  readonly comparison: Comparison;
  /** What was noticed while reading, one for each partition. */
  readonly readings: ReadonlyArray<Omit<SourceReading, "occupancy">>;
}

/** Beyond so many records no values are invented: they would not fit into memory. */
const MOST_SIMULATED = 30_000_000;

/** Reads counts only: which strategy is better is told from guarantees and from invented values, never from real ones. */
export async function compare(
  source: string,
  given: CompareOptions,
  work: CompareRunOptions = {},
): Promise<CompareResult> {
  const options = compareTexts(given);
  const request = compareRequest(options);
  const requests = request.lines.map((line) => lineRequest(line, options));
  const first = itemAt(requests, 0);
  if (options.error !== undefined) refuseUnnamedMetric(options.error, options.metric, first.objective);
  const write = writerFor(work.out);
  await checkOut(work.out, source);
  const several = request.partitions.length > 1;
  const partitions: ComparedPartition[] = [];
  const plans: ComparedPlan[] = [];
  const readings: Array<Omit<SourceReading, "occupancy">> = [];
  for (const [index, records] of request.partitions.entries()) {
    const { occupancy, ...reading } = await readSource(source, records, work);
    const partition = describePartition(occupancy, records, first);
    const prefix = several ? `${partitionLabel(partition)}, ` : "";
    const planned = await plansOf(occupancy, request, options, { ...work, prefix, unproven: several });
    const actual = await actualOf(occupancy, planned, request, { ...work, prefix });
    plans.push(...planned.map((each, at) => describePlan(occupancy, each, index, itemAt(actual, at))));
    partitions.push(partition);
    readings.push({ ...reading, warnings: [...boundsWarnings(options), ...reading.warnings] });
  }
  const comparison: Comparison = {
    goal: request.goal,
    metric: first.objective.metric,
    statistics: first.objective.statistics.map(({ key }) => key),
    unit: options.unit === undefined ? null : escapeControls(options.unit),
    seed: request.seed,
    partitions,
    plans,
    models: itemAt(plans, 0).actual.length === 0 ? [] : VALUE_MODELS.map(({ name, meaning }) => ({ name, meaning })),
    presets: LOSS_PRESETS,
    suggestion: request.suggestion,
  };
  for (const file of readings.flatMap(({ records }) => records?.files ?? [])) await checkOut(work.out, file);
  await write?.(comparison, work.signal);
  return { comparison, readings };
}

type Writer = (comparison: Comparison, signal: AbortSignal | undefined) => Promise<void>;

function writerFor(out: string | undefined): Writer | undefined {
  if (out === undefined) return undefined;
  const ending = /\.[a-z]+$/i.exec(out)?.[0].toLowerCase();
  const render = {
    ".csv": comparisonCsv,
    ".svg": comparisonSvg,
    ".json": (comparison: Comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
  }[ending ?? ""];
  if (render === undefined)
    throw new VeilgridError(
      "USAGE",
      `--out ${quoteForMessage(out)}: what is written goes by the ending; use .csv, .svg or .json`,
    );
  return async (comparison, signal) => writeFileWhole(out, [await render(comparison)], signal);
}

function describePartition(
  occupancy: Occupancy,
  { h3, slot }: { readonly h3?: string | undefined; readonly slot?: string | undefined },
  { objective }: ReturnType<typeof lineRequest>,
): ComparedPartition {
  const worst = (errorOf: (total: number) => Rational): number =>
    occupancy.samplesOfGrid.reduce((most, total) => maximum(most, errorOf(total)), Rational.ZERO).toNumberNearest();
  return {
    h3: h3 ?? null,
    slot: slot ?? null,
    users: occupancy.users.length,
    grids: occupancy.grids.length,
    samples: occupancy.samples,
    dataFreeError: worst((total) => dataFreeError(objective, total)),
    dataFree: objective.statistics.map((statistic) => ({
      statistic: statistic.key,
      error: worst((total) => statistic.dataFreeError(total)),
    })),
  };
}

/** By plan: errors on the values of every model. */
async function actualOf(
  occupancy: Occupancy,
  planned: readonly PlannedPoint[],
  { seed }: CompareRequest,
  { signal, onProgress, prefix }: LongWorkOptions & { readonly prefix: string },
): Promise<ComparedActual[][]> {
  const found: ComparedActual[][] = planned.map(() => []);
  if (occupancy.samples > MOST_SIMULATED) return found;
  const of = VALUE_MODELS.length * planned.length;
  for (const [index, model] of VALUE_MODELS.entries()) {
    const values = simulateValues(occupancy, model, seed);
    for (const [at, { made }] of planned.entries()) {
      onProgress?.({ step: `${prefix}trying invented values`, done: index * planned.length + at, of });
      await checkpoint(signal);
      itemAt(found, at).push(...actualErrors(values, made).map((each) => ({ model: model.name, ...each })));
    }
  }
  return found;
}

function describePlan(
  occupancy: Occupancy,
  { line, asked, made }: PlannedPoint,
  partition: number,
  actual: readonly ComparedActual[],
): ComparedPlan {
  const { plan, evaluation } = made;
  const common = {
    partition,
    asked,
    ...line,
    epsilon: plan.strategy.epsilon?.toNumberNearest() ?? null,
    loss: plan.loss.toNumberNearest(),
    lossSimple: plan.lossSimple.toNumberNearest(),
    degradation: evaluation.kept.maxGridsPerUser(),
    leftOutShare: 1 - evaluation.kept.ofGrid.reduce((sum, kept) => sum + kept, 0) / occupancy.samples,
    actual,
  };
  if (evaluation.guarantees.every((each) => each === undefined)) {
    // The loss buys nothing anywhere, and the paper's estimator has no midpoints to fall back on.
    const statistics = plan.objective.statistics.map(({ key }) => ({
      statistic: key,
      worstError: null,
      typicalError: null,
      usefulGrids: 0,
    }));
    return { ...common, ...NOTHING, statistics };
  }
  const summary = summarisePlan(occupancy, made);
  const { worstError, typicalError = null } = summary;
  return {
    ...common,
    baselineLoss: worstError === null ? null : summary.baselineLoss,
    worstError,
    typicalError,
    boundOf: summary.boundOf,
    lowerBound: summary.lowerBound,
    gap: summary.gap,
    // A grid given up publishes midpoints, which is no better than midpoints.
    usefulGrids: summary.perGrid.filter(({ useful, kept }) => useful && kept > 0).length,
    statistics: summary.perStatistic.map((each) => ({
      statistic: each.statistic,
      worstError: worstError === null ? null : each.worstError,
      typicalError: each.typicalError?.average ?? null,
      usefulGrids: each.usefulGrids,
    })),
  };
}

const NOTHING = {
  baselineLoss: null,
  worstError: null,
  typicalError: null,
  boundOf: null,
  lowerBound: null,
  gap: null,
  usefulGrids: 0,
};
