/** A generated occupancy array of city size: heavy-tailed grids per user, geometric counts, seeded. */
import { type Occupancy, OccupancyBuilder } from "#core/occupancy";
import { geometric, SeededRandom } from "#evidence/simulation";

export interface HeavyTailedOptions {
  readonly users: number;
  readonly grids: number;
  readonly meanGridsPerUser: number;
  readonly mostGridsPerUser: number;
  /** Of the geometric counts. */
  readonly q: number;
  readonly seed: number;
}

/** P(grids per user = d) ∝ d^−α up to the most, with α such that the mean is as asked; grids drawn uniformly. */
export function heavyTailed(options: HeavyTailedOptions): Occupancy {
  const { users, grids, mostGridsPerUser } = options;
  const random = new SeededRandom(options.seed);
  const count = geometric(options.q, random);
  const cumulative = powerLaw(mostGridsPerUser, options.meanGridsPerUser);
  const builder = new OccupancyBuilder();
  const gridIds = Array.from(
    { length: grids },
    (_, grid) => `g${String(grid).padStart(String(grids - 1).length, "0")}`,
  );
  const digits = String(users - 1).length;
  for (let user = 0; user < users; user++) {
    const id = `u${String(user).padStart(digits, "0")}`;
    const drawn = new Set<number>();
    const wanted = 1 + lowerIndex(cumulative, random.uniform());
    while (drawn.size < wanted) drawn.add(random.below(grids));
    for (const grid of drawn) builder.add(id, gridIds[grid]!, count());
  }
  return builder.build().occupancy;
}

function powerLaw(most: number, mean: number): Float64Array {
  const weights = (exponent: number): number[] => Array.from({ length: most }, (_, at) => (at + 1) ** -exponent);
  const meanOf = (exponent: number): number => {
    const each = weights(exponent);
    return each.reduce((sum, weight, at) => sum + weight * (at + 1), 0) / each.reduce((sum, weight) => sum + weight, 0);
  };
  let low = 0;
  let high = 5;
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (meanOf(middle) > mean) low = middle;
    else high = middle;
  }
  const each = weights(high);
  const total = each.reduce((sum, weight) => sum + weight, 0);
  let below = 0;
  return Float64Array.from(each, (weight) => {
    below += weight / total;
    return below;
  });
}

function lowerIndex(cumulative: Float64Array, u: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
