/** `npm run bench -- optimal`: the smallest K beside CLIP-USER's on the paper's synthetic arrays, with what is proven. */
import { loadLinearSolver } from "veilgrid";
import { parseDecimal } from "veilgrid/arithmetic";
import { ErrorModel, makeObjective, parseBounds } from "veilgrid/influence";
import { clipUserOptimal, provesImpossible, runNow } from "veilgrid/planning";
import { synthesise } from "veilgrid/simulation";

const SEEDS = 10;
const TIME_LIMIT_SECONDS = 120;

/** False if a K is above CLIP-USER's or a certificate does not hold. */
export async function benchOptimal(): Promise<boolean> {
  const solver = await loadLinearSolver();
  const model = new ErrorModel(makeObjective(parseBounds("0,65")), parseDecimal("1", "ε"));
  let good = true;
  console.log(`the smallest K, ε = 1, lowest grid protected, ${solver.name}`);
  console.log("  γ  seed  CLIP-USER's K  K  proven ≥  by           records dropped  seconds");
  for (const gamma of [3, 6, 9]) {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const occupancy = synthesise({ gamma, q: 0.01, seed });
      const start = performance.now();
      const options = { protectLowest: true, timeLimitSeconds: TIME_LIMIT_SECONDS };
      const result = runNow(clipUserOptimal(occupancy, model, solver, options));
      const seconds = (performance.now() - start) / 1000;
      const { errorBound, protectedGrid, certificate: proof } = result;
      const holds = proof === null || provesImpossible(occupancy, model, { errorBound, protectedGrid, proof });
      good &&= holds && result.degradation <= result.clipUserDegradation;
      const dropped = occupancy.samples - result.kept.ofGrid.reduce((sum, kept) => sum + kept, 0);
      console.log(
        `  ${gamma}  ${String(seed).padStart(4)}  ${String(result.clipUserDegradation).padStart(13)}  ${result.degradation}  ` +
          `${String(result.lowerBound).padStart(8)}  ${result.lowerBoundBy.padEnd(11)}  ${String(dropped).padStart(15)}  ` +
          `${seconds.toFixed(1).padStart(7)}${holds ? "" : "  CERTIFICATE FAILS"}${result.timedOut ? "  time limit" : ""}`,
      );
    }
  }
  console.log();
  return good;
}
