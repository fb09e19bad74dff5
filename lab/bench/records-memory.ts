/** Surveys a file, plans and reads totals with caps, then prints the peak memory of this process in MB. */
import { readSource } from "#apps/operations";
import { Rational } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import { makePlan, runNow } from "#core/planning";
import { DuckDbEngine } from "#data/engines";
import { parseRecipe } from "#data/partition";

const COLUMNS = { user: "license_plate", value: "speed", by: "hexagon" };
const file = process.argv[2]!;
const { occupancy } = await readSource(file, COLUMNS);
const objective = makeObjective(parseBounds("0,65"));
const { plan } = runNow(makePlan(occupancy, { objective, epsilon: Rational.ONE }));
const engine = await DuckDbEngine.open();
const source = await engine.describe(file, {});
await engine.readTotals({ source, recipe: parseRecipe(COLUMNS) }, { ...plan, caps: plan.grids.map(() => 15) });
await engine[Symbol.asyncDispose]();
console.log(process.resourceUsage().maxRSS / 1000);
