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

export interface LinearColumn {
  readonly cost?: number;
  readonly lower: number;
  readonly upper: number;
  readonly whole: boolean;
}

/** A term of a row: a column's number and its coefficient. */
export type LinearTerm = readonly [column: number, coefficient: number];

/** Puts a program together column by column and row by row. */
export class LinearProgramBuilder {
  readonly #columns: LinearColumn[] = [];
  readonly #rows: Array<{ readonly terms: readonly LinearTerm[]; readonly lower: number; readonly upper: number }> = [];

  /** Returns the column's number. */
  addColumn(column: LinearColumn): number {
    return this.#columns.push(column) - 1;
  }

  addRow(terms: readonly LinearTerm[], lower: number, upper: number): number {
    return this.#rows.push({ terms, lower, upper }) - 1;
  }

  build(): LinearProgram {
    const columns = this.#columns;
    const rows = this.#rows;
    const terms = rows.flatMap((row) => row.terms);
    let next = 0;
    return {
      cost: Float64Array.from(columns, (column) => column.cost ?? 0),
      lower: Float64Array.from(columns, (column) => column.lower),
      upper: Float64Array.from(columns, (column) => column.upper),
      whole: Uint8Array.from(columns, (column) => Number(column.whole)),
      rowStart: Int32Array.from([0, ...rows.map((row) => (next += row.terms.length))]),
      columns: Int32Array.from(terms, ([column]) => column),
      coefficients: Float64Array.from(terms, ([, coefficient]) => coefficient),
      rowLower: Float64Array.from(rows, (row) => row.lower),
      rowUpper: Float64Array.from(rows, (row) => row.upper),
    };
  }
}
