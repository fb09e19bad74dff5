/** A solver of tiny programs in whole numbers that tries every value of every column, leaving out only what some row already forbids. */
import type { LinearOutcome, LinearProgram, LinearSolver } from "../../src/core/planning/index.ts";

/** Relaxed programs it does not know how to solve, and says so by stopping. */
export const exhaustiveSolver: LinearSolver = {
  name: "exhaustive",
  solve: (program, { relaxed }): LinearOutcome => {
    if (relaxed) return { status: "stopped", values: undefined, rowDuals: undefined, seconds: 0 };
    const values = cheapest(program);
    return { status: values ? "solved" : "infeasible", values, rowDuals: undefined, seconds: 0 };
  },
};

const ROUNDING = 1e-6;

function cheapest(program: LinearProgram): Float64Array | undefined {
  const { cost, lower, upper, rowStart, columns, coefficients, rowLower, rowUpper } = program;
  const values = new Float64Array(cost.length);
  let best: { cost: number; values: Float64Array } | undefined;
  /** Whether some values of the columns from `decided` on could satisfy every row. */
  const mayFit = (decided: number): boolean =>
    rowLower.every((least, row) => {
      let low = 0;
      let high = 0;
      for (let at = rowStart[row]!; at < rowStart[row + 1]!; at++) {
        const column = columns[at]!;
        const factor = coefficients[at]!;
        const ends = column < decided ? [values[column]!] : [lower[column]!, upper[column]!];
        low += Math.min(...ends.map((end) => factor * end));
        high += Math.max(...ends.map((end) => factor * end));
      }
      return high >= least - ROUNDING && low <= rowUpper[row]! + ROUNDING;
    });
  const decide = (column: number, spent: number): void => {
    if ((best !== undefined && spent >= best.cost) || !mayFit(column)) return;
    if (column === values.length) {
      best = { cost: spent, values: values.slice() };
      return;
    }
    for (let value = lower[column]!; value <= upper[column]!; value++) {
      values[column] = value;
      decide(column + 1, spent + value * cost[column]!);
    }
  };
  decide(0, 0);
  return best?.values;
}
