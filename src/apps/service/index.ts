/** The service: routes, who may ask, what it remembers, what it may read, and its jobs. */

export { DataFolders } from "./data-folders.ts";
export { GridAnswers, type GridReleaser, PlanCache, type PlannedDataset } from "./grid-answers.ts";
export { GridReleases } from "./grid-releases.ts";
export { type JobEvent, JobRunner } from "./jobs.ts";
export type { JobRow, ServedDataset } from "./rows.ts";
export { type RunningService, startService } from "./serve.ts";
export type { LogLine, ServiceLimits } from "./service-parts.ts";
export { ServiceStore } from "./store.ts";
export type { JobTask } from "./tasks.ts";
export { createToken, type TokenFacts, tokenCreate, tokenList, tokenRevoke } from "./tokens.ts";
export { runInThread } from "./worker-thread.ts";
