/**
 * Plans on one day, releases on another: the plan is kept as text, one engine serves all of it, and the ledger is tried out in
 * memory. Run it with `node examples/keep-a-plan.mjs` in a folder of its own, where it writes `results/`.
 */
import { plan, release, render, survey, writeRelease } from "veilgrid";
import { openEngine } from "veilgrid/engines";
import { VeilgridError } from "veilgrid/errors";
import { Ledger, MemoryStore } from "veilgrid/ledger";
import { checkPlan, planText, Rational, readPlan } from "veilgrid/planning";

const records = {
  rows: Array.from({ length: 600 }, (_, at) => ({ shop: `shop ${at % 50}`, day: at % 3, sales: at % 90 })),
  user: "shop",
  value: "sales",
  by: "day",
};

// An engine that is handed over stays open; without one, each call opens and closes its own.
const engine = await openEngine("rows");
const counts = await survey(records, { engine });
const made = await plan(counts, { bounds: "0,100", statistics: "mean", error: 20 });
const kept = planText(made.plan);

// Another day: the text is read and held to the counts before anything is charged.
const again = readPlan(kept, "plan.json");
checkPlan(counts.occupancy, again);

const ledger = new Ledger(new MemoryStore());
await ledger.init({ dataset: "shops", budget: Rational.of(1, 2), occupancyIsPublic: true });
try {
  const released = await release({ plan: again, records, ledger, dataset: "shops" }, { engine });
  console.log(`${released.chargedGrids} grids released`);
  console.log(await render(released.result, "csv", { confidence: 0.9 }));
  for (const { what, path } of await writeRelease(released, "results/")) console.log(`${what}: ${path}`);
} catch (error) {
  if (!(error instanceof VeilgridError) || error.code !== "BUDGET_EXCEEDED") throw error;
  console.log(`refused: ${error.message}`);
} finally {
  await engine[Symbol.asyncDispose]();
}
