/** Targets of `npm run fuzz` that need what tests have, and so are compiled for it. */
import { engines } from "./engines.ts";
import { http } from "./http.ts";
import { httpBytes } from "./http-bytes.ts";
import { planners } from "./planners.ts";
import { sampler } from "./sampler.ts";

export const targets = {
  http,
  "http-bytes": httpBytes,
  "differential-engines": engines,
  "differential-planners": planners,
  "differential-sampler": sampler,
};
