/** How hard each grid is: the loss that a guarantee better than publishing midpoints would need there, whatever the others do. */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { freeError } from "./error-target.ts";
import { PriceModel, spreadRecords } from "./price-model.ts";

/** Better by less than this share is not better. */
export const WORTH_HAVING = 0.98;

/** What each grid would need by itself for an error that is just worth having; 0 where midpoints are exact. */
export function lossesAlone(occupancy: Occupancy, objective: Objective): Float64Array {
  const { byGrid, byUser, samplesOfGrid } = occupancy;
  return samplesOfGrid.map((total, grid) => {
    const error = freeError(objective, total).multiply(Rational.fromNumber(WORTH_HAVING));
    if (error.isZero()) return 0;
    const model = new PriceModel(objective, { kind: "together", error });
    const entries = byGrid.entry.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    const counts = Float64Array.from(entries, (entry) => byUser.count[entry]!).sort();
    return leastLossAlone(counts, total, model);
  });
}

/** The least loss of the grid released by itself: for one grid a cap is the best there is, up to rounding. */
function leastLossAlone(ascending: Float64Array, total: number, model: PriceModel): number {
  let least = Number.POSITIVE_INFINITY;
  let below = 0;
  for (let at = 0; at < ascending.length; at++) {
    const cap = ascending[at]!;
    const kept = below + cap * (ascending.length - at);
    if (model.price(total, kept)) least = Math.min(least, model.linear * cap + model.spread * spreadRecords(cap, kept));
    below += cap;
  }
  return least;
}
