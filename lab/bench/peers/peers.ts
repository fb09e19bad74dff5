/** Who takes part: programs, what they can be asked for, and what the sweep of their contribution bounds goes by. */
import { boundedLaplace, noiseScale } from "./bounded-laplace.js";
import type { ContributionBounds } from "./bounding.js";
import { LOWER, UPPER } from "./datasets.js";
import { presenceModel, presenceVariance, type Splitting } from "./peer-model.js";
import type { StatisticName } from "./score.js";
import type { NoiseVariance } from "./smoothing.js";
import type { Release, Scale } from "./sweep.js";

export interface Peer {
  readonly name: string;
  readonly title: string;
  /** What two neighbouring datasets may differ in. */
  readonly protects: "presence and values" | "values";
  /** A Python peer's script and list of packages are `python/NAME_peer.py` and `python/NAME.txt`. */
  readonly kind: "python" | "node";
  readonly program: string;
  readonly needsJava?: boolean;
  /** Options of our plan. */
  readonly plan?: Readonly<Record<string, string>>;
  /** Where its errors are shown: beside the others', or as a share of our default's. */
  readonly isVariant?: boolean;
  readonly hasVariance: boolean;
  /** At most so many repetitions; as many as everybody else if absent. */
  readonly mostRepetitions?: number;
  readonly timedRuns: number;
  readonly isSlow?: boolean;
  /** Absent where bounds are the plan's business. */
  readonly sweep?: {
    readonly release: (epsilon: number, statistics: readonly StatisticName[]) => Release;
    readonly isAllowed: (bounds: ContributionBounds, statistics: readonly StatisticName[]) => boolean;
    /** Noise that is known beforehand, because counts are public. */
    readonly scale?: (epsilon: number, statistics: readonly StatisticName[]) => Scale;
    /** Of a number's noise, as far as the peer's parameters tell; for smoothing. */
    readonly variance: (epsilon: number, statistics: readonly StatisticName[]) => NoiseVariance;
    readonly goesBy: "truth" | "guarantee";
  };
}

const isTotal = (bounds: ContributionBounds): boolean => "total" in bounds;

const presence =
  (splitting: Splitting) =>
  (epsilon: number, statistics: readonly StatisticName[]): Release =>
  (moments, bounds, random) =>
    presenceModel(moments, { bounds, epsilon, statistics, splitting }, random);

const publicCounts =
  (epsilon: number, statistics: readonly StatisticName[]): Release =>
  (moments, bounds, random) =>
    boundedLaplace(moments, { bounds, epsilon, statistics }, random);

const publicScale =
  (epsilon: number, statistics: readonly StatisticName[]): Scale =>
  (statistic, of) =>
    noiseScale(statistic, of, epsilon / statistics.length);

const publicVariance =
  (epsilon: number, statistics: readonly StatisticName[]): NoiseVariance =>
  (statistic, { kept, largest, bounds }) =>
    2 * publicScale(epsilon, statistics)(statistic, { kept, largest, bounds }) ** 2;

const presenceNoise =
  (splitting: Splitting) =>
  (epsilon: number, statistics: readonly StatisticName[]): NoiseVariance =>
  (statistic, of) =>
    presenceVariance(statistic, { ...of, epsilon, isAlone: statistics.length === 1, splitting });

const counted = { release: publicCounts, isAllowed: () => true, scale: publicScale, variance: publicVariance } as const;

/** So many times our default spreads. */
function spread(factor: number): string {
  const share = (part: number): string => (((UPPER - LOWER) / part) * factor).toFixed(6);
  return `users=${share(32)},records=${share(16)},trend=${share(64)}`;
}

const ours = { protects: "values", kind: "node", program: "veilgrid-peer.js", hasVariance: true } as const;

export const PEERS: readonly Peer[] = [
  {
    name: "pipelinedp",
    title: "PipelineDP",
    protects: "presence and values",
    kind: "python",
    program: "pipelinedp",
    hasVariance: true,
    timedRuns: 3,
    sweep: {
      release: presence("shared moments"),
      // It refuses totals for the variance.
      isAllowed: (bounds, statistics) => statistics.length === 1 || !isTotal(bounds),
      variance: presenceNoise("shared moments"),
      goesBy: "truth",
    },
  },
  {
    name: "opendp",
    title: "OpenDP, Polars",
    protects: "presence and values",
    kind: "python",
    program: "opendp",
    hasVariance: false,
    timedRuns: 3,
    sweep: {
      release: presence("shared moments"),
      isAllowed: isTotal,
      variance: presenceNoise("shared moments"),
      goesBy: "truth",
    },
  },
  {
    name: "tumult",
    title: "Tumult Analytics",
    protects: "presence and values",
    kind: "python",
    program: "tumult",
    needsJava: true,
    hasVariance: true,
    mostRepetitions: 3,
    timedRuns: 2,
    isSlow: true,
    sweep: {
      release: presence("separate queries"),
      isAllowed: isTotal,
      variance: presenceNoise("separate queries"),
      goesBy: "truth",
    },
  },
  {
    name: "diffprivlib",
    title: "diffprivlib, bounded by us",
    protects: "values",
    kind: "python",
    program: "diffprivlib",
    hasVariance: true,
    timedRuns: 3,
    sweep: { ...counted, goesBy: "truth" },
  },
  {
    name: "bounded-laplace",
    title: "our baseline: bounded Laplace",
    protects: "values",
    kind: "node",
    program: "bounded-laplace-peer.js",
    hasVariance: true,
    timedRuns: 3,
    sweep: { ...counted, goesBy: "truth" },
  },
  {
    name: "bounded-laplace-blind",
    title: "our baseline, bounds by guarantee",
    protects: "values",
    kind: "node",
    program: "bounded-laplace-peer.js",
    hasVariance: true,
    timedRuns: 3,
    sweep: { ...counted, goesBy: "guarantee" },
  },
  { ...ours, name: "veilgrid-balanced", title: "veilgrid, balanced", plan: {}, timedRuns: 2 },
  { ...ours, name: "veilgrid-one-pass", title: "veilgrid, balanced, one pass", plan: { passes: "1" }, timedRuns: 2 },
  {
    ...ours,
    name: "veilgrid-two-passes",
    title: "veilgrid, balanced, two passes",
    plan: { passes: "2" },
    timedRuns: 2,
  },
  {
    ...ours,
    name: "veilgrid-centred",
    title: "veilgrid, frontier, centred",
    plan: { strategy: "frontier", estimator: "centred" },
    timedRuns: 2,
  },
  {
    ...ours,
    name: "veilgrid-kept",
    title: "veilgrid, frontier, kept",
    plan: { strategy: "frontier", estimator: "kept" },
    timedRuns: 2,
  },
  ...[["smaller", 1 / 3] as const, ["larger", 3] as const].map(([how, factor]) => ({
    ...{ ...ours, hasVariance: false, isVariant: true, mostRepetitions: 20, timedRuns: 0 },
    name: `veilgrid-spread-${how}`,
    title: `spread three times ${how}`,
    plan: { spread: spread(factor) },
  })),
];
