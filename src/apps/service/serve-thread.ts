/** The inside of a thread of the service: does one task after the other as they are handed to it. */
import { parentPort } from "node:worker_threads";
import type { LongWorkOptions, Progress } from "../../core/planning/index.ts";
import type { FromThread, ToThread } from "./service-thread.ts";
import { tellError } from "./told-error.ts";

/** Progress within one step is told so often at most. */
const PROGRESS_MS = 100;

export function serveThread<Task>(work: (task: Task, options: LongWorkOptions) => Promise<unknown>): void {
  let stop = new AbortController();
  const say = (message: FromThread): void => parentPort!.postMessage(message);
  parentPort!.on("message", async (message: ToThread) => {
    if ("cancel" in message) {
      stop.abort();
      return;
    }
    stop = new AbortController();
    try {
      const result = await work(message.task as Task, { signal: stop.signal, onProgress: seldom(say) });
      // Exact numbers become text here, as they do in the JSON that leaves the service.
      say({ result: result === undefined ? null : JSON.parse(JSON.stringify(result)) });
    } catch (error) {
      say({ error: tellError(error) });
    }
  });
}

function seldom(say: (message: FromThread) => void): (progress: Progress) => void {
  let step: string | undefined;
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.step === step && now < next) return;
    step = progress.step;
    next = now + PROGRESS_MS;
    say({ progress });
  };
}
