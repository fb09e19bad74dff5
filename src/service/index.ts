/** The service: what it remembers, who may ask, and what it may read. */
export type { JobKind, JobRow, JobState, PlanRow, Role, ServedDataset, TokenRow } from "./rows.ts";
export { ServiceStore } from "./store.ts";
