/** What the planner asks of a solver of linear programs; the solver itself is injected, already loaded. */

/** Minimise cost · x where lower ≤ x ≤ upper, rowLower ≤ A x ≤ rowUpper and some of the x are whole. */
export interface LinearProgram {
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** 1 where a column must be whole. */
  readonly whole: Uint8Array;
  /** A by rows: row r has columns[rowStart[r]] … and the coefficients beside them. */
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly coefficients: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
}

export interface SolveOptions {
  /** Take every column as continuous: then there are duals. */
  readonly relaxed?: boolean | undefined;
  readonly timeLimitSeconds?: number | undefined;
  /** How far from the best a solution in whole numbers may be, relatively. */
  readonly gap?: number | undefined;
}

/** In floating point: a suggestion to be checked, not a proof. */
export interface LinearOutcome {
  /** `stopped`: at the time limit, or by a failure of the solver; it may have found something before. */
  readonly status: "solved" | "infeasible" | "stopped";
  readonly values: Float64Array | undefined;
  /** By how much the best cost grows per unit of each row's bound; of relaxed programs only. */
  readonly rowDuals: Float64Array | undefined;
  readonly seconds: number;
}

export interface LinearSolver {
  readonly name: string;
  solve(program: LinearProgram, options: SolveOptions): LinearOutcome;
}

/** Puts a program together column by column and row by row. */
export class LinearProgramBuilder {
  readonly #cost: number[] = [];
  readonly #lower: number[] = [];
  readonly #upper: number[] = [];
  readonly #whole: number[] = [];
  readonly #rowStart: number[] = [0];
  readonly #columns: number[] = [];
  readonly #coefficients: number[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];

  /** Returns the column's number. */
  addColumn(column: { cost?: number; lower: number; upper: number; whole: boolean }): number {
    this.#cost.push(column.cost ?? 0);
    this.#lower.push(column.lower);
    this.#upper.push(column.upper);
    return this.#whole.push(column.whole ? 1 : 0) - 1;
  }

  /** Returns the row's number. */
  addRow(terms: Iterable<readonly [column: number, coefficient: number]>, lower: number, upper: number): number {
    for (const [column, coefficient] of terms) {
      this.#columns.push(column);
      this.#coefficients.push(coefficient);
    }
    this.#rowStart.push(this.#columns.length);
    this.#rowLower.push(lower);
    return this.#rowUpper.push(upper) - 1;
  }

  build(): LinearProgram {
    return {
      cost: Float64Array.from(this.#cost),
      lower: Float64Array.from(this.#lower),
      upper: Float64Array.from(this.#upper),
      whole: Uint8Array.from(this.#whole),
      rowStart: Int32Array.from(this.#rowStart),
      columns: Int32Array.from(this.#columns),
      coefficients: Float64Array.from(this.#coefficients),
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
    };
  }
}
