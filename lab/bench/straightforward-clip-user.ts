/**
 * CLIP-USER as one would write it first, for comparison: at every drop it evaluates every grid the user still occupies.
 * Fair in all else: typed arrays, O(1) per evaluation (each grid's users sorted by count, two moving marks), the formula inlined
 * for mean and variance, no objects in the loop. Doubles only; the comparison of the drops shows whether that mattered.
 */
import type { Occupancy } from "#core/occupancy";

export interface StraightforwardResult {
  /** Entries in the order dropped. */
  readonly suppressed: Uint32Array;
  readonly evaluations: number;
}

export function straightforwardClipUser(
  occupancy: Occupancy,
  options: { width: number; epsilon: number },
): StraightforwardResult {
  const { byUser, byGrid, samplesOfGrid } = occupancy;
  const grids = occupancy.grids.length;
  const users = occupancy.users.length;
  const biasMean = options.width;
  const biasVariance = options.width * options.width;
  const noiseMean = (2 * options.width) / options.epsilon;
  const noiseVariance = (2 * options.width * options.width) / options.epsilon;
  const errorOf = (total: number, kept: number, largest: number): number => {
    if (kept === 0) return Number.POSITIVE_INFINITY;
    const dropped = total - kept;
    const i = Math.min(dropped, Math.floor(total / 2));
    const j = Math.min(largest, Math.floor(kept / 2));
    return (
      (biasMean * dropped) / total +
      (biasVariance * (i * (total - i))) / (total * total) +
      (noiseMean * largest) / kept +
      (noiseVariance * (j * (kept - j))) / (kept * kept)
    );
  };

  const kept = byUser.count.slice();
  const keptOfGrid = samplesOfGrid.slice();
  // Per grid the entries by count, descending; `first` and `second` mark the two heaviest that are left.
  const byCount = byGrid.entry.slice();
  const first = new Uint32Array(grids);
  const second = new Uint32Array(grids);
  const firstCount = new Float64Array(grids);
  const secondCount = new Float64Array(grids);
  for (let grid = 0; grid < grids; grid++) {
    const slice = byCount.subarray(byGrid.start[grid], byGrid.start[grid + 1]);
    // One key per entry sorts natively: count in the upper, entry in the lower half.
    const keys = Float64Array.from(slice, (entry) => kept[entry]! * 2 ** 32 + entry).sort();
    for (let at = 0; at < keys.length; at++) slice[keys.length - 1 - at] = keys[at]! % 2 ** 32;
    first[grid] = byGrid.start[grid]!;
    second[grid] = byGrid.start[grid]! + 1;
    firstCount[grid] = kept[slice[0]!]!;
    secondCount[grid] = slice.length > 1 ? kept[slice[1]!]! : 0;
  }
  const moveMarks = (grid: number): void => {
    const end = byGrid.start[grid + 1]!;
    let at = first[grid]!;
    while (at < end && kept[byCount[at]!] === 0) at += 1;
    first[grid] = at;
    firstCount[grid] = at < end ? kept[byCount[at]!]! : 0;
    at = Math.max(at + 1, second[grid]!);
    while (at < end && kept[byCount[at]!] === 0) at += 1;
    second[grid] = at;
    secondCount[grid] = at < end ? kept[byCount[at]!]! : 0;
  };

  let bound = 0;
  for (let grid = 0; grid < grids; grid++)
    bound = Math.max(bound, errorOf(samplesOfGrid[grid]!, keptOfGrid[grid]!, firstCount[grid]!));

  const slots = Uint32Array.from({ length: kept.length }, (_, entry) => entry);
  const occupied = Uint32Array.from({ length: users }, (_, user) => byUser.start[user + 1]! - byUser.start[user]!);
  const suppressed: number[] = [];
  let evaluations = 0;
  for (let most = occupied.reduce((left, right) => Math.max(left, right), 0); most > 0; most--) {
    for (let user = 0; user < users; user++) {
      if (occupied[user] !== most) continue;
      const from = byUser.start[user]!;
      const to = from + most;
      let bestSlot = -1;
      let bestError = Number.POSITIVE_INFINITY;
      for (let slot = from; slot < to; slot++) {
        const entry = slots[slot]!;
        const grid = byUser.grid[entry]!;
        const count = kept[entry]!;
        const largest = count === firstCount[grid] ? secondCount[grid]! : firstCount[grid]!;
        const error = errorOf(samplesOfGrid[grid]!, keptOfGrid[grid]! - count, largest);
        if (error < bestError || (error === bestError && bestSlot >= 0 && entry < slots[bestSlot]!)) {
          bestSlot = slot;
          bestError = error;
        }
      }
      evaluations += most;
      if (bestError > bound || bestSlot < 0) return { suppressed: Uint32Array.from(suppressed), evaluations };
      const entry = slots[bestSlot]!;
      const grid = byUser.grid[entry]!;
      slots[bestSlot] = slots[to - 1]!;
      occupied[user]! -= 1;
      keptOfGrid[grid]! -= kept[entry]!;
      kept[entry] = 0;
      moveMarks(grid);
      suppressed.push(entry);
    }
  }
  return { suppressed: Uint32Array.from(suppressed), evaluations };
}
