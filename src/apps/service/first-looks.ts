/** Runs first looks at files whose columns are still unknown: a few at a time, each in a thread. */
import { VeilgridError } from "../../core/errors/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { isOccupancyFile, lookAtFile } from "../operations/index.ts";
import { errorWithoutFolders } from "./hide-folders.ts";
import type { LookTask, RunTask } from "./tasks.ts";

/** What a curator sees of a file before its columns are known: no value, and no place on the disk. */
export type Look = Awaited<ReturnType<typeof lookAtSource>>;

const MOST_AT_ONCE = 2;

export class FirstLooks implements AsyncDisposable {
  readonly #runTask: RunTask<LookTask>;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  #isStopping = false;

  constructor(runTask: RunTask<LookTask>) {
    this.#runTask = runTask;
  }

  async look(task: Omit<LookTask, "kind">, signal: AbortSignal): Promise<Look> {
    if (this.#isStopping) throw new VeilgridError("BUSY", "the service is stopping; ask again in a minute");
    if (this.#running.size >= MOST_AT_ONCE)
      throw new VeilgridError("BUSY", `${MOST_AT_ONCE} files are being looked at, which is the most; try again soon`);
    const stop = new AbortController();
    const options = { signal: AbortSignal.any([stop.signal, signal]), onProgress: () => undefined };
    const looking = this.#runTask({ kind: "look", ...task }, options);
    this.#running.set(stop, looking);
    try {
      return (await looking) as Look;
    } catch (error) {
      throw errorWithoutFolders(error, task.source);
    } finally {
      this.#running.delete(stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const stop of this.#running.keys()) stop.abort();
    await Promise.allSettled(this.#running.values());
  }
}

export async function lookAtSource({ source, dialect }: LookTask, work: LongWorkOptions) {
  const { columns, guess, open, doubts, told } = await lookAtFile(source, dialect, work);
  return { columns, guess, open, doubts, told, isOccupancy: await isOccupancyFile(source) };
}
