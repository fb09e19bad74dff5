/** A job as it goes: its state and progress, read from the service's stream of events. */
import { type Api, type Job, OPERATIONS } from "./api.ts";
import { type ClientOptions, openRoute } from "./client.ts";
import { serverSentEvents } from "./server-sent-events.ts";

export type JobEvent =
  | {
      /** Ascending within a job. */
      readonly id: number;
      readonly type: "state";
      readonly data: Pick<Job, "state" | "started" | "ended" | "error">;
    }
  | { readonly id: number; readonly type: "progress"; readonly data: JobProgress };

export interface JobProgress {
  /** What is being done. */
  readonly step: string;
  readonly done: number;
  /** How much there is; left out where nobody knows. */
  readonly of?: number;
}

/**
 * Events as they come; the latest state is the first, and the last tells how the job ended. Ends quietly when the signal is aborted;
 * throws what `followJob` throws, and whatever breaks the connection.
 */
export async function* jobEvents(
  options: ClientOptions,
  job: Parameters<Api["followJob"]>[0]["params"]["job"],
  signal?: AbortSignal,
): AsyncGenerator<JobEvent, void, void> {
  try {
    const answer = await openRoute(options, OPERATIONS.followJob, { params: { job }, signal });
    if (answer.body === null) return;
    for await (const { id, event, data } of serverSentEvents(answer.body))
      yield { id: Number(id), type: event, data: JSON.parse(data) } as JobEvent;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
