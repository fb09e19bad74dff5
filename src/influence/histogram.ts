/** The shares of B public bins: j of n samples move them by at most 2·j/n in all, and each bin gets its own noise. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { Bounds } from "./bounds.ts";
import type { EstimatorName } from "./estimator.ts";
import { fractionShape } from "./shape.ts";
import type { Statistic } from "./statistic.ts";

export interface HistogramStatistic extends Statistic {
  readonly kind: "histogram";
  /** Ascending cut points strictly inside the bounds; a value at a cut belongs to the bin above it. */
  readonly cuts: readonly Rational[];
}

/** `text` is what follows `histogram:`, edges joined by `/`. Edges at the bounds themselves cut nothing off. */
export function histogramStatistic(
  text: string,
  bounds: Bounds,
  estimator: EstimatorName = "kept",
): HistogramStatistic {
  const edges = text.split("/").map((edge) => parseDecimal(edge, "--statistics histogram"));
  edges.forEach((edge, index) => {
    const ascending = index === 0 || edge.compare(edges[index - 1]!) > 0;
    if (!ascending || edge.compare(bounds.lower) < 0 || edge.compare(bounds.upper) > 0) {
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `--statistics ${quoteForMessage(`histogram:${text}`)}: edges must ascend within the bounds ${bounds.lower.toShortString()},${bounds.upper.toShortString()}`,
      );
    }
  });
  const cuts = edges.filter((edge) => edge.compare(bounds.lower) > 0 && edge.compare(bounds.upper) < 0);
  if (cuts.length === 0) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--statistics ${quoteForMessage(`histogram:${text}`)} has one bin only; give an edge inside the bounds`,
    );
  }
  const bins = cuts.length + 1;
  const centred = estimator === "centred";
  const dataFreeError = Rational.of(2 * (bins - 1), bins);
  return {
    kind: "histogram",
    key: `histogram:${text}`,
    identity: `histogram:${cuts.join("/")}`,
    cuts,
    estimator,
    shape: fractionShape,
    scaledByKeptShare: centred,
    sensitivityFactor: Rational.of(2),
    biasFactor: centred ? dataFreeError : Rational.of(2),
    coordinates: bins,
    dataFreeError: () => dataFreeError,
    latticeError: () => Rational.ZERO,
  };
}
