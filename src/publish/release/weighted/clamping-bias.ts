/** The worst case of a window: how far clamped and weighted averages can lie from the records' own, whatever the values are. */
import { maximum, Rational } from "../../../core/arithmetic/index.ts";
import { itemAt } from "../../../core/errors/index.ts";
import type { Feature } from "../../../core/influence/index.ts";
import type { Weights } from "../../../core/occupancy/index.ts";
import { leastCommon, type Window } from "./feature-sums.ts";

/**
 * How far Σ a·clamp(y) can lie from Σ p·y, whatever the users' averages y are: the larger of Σ max (p·y − a·clamp(y)) and
 * Σ max (a·clamp(y) − p·y), whose extremes lie at the ends of the range and the window (docs/mathematics.md, Theorem 16).
 */
export function clampingBias(weights: Weights, grid: number, { range }: Feature, { low, high }: Window): Rational {
  const { byGrid, byUser, samplesOfGrid } = weights.occupancy;
  const points = [...range, low, high];
  const unit = points.reduce((common, { denominator }) => leastCommon(common, denominator), 1n);
  const whole = points.map(({ numerator, denominator }) => (numerator * unit) / denominator);
  const [from, to, least, most] = whole as [bigint, bigint, bigint, bigint];
  const total = BigInt(samplesOfGrid[grid]!);
  const weight = itemAt(weights.ofGrid, grid);
  let [above, below] = [0n, 0n];
  for (let position = byGrid.start[grid]!; position < byGrid.start[grid + 1]!; position++) {
    const entry = byGrid.entry[position]!;
    const share = BigInt(byUser.count[entry]!) * weight;
    const own = BigInt(weights.amount(entry)) * total;
    const differences = [
      share * from - own * least,
      share * least - own * least,
      share * most - own * most,
      share * to - own * most,
    ];
    let [largest, smallest] = [itemAt(differences, 0), itemAt(differences, 0)];
    for (const difference of differences) {
      if (difference > largest) largest = difference;
      if (difference < smallest) smallest = difference;
    }
    above += largest;
    below -= smallest;
  }
  return maximum(Rational.of(above, total * weight * unit), Rational.of(below, total * weight * unit));
}
