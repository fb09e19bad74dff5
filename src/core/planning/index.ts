/** Deciding from occupancy alone what to keep and how much noise to add: baseline, CLIP-USER, caps, and the frozen Plan. */
export type { BalancedGoal } from "./balanced/balance.ts";
export type { BalancedEvaluation } from "./balanced/evaluate-balanced.ts";
export { parseSpread, type Spread } from "./balanced/spread.ts";
export {
  type Aim,
  type BalancedTerms,
  featuresOf,
  firstPart,
  isFew,
  lastPart,
  middleOf,
  passCosts,
  RINGS,
  ringScale,
  scalesFor,
  stepExponentFor,
  wholeWidths,
  windowed,
} from "./balanced/terms.ts";
export { bestCap, chooseCaps } from "./caps.ts";
export { checkPlan } from "./check-plan.ts";
export { clipUser } from "./clip-user/clip-user.ts";
export {
  guaranteesOf,
  keptUnderPlan,
  lossesOf,
  type PlanEvaluation,
  uniformNoise,
} from "./evaluate-plan.ts";
export type { ErrorTarget } from "./frontier/error-target.ts";
export { parseErrorTarget } from "./frontier/error-target.ts";
export { leastError, leastLoss } from "./frontier/frontier.ts";
export { type InputLattice, inputLattice, latticeStep } from "./lattice.ts";
export {
  checkpoint,
  type LongWork,
  type LongWorkOptions,
  type Progress,
  type ResultOf,
  runCooperatively,
  runNow,
  throwIfCancelled,
} from "./long-work.ts";
export { type MadePlan, makePlan, type PlanRequest } from "./make-plan.ts";
export type {
  KeepRule,
  Plan,
  PlanContent,
  PlanPartition,
  PlanStrategy,
  StrategyName,
} from "./plan.ts";
export { planText, readPlan } from "./plan-file.ts";
export {
  type GridPlanSummary,
  type PlanSummary,
  type StatisticPlanSummary,
  summarisePlan,
} from "./plan-summary.ts";
export { type ImpossibleK, provesImpossible } from "./smallest-k/impossible-k.ts";
export type { LinearOutcome, LinearProgram, LinearSolver, SolveOptions } from "./smallest-k/linear-solver.ts";
export { type ClipUserOptimalOptions, type ClipUserOptimalResult, clipUserOptimal } from "./smallest-k/smallest-k.ts";
export type {
  FrontierGoal,
  StrategyRequest,
} from "./strategies.ts";
export { verifyBound } from "./verify-bound.ts";
