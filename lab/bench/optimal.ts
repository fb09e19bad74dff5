/** `npm run bench -- optimal`: the smallest K beside CLIP-USER's on the paper's synthetic arrays, with what is proven. */
import { loadLinearSolver } from "#apps/operations";
import { parseDecimal } from "#core/arithmetic";
import { ErrorModel, makeObjective, parseBounds } from "#core/influence";
import {
  type ClipUserOptimalResult,
  clipUserOptimal,
  type LinearSolver,
  provesImpossible,
  runNow,
} from "#core/planning";
import { synthesise } from "#evidence/simulation";

const TIME_LIMIT_SECONDS = 120;

/** False if a K is above CLIP-USER's, is not proven smallest, or a certificate does not hold. */
export async function benchOptimal(draws = 10): Promise<boolean> {
  const solver = await loadLinearSolver();
  const model = new ErrorModel(makeObjective(parseBounds("0,65")), parseDecimal("1", "ε"));
  let good = true;
  console.log(`the smallest K, ε = 1, lowest grid protected; in the last columns with ${solver.name} for fewer drops`);
  console.log("  γ  seed  CLIP-USER's K  K  proven ≥  by           dropped  seconds  dropped  seconds");
  for (const gamma of [3, 6, 9]) {
    for (let seed = 1; seed <= draws; seed++) {
      const occupancy = synthesise({ gamma, q: 0.01, seed });
      const run = (
        by: LinearSolver | undefined,
      ): { result: ClipUserOptimalResult; columns: string; holds: boolean } => {
        const start = performance.now();
        const options = { protectLowest: true, timeLimitSeconds: TIME_LIMIT_SECONDS };
        const result = runNow(clipUserOptimal(occupancy, model, by, options));
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        const { errorBound, protectedGrid, certificate: proof } = result;
        const holds = proof === null || provesImpossible(occupancy, model, { errorBound, protectedGrid, proof });
        const dropped = occupancy.samples - result.kept.ofGrid.reduce((sum, kept) => sum + kept, 0);
        const stopped = result.timedOut ? "  time limit" : "";
        return { result, holds, columns: `${String(dropped).padStart(7)}  ${seconds.padStart(7)}${stopped}` };
      };
      const byPrices = run(undefined);
      const bySolver = run(solver);
      const { result } = bySolver;
      const holds = byPrices.holds && bySolver.holds;
      good &&= holds && result.optimal && result.degradation <= result.clipUserDegradation;
      console.log(
        `  ${gamma}  ${String(seed).padStart(4)}  ${String(result.clipUserDegradation).padStart(13)}  ${result.degradation}  ` +
          `${String(result.lowerBound).padStart(8)}  ${result.lowerBoundBy.padEnd(11)}  ${byPrices.columns}  ${bySolver.columns}` +
          `${byPrices.result.optimal ? "" : "  not by prices alone"}${holds ? "" : "  CERTIFICATE FAILS"}`,
      );
    }
  }
  console.log();
  return good;
}
