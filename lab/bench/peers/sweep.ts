/** Choosing contribution bounds: by looking at the truth, which no curator can, or by the guarantee, which anyone can who knows the counts. */
import { SeededRandom } from "#evidence/simulation";
import { varianceInfluence } from "./bounded-laplace.js";
import { type ContributionBounds, candidateBounds, type KeptMoments, keptMoments } from "./bounding.js";
import { type Dataset, LOWER, truthOf, UPPER } from "./datasets.js";
import { DATA_FREE, type Estimates, type StatisticName, score } from "./score.js";

const DRAWS = 25;

/** One release of what was kept. */
export type Release = (moments: KeptMoments, bounds: ContributionBounds, random: SeededRandom) => Estimates;

export interface Swept {
  readonly bounds: ContributionBounds;
  readonly moments: KeptMoments;
  /** Average error of the mean, as the sweep saw it; undefined where it did not look. */
  readonly expected: number | undefined;
  /** The most that what is left out can have moved the mean of a grid, whatever the values are. */
  readonly worstBias: number;
  /** That and the expected noise, of the worst grid; undefined where counts are not public. */
  readonly guaranteed: number | undefined;
}

/** The noise of a grid's statistic, where it is known beforehand. */
export type Scale = (
  statistic: StatisticName,
  of: { kept: number; largest: number; bounds: ContributionBounds },
) => number;

export interface SweepRequest {
  readonly statistics: readonly StatisticName[];
  readonly isAllowed: (bounds: ContributionBounds) => boolean;
  readonly scale?: Scale | undefined;
}

interface Candidate {
  readonly bounds: ContributionBounds;
  readonly moments: KeptMoments;
}

/** Keeps what every candidate keeps, so that several sweeps of a dataset read its records once. */
export class Sweep {
  readonly #kept: readonly Candidate[];
  readonly #records: Float64Array;
  readonly #truth: Readonly<Record<StatisticName, readonly number[]>>;

  constructor(dataset: Dataset) {
    this.#truth = truthOf(dataset);
    this.#records = keptMoments(dataset, { total: dataset.value.length }).count;
    this.#kept = candidateBounds(dataset).map((bounds) => ({ bounds, moments: keptMoments(dataset, bounds) }));
  }

  /** The smallest average error, as a share of the data-free one, over the statistics. */
  byTruth(release: Release, { statistics, isAllowed, scale }: SweepRequest): Swept {
    return this.#smallest(isAllowed, ({ bounds, moments }) => {
      const random = new SeededRandom(1);
      const draws = Array.from({ length: DRAWS }, () => release(moments, bounds, random));
      const errors = statistics.map((statistic) => {
        const given = draws.map((draw) => draw[statistic]!);
        return score(statistic, this.#truth[statistic], given).average;
      });
      return {
        value: errors.reduce((sum, error, at) => sum + error / DATA_FREE[statistics[at]!], 0),
        swept: { bounds, moments, expected: errors[0]!, ...this.#promises(moments, bounds, scale) },
      };
    });
  }

  /** The smallest guaranteed error of the worst grid, in the relative metric: what a plan of ours is made for. */
  byGuarantee(scale: Scale, { statistics, isAllowed }: SweepRequest): Swept {
    return this.#smallest(isAllowed, ({ bounds, moments }) => ({
      value: Math.max(
        ...statistics.map((statistic) => this.#guaranteed(statistic, moments, bounds, scale) / DATA_FREE[statistic]),
      ),
      swept: { bounds, moments, expected: undefined, ...this.#promises(moments, bounds, scale) },
    }));
  }

  #smallest(
    isAllowed: (bounds: ContributionBounds) => boolean,
    judge: (candidate: Candidate) => { value: number; swept: Swept },
  ): Swept {
    const judged = this.#kept.filter(({ bounds }) => isAllowed(bounds)).map(judge);
    return judged.reduce((best, each) => (each.value < best.value ? each : best)).swept;
  }

  #promises(moments: KeptMoments, bounds: ContributionBounds, scale: Scale | undefined) {
    return {
      worstBias: this.#guaranteed("mean", moments, bounds, () => 0),
      guaranteed: scale && this.#guaranteed("mean", moments, bounds, scale),
    };
  }

  /** A grid of which nothing is kept publishes the middle. */
  #guaranteed(statistic: StatisticName, moments: KeptMoments, bounds: ContributionBounds, scale: Scale): number {
    const unit = statistic === "mean" ? UPPER - LOWER : (UPPER - LOWER) ** 2;
    const errors = Array.from(this.#records, (records, grid) => {
      const [kept, largest] = [moments.count[grid]!, moments.largest[grid]!];
      if (kept === 0) return DATA_FREE[statistic];
      const leftOut = statistic === "mean" ? (records - kept) / records : varianceInfluence(records - kept, records);
      return unit * leftOut + scale(statistic, { kept, largest, bounds });
    });
    return Math.max(...errors);
  }
}
