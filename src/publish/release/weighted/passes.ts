/** The passes before the last of a weighted release: first numbers over whole ranges, then rings that tell how far users lie from them. */
import { maximum, Rational, sum } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import { type Feature, widthOf } from "../../../core/influence/index.ts";
import type { Uniform } from "../../../core/noise/index.ts";
import {
  type BalancedEvaluation,
  type BalancedTerms,
  FIRST_PART,
  middleOf,
  type Plan,
  RINGS,
  ringScale,
  scalesFor,
  wholeWidths,
  windowed,
} from "../../../core/planning/index.ts";
import { type Centre, type Centres, centresOf } from "./centres.ts";
import type { FeatureSums, Window } from "./feature-sums.ts";
import { addLaplace, numbersOf, passText, readPass } from "./noisy-features.ts";

/** Under these names a ledger keeps what is committed before the grids. No grid is called so: ids have `%25` for `%`. */
const FIRST_PASS = "%first pass";
const RINGS_PASS = "%rings";

/** The parts of a release that are charged and committed before its grids, in this order. */
export function earlierParts({ balanced }: Pick<Plan, "balanced">): readonly string[] {
  return balanced?.passes === 2 ? [FIRST_PASS, RINGS_PASS] : [];
}

/** What a pass is made from. */
export interface PassRequest {
  readonly plan: Plan;
  readonly terms: BalancedTerms;
  readonly evaluation: BalancedEvaluation;
}

/** Values, as exact sums, and the noise to hide them. */
export interface Secrets {
  readonly sums: FeatureSums;
  readonly uniform: Uniform;
}

/** Texts of parts that a ledger has committed, by part. */
export type Committed = ReadonlyMap<string, string>;

/** The text of an earlier part, made of those before it as they were committed (docs/mathematics.md, Theorem 17). */
export function earlierText(part: string, request: PassRequest, committed: Committed, secrets: Secrets): string {
  return part === FIRST_PASS ? firstPass(request, secrets) : rings(request, committed, secrets);
}

function firstPass(request: PassRequest, { sums, uniform }: Secrets): string {
  const { plan, evaluation } = request;
  const grids = plan.grids.map((_, grid) => {
    const scales = firstScales(request, grid);
    return evaluation.features.map((feature, at) =>
      addLaplace(sums.average(grid, feature, null), itemAt(scales, at), uniform),
    );
  });
  return passText("first", grids);
}

function firstScales({ plan, terms, evaluation: { features } }: PassRequest, grid: number): Rational[] {
  return scalesFor(features, {
    ...{ ratios: terms.ratios, bounds: plan.objective.bounds, widths: wholeWidths(features) },
    rate: itemAt(terms.rates, grid).multiply(FIRST_PART),
  });
}

function centresIn(request: PassRequest, committed: Committed): Centres {
  const numbers = readPass("first", committed.get(FIRST_PASS));
  return centresOf(request, {
    values: numbers.map((grid) => grid.map((each) => numbersOf(each))),
    scales: request.plan.grids.map((_, grid) => firstScales(request, grid)),
  });
}

/** Radii as shares of a feature's range, ascending; the last ring is everything beyond. */
const RADII = Array.from({ length: RINGS - 1 }, (_, ring) => {
  const power = BigInt(RINGS - 1 - ring);
  return Rational.of(7n ** power, 10n ** power);
});

/**
 * For every windowed feature one noisy histogram over all grids together: how much weight, in units of loss, lies in each ring
 * around its grid's centre. A user moves it by at most twice its loss (docs/mathematics.md, Theorem 17).
 */
function rings(request: PassRequest, committed: Committed, { sums, uniform }: Secrets): string {
  const { plan, terms, evaluation } = request;
  const centres = centresIn(request, committed);
  const scale = ringScale(evaluation.features);
  const histograms = windowed(evaluation.features).map((at) => {
    const totals = new Array<Rational>(RINGS).fill(Rational.ZERO);
    for (const grid of plan.grids.keys()) {
      const feature = itemAt(itemAt(centres.features, grid), at);
      const radii = RADII.map((radius) => radius.multiply(widthOf(feature)));
      const centre = centres.of(grid, at);
      const shares = sums.ringShares(grid, feature, centre.at, radii);
      for (const [ring, share] of shares.entries())
        totals[ring] = itemAt(totals, ring).add(share.multiply(itemAt(terms.rates, grid)));
    }
    return addLaplace(totals, scale, uniform);
  });
  return passText("rings", [histograms]);
}

/** Centres, features and windows of the last pass, by grid; a feature of bins has no window. */
export interface LastPass {
  readonly centres: readonly Rational[];
  readonly features: ReadonlyArray<readonly Feature[]>;
  readonly windows: ReadonlyArray<ReadonlyArray<Window | null>>;
}

/** Rings beyond a window hold at most this share of the weight, or so many times the noise of a ring if that is more. */
const LEFT_OUT = Rational.of(3, 100);
const NOISES_LEFT_OUT = Rational.of(4);

/** What the committed parts make of the last pass: the smallest radius that holds nearly all. */
export function lastPass(request: PassRequest, committed: Committed): LastPass {
  const { plan, evaluation, terms } = request;
  if (terms.passes === 1) {
    const none = evaluation.features.map(() => null);
    const middle = middleOf(plan.objective.bounds, plan.latticeStep);
    return {
      centres: plan.grids.map(() => middle),
      features: plan.grids.map(() => evaluation.features),
      windows: plan.grids.map(() => none),
    };
  }
  const centres = centresIn(request, committed);
  const [histograms = []] = readPass("rings", committed.get(RINGS_PASS));
  const all = sum(terms.rates);
  const scale = ringScale(evaluation.features);
  const most = maximum(LEFT_OUT.multiply(all), NOISES_LEFT_OUT.multiply(scale));
  const radii = new Map(
    windowed(evaluation.features).map((at, index) => [at, radiusOf(numbersOf(itemAt(histograms, index)), most)]),
  );
  const windows = plan.grids.map((_, grid) =>
    itemAt(centres.features, grid).map((feature, at) => {
      const radius = radii.get(at);
      return radius === undefined ? null : windowOf(feature, radius, centres.of(grid, at));
    }),
  );
  return { centres: centres.centres, features: centres.features, windows };
}

/** As a share of the range. Rings are added up from the outermost, where little weight lies: of few rings the noise is small. */
function radiusOf(weights: readonly Rational[], most: Rational): Rational {
  let radius = Rational.ONE;
  let beyond = Rational.ZERO;
  for (let ring = RADII.length; ring > 0; ring--) {
    beyond = beyond.add(itemAt(weights, ring));
    if (beyond.compare(most) > 0) break;
    radius = itemAt(RADII, ring - 1);
  }
  return radius;
}

/** The radius was asked around the same centres, so it holds their error; half of it is added for grids whose own is larger. */
const DEVIATIONS = Rational.of(1, 2);

/** Cut to the range. */
function windowOf(feature: Feature, radius: Rational, { at, deviation }: Centre): Window {
  const [low, high] = feature.range;
  const reach = radius.multiply(widthOf(feature)).add(deviation.multiply(DEVIATIONS));
  const [below, above] = [at.subtract(reach), at.add(reach)];
  return { low: below.compare(low) > 0 ? below : low, high: above.compare(high) < 0 ? above : high };
}
