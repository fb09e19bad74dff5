/** A subject of the paper's experiments with all that was measured on it, draw by draw. */
import type { SubjectName } from "../../publish/report/index.ts";
import type { ClippedPoint, FrontierPoint } from "./measure.ts";
import { preferredNumbers } from "./preferred-numbers.ts";
import { type Spread, spreadOf } from "./spread.ts";

export interface Study {
  readonly subject: SubjectName;
  /** Short, for titles: `γ = 3`. */
  readonly name: string;
  /** For subtitles: `synthetic, 4,095 users in 12 grids, ten draws`. */
  readonly about: string;
  /** What values are measured in; "" if unknown. */
  readonly unit: string;
  /** One per draw, each with the same ε; the city is one. */
  readonly clipped: ReadonlyArray<readonly ClippedPoint[]>;
  /** Empty until the frontier was asked. */
  readonly frontier: ReadonlyArray<readonly FrontierPoint[]>;
}

/** At which ε a subject is looked at: as the paper does, and ten times further, where guarantees begin to be worth something. */
export interface EpsilonRange {
  readonly paper: readonly string[];
  /** Those of the second set; the paper's part of them is in `paper`, too. */
  readonly beyond: readonly string[];
  /** The frontier's error takes longest to find. */
  readonly frontierErrors: readonly string[];
}

export function epsilonRange(subject: SubjectName): EpsilonRange {
  const most = subject === "city" ? 2 : 1;
  return {
    paper: preferredNumbers(20, 0.1, most),
    beyond: preferredNumbers(10, 0.1, 10 * most),
    frontierErrors: preferredNumbers(5, 0.1, 10 * most),
  };
}

/** One quantity at every ε wanted: mean and spread over the draws. */
export function series(
  draws: ReadonlyArray<readonly ClippedPoint[]>,
  epsilons: readonly string[],
  value: (point: ClippedPoint) => number,
): Spread[] {
  return epsilons.map((epsilon) => spreadOf(draws.map((points) => value(at(points, epsilon)))));
}

/** As `series`; null where the frontier was not asked. */
export function frontierSeries(
  draws: ReadonlyArray<readonly FrontierPoint[]>,
  epsilons: readonly string[],
  value: (point: FrontierPoint) => number | null,
): Array<Spread | null> {
  return epsilons.map((epsilon) => {
    const values = draws.map((points) => value(at(points, epsilon)));
    return values.some((each) => each === null) ? null : spreadOf(values.map((each) => each!));
  });
}

function at<Point extends { readonly epsilon: number }>(points: readonly Point[], epsilon: string): Point {
  return points.find((point) => point.epsilon === Number(epsilon))!;
}

/** E goes with 1/ε: the ε below which it is no better than publishing midpoints, on average over the draws. */
export function worthlessBelow({ clipped }: Study): number {
  const { mean } = spreadOf(clipped.map(([first]) => (first!.errorBefore * first!.epsilon) / first!.dataFreeError));
  return mean;
}
