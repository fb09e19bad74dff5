/** "Is there a plan with this K" as a linear program in whole numbers, and as its relaxation that measures by how much there is none. */
import { itemAt } from "../../errors/index.ts";
import { largestOf } from "../numbers.ts";
import type { DropAllowance, DropProblem } from "./drop-problem.ts";
import { type LinearColumn, type LinearProgram, LinearProgramBuilder, type LinearTerm } from "./linear-solver.ts";

export interface DropProgram {
  readonly program: LinearProgram;
  /** The entry that a column decides about, −1 for other columns: 1 drops it. */
  readonly entryOfColumn: Int32Array;
  /** The row that holds a grid to what it can lose, −1 where it loses nothing. */
  readonly budgetRow: Int32Array;
  /** What that row's numbers were divided by. */
  readonly budgetUnit: Float64Array;
}

/** A column for choosing an allowance, or one of its alternate runs. */
interface Choice {
  readonly allowance: DropAllowance;
  readonly column: number;
  readonly most: number;
  readonly run: { readonly low: number; readonly steps: number } | undefined;
}

/** Numbers in a row stay below this, so that the solver's tolerance is far less than one record. */
const LARGEST_COEFFICIENT = 2 ** 20;

/**
 * For each entry whether it is dropped, for each grid which allowance it uses. With `overload`, one more column lets every grid lose that
 * multiple of its largest allowance on top, and is what is minimised; without, the records dropped are.
 */
export function dropProgram(problem: DropProblem, k: number, goal: "overload" | "fewest records"): DropProgram {
  const { occupancy, allowances, protectedGrid } = problem;
  const { byUser } = occupancy;
  const builder = new LinearProgramBuilder();
  const entryOfColumn: number[] = [];
  const addColumn = (entry: number, column: LinearColumn): number => {
    entryOfColumn.push(entry);
    return builder.addColumn(column);
  };
  const overload = goal === "overload" ? addColumn(-1, { cost: 1, lower: -1, upper: 1e9, whole: false }) : undefined;

  const grids = allowances.map((ofGrid) => ({
    choices: ofGrid.flatMap((allowance) => {
      const add = (most: number, run: Choice["run"]): Choice => {
        return { allowance, most, run, column: addColumn(-1, { lower: 0, upper: 1, whole: true }) };
      };
      const dense = allowance.upTo >= allowance.forced ? [add(allowance.upTo, undefined)] : [];
      return [...dense, ...allowance.alternates.map(({ low, high }) => add(high, { low, steps: (high - low) / 2 }))];
    }),
    smallestLargest: itemAt(ofGrid, ofGrid.length - 1).largest,
    most: Math.max(1, largestOf(ofGrid.map((allowance) => allowance.most))),
    hasAlternates: ofGrid.some((allowance) => allowance.alternates.length > 0),
    drops: [] as LinearTerm[],
  }));

  const unit = Math.max(1, occupancy.samples / occupancy.entries);
  for (let user = 0; user < occupancy.users.length; user++) {
    const tooMany = occupancy.gridsOfUser(user) - k;
    const drops: LinearTerm[] = [];
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      const count = byUser.count[entry]!;
      const grid = itemAt(grids, byUser.grid[entry]!);
      const mayBeForced = count > grid.smallestLargest;
      // Elsewhere dropping more than one must helps nobody; where parity counts, it may.
      if (byUser.grid[entry] === protectedGrid || (tooMany <= 0 && !mayBeForced && !grid.hasAlternates)) continue;
      const cost = goal === "overload" ? 0 : count / unit;
      const column = addColumn(entry, { cost, lower: 0, upper: 1, whole: true });
      drops.push([column, 1]);
      grid.drops.push([column, count]);
      if (!mayBeForced) continue;
      const without = grid.choices.filter(({ allowance }) => allowance.largest < count);
      builder.addRow([[column, 1], ...without.map((choice): LinearTerm => [choice.column, -1])], 0, Infinity);
    }
    if (tooMany > 0) builder.addRow(drops, tooMany, Infinity);
  }

  const budgetRow = new Int32Array(grids.length).fill(-1);
  const budgetUnit = new Float64Array(grids.length).fill(1);
  for (const [grid, { choices, drops, most }] of grids.entries()) {
    const chosen = choices.map((choice): LinearTerm => [choice.column, 1]);
    builder.addRow(chosen, 1, 1);
    if (drops.length === 0) continue;
    const divisor = Math.max(1, 2 ** Math.ceil(Math.log2(most / LARGEST_COEFFICIENT)));
    const scaled = drops.map(([column, count]): LinearTerm => [column, count / divisor]);
    const allowed = choices.map((choice): LinearTerm => [choice.column, -choice.most / divisor]);
    const slack: LinearTerm[] = overload === undefined ? [] : [[overload, -most / divisor]];
    budgetUnit[grid] = divisor;
    budgetRow[grid] = builder.addRow([...scaled, ...allowed, ...slack], -Infinity, 0);
    for (const { run, column } of choices) {
      if (run === undefined || goal === "overload") continue;
      // If this run is chosen, the records dropped are low + 2·step; otherwise the row says nothing.
      const total = itemAt(occupancy.samplesOfGrid, grid);
      const step = addColumn(-1, { lower: 0, upper: run.steps, whole: true });
      const exact: LinearTerm[] = [...drops, [step, -2]];
      builder.addRow([...exact, [column, total]], -Infinity, run.low + total);
      builder.addRow([...exact, [column, -2 * total]], run.low - 2 * total, Infinity);
    }
  }
  return { program: builder.build(), entryOfColumn: Int32Array.from(entryOfColumn), budgetRow, budgetUnit };
}
