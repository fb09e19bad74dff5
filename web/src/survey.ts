/** Has the service count records per user and grid, and follows the job. */
import { ServiceFailure } from "../../src/apps/client/index.ts";
import { followJob, type JobProgress } from "./jobs.ts";
import type { Session } from "./session.ts";

/** Whether a dataset's occupancy is only missing because nobody has surveyed it. */
export function isNotSurveyed(error: unknown): boolean {
  return error instanceof ServiceFailure && error.code === "NOT_FOUND";
}

export interface SurveyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
  /** The job's id, with which it can be cancelled. */
  readonly onStart?: ((job: string) => void) | undefined;
}

/**
 * Joins a survey that waits or runs, or starts one; resolves when it is done or somebody has cancelled it.
 *
 * An abort of the signal ends the following, not the survey.
 */
export async function surveyDataset(
  session: Session,
  dataset: string,
  { signal = new AbortController().signal, onProgress, onStart }: SurveyOptions = {},
): Promise<"done" | "cancelled"> {
  const job = await joinOrStart(session, dataset, signal);
  onStart?.(job);
  try {
    await followJob(
      session,
      { id: job },
      {
        signal,
        onProgress,
        onState: (state) => state === "queued" && onProgress?.({ step: "waiting for its turn", done: 0 }),
      },
    );
    return "done";
  } catch (error) {
    if (error instanceof ServiceFailure && error.code === "CANCELLED") return "cancelled";
    throw error;
  }
}

async function joinOrStart({ service }: Session, dataset: string, signal: AbortSignal): Promise<string> {
  const { jobs } = await service.listJobs({ signal });
  const running = jobs.find(
    (job) => job.kind === "survey" && job.dataset === dataset && (job.state === "queued" || job.state === "running"),
  );
  return running?.id ?? (await service.startSurvey({ params: { dataset }, body: {}, signal })).id;
}
