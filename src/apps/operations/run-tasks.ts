/** Runs pieces of an experiment on several cores; what comes out does not depend on how many. */
import { Worker } from "node:worker_threads";
import { itemAt, VeilgridError } from "../../core/errors/index.ts";
import { type LongWorkOptions, runCooperatively } from "../../core/planning/index.ts";
import { pointsOf, runTask, type Task, type TaskResult } from "../../evidence/experiments/index.ts";

export interface RunTasksOptions extends LongWorkOptions {
  readonly workers: number;
  /** What progress calls it. */
  readonly step: string;
}

/** A worker says how many points of its task are done, then the result. */
export type WorkerMessage = { readonly done: number } | { readonly result: TaskResult };

/** Results in the order of the tasks. */
export async function runTasks(
  tasks: readonly Task[],
  { workers, step, signal, onProgress }: RunTasksOptions,
): Promise<TaskResult[]> {
  const doneOf = tasks.map(() => 0);
  const of = tasks.reduce((sum, task) => sum + pointsOf(task), 0);
  const tell = (index: number, done: number): void => {
    doneOf[index] = done;
    onProgress?.({ step, done: doneOf.reduce((sum, each) => sum + each, 0), of });
  };
  const results: TaskResult[] = [];
  if (workers === 1 || tasks.length === 1) {
    for (const [index, task] of tasks.entries()) {
      results[index] = await runCooperatively(runTask(task), { signal, onProgress: ({ done }) => tell(index, done) });
      tell(index, pointsOf(task));
    }
    return results;
  }
  let next = 0;
  // The others need not finish what nobody waits for, and would keep the program from ending.
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const takeTurns = async (): Promise<void> => {
    const worker = new Worker(new URL("./task-worker.js", import.meta.url));
    try {
      while (next < tasks.length) {
        const index = next++;
        const task = itemAt(tasks, index);
        results[index] = await runIn(worker, task, (done) => tell(index, done), stop);
        tell(index, pointsOf(task));
      }
    } catch (error) {
      next = tasks.length;
      failed.abort();
      throw error;
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, takeTurns));
  return results;
}

const OUT_OF_MEMORY =
  "a worker ran out of memory; use fewer of them (--workers 1), or give each more with NODE_OPTIONS=--max-old-space-size=8000";

function runIn(
  worker: Worker,
  task: Task,
  tell: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => settle(() => reject(new VeilgridError("CANCELLED", "cancelled before it was done")));
    const fail = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      settle(() => reject(isMemory ? new VeilgridError("INPUT_TOO_LARGE", OUT_OF_MEMORY) : error));
    };
    const exit = (): void => fail(new VeilgridError("INTERNAL", "a worker ended before its task was done"));
    const hear = (message: WorkerMessage): void => {
      if ("done" in message) tell(message.done);
      else settle(() => resolve(message.result));
    };
    const settle = (then: () => void): void => {
      signal?.removeEventListener("abort", cancel);
      worker.off("message", hear).off("error", fail).off("exit", exit);
      then();
    };
    worker.on("message", hear).on("error", fail).on("exit", exit);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    else worker.postMessage(task);
  });
}
