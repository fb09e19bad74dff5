/** HiGHS, compiled to WebAssembly, as the planner's solver of linear programs; loaded when asked for. */
import type { ModelData } from "highs";
import type { LinearOutcome, LinearProgram, LinearSolver, SolveOptions } from "../../core/planning/index.ts";

/** What HiGHS calls its outcomes. Ours are bounded, so that "unbounded or infeasible" is the latter. */
const OPTIMAL = 7;
const INFEASIBLE = [8, 9];
/** Of `primal_solution_status`. */
const FEASIBLE_POINT = 2;

/** Loads 3.5 MB of WebAssembly once; what it returns solves synchronously. */
export async function loadLinearSolver(): Promise<LinearSolver> {
  const { default: imported } = await import("highs");
  // The package's one declaration file describes its CommonJS build, where the function is one `default` further in.
  const loadHighs = imported as unknown as typeof imported.default;
  const highs = await loadHighs();
  return {
    name: `HiGHS ${highs.version.string}`,
    solve(program: LinearProgram, options: SolveOptions): LinearOutcome {
      const start = performance.now();
      return highs.withModel(modelOf(program, options), (model): LinearOutcome => {
        model.options.set({
          output_flag: false,
          // What is rounded afterwards must not lean on tolerances.
          mip_feasibility_tolerance: 1e-9,
          mip_rel_gap: options.gap ?? 0,
          ...(options.timeLimitSeconds === undefined ? {} : { time_limit: options.timeLimitSeconds }),
        });
        model.run();
        const status = model.getModelStatus();
        const solution = model.info.get("primal_solution_status") === FEASIBLE_POINT ? model.getSolution() : undefined;
        return {
          status: status === OPTIMAL ? "solved" : INFEASIBLE.includes(status) ? "infeasible" : "stopped",
          values: solution?.colValue,
          rowDuals: options.relaxed && status === OPTIMAL ? solution?.rowDual : undefined,
          seconds: (performance.now() - start) / 1000,
        };
      });
    },
  };
}

function modelOf(program: LinearProgram, { relaxed }: SolveOptions): ModelData {
  const numCols = program.cost.length;
  const numRows = program.rowLower.length;
  return {
    numCols,
    numRows,
    colCost: program.cost,
    colLower: program.lower,
    colUpper: program.upper,
    rowLower: program.rowLower,
    rowUpper: program.rowUpper,
    matrix: {
      format: "csr",
      numRows,
      numCols,
      starts: program.rowStart,
      indices: program.columns,
      values: program.coefficients,
    },
    ...(relaxed ? {} : { integrality: Int32Array.from(program.whole) }),
  };
}
