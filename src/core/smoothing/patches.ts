/** Cuts a graph of grids into patches that are small enough for dense algebra, each with a margin. */

/** Which grids lie beside which, both ways: those beside grid g are `other[start[g]]` up to `other[start[g + 1] - 1]`. */
export interface Neighbours {
  readonly start: Int32Array;
  readonly other: Int32Array;
}

/** Every grid is in the core of one patch, the first `core` of its grids. The others are the margin: what lies around the core. */
export interface Patch {
  readonly grids: Int32Array;
  readonly core: number;
}

/** So many grids are one patch, which makes all that is computed from it exact. */
const WHOLE = 200;
const CORE = 40;
const MARGIN = 40;

/** The patches of the grids named by `known`, each grown from neighbour to neighbour. */
export function cutPatches(neighbours: Neighbours, known: Int32Array): Patch[] {
  if (known.length <= WHOLE) return [{ grids: known, core: known.length }];
  const grids = neighbours.start.length - 1;
  const isFree = new Uint8Array(grids);
  for (const grid of known) isFree[grid] = 1;
  const isKnown = isFree.slice();
  const seenBy = new Int32Array(grids).fill(-1);
  const patches: Patch[] = [];
  for (const seed of known) {
    if (isFree[seed] === 0) continue;
    const patch = [seed];
    const grow = (limit: number, mayTake: Uint8Array): void => {
      for (let at = 0; at < patch.length; at++) {
        const [from, to] = [neighbours.start[patch[at]!]!, neighbours.start[patch[at]! + 1]!];
        for (let edge = from; edge < to && patch.length < limit; edge++) {
          const next = neighbours.other[edge]!;
          if (mayTake[next] === 0 || seenBy[next] === patches.length) continue;
          seenBy[next] = patches.length;
          patch.push(next);
        }
      }
    };
    seenBy[seed] = patches.length;
    grow(CORE, isFree);
    const core = patch.length;
    for (const grid of patch) isFree[grid] = 0;
    grow(core + MARGIN, isKnown);
    patches.push({ grids: Int32Array.from(patch), core });
  }
  return patches;
}
