/** Release: the one place where plan, engine, noise and ledger meet. */

export { addNoise, type NoisyStatistic } from "./add-noise.ts";
export { type ExactStatistic, type ExactStatistics, exactStatistics, type ValueLattice } from "./exact-statistics.ts";
export {
  charges,
  checksBefore,
  type ReleaseOutcome,
  release,
  releasedBefore,
  releasedText,
} from "./release.ts";
export type { ReleaseParties, ReleaseRequest } from "./request.ts";
export {
  gridText,
  headerText,
  NOT_PRIVATE,
  type ReleasedFeature,
  type ReleasedGrid,
  type ReleasedStatistic,
  type ReleaseHeader,
  type ReleaseResult,
  readResult,
  resultText,
  type WeightedGrid,
} from "./result.ts";
export { FeatureSums, featureRequest } from "./weighted/feature-sums.ts";
export { partsOf } from "./weighted/finish-weighted.ts";
export { lastNumbers } from "./weighted/last-pass.ts";
export { onLattice } from "./weighted/noisy-features.ts";
export { earlierNumbers, earlierParts, lastPass, partText, readPart } from "./weighted/passes.ts";
