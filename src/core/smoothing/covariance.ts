/** The covariance of the numbers about their common mean, patch by patch, and what the model needs of its inverse. */
import { factorise, gram, invertLower } from "./dense.ts";
import type { Neighbours, Patch } from "./patches.ts";

/** The numbers with the middle of the range at 0 and the deviation of a uniform value in it, U/√12, as the unit. */
export interface Standardised {
  readonly numbers: Float64Array;
  readonly variances: Float64Array;
  /** The grids that have a number. */
  readonly known: Int32Array;
}

/** How true values lie about their mean. */
export interface Setting {
  /** Their standard deviation, the same in every grid. */
  readonly spread: number;
  /** The part of their variance in which neighbours are alike; 0 where grids are independent. */
  readonly share: number;
  /** The lower, the farther that likeness reaches; 0 where there is none. */
  readonly stiffness: number;
}

/** With Σ the covariance of values and noise together, by place among `grids`: Σ⁻¹·numbers, Σ⁻¹·ones and the diagonal of Σ⁻¹. */
export interface Solved {
  readonly grids: Int32Array;
  readonly numbers: Float64Array;
  readonly ones: Float64Array;
  readonly diagonal: Float64Array;
  readonly logDeterminant: number;
}

export function solveIndependent(data: Standardised, grids: Int32Array, { spread }: Setting): Solved {
  const variances = Float64Array.from(grids, (grid) => data.variances[grid]! + spread ** 2);
  const inverse = variances.map((variance) => 1 / variance);
  return {
    grids,
    numbers: inverse.map((each, at) => each * data.numbers[grids[at]!]!),
    ones: inverse,
    diagonal: inverse,
    logDeterminant: variances.reduce((sum, variance) => sum + Math.log(variance), 0),
  };
}

/** A patch with the correlations of what its grids have in common, by rows. */
export interface AlikePatch extends Patch {
  readonly correlations: Float64Array;
}

export function solvePatch(
  data: Standardised,
  { grids, correlations }: AlikePatch,
  { spread, share }: Setting,
): Solved {
  const size = grids.length;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) matrix[i * size + j] = spread ** 2 * share * correlations[i * size + j]!;
    matrix[i * size + i] = spread ** 2 + data.variances[grids[i]!]!;
  }
  factorise(matrix, size);
  let logDeterminant = 0;
  for (let i = 0; i < size; i++) logDeterminant += 2 * Math.log(matrix[i * size + i]!);
  invertLower(matrix, size);
  const [numbers, ones, diagonal] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < size; k++) {
    let [number, one] = [0, 0];
    for (let i = 0; i <= k; i++) {
      number += matrix[k * size + i]! * data.numbers[grids[i]!]!;
      one += matrix[k * size + i]!;
    }
    for (let i = 0; i <= k; i++) {
      const entry = matrix[k * size + i]!;
      numbers[i]! += entry * number;
      ones[i]! += entry * one;
      diagonal[i]! += entry * entry;
    }
  }
  return { grids, numbers, ones, diagonal, logDeterminant };
}

/**
 * Correlations by the square of (stiffness·identity + Laplacian)⁻¹ over the patch's graph, a Matérn field, scaled to ones on the diagonal: a grid's
 * variance does not depend on how many neighbours it has.
 */
export function alikePatch(patch: Patch, { start, other }: Neighbours, stiffness: number): AlikePatch {
  const { grids } = patch;
  const size = grids.length;
  const rows = new Map(Array.from(grids, (grid, row) => [grid, row]));
  const matrix = new Float64Array(size * size);
  for (const [grid, row] of rows) {
    matrix[row * size + row] = stiffness;
    for (let edge = start[grid]!; edge < start[grid + 1]!; edge++) {
      const column = rows.get(other[edge]!);
      if (column === undefined) continue;
      matrix[row * size + column] = -1;
      matrix[row * size + row]! += 1;
    }
  }
  factorise(matrix, size);
  invertLower(matrix, size);
  // With the factor's inverse in columns instead of rows, its products of rows are the inverse.
  const inverse = new Float64Array(size * size);
  for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) inverse[j * size + i] = matrix[i * size + j]!;
  const correlations = gram(gram(inverse, size), size);
  const scales = Float64Array.from({ length: size }, (_, i) => 1 / Math.sqrt(correlations[i * size + i]!));
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) correlations[i * size + j]! *= scales[i]! * scales[j]!;
  return { ...patch, correlations };
}
