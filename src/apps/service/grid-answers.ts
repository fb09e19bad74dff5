/** Answers questions for single grids: from the ledger where a grid is released, otherwise by a run that releases it together with all others that wait. */
import { readFile } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Plan, readPlan } from "../../core/planning/index.ts";
import type { Committed, Ledger } from "../../publish/ledger/index.ts";
import { releasedText } from "../../publish/release/index.ts";
import { TICK_MS, untilNextTick } from "./clock-tick.ts";
import type { ServedDataset } from "./rows.ts";

/** A dataset whose questions are answered under a plan. */
export interface PlannedDataset extends ServedDataset {
  readonly plan: string;
  readonly key: string;
}

export function isPlanned(dataset: ServedDataset): dataset is PlannedDataset {
  return dataset.plan !== null && dataset.key !== null;
}

export interface GridReleaser extends AsyncDisposable {
  /** Charges and commits grids in one reading of the records; says which of them the budget refuses. */
  release(dataset: PlannedDataset, grids: readonly string[]): Promise<ReadonlyMap<string, VeilgridError>>;
}

export interface GridAnswersOptions {
  readonly planOf: (hash: string) => Promise<Pick<Plan, "grids" | "objective">>;
  readonly ledger: Pick<Ledger, "committed">;
  readonly releaser: GridReleaser;
  /** Fresh answers are given on multiples of this after their run began, so that their time does not tell the noise. */
  readonly tickMs?: number | undefined;
  /** Questions that may wait for a release, over all datasets. */
  readonly mostWaiting?: number | undefined;
  /** Milliseconds from any start. */
  readonly now?: (() => number) | undefined;
}

const MOST_WAITING = 1_000;

interface Waiter {
  readonly dataset: PlannedDataset;
  readonly grid: string;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

/** The questions of one dataset: those that a run releases now, and those that the next run takes together. */
interface Queue {
  running: { readonly release: string; readonly waiters: Waiter[] } | undefined;
  readonly waiting: Waiter[];
  /** Settles when nothing of it runs. */
  done: Promise<void>;
}

export class GridAnswers implements AsyncDisposable {
  readonly #options: GridAnswersOptions;
  readonly #queues = new Map<string, Queue>();
  #isStopping = false;

  constructor(options: GridAnswersOptions) {
    this.#options = options;
  }

  /** The plan that a dataset's questions are answered under. */
  planOf(dataset: PlannedDataset): Promise<Pick<Plan, "grids" | "objective">> {
    return this.#options.planOf(dataset.plan);
  }

  /** What the ledger has of these grids, in this order, but for those whose answers are still to be given: when they got there would tell about their noise. */
  async released(dataset: PlannedDataset, grids: readonly string[]): Promise<Committed | undefined> {
    const found = await this.#committed(dataset, grids);
    if (found === undefined) return undefined;
    const held = new Set(this.#runOf(dataset)?.waiters.map(({ grid }) => grid));
    const texts = grids.flatMap((grid): Array<[string, string]> => {
      const text = found.texts.get(grid);
      return text === undefined || held.has(grid) ? [] : [[grid, text]];
    });
    return { ...found, texts: new Map(texts) };
  }

  /** The canonical result of one grid, as committed; the same bytes for every question. With `onlyReleased` nothing is released for it. */
  async ask(
    dataset: ServedDataset,
    grid: string,
    { onlyReleased }: { readonly onlyReleased: boolean },
  ): Promise<string> {
    if (!isPlanned(dataset) || !(await this.planOf(dataset)).grids.includes(grid))
      throw new VeilgridError("NOT_FOUND", "the dataset has no such grid");
    const text = textOf(await this.released(dataset, [grid]), dataset, grid);
    if (text !== undefined) return text;
    if (onlyReleased) throw new VeilgridError("NOT_RELEASED", `grid ${quoteForMessage(grid)} is not released`);
    return this.#wait(dataset, grid);
  }

  /** Runs are cancelled; what they have reserved is finished by a later question. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const { waiting } of this.#queues.values()) for (const { reject } of waiting.splice(0)) reject(stopping());
    await this.#options.releaser[Symbol.asyncDispose]();
    await Promise.all([...this.#queues.values()].map(({ done }) => done));
  }

  #committed({ name, key }: PlannedDataset, grids: readonly string[]): Promise<Committed | undefined> {
    return this.#options.ledger.committed({ dataset: name, key, parts: grids });
  }

  #runOf(dataset: PlannedDataset): Queue["running"] {
    const running = this.#queues.get(dataset.name)?.running;
    return running?.release === releaseOf(dataset) ? running : undefined;
  }

  #wait(dataset: PlannedDataset, grid: string): Promise<string> {
    if (this.#isStopping) throw stopping();
    const queues = [...this.#queues.values()];
    const waiting = queues.reduce((sum, each) => sum + each.waiting.length + (each.running?.waiters.length ?? 0), 0);
    if (waiting >= (this.#options.mostWaiting ?? MOST_WAITING))
      throw new VeilgridError("BUSY", `${waiting} questions are waiting, which is the most; try again later`);
    const queue = this.#queues.get(dataset.name) ?? { running: undefined, waiting: [], done: Promise.resolve() };
    this.#queues.set(dataset.name, queue);
    return new Promise((resolve, reject) => {
      const run = this.#runOf(dataset)?.waiters;
      const joins = run?.some((each) => each.grid === grid) === true ? run : queue.waiting;
      joins.push({ dataset, grid, resolve, reject });
      if (queue.running === undefined) queue.done = this.#runAll(queue);
    });
  }

  async #runAll(queue: Queue): Promise<void> {
    const { tickMs = TICK_MS, now = () => performance.now() } = this.#options;
    for (let [first] = queue.waiting; first !== undefined; [first] = queue.waiting) {
      const { dataset } = first;
      const release = releaseOf(dataset);
      const isOfIt = (waiter: Waiter): boolean => releaseOf(waiter.dataset) === release;
      const waiters = queue.waiting.filter(isOfIt);
      queue.waiting.splice(0, queue.waiting.length, ...queue.waiting.filter((waiter) => !isOfIt(waiter)));
      queue.running = { release, waiters };
      const begun = now();
      const answerTo = await this.#run(dataset, [...new Set(waiters.map(({ grid }) => grid))]);
      // The next run begins when these answers are given: its own ticks would otherwise tell when this one was done.
      await untilNextTick(begun, tickMs, now);
      queue.running = undefined;
      for (const { grid, resolve, reject } of waiters) {
        const answer = answerTo(grid);
        if (typeof answer === "string") resolve(answer);
        else reject(answer);
      }
    }
  }

  /** The committed text of each grid, or why there is none. Only what the ledger has is given out. */
  async #run(dataset: PlannedDataset, grids: readonly string[]): Promise<(grid: string) => unknown> {
    try {
      const refused = await this.#options.releaser.release(dataset, grids);
      const found = await this.#committed(dataset, grids);
      const answers = new Map(grids.map((grid) => [grid, refused.get(grid) ?? textOf(found, dataset, grid)]));
      return (grid) => answers.get(grid) ?? new VeilgridError("INTERNAL", "a released grid is not in the ledger");
    } catch (error) {
      return () => error;
    }
  }
}

function textOf(found: Committed | undefined, { plan, key }: PlannedDataset, grid: string): string | undefined {
  return releasedText(found, { planHash: plan, key, grids: [grid], notPrivate: false });
}

/** Questions under another plan or key are not released with these. */
function releaseOf({ plan, key }: PlannedDataset): string {
  return JSON.stringify([plan, key]);
}

function stopping(): VeilgridError {
  return new VeilgridError("CANCELLED", "the service is stopping; ask again in a minute");
}

const MOST_PLANS = 32;

/** Keeps the few plans that questions are answered under, read and parsed once each. */
export class PlanCache {
  readonly #fileOf: (hash: string) => string;
  readonly #plans = new Map<string, Promise<Plan>>();

  constructor(fileOf: (hash: string) => string) {
    this.#fileOf = fileOf;
  }

  /** A plan's hash names its text for good, so that it is never read again. */
  plan(hash: string): Promise<Plan> {
    const known = this.#plans.get(hash);
    if (known !== undefined) return known;
    const reading = this.#read(hash);
    reading.catch(() => this.#plans.delete(hash));
    this.#plans.set(hash, reading);
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= MOST_PLANS) break;
      this.#plans.delete(oldest);
    }
    return reading;
  }

  async #read(hash: string): Promise<Plan> {
    const plan = readPlan(await readFile(this.#fileOf(hash), "utf8"), "the dataset's plan");
    if (plan.hash === hash) return plan;
    throw new VeilgridError("PLAN_ALTERED", "the file of the dataset's plan holds another plan");
  }
}
