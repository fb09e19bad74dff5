/** Balanced plans whose time and memory are measured, and the frontier's plan for the same loss beside them. */
import { parseDecimal } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import type { Occupancy } from "#core/occupancy";
import { type MadePlan, makePlan, runNow } from "#core/planning";

const bounds = parseBounds("0,65");
const loss = parseDecimal("1", "loss");

const balanced =
  (statistics: string, sketch?: object) =>
  (occupancy: Occupancy): MadePlan => {
    const objective = makeObjective(bounds, { statistics, metric: "relative", estimator: "weighted" });
    return runNow(makePlan(occupancy, { objective, balanced: { loss }, sketch }));
  };

export const BALANCED_PLANS: Readonly<Record<string, (occupancy: Occupancy) => MadePlan>> = {
  "balanced, first answer": balanced("mean", {}),
  "balanced, mean": balanced("mean"),
  "balanced, mean,variance": balanced("mean,variance"),
  "frontier, mean": (occupancy) => {
    const objective = makeObjective(bounds, { statistics: "mean", metric: "relative", estimator: "centred" });
    return runNow(makePlan(occupancy, { objective, frontier: { kind: "loss", loss } }));
  },
};
