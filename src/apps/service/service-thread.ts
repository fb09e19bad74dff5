/** A thread of the service: takes one task at a time, tells progress, can be cancelled, and leaves no file behind. */
import { Worker } from "node:worker_threads";
import { VeilgridError } from "../../core/errors/index.ts";
import type { LongWorkOptions, Progress } from "../../core/planning/index.ts";
import { TemporaryFolder } from "../../data/sources/index.ts";
import { type Log, type ToldError, tellError, toldAsError } from "./told-error.ts";

export type ToThread = { readonly task: unknown } | { readonly cancel: true };
export type FromThread = { readonly progress: Progress } | { readonly result: unknown } | { readonly error: ToldError };

export interface ServiceThreadOptions {
  readonly log?: Log | undefined;
  /** How long cancelled work may take to stop by itself before its thread is ended. */
  readonly graceMs?: number | undefined;
}

const GRACE_MS = 3_000;

export class ServiceThread<Task, Result> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #log: Log | undefined;
  readonly #graceMs: number;
  readonly #gone: Promise<void>;
  #isGone = false;
  #current: { readonly stop: () => void; readonly answer: Promise<unknown> } | undefined;

  constructor(script: URL, { log, graceMs = GRACE_MS }: ServiceThreadOptions = {}) {
    // An engine spills protected values; a thread that is ended cannot tidy up, so that its folder is ours to remove.
    const folder = TemporaryFolder.make();
    const { path } = folder;
    this.#log = log;
    this.#graceMs = graceMs;
    this.#worker = new Worker(script, { env: { ...process.env, TMPDIR: path, TEMP: path, TMP: path } });
    this.#worker.on("error", (error) => this.#log?.(`a thread failed: ${tellError(error).trace ?? error.message}`));
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
  async run(task: Task, { signal, onProgress }: LongWorkOptions = {}): Promise<Result> {
    if (signal?.aborted) throw cancelled();
    let grace: NodeJS.Timeout | undefined;
    let isCancelled = false;
    const stop = (): void => {
      if (isCancelled) return;
      isCancelled = true;
      this.#send({ cancel: true });
      grace = setTimeout(() => void this.#worker.terminate(), this.#graceMs);
    };
    const answer = this.#answer(task, onProgress);
    this.#current = { stop, answer };
    signal?.addEventListener("abort", stop);
    try {
      const message = await answer;
      if (isCancelled) throw cancelled();
      if ("result" in message) return message.result as Result;
      if (message.error.trace !== null) this.#log?.(`a task failed: ${message.error.trace}`);
      throw toldAsError(message.error);
    } catch (error) {
      throw isCancelled ? cancelled() : error;
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener("abort", stop);
      this.#current = undefined;
    }
  }

  /** What runs is cancelled first: a query of the engine holds up the end of its thread until it is interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#current?.stop();
    await this.#current?.answer.catch(() => undefined);
    await this.#worker.terminate();
    await this.#gone;
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #answer(
    task: Task,
    onProgress: LongWorkOptions["onProgress"],
  ): Promise<Exclude<FromThread, { readonly progress: Progress }>> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        this.#worker.off("message", hear).off("exit", exit);
        then();
      };
      const hear = (message: FromThread): void => {
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
