/** Checks smoothed numbers against the definition: conditioning one joint Gaussian for every setting, by elimination, weighed by its density. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type NoisyNumbers, type Smoothed, smooth } from "./index.ts";
import { cutPatches } from "./patches.ts";
import { weighSettings } from "./settings.ts";

type Matrix = number[][];

/** Inverse and determinant by Gauss-Jordan elimination. */
function inverted(matrix: Matrix): { inverse: Matrix; determinant: number } {
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  let determinant = 1;
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows[i]![i]!;
    determinant *= pivot;
    rows[i] = rows[i]!.map((each) => each / pivot);
    for (let other = 0; other < rows.length; other++) {
      if (other === i) continue;
      const factor = rows[other]![i]!;
      rows[other] = rows[other]!.map((each, j) => each - factor * rows[i]![j]!);
    }
  }
  return { inverse: rows.map((row) => row.slice(matrix.length)), determinant };
}

const times = (matrix: Matrix, vector: number[]): number[] =>
  matrix.map((row) => row.reduce((sum, each, j) => sum + each * vector[j]!, 0));
const dot = (left: number[], right: number[]): number => times([left], right)[0]!;

function correlations(beside: boolean[][], stiffness: number): Matrix {
  const degree = beside.map((row) => row.filter(Boolean).length);
  const { inverse } = inverted(
    beside.map((row, i) => row.map((is, j) => (i === j ? stiffness + degree[i]! : is ? -1 : 0))),
  );
  const square = inverse.map((row) => times(inverse, row));
  return square.map((row, i) => row.map((each, j) => each / Math.sqrt(square[i]![i]! * square[j]![j]!)));
}

function byDefinition(input: NoisyNumbers, beside: boolean[][]): { values: number[]; deviations: number[] } {
  const { values, variances, range, neighbours } = input;
  const unit = (range[1] - range[0]) / Math.sqrt(12);
  const numbers = [...values].map((value) => (value - (range[0] + range[1]) / 2) / unit);
  const noise = [...variances].map((variance) => variance / unit ** 2);
  const known = Int32Array.from(values.keys());
  const data = { numbers: Float64Array.from(numbers), variances: Float64Array.from(noise), known };
  const graph = neighbours?.other.length ? { neighbours, patches: cutPatches(neighbours, known) } : undefined;
  const alternatives = weighSettings(data, graph).map(({ setting, weight }) => {
    const alike = correlations(beside, setting.stiffness === 0 ? 1 : setting.stiffness);
    const truth = alike.map((row, i) =>
      row.map((each, j) => 1 + setting.spread ** 2 * (i === j ? 1 : setting.share * each)),
    );
    const { inverse, determinant } = inverted(
      truth.map((row, i) => row.map((each, j) => each + (i === j ? noise[i]! : 0))),
    );
    const spread = setting.spread / (Math.sqrt(12) / 10);
    const density = Math.exp(-dot(numbers, times(inverse, numbers)) / 2) / Math.sqrt(determinant);
    const prior = spread ** 2 * Math.exp((-spread * spread) / 2) * (setting.share === 0 ? 1 : 1 / 6);
    return {
      weight,
      likely: prior * density ** 0.4,
      means: times(truth, times(inverse, numbers)),
      variances: truth.map((row, i) => row[i]! - dot(row, times(inverse, row))),
    };
  });
  const total = alternatives.reduce((sum, { likely }) => sum + likely, 0);
  for (const { weight, likely } of alternatives) expect(likely / total).toBeCloseTo(weight, 8);
  const used = alternatives.filter(({ weight }) => weight > 0.002);
  const average = (of: (each: (typeof used)[number]) => number): number =>
    used.reduce((sum, each) => sum + each.weight * of(each), 0) / used.reduce((sum, { weight }) => sum + weight, 0);
  const means = numbers.map((_, i) => average((each) => each.means[i]!));
  return {
    values: means.map((mean) => Math.min(range[1], Math.max(range[0], (range[0] + range[1]) / 2 + unit * mean))),
    deviations: means.map(
      (mean, i) => unit * Math.sqrt(average((each) => each.variances[i]! + (each.means[i]! - mean) ** 2)),
    ),
  };
}

const someGrids = fc.integer({ min: 1, max: 6 }).chain((grids) =>
  fc.record({
    values: fc.array(fc.double({ min: -60, max: 90, noNaN: true }), { minLength: grids, maxLength: grids }),
    deviations: fc.array(fc.double({ min: 3, max: 40, noNaN: true }), { minLength: grids, maxLength: grids }),
    edges: fc.array(fc.tuple(fc.nat(grids - 1), fc.nat(grids - 1)), { maxLength: 8 }),
  }),
);

test("values and deviations are those of the definition", () => {
  fc.assert(
    fc.property(someGrids, ({ values, deviations, edges }) => {
      const beside = values.map((_, i) =>
        values.map((_, j) => i !== j && edges.some(([a, b]) => (a === i && b === j) || (a === j && b === i))),
      );
      const lists = beside.map((row) => row.flatMap((is, j) => (is ? [j] : [])));
      const start = [0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)];
      const input: NoisyNumbers = {
        values: Float64Array.from(values),
        variances: Float64Array.from(deviations, (each) => each ** 2),
        range: [0, 65],
        neighbours: { start: Int32Array.from(start), other: Int32Array.from(lists.flat()) },
      };
      const found: Smoothed = smooth(input);
      fc.pre(found.kind !== "none");
      const wanted = byDefinition(input, beside);
      for (const part of ["values", "deviations"] as const)
        for (const [grid, each] of wanted[part].entries()) expect(found[part][grid]).toBeCloseTo(each, 6);
    }),
    { numRuns: 60 },
  );
});
