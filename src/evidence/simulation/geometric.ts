/** Draws geometric counts from a table made by multiplication only, so that they are the same on every platform. */
import { VeilgridError } from "../../core/errors/index.ts";
import type { SeededRandom } from "./seeded-random.ts";

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
