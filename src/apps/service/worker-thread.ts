/** Runs tasks in a thread, one at a time, with progress; a thread can be cancelled and leaves no file behind. */
import { Worker } from "node:worker_threads";
import { VeilgridError } from "../../core/errors/index.ts";
import type { LongWorkOptions, Progress } from "../../core/planning/index.ts";
import { TemporaryFolder } from "../../data/sources/index.ts";
import { type ErrorRecord, errorOf, type Log, recordError } from "./failures.ts";
import type { RunTask, Task } from "./tasks.ts";

export type ToWorker = { readonly task: Task } | { readonly cancel: true };
type Answer = { readonly result: unknown } | { readonly error: ErrorRecord };
export type FromWorker = { readonly progress: Progress } | Answer;

export interface WorkerThreadOptions {
  readonly log?: Log | undefined;
  /** How long cancelled work may take to stop by itself before its thread is ended. */
  readonly graceMs?: number | undefined;
  /** In place of the service's own. */
  readonly script?: URL | undefined;
}

const GRACE_MS = 3_000;

/** Runs every task in a thread of its own. */
export function runInThread(log?: Log): RunTask<Task> {
  return async (task, options) => {
    await using thread = new WorkerThread({ log });
    return await thread.run(task, options);
  };
}

export class WorkerThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #log: Log | undefined;
  readonly #graceMs: number;
  readonly #gone: Promise<void>;
  #isGone = false;
  #current: { readonly stop: () => void; readonly answer: Promise<unknown> } | undefined;

  constructor({ log, graceMs = GRACE_MS, script = new URL("./task-worker.js", import.meta.url) }: WorkerThreadOptions) {
    // An engine spills protected values. A thread that is ended cannot tidy up, so the folder is removed here.
    const folder = TemporaryFolder.make();
    const { path } = folder;
    this.#log = log;
    this.#graceMs = graceMs;
    this.#worker = new Worker(script, { env: { ...process.env, TMPDIR: path, TEMP: path, TMP: path } });
    // Without the error's message, which might quote a value.
    this.#worker.on("error", (error) => log?.(`a thread failed: ${recordError(error).trace}`));
    this.#gone = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#isGone = true;
        folder[Symbol.dispose]();
        resolve();
      });
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Rejects with CANCELLED once cancelled work has stopped, by itself or with its thread. */
  async run(task: Task, { signal, onProgress }: LongWorkOptions = {}): Promise<unknown> {
    if (signal?.aborted) throw cancelled();
    let grace: NodeJS.Timeout | undefined;
    const stop = (): void => {
      if (grace !== undefined) return;
      this.#send({ cancel: true });
      grace = setTimeout(() => void this.#worker.terminate(), this.#graceMs);
    };
    const answer = this.#answerTo(task, onProgress);
    this.#current = { stop, answer };
    signal?.addEventListener("abort", stop);
    try {
      const message = await answer;
      if (grace !== undefined) throw cancelled();
      if ("result" in message) return message.result;
      if (message.error.trace !== null) this.#log?.(`a task failed: ${message.error.trace}`);
      throw errorOf(message.error);
    } catch (error) {
      throw grace === undefined ? error : cancelled();
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener("abort", stop);
      this.#current = undefined;
    }
  }

  /** Cancels what runs: a query of the engine holds up the end of its thread until it is interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#current?.stop();
    await this.#current?.answer.catch(() => undefined);
    await this.#worker.terminate();
    await this.#gone;
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #answerTo(task: Task, onProgress: LongWorkOptions["onProgress"]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        this.#worker.off("message", hear).off("exit", exit);
        then();
      };
      const hear = (message: FromWorker): void => {
        if ("progress" in message) onProgress?.(message.progress);
        else settle(() => resolve(message));
      };
      const exit = (): void =>
        settle(() => reject(new VeilgridError("INTERNAL", "the thread that did the work ended before it was done")));
      this.#worker.on("message", hear).on("exit", exit);
      if (this.#isGone) exit();
      else this.#send({ task });
    });
  }
}

function cancelled(): VeilgridError {
  return new VeilgridError("CANCELLED", "cancelled before it was done");
}
