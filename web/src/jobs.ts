/** Follows a job of the service until it ends: by its events, and by polling where they do not arrive. */
import { type Job, type JobProgress, jobEvents, ServiceFailure } from "../../src/apps/client/index.ts";
import type { Service, Session } from "./session.ts";

export type { Job, JobProgress } from "../../src/apps/client/index.ts";

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  onProgress?: ((progress: JobProgress) => void) | undefined;
  onState?: ((state: Job["state"]) => void) | undefined;
  /** Between two questions where events do not get through; milliseconds. */
  readonly pauseMs?: number | undefined;
}

/** So many times in a row the service may be out of reach before we give up. */
const UNREACHED = 6;

/** The finished job, with its result; a `ServiceFailure` with the job's error if it failed, was cancelled or interrupted. */
export async function followJob(
  session: Pick<Session, "service" | "token">,
  { id }: Pick<Job, "id">,
  options: FollowOptions = {},
): Promise<Job> {
  const { signal = new AbortController().signal } = options;
  try {
    for await (const { type, data } of jobEvents({ url: location.origin, token: session.token }, id, signal)) {
      if (type === "progress") options.onProgress?.(data);
      else options.onState?.(data.state);
    }
  } catch {
    // The stream broke: what is left is to ask.
  }
  return finished(await askUntilEnded(session.service, id, { ...options, signal }));
}

/** Resolves when the job has stopped, with what became of it: it may have finished just before. */
export function cancelJob({ service }: Pick<Session, "service">, { id }: Pick<Job, "id">): Promise<Job> {
  return service.cancelJob({ params: { job: id } });
}

async function askUntilEnded(
  service: Pick<Service, "getJob">,
  id: string,
  { signal, onState, pauseMs = 1000 }: FollowOptions & { readonly signal: AbortSignal },
): Promise<Job> {
  for (let unreached = 0; ; ) {
    signal.throwIfAborted();
    try {
      const job = await service.getJob({ params: { job: id }, signal });
      unreached = 0;
      onState?.(job.state);
      if (job.ended !== null) return job;
    } catch (error) {
      unreached += 1;
      if (signal.aborted || error instanceof ServiceFailure || unreached >= UNREACHED) throw error;
    }
    await pause(pauseMs, signal);
  }
}

function finished(job: Job): Job {
  if (job.state === "done") return job;
  if (job.state === "cancelled") throw new ServiceFailure(499, "CANCELLED", "it was cancelled before it was done");
  if (job.state === "interrupted")
    throw new ServiceFailure(503, "INTERRUPTED", "the service was stopped before it was done; start it again");
  const { code, message } = job.error ?? { code: "INTERNAL", message: "it failed" };
  throw new ServiceFailure(500, code, message);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
