/** The service: what it remembers, who may ask, and what it may read. */

export { DataFolders } from "./data-folders.ts";
export {
  type AskOptions,
  type GridAnswer,
  GridAnswers,
  type GridAnswersOptions,
  type GridQuestion,
} from "./grid-answers.ts";
export type { JobEvent } from "./job-events.ts";
export type { JobWork, RunWork, RunWorkOptions } from "./job-work.ts";
export { JobRunner, type JobRunnerOptions } from "./jobs.ts";
export type { JobKind, JobRow, JobState, PlanRow, Role, ServedDataset, TokenRow } from "./rows.ts";
export { ServiceStore } from "./store.ts";
export {
  type StateWishes,
  type TokenCreateWishes,
  type TokenFacts,
  type TokenRevokeWishes,
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
  type TokenWishes,
} from "./tokens.ts";
