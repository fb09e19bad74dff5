/** What the table is made of. */
import type { ContributionBounds } from "./bounding.js";
import type { INTERVALS } from "./node-peer.js";
import type { Peer } from "./peers.js";
import type { Coverage, Score, StatisticName } from "./score.js";

export interface Question {
  readonly statistics: readonly StatisticName[];
  readonly epsilon: number;
}

export interface Answered {
  readonly question: Question;
  readonly bounds: ContributionBounds | undefined;
  /** Average error of the mean as the sweep's model has it. */
  readonly expected: number | undefined;
  /** The most that what is left out can have moved the mean of a grid, whatever the values are. */
  readonly worstBias: number | undefined;
  /** That and the expected noise, of the worst grid. */
  readonly guaranteed: number | undefined;
  readonly repetitions: number;
  readonly scores: Scores | undefined;
  /** Of the same numbers, smoothed: balanced ones as they are published, others by our smoother. */
  readonly smoothed: Scores | undefined;
  /** Of balanced plans: how many passes, the average typical error that was stated, and the intervals. */
  readonly modelled: ModelledFacts | undefined;
  /** Of a balanced release, the first: means by grid. */
  readonly example: Readonly<Record<"published" | "smoothed", readonly number[]>> | undefined;
}

type Scores = Readonly<Partial<Record<StatisticName, Score>>>;

export interface ModelledFacts {
  readonly passes: number;
  readonly typical: Readonly<Partial<Record<StatisticName, number>>>;
  readonly coverage: Readonly<Partial<Record<StatisticName, Readonly<Record<(typeof INTERVALS)[number], Coverage>>>>>;
}

/** Best of the timed runs. */
export interface Timed {
  readonly version: string;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Processor seconds of parts. */
  readonly parts: Readonly<Record<string, number>> | undefined;
  readonly peakMegabytes: number;
  /** Processes that wanted a core before the timing began. */
  readonly load: number;
}

/** One peer on one dataset. */
export interface Measured {
  readonly peer: Peer;
  readonly dataset: string;
  /** Why it was not run. */
  readonly notRun: string | undefined;
  readonly timed: Timed | undefined;
  readonly answered: readonly Answered[];
}
