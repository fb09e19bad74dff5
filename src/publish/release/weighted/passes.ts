/** The passes before the last of a weighted release: first numbers over whole ranges, then rings that tell how far users lie from them. */
import { maximum, Rational, sum } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import { type Feature, widthOf } from "../../../core/influence/index.ts";
import type { Uniform } from "../../../core/noise/index.ts";
import {
  type BalancedEvaluation,
  type BalancedTerms,
  firstPart,
  isFew,
  lastPart,
  middleOf,
  type Plan,
  RINGS,
  ringScale,
  scalesFor,
  stepExponentFor,
  wholeWidths,
  windowed,
} from "../../../core/planning/index.ts";
import type { Neighbours } from "../../../core/smoothing/index.ts";
import { FIRST_PASS, RINGS_PASS } from "../../ledger/index.ts";
import { type Centre, type Centres, centresOf } from "./centres.ts";
import type { FeatureSums, Window } from "./feature-sums.ts";
import { addLaplace, type ExactNumbers, type LatticeNumbers, numbersOf, passText, readPass } from "./noisy-features.ts";

/** The parts of a release that are charged and committed before its grids, in this order. */
export function earlierParts({ balanced }: Pick<Plan, "balanced">): readonly string[] {
  return balanced?.passes === 2 ? [FIRST_PASS, RINGS_PASS] : [];
}

/** What a pass is made from. */
export interface PassRequest {
  readonly plan: Plan;
  readonly terms: BalancedTerms;
  readonly evaluation: BalancedEvaluation;
  /** Which grids lie beside each other, where they have places. */
  readonly neighbours?: Neighbours | undefined;
}

/** Values, as exact sums, and the noise to hide them. */
export interface Secrets {
  readonly sums: FeatureSums;
  readonly uniform: Uniform;
}

/** Texts of parts that a ledger has committed, by part. */
export type Committed = ReadonlyMap<string, string>;

/** The text of an earlier part, made of those before it as they were committed (docs/mathematics.md, Theorem 17). */
export function earlierText(
  part: string,
  request: PassRequest,
  committed: Committed,
  { sums, uniform }: Secrets,
): string {
  const numbers = earlierNumbers(part, request, committed, sums);
  return partText(
    part,
    numbers.map((row) => row.map((each) => addLaplace(each, uniform))),
  );
}

/** The same before noise is added: what only an auditor of known values looks at. */
export function earlierNumbers(
  part: string,
  request: PassRequest,
  committed: Committed,
  sums: FeatureSums,
): ExactNumbers[][] {
  return part === FIRST_PASS ? firstNumbers(request, sums) : [rings(request, committed, sums)];
}

function passOf(part: string): string {
  return part === FIRST_PASS ? "first" : "rings";
}

export function partText(part: string, numbers: ReadonlyArray<readonly LatticeNumbers[]>): string {
  return passText(passOf(part), numbers);
}

/** The noisy numbers of an earlier part. */
export function readPart(part: string, committed: Committed): LatticeNumbers[][] {
  return readPass(passOf(part), committed.get(part));
}

function firstNumbers(request: PassRequest, sums: FeatureSums): ExactNumbers[][] {
  const { features } = request.evaluation;
  return firstScales(request).map((scales, grid) =>
    features.map((feature, at) => ({ exact: sums.average(grid, feature, null), scale: itemAt(scales, at) })),
  );
}

/** By grid and feature. */
function firstScales({ plan, terms, evaluation: { features } }: PassRequest): Rational[][] {
  const part = firstPart(terms);
  const given = { ratios: terms.ratios, bounds: plan.objective.bounds, widths: wholeWidths(features) };
  return terms.rates.map((rate) => scalesFor(features, { ...given, rate: rate.multiply(part) }));
}

function centresIn(request: PassRequest, committed: Committed): Centres {
  const numbers = readPart(FIRST_PASS, committed);
  return centresOf(request, {
    values: numbers.map((grid) => grid.map((each) => numbersOf(each))),
    scales: firstScales(request),
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
function rings(request: PassRequest, committed: Committed, sums: FeatureSums): ExactNumbers[] {
  const { plan, terms, evaluation } = request;
  const centres = centresIn(request, committed);
  const scale = ringScale(evaluation.features);
  return windowed(evaluation.features).map((at) => {
    const step = Rational.powerOfTwo(stepExponentFor(scale));
    const steps = new Array<bigint>(RINGS).fill(0n);
    for (const grid of plan.grids.keys()) {
      const feature = itemAt(itemAt(centres.features, grid), at);
      const radii = RADII.map((radius) => radius.multiply(widthOf(feature)));
      const centre = centres.of(grid, at);
      const shares = sums.ringShares(grid, feature, centre.at, radii);
      const perStep = itemAt(terms.rates, grid).divide(step);
      // Rounded grid by grid, which a user pays for in each of its grids: exact sums of so many fractions grow long.
      for (const [ring, share] of shares.entries())
        steps[ring] = itemAt(steps, ring) + share.multiply(perStep).roundHalfUpToInteger();
    }
    return { exact: steps.map((each) => step.multiply(Rational.of(each))), scale };
  });
}

/** Centres, features and windows of the last pass, by grid; a feature of bins has no window. */
export interface LastPass {
  /** Of the loss, what it spends. */
  readonly part: Rational;
  readonly centres: readonly Rational[];
  readonly features: ReadonlyArray<readonly Feature[]>;
  readonly windows: ReadonlyArray<ReadonlyArray<Window | null>>;
  /** By grid and feature, what clamping typically puts it off, as a share of its range. */
  readonly clamping: ReadonlyArray<readonly number[]>;
}

/** Rings beyond a window hold at most this share of the weight, or so many times the noise of a ring if that is more. */
const LEFT_OUT = Rational.of(3, 100);
const NOISES_LEFT_OUT = Rational.of(4);

/** What the committed parts make of the last pass: the smallest radius that holds nearly all, widened by how unsure the centre is. */
export function lastPass(request: PassRequest, committed: Committed): LastPass {
  const { plan, evaluation, terms } = request;
  const part = lastPart(terms);
  const middle = middleOf(plan.objective.bounds, plan.latticeStep);
  const around = { centres: plan.grids.map(() => middle), features: plan.grids.map(() => evaluation.features) };
  if (terms.passes === 1) {
    const none = evaluation.features.map(() => null);
    return {
      part,
      ...around,
      windows: plan.grids.map(() => none),
      clamping: plan.grids.map(() => evaluation.features.map(() => 0)),
    };
  }
  const centres = centresIn(request, committed);
  const [histograms = []] = readPart(RINGS_PASS, committed);
  const all = sum(terms.rates);
  const scale = ringScale(evaluation.features);
  const most = maximum(LEFT_OUT.multiply(all), NOISES_LEFT_OUT.multiply(scale));
  const radii = new Map(
    windowed(evaluation.features).map((at, index) => [at, radiusOf(numbersOf(itemAt(histograms, index)), most)]),
  );
  // Rings are asked around the same centres, so where their noise is small the radius holds half of the centres' error and more.
  const room = isFew(terms) ? Rational.ONE : Rational.of(1, 2);
  // Squares around the middle have the smallest range: another centre is better only with a window.
  const isWhole = centres.moved.some((at) => radii.get(at)?.radius.equals(Rational.ONE));
  const { features } = isWhole ? around : centres;
  const windows = plan.grids.map((_, grid) =>
    itemAt(features, grid).map((feature, at) => {
      const found = radii.get(at);
      return found === undefined ? null : windowOf(feature, found.radius, { ...centres.of(grid, at), room });
    }),
  );
  const alike = evaluation.weights.concentrations();
  const clamping = plan.grids.map((_, grid) =>
    itemAt(features, grid).map((feature, at) => {
      const found = radii.get(at);
      if (found === undefined) return 0;
      const outside = found.beyond.add(scale).divide(all).toNumberNearest();
      const share = Math.min(1, Math.max(LEFT_OUT.toNumberNearest(), outside));
      const deviation = centres.of(grid, at).deviation.divide(widthOf(feature)).toNumberNearest();
      // Where the centre is off, so is what is clamped to the window; and by chance more lies beyond one end than the other.
      return Math.hypot(share * deviation, Math.sqrt(share * alike[grid]!) * (found.radius.toNumberNearest() / 2));
    }),
  );
  return { part, centres: (isWhole ? around : centres).centres, features, windows, clamping };
}

/** The radius as a share of the range, and the weight beyond it. Rings are added up from the outermost, where little lies: of few rings the noise is small. */
function radiusOf(weights: readonly Rational[], most: Rational) {
  let found = { radius: Rational.ONE, beyond: Rational.ZERO };
  for (let ring = RADII.length; ring > 0; ring--) {
    const beyond = found.beyond.add(itemAt(weights, ring));
    if (beyond.compare(most) > 0) break;
    found = { radius: itemAt(RADII, ring - 1), beyond };
  }
  return found;
}

/** Cut to the range. */
function windowOf(
  feature: Feature,
  radius: Rational,
  { at, deviation, room }: Centre & { readonly room: Rational },
): Window {
  const [low, high] = feature.range;
  const reach = radius.multiply(widthOf(feature)).add(deviation.multiply(room));
  const [below, above] = [at.subtract(reach), at.add(reach)];
  return { low: below.compare(low) > 0 ? below : low, high: above.compare(high) < 0 ? above : high };
}
