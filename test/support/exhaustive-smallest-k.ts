/** The smallest K of a tiny array by trying every choice of drops, in rational arithmetic from the definition. */
import type { Rational } from "../../src/core/arithmetic/index.ts";
import type { Objective } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import { errorOfGrid, matrixOf } from "./reference-clip-user.ts";

export interface ExhaustiveOptions {
  readonly epsilon: Rational;
  readonly errorBound: Rational;
  readonly protectedGrid?: number | undefined;
}

/** Whether users may be dropped from a grid together: `dropped` by user. */
export function mayDrop(
  original: number[],
  dropped: boolean[],
  objective: Objective,
  options: Pick<ExhaustiveOptions, "epsilon" | "errorBound">,
): boolean {
  const kept = original.map((count, user) => (dropped[user] ? 0 : count));
  const error = errorOfGrid(objective, options.epsilon, original, kept);
  return error !== undefined && error.compare(options.errorBound) <= 0;
}

export function exhaustiveSmallestK(occupancy: Occupancy, objective: Objective, options: ExhaustiveOptions): number {
  const original = matrixOf(occupancy);
  const users = occupancy.users.length;
  const choices = original.map((row, grid) => {
    const masks = subsets(users).filter(
      (mask) =>
        row.every((count, user) => count > 0 || !(mask & (1 << user))) &&
        (grid !== options.protectedGrid || mask === 0) &&
        mayDrop(row, bits(mask, users), objective, options),
    );
    // For K only the largest sets matter.
    return masks.filter((mask) => !masks.some((other) => other !== mask && (other & mask) === mask));
  });
  for (let k = 1; ; k++) {
    const fits = (grid: number, occupied: number[]): boolean => {
      if (occupied.some((grids) => grids > k)) return false;
      if (grid === original.length) return true;
      return choices[grid]!.some((mask) =>
        fits(
          grid + 1,
          occupied.map((grids, user) => grids + (original[grid]![user]! > 0 && !(mask & (1 << user)) ? 1 : 0)),
        ),
      );
    };
    if (fits(0, new Array<number>(users).fill(0))) return k;
  }
}

export function subsets(users: number): number[] {
  return Array.from({ length: 1 << users }, (_, mask) => mask);
}

export function bits(mask: number, users: number): boolean[] {
  return Array.from({ length: users }, (_, user) => (mask & (1 << user)) !== 0);
}
