/** The use cases: what the command line, the service and library users call. */
export { type PlanOptions, type PlanResult, type PlanWishes, plan, planRequest } from "./plan.ts";
export { simulateSynthetic } from "./simulate.ts";
export { type Survey, type SurveyOptions, survey } from "./survey.ts";
export { checkOut, writeFileWhole } from "./write-file.ts";
