/** Has the service count records per user and grid, and follows it. */
import { ServiceFailure } from "../../src/client/index.ts";
import type { LongWorkOptions } from "../../src/planning/index.ts";
import { jobEvents } from "./job-events.ts";
import type { Session } from "./session.ts";

/** Whether a dataset's occupancy is only missing because nobody has surveyed it. */
export function isNotSurveyed(error: unknown): boolean {
  return error instanceof ServiceFailure && error.code === "NOT_FOUND";
}

export interface SurveyOptions extends LongWorkOptions {
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
  const { service } = session;
  const job = await joinOrStart(session, dataset, signal);
  onStart?.(job);
  for await (const event of jobEvents(session, job, signal)) {
    if (event.type === "progress") onProgress?.(event.data);
    else if (event.data.state === "queued") onProgress?.({ step: "waiting for its turn", done: 0 });
  }
  // The connection may end before the job does; what counts is what the service says now.
  const { state, error } = await service.getJob({ params: { job }, signal });
  if (state === "done" || state === "cancelled") return state;
  if (error !== null) throw new ServiceFailure(500, error.code, error.message);
  throw new Error(
    state === "interrupted"
      ? "the service was stopped while it counted; survey again"
      : "the connection was lost while the service counts; try again to see how far it is",
  );
}

async function joinOrStart({ service }: Session, dataset: string, signal: AbortSignal): Promise<string> {
  const { jobs } = await service.listJobs({ signal });
  const running = jobs.find(
    (job) => job.kind === "survey" && job.dataset === dataset && (job.state === "queued" || job.state === "running"),
  );
  return running?.id ?? (await service.startSurvey({ params: { dataset }, body: {}, signal })).id;
}
