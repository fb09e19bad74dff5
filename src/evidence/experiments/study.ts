/** A subject of the paper's experiments: everything measured on it, draw by draw, and the ε at which it is measured. */
import { itemAt } from "../../core/errors/index.ts";
import type { SubjectName } from "../../publish/report/index.ts";
import type { ClippedPoint, FrontierPoint } from "./measure.ts";

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

/** Ten draws as one number and how far apart they lie. */
export type Spread = ReturnType<typeof spreadOf>;

/** At which ε a subject is looked at: as the paper does, and ten times further, where guarantees begin to be worth something. */
export function epsilonRange(subject: SubjectName) {
  const most = subject === "city" ? 2 : 1;
  return {
    paper: preferredNumbers(20, 0.1, most),
    /** Those of the second set; the paper's part of them is in `paper`, too. */
    beyond: preferredNumbers(10, 0.1, 10 * most),
    /** The frontier's error takes longest to find. */
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
    const values = draws.flatMap((points) => value(at(points, epsilon)) ?? []);
    return values.length < draws.length ? null : spreadOf(values);
  });
}

/** What does not depend on ε stands in every point of a study. */
export function firstPoint({ clipped }: Study): ClippedPoint {
  return itemAt(itemAt(clipped, 0), 0);
}

function at<Point extends { readonly epsilon: number }>(points: readonly Point[], epsilon: string): Point {
  return itemAt(
    points,
    points.findIndex((point) => point.epsilon === Number(epsilon)),
  );
}

/** E goes with 1/ε: the ε below which it is no better than publishing midpoints, on average over the draws. */
export function worthlessBelow({ clipped }: Study): number {
  const ratios = clipped.map((points) => {
    const { errorBefore, epsilon, dataFreeError } = itemAt(points, 0);
    return (errorBefore * epsilon) / dataFreeError;
  });
  return spreadOf(ratios).mean;
}

/** The mean of some numbers, and the smallest and largest of them. */
function spreadOf(values: readonly number[]) {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: Math.min(...values),
    high: Math.max(...values),
  };
}

/** The preferred numbers of ISO 3, evenly spaced on a logarithmic axis to within rounding, and short to write down. The R20 series: twenty steps from 1 up to 10. R10 takes every second of them, R5 every fourth. */
const R20 = [
  "1.00 1.12 1.25 1.40 1.60 1.80 2.00 2.24 2.50 2.80",
  "3.15 3.55 4.00 4.50 5.00 5.60 6.30 7.10 8.00 9.00",
].flatMap((line) => line.split(" "));

/** Those within [from, to], ascending, as exact decimals without trailing zeros. */
export function preferredNumbers(series: 5 | 10 | 20, from: number, to: number): string[] {
  const found: string[] = [];
  for (let power = Math.floor(Math.log10(from)) - 1; power <= Math.ceil(Math.log10(to)); power++) {
    for (let step = 0; step < R20.length; step += R20.length / series) {
      const text = shifted(itemAt(R20, step), power);
      if (Number(text) >= from && Number(text) <= to) found.push(text);
    }
  }
  return found;
}

/** "1.25" times ten to a power, in text. */
function shifted(text: string, power: number): string {
  const digits = text.replace(".", "");
  const point = 1 + power;
  const padded = point <= 0 ? `${"0".repeat(1 - point)}${digits}` : digits.padEnd(point, "0");
  const whole = point <= 0 ? "0" : padded.slice(0, point);
  const rest = padded.slice(whole.length).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
