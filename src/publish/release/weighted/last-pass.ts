/** The last pass in one grid: noisy features of averages clamped to their windows, with all that readers need to judge them. */
import { Rational } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import { type Feature, widthOf } from "../../../core/influence/index.ts";
import { scalesFor } from "../../../core/planning/index.ts";
import type { WeightedGrid } from "../result.ts";
import { clampingBias } from "./clamping-bias.ts";
import type { FeatureSums, Window } from "./feature-sums.ts";
import { addLaplace, type ExactNumbers } from "./noisy-features.ts";
import type { LastPass, PassRequest, Secrets } from "./passes.ts";

/** One grid's features before noise is added, averages clamped to the windows. */
export function lastNumbers(
  { plan, terms }: PassRequest,
  { part, features, windows }: Pick<LastPass, "part" | "features" | "windows">,
  grid: number,
  sums: FeatureSums,
): ExactNumbers[] {
  const own = itemAt(features, grid);
  const windowsHere = itemAt(windows, grid);
  const widths = own.map((feature, at) => windowWidth(feature, itemAt(windowsHere, at)));
  const scales = scalesFor(own, {
    ...{ ratios: terms.ratios, bounds: plan.objective.bounds, widths },
    rate: itemAt(terms.rates, grid).multiply(part),
  });
  return own.map((feature, at) => ({
    exact: sums.average(grid, feature, itemAt(windowsHere, at)),
    scale: itemAt(scales, at),
  }));
}

export function weightedGrid(request: PassRequest, last: LastPass, grid: number, secrets: Secrets): WeightedGrid {
  const { evaluation } = request;
  const { centres, features, windows, clamping } = last;
  const own = itemAt(features, grid);
  const windowsHere = itemAt(windows, grid);
  const numbers = lastNumbers(request, last, grid, secrets.sums);
  const distance = itemAt(evaluation.distances, grid);
  return {
    centre: itemAt(centres, grid),
    distance: windowsHere.every((window) => window === null) ? upwards(distance, Rational.ONE) : null,
    features: own.map((feature, at) => {
      const [noiseless, window] = [itemAt(numbers, at), itemAt(windowsHere, at)];
      const bias =
        window === null
          ? distance.multiply(feature.coordinates > 1 ? Rational.of(2) : widthOf(feature))
          : clampingBias(evaluation.weights, grid, feature, window);
      return {
        key: feature.key,
        ...addLaplace(noiseless, secrets.uniform),
        scale: noiseless.scale,
        bias: upwards(bias, widthOf(feature)),
        modelError: upwards(
          Rational.fromNumber(Math.hypot(evaluation.modelError[grid]!, itemAt(itemAt(clamping, grid), at))),
          Rational.ONE,
        ),
        window: window && ([window.low, window.high] as const),
      };
    }),
  };
}

const DIGITS = Rational.of(1n, 10n ** 12n);

/** As a decimal share of a unit, not below the number. */
function upwards(value: Rational, unit: Rational): Rational {
  return value.ceilToMultipleOf(unit.multiply(DIGITS));
}

function windowWidth(feature: Feature, window: Window | null): Rational {
  return window === null ? widthOf(feature) : window.high.subtract(window.low);
}
