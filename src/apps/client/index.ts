/** For programs that use a running service; runs in a browser as it is. */
export type * from "./api.ts";
export { type CallArguments, type ClientOptions, createClient, ServiceFailure } from "./client.ts";
export { type JobEvent, type JobProgress, jobEvents } from "./job-events.ts";
