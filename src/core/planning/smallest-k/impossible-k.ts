/** Checks a proof that no plan has K ≤ k: whole prices per grid, from which everything else is worked out again, exactly. */
import { Rational } from "../../arithmetic/index.ts";
import { itemAt } from "../../errors/index.ts";
import { areClearlyApart, type ErrorModel } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { firstWhere } from "../numbers.ts";

/** At these prices per dropped record, users must pay more to come down to k grids than all grids together can take. */
export interface ImpossibleK {
  readonly k: number;
  /** One per grid, not negative. */
  readonly prices: readonly bigint[];
}

export interface ImpossibleKClaim {
  readonly errorBound: Rational;
  /** Nobody may be dropped from it. */
  readonly protectedGrid: number | undefined;
  readonly proof: ImpossibleK;
}

/**
 * Whether the prices prove that no plan within the errors has a degradation of k or less (docs/mathematics.md, Theorem 11). Shares nothing with the search for them: reads the array, the error model
 * and the prices, and compares whole numbers.
 */
export function provesImpossible(occupancy: Occupancy, model: ErrorModel, claim: ImpossibleKClaim): boolean {
  const { k, prices } = claim.proof;
  if (!Number.isSafeInteger(k) || k < 1 || prices.length !== occupancy.grids.length) return false;
  if (prices.some((price) => price < 0n)) return false;
  const { owed, levels } = whatUsersOwe(occupancy, claim);
  let room = 0n;
  for (const [grid, price] of prices.entries()) {
    if (grid === claim.protectedGrid || price === 0n) continue;
    room += roomOfGrid(occupancy, model, { grid, price, levels, bound: claim.errorBound });
    if (room >= owed) return false;
  }
  return owed > room;
}

/** `owed`: Σ_ℓ of the G_ℓ − k cheapest π_g·m[g,ℓ]. `levels`, u_ℓ: the dearest of those; 0 for who need not leave any grid. */
function whatUsersOwe(occupancy: Occupancy, { protectedGrid, proof }: ImpossibleKClaim) {
  const { start, grid, count } = occupancy.byUser;
  const { k, prices } = proof;
  let owed = 0n;
  const levels = Array.from({ length: occupancy.users.length }, (_, user) => {
    const tooMany = occupancy.gridsOfUser(user) - k;
    if (tooMany <= 0) return 0n;
    const costs: bigint[] = [];
    for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
      if (grid[entry] !== protectedGrid) costs.push(prices[grid[entry]!]! * BigInt(count[entry]!));
    }
    const cheapest = costs.sort((left, right) => (left < right ? -1 : Number(left > right))).slice(0, tooMany);
    for (const cost of cheapest) owed += cost;
    return itemAt(cheapest, cheapest.length - 1);
  });
  return { owed, levels };
}

/** max_M π·B(M) − W(M): what a grid can take in, less what is wasted on users that must go for M to be its largest kept count. */
function roomOfGrid(
  { byGrid, byUser, samplesOfGrid }: Occupancy,
  model: ErrorModel,
  options: { grid: number; price: bigint; levels: readonly bigint[]; bound: Rational },
): bigint {
  const { grid, price, levels, bound } = options;
  const total = itemAt(samplesOfGrid, grid);
  const [from, to] = [byGrid.start[grid], byGrid.start[grid + 1]];
  const users = byGrid.user.subarray(from, to);
  const members = Array.from(byGrid.entry.subarray(from, to), (entry, at) => {
    return { count: itemAt(byUser.count, entry), level: itemAt(levels, itemAt(users, at)) };
  }).sort((left, right) => right.count - left.count);
  let best = 0n;
  let wasted = 0n;
  let forced = 0;
  for (const [at, { count: largest, level }] of members.entries()) {
    if (largest !== members[at - 1]?.count && price * BigInt(total - largest) - wasted > best) {
      const dropped = total - fewestKept(model, { total, largest, bound });
      const room = price * BigInt(dropped) - wasted;
      if (dropped >= forced && room > best) best = room;
    }
    // Even a grid that kept one user only could not take in more; with fewer users left it wastes more still.
    if (price * BigInt(total) - wasted <= best) break;
    const over = price * BigInt(largest) - level;
    if (over > 0n) wasted += over;
    forced += largest;
  }
  return best;
}

/** No fewer records than this can be kept within the bound if some user keeps `largest`; `total` + 1 if even all are too few. */
function fewestKept(model: ErrorModel, grid: { total: number; largest: number; bound: Rational }): number {
  const { total, largest, bound } = grid;
  const boundNumber = bound.toNumberNearest();
  const within = (kept: number, factor: Rational): boolean => {
    const error = factor.toNumberNearest() * model.error(total, kept, largest);
    if (areClearlyApart(error, boundNumber)) return error < boundNumber;
    return factor.multiply(model.exactError({ total, kept, largest })!).compare(bound) <= 0;
  };
  // One record alone: the next number is 2·largest already.
  if (largest === 1 && within(1, Rational.ONE)) return 1;
  // Below 2·largest the error of k is at least 1 − 1/largest² times that of k, rounded up to even; among those it falls.
  const factor = Rational.of(BigInt(largest) ** 2n - 1n, BigInt(largest) ** 2n);
  const firstEven = largest + (largest % 2);
  const lastEven = Math.min(2 * largest, total - (total % 2));
  const even = largest === 1 ? undefined : firstWhere(firstEven, lastEven, 2, (kept) => within(kept, factor));
  if (even !== undefined) return Math.max(largest, even - 1);
  // An odd total has no even number above it to compare with.
  if (total < 2 * largest) return total;
  return firstWhere(2 * largest, total, 1, (kept) => within(kept, Rational.ONE)) ?? total + 1;
}
