/** The paper's synthetic occupancy model: few users in many grids, many in few, geometric counts, one inflated user per grid. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type Occupancy, OccupancyBuilder } from "../../core/occupancy/index.ts";
import { SeededRandom } from "./seeded-random.ts";

const USERS_PER_REPORT = 1 << 15;

export interface SyntheticOptions {
  /** In each grid the largest count is multiplied by 1 + γ. */
  readonly gamma: number;
  /** Counts are Geometric(q) on {1, 2, …}. */
  readonly q: number;
  readonly seed: number;
  /** G; there are 2^G − 1 users. */
  readonly grids?: number | undefined;
}

/** User ℓ ∈ [2^j, 2^(j+1) − 1] occupies exactly G − j grids, drawn uniformly without replacement. */
export function synthesise(options: SyntheticOptions, onUser?: (users: number, of: number) => void): Occupancy {
  const { gamma, q, seed, grids = 12 } = options;
  checkInteger("gamma", gamma, 0, 1_000_000);
  checkInteger("seed", seed, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("grids", grids, 1, 20);
  const random = new SeededRandom(seed);
  const count = geometric(q, random);
  const users = 2 ** grids - 1;
  const shuffled = Array.from({ length: grids }, (_, grid) => grid);
  const rows: Array<{ user: number; grid: number; count: number }> = [];
  for (let user = 1; user <= users; user++) {
    if (user % USERS_PER_REPORT === 0) onUser?.(user, users);
    const occupied = grids - Math.floor(31 - Math.clz32(user));
    for (let drawn = 0; drawn < occupied; drawn++) {
      const pick = drawn + random.below(grids - drawn);
      [shuffled[drawn], shuffled[pick]] = [shuffled[pick]!, shuffled[drawn]!];
      rows.push({ user, grid: shuffled[drawn]!, count: count() });
    }
  }
  inflateLargest(rows, grids, 1 + gamma);

  const builder = new OccupancyBuilder();
  const userDigits = String(users).length;
  const gridDigits = String(grids).length;
  for (const row of rows) {
    builder.add(
      `u${String(row.user).padStart(userDigits, "0")}`,
      `g${String(row.grid + 1).padStart(gridDigits, "0")}`,
      row.count,
    );
  }
  return builder.build().occupancy;
}

/** The first of the largest, where several tie. */
function inflateLargest(rows: Array<{ grid: number; count: number }>, grids: number, factor: number): void {
  const largest: Array<{ count: number } | undefined> = new Array(grids).fill(undefined);
  for (const row of rows) if (row.count > (largest[row.grid]?.count ?? 0)) largest[row.grid] = row;
  for (const row of largest) if (row !== undefined) row.count *= factor;
}

const SMALLEST_Q = 1e-4;
/** Where the tail's probability no longer shows in 53 uniform bits. */
const NEGLIGIBLE = 2 ** -53;

/** Draws from {1, 2, …} with P(k) = q·(1 − q)^(k − 1). */
export function geometric(q: number, random: SeededRandom): () => number {
  if (!(q >= SMALLEST_Q && q <= 1))
    throw new VeilgridError("PARAMETER_INVALID", `q ${q} must lie between ${SMALLEST_Q} and 1`);
  const tail = [1];
  while (tail[tail.length - 1]! > NEGLIGIBLE) tail.push(tail[tail.length - 1]! * (1 - q));
  return () => {
    // The smallest k with P(count > k) = (1 − q)^k ≤ u.
    const u = random.uniform();
    let low = 1;
    let high = tail.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tail[middle]! <= u) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

export function checkInteger(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new VeilgridError("PARAMETER_INVALID", `${name} ${value} must be a whole number from ${least} to ${most}`);
}
