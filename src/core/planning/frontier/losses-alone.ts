/** How hard each grid is: the loss that a guarantee better than publishing midpoints would need there, whatever the others do. */
import { Rational } from "../../arithmetic/index.ts";
import type { Objective } from "../../influence/index.ts";
import type { Occupancy } from "../../occupancy/index.ts";
import { freeError } from "./error-target.ts";
import { PriceModel, type PriceTerm, perRecordInfluence } from "./price-model.ts";

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

/**
 * The least loss of the grid released by itself, among caps at the users' counts and the single record whose variance nobody can
 * move: for one grid a cap is about the best there is.
 */
function leastLossAlone(ascending: Float64Array, total: number, model: PriceModel): number {
  let least = lossOf(model, { owned: 1, kept: 1, total });
  let below = 0;
  for (let at = 0; at < ascending.length; at++) {
    const owned = ascending[at]!;
    least = Math.min(least, lossOf(model, { owned, kept: below + owned * (ascending.length - at), total }));
    below += owned;
  }
  return least;
}

/** What a user with `owned` of the kept records loses, with the largest noise that there is room for. */
function lossOf(model: PriceModel, counts: { owned: number; kept: number; total: number }): number {
  const rooms = model.rooms(counts.total, counts.kept);
  let roots = 0;
  let sum = 0;
  for (const [index, term] of model.terms.entries()) {
    const influence = term.noiseWeight * wholeInfluence(term, counts);
    const room = rooms[model.pooled ? 0 : index]!;
    if (room < 0 || (influence > 0 && room === 0)) return Number.POSITIVE_INFINITY;
    roots += Math.sqrt(influence);
    if (influence > 0) sum += influence / room;
  }
  return model.pooled ? (roots * roots) / rooms[0]! : sum;
}

function wholeInfluence(
  term: PriceTerm,
  { owned, kept, total }: { owned: number; kept: number; total: number },
): number {
  if (!term.isSpread) return owned * perRecordInfluence(term, total, kept);
  const movable = Math.min(owned, Math.floor(kept / 2));
  return (movable * (kept - movable) * perRecordInfluence(term, total, kept)) / kept;
}
