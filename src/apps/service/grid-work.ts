/** What answering questions takes: the ledger, to read what is committed, and a thread for each dataset, to release what is not. */

import { VeilgridError } from "../../core/errors/index.ts";
import { optionTexts, READING_OPTIONS } from "../../core/options/index.ts";
import { isLedgerAddress } from "../../publish/ledger/index.ts";
import { type OpenRelease, openRelease, type PrepareOptions } from "../operations/index.ts";
import { BEAT_MS } from "./beat.ts";
import type { ServedDataset } from "./rows.ts";
import { ServiceThread } from "./service-thread.ts";
import { type Log, type ToldError, toldAsError } from "./told-error.ts";

export interface GridWork extends AsyncDisposable {
  /** The committed text of a grid. Refuses a grid that is not in the plan; touches no record. */
  released(dataset: ServedDataset, grid: string): Promise<string | undefined>;
  /** Releases grids in one reading of the records; says which of them the budget refuses. */
  release(dataset: ServedDataset, grids: readonly string[]): Promise<ReadonlyMap<string, VeilgridError>>;
}

export interface GridWorkOptions {
  /** A file, or the address of a database that other nodes share. */
  readonly ledgerPlace: string;
  readonly ledgerHeadFile: string;
  readonly planFile: (hash: string) => string;
  readonly usersKeyFile?: string | undefined;
  readonly log?: Log | undefined;
}

export interface GridTask {
  readonly source: string;
  readonly options: PrepareOptions;
  readonly grids: readonly string[];
  /** Commit on multiples of this after the run began; 0: at once. */
  readonly beatMs: number;
}

export type GridTaskResult = ReadonlyArray<readonly [grid: string, error: Pick<ToldError, "code" | "message">]>;

type GridThread = ServiceThread<GridTask, GridTaskResult>;

/** Plans that are held open for reading; a service has a few datasets, each with one plan at a time. */
const MOST_OPEN = 32;
/** A thread that nobody asks goes away, and its engine's memory with it. */
const IDLE_MS = 10 * 60_000;

export class ThreadedGridWork implements GridWork {
  readonly #options: GridWorkOptions;
  readonly #script: URL;
  readonly #open = new Map<string, Promise<OpenRelease>>();
  readonly #threads = new Map<string, GridThread>();
  readonly #idle = new Map<string, NodeJS.Timeout>();
  readonly #beatMs: number;
  #isStopping = false;

  /** `script`: what runs in a thread. */
  constructor(options: GridWorkOptions, script: URL = new URL("./grid-worker.js", import.meta.url)) {
    this.#options = options;
    this.#script = script;
    // Another node gives out what is committed as soon as it is asked.
    this.#beatMs = isLedgerAddress(options.ledgerPlace) ? BEAT_MS : 0;
  }

  async released(dataset: ServedDataset, grid: string): Promise<string | undefined> {
    return (await this.#opened(dataset)).released(grid);
  }

  async release(dataset: ServedDataset, grids: readonly string[]): Promise<ReadonlyMap<string, VeilgridError>> {
    const thread = this.#threadOf(dataset.name);
    try {
      const options = this.#prepareOptions(dataset);
      const refused = await thread.run({ source: dataset.source, options, grids, beatMs: this.#beatMs });
      return new Map(refused.map(([grid, told]) => [grid, toldAsError(told)]));
    } catch (error) {
      if (!thread.isGone || this.#isStopping) throw error;
      // Told to analysts too, as it stands: what they can do about it is to ask again.
      throw new VeilgridError(
        "BUSY",
        "the thread that releases grids ended before it was done; ask again: what was charged is finished at no further cost",
      );
    } finally {
      if (!thread.isGone) this.#letRest(dataset.name, thread);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#threads.values()].map((thread) => thread[Symbol.asyncDispose]()));
    const open = await Promise.allSettled(this.#open.values());
    for (const each of open) if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
  }

  #prepareOptions(dataset: ServedDataset): PrepareOptions {
    const { plan, key, name, recipe } = dataset;
    if (plan === null || key === null)
      throw new VeilgridError(
        "NOT_RELEASED",
        "nothing is planned for this dataset yet; a curator has to choose a plan",
      );
    return {
      plan: this.#options.planFile(plan),
      ledger: this.#options.ledgerPlace,
      headFile: this.#options.ledgerHeadFile,
      usersKey: this.#options.usersKeyFile,
      dataset: name,
      key,
      records: optionTexts(READING_OPTIONS, recipe),
    };
  }

  async #opened(dataset: ServedDataset): Promise<OpenRelease> {
    const options = this.#prepareOptions(dataset);
    const name = JSON.stringify([dataset.name, dataset.plan, dataset.key, dataset.source]);
    const opening = this.#open.get(name) ?? openRelease(dataset.source, options);
    // Set again, so that what was used least recently is first.
    this.#open.delete(name);
    this.#open.set(name, opening);
    for (const [oldest, opened] of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(oldest);
      void opened.then((each) => each[Symbol.asyncDispose]()).catch(() => undefined);
    }
    try {
      const opened = await opening;
      if (opened.planHash === dataset.plan) return opened;
    } catch (error) {
      this.#open.delete(name);
      throw error;
    }
    throw new VeilgridError("PLAN_ALTERED", "the file of the dataset's plan holds another plan");
  }

  #threadOf(dataset: string): GridThread {
    clearTimeout(this.#idle.get(dataset));
    const known = this.#threads.get(dataset);
    if (known !== undefined && !known.isGone) return known;
    const thread: GridThread = new ServiceThread(this.#script, { log: this.#options.log });
    this.#threads.set(dataset, thread);
    return thread;
  }

  #letRest(dataset: string, thread: GridThread): void {
    const end = (): void => {
      this.#threads.delete(dataset);
      void thread[Symbol.asyncDispose]();
    };
    this.#idle.set(dataset, setTimeout(end, IDLE_MS).unref());
  }
}
