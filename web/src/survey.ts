/** Has the service count records per user and grid, and waits for it. */
import { ServiceFailure } from "../../src/client/index.ts";
import type { LongWorkOptions } from "../../src/planning/index.ts";
import { jobEvents } from "./job-events.ts";
import type { Session } from "./session.ts";

/** Whether a dataset's occupancy is only missing because nobody has surveyed it. */
export function isNotSurveyed(error: unknown): boolean {
  return error instanceof ServiceFailure && error.code === "NOT_FOUND";
}

/** Resolves when the counts are there; an abort of the signal cancels the job too. */
export async function surveyDataset(session: Session, dataset: string, options: LongWorkOptions = {}): Promise<void> {
  const { signal = new AbortController().signal, onProgress } = options;
  const { service } = session;
  const { id } = await service.startSurvey({ params: { dataset }, body: {}, signal });
  const cancel = (): void => void service.cancelJob({ params: { job: id } }).catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const event of jobEvents(session, id, signal)) {
      if (event.type === "progress") onProgress?.(event.data);
      else if (event.data.state === "queued") onProgress?.({ step: "waiting for its turn", done: 0 });
    }
    // The connection may end before the job does; what counts is what the service says now.
    const { state, error } = await service.getJob({ params: { job: id }, signal });
    if (state === "done") return;
    if (error !== null) throw new ServiceFailure(500, error.code, error.message);
    throw new Error(state === "running" ? "the connection to the survey was lost" : `the survey was ${state}`);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
