/** Releases grids in a thread for each dataset, which keeps counts and the checked plan between runs and ends when nobody has asked for a while. */
import { VeilgridError } from "../../core/errors/index.ts";
import { optionTexts, READING_OPTIONS } from "../../core/options/index.ts";
import { isLedgerAddress } from "../../publish/ledger/index.ts";
import { TICK_MS } from "./clock-tick.ts";
import { errorOf, type Log } from "./failures.ts";
import type { GridReleaser, PlannedDataset } from "./grid-answers.ts";
import type { GridsTask, GridsTaskResult } from "./tasks.ts";
import { WorkerThread } from "./worker-thread.ts";

export interface GridReleasesOptions {
  /** A file, or the address of a database that other nodes share. */
  readonly ledgerPlace: string;
  readonly ledgerHeadFile: string;
  readonly planFile: (hash: string) => string;
  /** The place of the dataset's records as it is now, or a refusal. */
  readonly sourceOf: (dataset: PlannedDataset) => Promise<string>;
  readonly log?: Log | undefined;
  /** What runs in a thread, in place of the service's own. */
  readonly script?: URL | undefined;
}

/** A thread that nobody asks goes away, and its engine's memory with it. */
const IDLE_MS = 10 * 60_000;

export class GridReleases implements GridReleaser {
  readonly #options: GridReleasesOptions;
  readonly #threads = new Map<string, WorkerThread>();
  readonly #idle = new Map<string, NodeJS.Timeout>();
  #isStopping = false;

  constructor(options: GridReleasesOptions) {
    this.#options = options;
  }

  async release(dataset: PlannedDataset, grids: readonly string[]): Promise<ReadonlyMap<string, VeilgridError>> {
    const task = await this.#taskOf(dataset, grids);
    const thread = this.#threadOf(dataset.name);
    try {
      const refused = (await thread.run(task)) as GridsTaskResult;
      return new Map(refused.map(([grid, error]) => [grid, errorOf(error)]));
    } catch (error) {
      if (!thread.isGone || this.#isStopping) throw error;
      // Analysts read it as it stands: what they can do about it is to ask again.
      throw new VeilgridError(
        "BUSY",
        "the thread that releases grids ended before it was done; ask again: what was charged is finished at no further cost",
      );
    } finally {
      if (!thread.isGone) this.#endWhenIdle(dataset.name, thread);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#threads.values()].map((thread) => thread[Symbol.asyncDispose]()));
  }

  async #taskOf(dataset: PlannedDataset, grids: readonly string[]): Promise<GridsTask> {
    const { ledgerPlace: ledger, ledgerHeadFile: headFile, planFile, sourceOf } = this.#options;
    const { name, key, recipe } = dataset;
    return {
      kind: "grids",
      source: await sourceOf(dataset),
      options: {
        plan: planFile(dataset.plan),
        ledger,
        headFile,
        dataset: name,
        key,
        records: optionTexts(READING_OPTIONS, recipe),
      },
      grids,
      // On a shared ledger, another node gives out what is committed as soon as it is asked.
      tickMs: isLedgerAddress(ledger) ? TICK_MS : 0,
    };
  }

  #threadOf(dataset: string): WorkerThread {
    if (this.#isStopping) throw new VeilgridError("CANCELLED", "the service is stopping; ask again in a minute");
    clearTimeout(this.#idle.get(dataset));
    const known = this.#threads.get(dataset);
    if (known !== undefined && !known.isGone) return known;
    const thread = new WorkerThread(this.#options);
    this.#threads.set(dataset, thread);
    return thread;
  }

  #endWhenIdle(dataset: string, thread: WorkerThread): void {
    const end = (): void => {
      this.#threads.delete(dataset);
      void thread[Symbol.asyncDispose]();
    };
    this.#idle.set(dataset, setTimeout(end, IDLE_MS).unref());
  }
}
