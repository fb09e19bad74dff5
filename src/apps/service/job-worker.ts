/** A thread that does one job or takes one look: calls an operation and gives what the command line would print as JSON. */

import { type LongWorkOptions, planText } from "../../core/planning/index.ts";
import { compare, plan, releaseFacts, releaseRecords } from "../operations/index.ts";
import type { JobWork } from "./job-work.ts";
import { type LookWork, lookWork } from "./look-work.ts";
import { serveThread } from "./serve-thread.ts";
import { surveyWork } from "./survey-work.ts";

serveThread<JobWork | LookWork>(async (work, options: LongWorkOptions) => {
  const { source } = work;
  switch (work.kind) {
    case "look":
      return lookWork(work, options);
    case "survey":
      return surveyWork(work, options);
    case "plan": {
      const { summary, plan: made, warnings } = await plan(source, work.options, { ...options, withoutNames: true });
      return { summary, text: planText(made), warnings };
    }
    case "compare":
      return (await compare(source, work.options, options)).comparison;
    case "release": {
      // The service writes no file for a caller, and its noise is never replayed.
      const request = { ...work.options, out: undefined, format: undefined, replaySeed: undefined };
      const report = await releaseRecords(source, request, options);
      return { ...releaseFacts(report), warnings: report.warnings };
    }
  }
});
