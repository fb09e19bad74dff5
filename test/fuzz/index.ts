/** Targets of `npm run fuzz` that need what tests have, and so are compiled for it. */
import { engines } from "./engines.ts";
import { planners } from "./planners.ts";
import { sampler } from "./sampler.ts";

export const targets = {
  "differential-engines": engines,
  "differential-planners": planners,
  "differential-sampler": sampler,
};
