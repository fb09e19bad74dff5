/** The service: routes, who may ask, what it remembers, what it may read, and its jobs. */

export { DataFolders } from "./data-folders.ts";
export {
  type AskOptions,
  type GridAnswer,
  GridAnswers,
  type GridAnswersOptions,
  type GridQuestion,
} from "./grid-answers.ts";
export type { GridWork } from "./grid-work.ts";
export type { JobEvent } from "./job-events.ts";
export type { JobWork, RunWork, RunWorkOptions } from "./job-work.ts";
export { JobRunner, type JobRunnerOptions } from "./jobs.ts";
export type { JobKind, JobRow, JobState, PlanRow, Role, ServedDataset, TokenRow } from "./rows.ts";
export { type RunningService, type ServeOptions, startService } from "./serve.ts";
export type { LogLine, ServiceLimits } from "./service-options.ts";
export { ServiceStore, type StoreOptions } from "./store.ts";
export {
  type StateOptions,
  type TokenCreateOptions,
  type TokenFacts,
  type TokenRevokeOptions,
  type TokenState,
  tokenCreate,
  tokenList,
  tokenRevoke,
} from "./token-operations.ts";
export {
  authenticate,
  type Caller,
  createToken,
  mayUse,
  type NewToken,
  redeem,
  type TokenOptions,
} from "./tokens.ts";
export type { Log } from "./told-error.ts";
