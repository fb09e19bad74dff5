/** Who takes part: programs, what they can be asked for, and what the sweep of their contribution bounds goes by. */
import { boundedLaplace, noiseScale } from "./bounded-laplace.js";
import type { ContributionBounds } from "./bounding.js";
import { presenceModel, type Splitting } from "./peer-model.js";
import type { StatisticName } from "./score.js";
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
  readonly estimator?: string;
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
    sweep: { release: presence("shared moments"), isAllowed: isTotal, goesBy: "truth" },
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
    sweep: { release: presence("separate queries"), isAllowed: isTotal, goesBy: "truth" },
  },
  {
    name: "diffprivlib",
    title: "diffprivlib, bounded by us",
    protects: "values",
    kind: "python",
    program: "diffprivlib",
    hasVariance: true,
    timedRuns: 3,
    sweep: { release: publicCounts, isAllowed: () => true, scale: publicScale, goesBy: "truth" },
  },
  {
    name: "bounded-laplace",
    title: "our baseline: bounded Laplace",
    protects: "values",
    kind: "node",
    program: "bounded-laplace-peer.js",
    hasVariance: true,
    timedRuns: 3,
    sweep: { release: publicCounts, isAllowed: () => true, scale: publicScale, goesBy: "truth" },
  },
  {
    name: "bounded-laplace-blind",
    title: "our baseline, bounds by guarantee",
    protects: "values",
    kind: "node",
    program: "bounded-laplace-peer.js",
    hasVariance: true,
    timedRuns: 3,
    sweep: { release: publicCounts, isAllowed: () => true, scale: publicScale, goesBy: "guarantee" },
  },
  {
    name: "veilgrid-centred",
    title: "veilgrid, centred",
    protects: "values",
    kind: "node",
    program: "veilgrid-peer.js",
    estimator: "centred",
    hasVariance: true,
    timedRuns: 2,
  },
  {
    name: "veilgrid-kept",
    title: "veilgrid, kept",
    protects: "values",
    kind: "node",
    program: "veilgrid-peer.js",
    estimator: "kept",
    hasVariance: true,
    timedRuns: 2,
  },
];
