/** CLIP-USER and caps in rational arithmetic, written from their definitions with no thought for speed. */
import type { Rational } from "../../src/core/arithmetic/index.ts";
import { guaranteeOf, type Objective, splitEvenly } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";

export interface ReferenceOptions {
  readonly epsilon: Rational;
  readonly errorBound?: Rational | undefined;
  readonly protectLowest?: boolean | undefined;
  readonly wholeStages?: boolean | undefined;
}

export interface ReferenceResult {
  readonly suppressed: Array<[user: number, grid: number]>;
  readonly errorBound: Rational;
  readonly degradation: number;
  /** Γ as a matrix, [grid][user]. */
  readonly kept: number[][];
}

/** m as a matrix, [grid][user]. */
export function matrixOf(occupancy: Occupancy): number[][] {
  return Array.from({ length: occupancy.grids.length }, (_g, grid) =>
    Array.from({ length: occupancy.users.length }, (_u, user) => {
      const entry = occupancy.entryOf(user, grid);
      return entry < 0 ? 0 : occupancy.byUser.count[entry]!;
    }),
  );
}

export function errorOfGrid(
  objective: Objective,
  epsilon: Rational,
  original: number[],
  kept: number[],
): Rational | undefined {
  const total = original.reduce((sum, count) => sum + count, 0);
  const left = kept.reduce((sum, count) => sum + count, 0);
  const epsilons = splitEvenly(epsilon, objective.statistics.length);
  return guaranteeOf(objective, { total, kept: left, largest: Math.max(...kept) }, epsilons)?.error;
}

export function referenceClipUser(
  occupancy: Occupancy,
  objective: Objective,
  options: ReferenceOptions,
): ReferenceResult {
  const original = matrixOf(occupancy);
  const kept = original.map((row) => [...row]);
  const errors = original.map((row) => errorOfGrid(objective, options.epsilon, row, row)!);
  const worst = errors.reduce((left, right) => (right.compare(left) > 0 ? right : left));
  const bound = options.errorBound ?? worst;
  if (bound.compare(worst) < 0) throw new Error("bound too low");
  const lowest = errors.reduce((best, error, grid) => (error.compare(errors[best]!) < 0 ? grid : best), 0);
  const closed = options.protectLowest ? lowest : -1;
  const users = Array.from({ length: occupancy.users.length }, (_, user) => user);
  const occupied = (user: number): number[] => kept.flatMap((row, grid) => (row[user]! > 0 ? [grid] : []));

  const suppressed: Array<[number, number]> = [];
  for (;;) {
    const most = Math.max(...users.map((user) => occupied(user).length));
    const stage = users.filter((user) => occupied(user).length === most);
    const stageStart = suppressed.length;
    for (const user of stage) {
      let best: { grid: number; error: Rational } | undefined;
      for (const grid of occupied(user)) {
        if (grid === closed) continue;
        const without = kept[grid]!.map((count, other) => (other === user ? 0 : count));
        const error = errorOfGrid(objective, options.epsilon, original[grid]!, without);
        if (error !== undefined && (best === undefined || error.compare(best.error) < 0)) best = { grid, error };
      }
      if (best === undefined || best.error.compare(bound) > 0) {
        if (options.wholeStages)
          for (const [who, grid] of suppressed.splice(stageStart)) kept[grid]![who] = original[grid]![who]!;
        const degradation = Math.max(...users.map((each) => occupied(each).length));
        return { suppressed, errorBound: bound, degradation, kept };
      }
      kept[best.grid]![user] = 0;
      suppressed.push([user, best.grid]);
    }
  }
}

/** The best cap over every integer between the smallest and the largest contribution, the largest on ties. */
export function referenceCap(objective: Objective, epsilon: Rational, original: number[], kept: number[]): number {
  const present = kept.filter((count) => count > 0);
  let best: { cap: number; error: Rational } | undefined;
  for (let cap = Math.max(...present); cap >= Math.min(...present); cap--) {
    const error = errorOfGrid(
      objective,
      epsilon,
      original,
      kept.map((count) => Math.min(count, cap)),
    )!;
    if (best === undefined || error.compare(best.error) < 0) best = { cap, error };
  }
  return best!.cap;
}
