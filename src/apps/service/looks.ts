/** First looks, a few at a time, each in a thread; who asks waits for its answer. */
import { VeilgridError } from "../../core/errors/index.ts";
import { type RunWork, runInThread } from "./job-work.ts";
import type { Look, LookWork } from "./look-work.ts";
import type { Log } from "./told-error.ts";
import { errorWithoutFolders } from "./without-folders.ts";

const MOST_AT_ONCE = 2;

export interface LooksOptions {
  readonly mostAtOnce?: number | undefined;
  /** In place of a thread for each. */
  readonly runWork?: RunWork<LookWork> | undefined;
  readonly log?: Log | undefined;
}

export class Looks implements AsyncDisposable {
  readonly #mostAtOnce: number;
  readonly #runWork: RunWork<LookWork>;
  readonly #running = new Map<AbortController, Promise<unknown>>();
  #isStopping = false;

  constructor({ mostAtOnce = MOST_AT_ONCE, runWork, log }: LooksOptions = {}) {
    this.#mostAtOnce = mostAtOnce;
    this.#runWork = runWork ?? runInThread({ log });
  }

  async look(work: Omit<LookWork, "kind">, signal: AbortSignal): Promise<Look> {
    if (this.#isStopping) throw new VeilgridError("BUSY", "the service is stopping; ask again in a minute");
    if (this.#running.size >= this.#mostAtOnce)
      throw new VeilgridError(
        "BUSY",
        `${this.#mostAtOnce} files are being looked at, which is the most; try again soon`,
      );
    const stop = new AbortController();
    const leave = (): void => stop.abort();
    signal.addEventListener("abort", leave);
    const looking = this.#runWork({ kind: "look", ...work }, { signal: stop.signal, onProgress: () => undefined });
    this.#running.set(stop, looking);
    try {
      return (await looking) as Look;
    } catch (error) {
      throw errorWithoutFolders(error, work.source);
    } finally {
      signal.removeEventListener("abort", leave);
      this.#running.delete(stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const stop of this.#running.keys()) stop.abort();
    await Promise.allSettled(this.#running.values());
  }
}
