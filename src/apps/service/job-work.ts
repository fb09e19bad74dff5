/** What a job does: one operation of those the command line has, on a source that the service may read. */

import type { RecordsTexts } from "../../core/options/index.ts";
import type { PlanSummary, Progress } from "../../core/planning/index.ts";
import type { CompareOptions, PlanOptions, ReleaseOptions } from "../operations/index.ts";
import type { LookWork } from "./look-work.ts";
import { ServiceThread } from "./service-thread.ts";
import type { Log } from "./told-error.ts";

export type JobWork =
  | {
      readonly kind: "survey";
      readonly source: string;
      readonly recipe: RecordsTexts;
      /** Where to keep the counts, with ranks for names. */
      readonly occupancyFile?: string | undefined;
    }
  | { readonly kind: "plan"; readonly source: string; readonly options: PlanOptions }
  | { readonly kind: "compare"; readonly source: string; readonly options: CompareOptions }
  | { readonly kind: "release"; readonly source: string; readonly options: ReleaseOptions };

/** What the work of a plan gives; everything else gives the job's result itself. */
export interface PlanWorkResult {
  readonly summary: PlanSummary;
  /** Canonical. */
  readonly text: string;
  /** Sentences for the curator. */
  readonly warnings: readonly string[];
}

export interface RunWorkOptions {
  onProgress(progress: Progress): void;
  readonly signal: AbortSignal;
}

/** Gives something that JSON can say. */
export type RunWork<Work = JobWork> = (work: Work, options: RunWorkOptions) => Promise<unknown>;

/** Each in a thread of its own. */
export function runInThread(options: { readonly log?: Log | undefined } = {}): RunWork<JobWork | LookWork> {
  return async (work, { signal, onProgress }) => {
    await using thread = new ServiceThread<JobWork | LookWork, unknown>(
      new URL("./job-worker.js", import.meta.url),
      options,
    );
    return await thread.run(work, { signal, onProgress });
  };
}
