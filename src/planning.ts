/** Planning from counts alone, in a browser too: occupancy arrays, objectives, plans and their losses and guaranteed errors. */
export { parseDecimal, Rational } from "./core/arithmetic/index.ts";
export { makeBounds, makeObjective, parseBounds } from "./core/influence/index.ts";
export { type Occupancy, OccupancyCsvReader, occupancyFromTriples } from "./core/occupancy/index.ts";
export {
  checkPlan,
  type LongWorkOptions,
  makePlan,
  type Plan,
  type PlanSummary,
  planText,
  readPlan,
  runCooperatively,
  summarisePlan,
} from "./core/planning/index.ts";
