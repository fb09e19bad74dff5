/** The variance's influence in doubles, and lines below it while a group loses a user with m records (docs/mathematics.md, Lemma 6). */

/** `spreadShape` in doubles, three roundings away; the arguments are exact integers. */
export function spreadInfluence(owned: number, total: number): number {
  const movable = Math.min(owned, Math.floor(total / 2));
  return (movable * (total - movable)) / (total * total);
}

/**
 * For every whole m ≤ owned with total − m ≥ owned, up to rounding:
 * influence(owned, total − m) ≥ spreadNoiseFloor(owned, total) + m·spreadNoiseSlope(owned, total).
 *
 * With total − m ≥ 3·owned for all m ≤ owned it is convex in m, so the tangent lies below it. Closer to saturation this is the
 * least value of all: a smaller total only raises it until it saturates, and then odd totals fall short of 1/4 by 1/(4·total²),
 * total ≥ owned.
 */
export function spreadNoiseFloor(owned: number, total: number): number {
  const saturated = 0.25 - 0.25 / (owned * owned);
  if (2 * owned > total) return saturated;
  const now = (owned * (total - owned)) / (total * total);
  return isConvex(owned, total) ? now : Math.min(now, saturated);
}

export function spreadNoiseSlope(owned: number, total: number): number {
  return isConvex(owned, total) ? (owned * (total - 2 * owned)) / (total * total * total) : 0;
}

function isConvex(owned: number, total: number): boolean {
  return total >= 4 * owned;
}

/**
 * influence(dropped + m, total) ≥ influence(dropped, total) + m·spreadBiasSlope(…) for 0 ≤ m ≤ most: it is concave in m, so the
 * chord lies below it. Written so that nothing cancels.
 */
export function spreadBiasSlope(dropped: number, total: number, most: number): number {
  const now = Math.min(dropped, Math.floor(total / 2));
  const later = Math.min(dropped + most, Math.floor(total / 2));
  return ((later - now) * (total - later - now)) / (total * total * most);
}
