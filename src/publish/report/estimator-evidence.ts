/** Says which estimator is better for which statistic at the same loss: by its guarantee, and by what it does on invented values. */
import { type ComparedPlan, type Comparison, errorOf, isUseful, smallest } from "./comparison.ts";

/** The frontier at one loss under both estimators, one statistic. */
export interface EstimatorPair {
  readonly statistic: string;
  /** As asked. */
  readonly loss: string;
  /** Worst guaranteed errors; null where some grid has no statistic. */
  readonly guaranteed: { readonly kept: number | null; readonly centred: number | null };
  /** Averages over the grids, by model. */
  readonly actual: ReadonlyArray<{ readonly model: string; readonly kept: number; readonly centred: number }>;
}

/** Over all losses and models. */
export interface EstimatorVerdict {
  readonly statistic: string;
  readonly losses: number;
  /** Losses at which the centred guarantee is the smaller one. */
  readonly guaranteedBetter: number;
  /** Losses times models. */
  readonly tries: number;
  /** Tries in which the centred estimator errs less. */
  readonly actuallyBetter: number;
  /** Geometric mean of centred over kept, of the actual errors. */
  readonly ratio: number;
  /** The largest such ratio, and of which model. */
  readonly unkindest: { readonly ratio: number; readonly model: string };
}

/** Empty unless both were tried at the same losses, on one partition. Where neither beats midpoints, nobody would publish: left out. */
export function estimatorPairs(comparison: Comparison): EstimatorPair[] {
  const { goal, partitions, plans, statistics, models } = comparison;
  if (goal !== "loss" || partitions.length > 1) return [];
  const frontier = plans.filter(({ strategy }) => strategy === "frontier");
  const pairs = frontier.flatMap((centred) => {
    const kept = frontier.find(({ estimator, asked }) => estimator === "kept" && asked === centred.asked);
    const isPair = centred.estimator === "centred" && kept !== undefined;
    return isPair && (isUseful(kept, comparison) || isUseful(centred, comparison)) ? [{ kept, centred }] : [];
  });
  return statistics.flatMap((statistic) =>
    pairs.map(({ kept, centred }) => ({
      statistic,
      loss: centred.asked,
      guaranteed: { kept: errorOf(kept, statistic), centred: errorOf(centred, statistic) },
      actual: models.map(({ name }) => ({
        model: name,
        kept: averageOf(kept, name, statistic),
        centred: averageOf(centred, name, statistic),
      })),
    })),
  );
}

export function estimatorVerdicts(pairs: readonly EstimatorPair[]): EstimatorVerdict[] {
  const statistics = [...new Set(pairs.map(({ statistic }) => statistic))];
  return statistics.flatMap((statistic): EstimatorVerdict[] => {
    const own = pairs.filter((pair) => pair.statistic === statistic);
    const tries = own.flatMap(({ actual }) => actual);
    const ratios = tries.map(({ kept, centred, model }) => ({ model, ratio: centred === kept ? 1 : centred / kept }));
    const unkindest = smallest(ratios, ({ ratio }) => -ratio);
    if (unkindest === undefined) return [];
    const isBetter = ({ guaranteed: { kept, centred } }: EstimatorPair): boolean =>
      (centred ?? Infinity) < (kept ?? Infinity);
    return [
      {
        statistic,
        losses: own.length,
        guaranteedBetter: own.filter(isBetter).length,
        tries: tries.length,
        actuallyBetter: tries.filter(({ kept, centred }) => centred < kept).length,
        ratio: Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length),
        unkindest,
      },
    ];
  });
}

function averageOf({ actual }: ComparedPlan, model: string, statistic: string): number {
  return actual.find((each) => each.model === model && each.statistic === statistic)?.average ?? NaN;
}
