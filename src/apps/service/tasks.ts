/** Types of the tasks that worker threads run: jobs, first looks, and releases of single grids. */
import type { RecordsTexts } from "../../core/options/index.ts";
import type { PlanSummary, Progress } from "../../core/planning/index.ts";
import type { CompareOptions, PlanOptions, PrepareOptions, ReleaseOptions } from "../operations/index.ts";
import type { ErrorRecord } from "./failures.ts";

export interface SurveyTask {
  readonly kind: "survey";
  readonly source: string;
  readonly recipe: RecordsTexts;
  /** Where to keep the counts, with ranks for names. */
  readonly occupancyFile?: string | undefined;
}

export type JobTask =
  | SurveyTask
  | { readonly kind: "plan"; readonly source: string; readonly options: PlanOptions }
  | { readonly kind: "compare"; readonly source: string; readonly options: CompareOptions }
  | { readonly kind: "release"; readonly source: string; readonly options: ReleaseOptions };

/** The result of a plan's task; the other jobs give the job's result itself. */
export interface PlanTaskResult {
  readonly summary: PlanSummary;
  /** Canonical. */
  readonly text: string;
  /** Sentences for the curator. */
  readonly warnings: readonly string[];
}

export interface LookTask {
  readonly kind: "look";
  /** Resolved in a data folder. */
  readonly source: string;
  readonly dialect: Pick<RecordsTexts, "delimiter" | "header">;
}

export interface GridsTask {
  readonly kind: "grids";
  readonly source: string;
  readonly options: PrepareOptions;
  readonly grids: readonly string[];
  /** Commits on multiples of this after the task began; at once if 0. */
  readonly tickMs: number;
}

/** The grids that the budget refuses. */
export type GridsTaskResult = ReadonlyArray<readonly [grid: string, error: ErrorRecord]>;

export type Task = JobTask | LookTask | GridsTask;

export interface RunOptions {
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** Gives something that JSON can say. */
export type RunTask<OneTask extends Task = JobTask> = (task: OneTask, options: RunOptions) => Promise<unknown>;
