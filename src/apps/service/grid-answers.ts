/** Questions for single grids: the first for a grid releases and charges it, every later one gets the same bytes. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { throwIfCancelled } from "../../core/planning/index.ts";
import { BEAT_MS, untilNextBeat } from "./beat.ts";
import { type GridWork, type GridWorkOptions, ThreadedGridWork } from "./grid-work.ts";
import type { ServedDataset } from "./rows.ts";

export interface GridQuestion {
  readonly dataset: ServedDataset;
  readonly grid: string;
}

export interface GridAnswer {
  /** Canonical result text of this one grid, as committed. */
  readonly text: string;
  /** Whether this question waited for its release. */
  readonly fresh: boolean;
}

export interface AskOptions {
  /** Release nothing for this question. */
  readonly onlyReleased: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface GridAnswersOptions extends GridWorkOptions {
  /** Fresh answers are given on multiples of this after their run began, so that their time does not tell the noise. */
  readonly quantumMs?: number | undefined;
  /** Questions that may wait for a release, over all datasets. */
  readonly mostWaiting?: number | undefined;
  /** Milliseconds from any start. */
  readonly now?: (() => number) | undefined;
  /** In place of the ledger and threads. */
  readonly work?: GridWork | undefined;
  /** Called when a run begins: the dataset as it is now, or a refusal. */
  readonly prepare?: ((dataset: ServedDataset) => Promise<ServedDataset>) | undefined;
}

const MOST_WAITING = 1_000;

interface Waiter extends GridQuestion {
  readonly resolve: (answer: GridAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Of one dataset: what is released now, and what is to come together in the next run. */
interface Line {
  running: { readonly release: string; readonly waiters: Waiter[] } | undefined;
  readonly waiting: Waiter[];
  /** Settles when nothing of it runs. */
  done: Promise<void>;
}

export class GridAnswers implements AsyncDisposable {
  readonly #work: GridWork;
  readonly #quantumMs: number;
  readonly #mostWaiting: number;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();
  readonly #prepare: (dataset: ServedDataset) => Promise<ServedDataset>;
  #isStopping = false;

  constructor(options: GridAnswersOptions) {
    this.#prepare = options.prepare ?? (async (dataset) => dataset);
    this.#work = options.work ?? new ThreadedGridWork(options);
    this.#quantumMs = options.quantumMs ?? BEAT_MS;
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
    this.#now = options.now ?? (() => performance.now());
  }

  async ask(question: GridQuestion, { onlyReleased, signal }: AskOptions): Promise<GridAnswer> {
    throwIfCancelled(signal);
    if (!this.#isRunning(question)) {
      const text = await this.#work.released(question.dataset, question.grid);
      throwIfCancelled(signal);
      // What a run has committed meanwhile is given when the run's answers are, whoever asks.
      if (text !== undefined && !this.#isRunning(question)) return { text, fresh: false };
    }
    if (onlyReleased) throw new VeilgridError("NOT_RELEASED", `grid ${quoteForMessage(question.grid)} is not released`);
    return this.#wait(question, signal);
  }

  /** Runs are cancelled; what they have reserved is finished by a later question. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const line of this.#lines.values()) for (const waiter of line.waiting.splice(0)) waiter.reject(stopping());
    await this.#work[Symbol.asyncDispose]();
    await Promise.all([...this.#lines.values()].map((line) => line.done));
  }

  /** Whether its answer may be in the ledger and is not to be given yet: when it got there would tell about its noise. */
  isInFlight(question: GridQuestion): boolean {
    return this.#isRunning(question);
  }

  #isRunning({ dataset, grid }: GridQuestion): boolean {
    const running = this.#lines.get(dataset.name)?.running;
    return running?.release === releaseOf(dataset) && running.waiters.some((each) => each.grid === grid);
  }

  #wait(question: GridQuestion, signal: AbortSignal | undefined): Promise<GridAnswer> {
    if (this.#isStopping) throw stopping();
    const lines = [...this.#lines.values()];
    const waiting = lines.reduce((sum, each) => sum + each.waiting.length + (each.running?.waiters.length ?? 0), 0);
    if (waiting >= this.#mostWaiting)
      throw new VeilgridError("BUSY", `${waiting} questions are waiting, which is the most; try again later`);
    const line = this.#lines.get(question.dataset.name) ?? { running: undefined, waiting: [], done: Promise.resolve() };
    this.#lines.set(question.dataset.name, line);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = line.waiting.indexOf(waiter);
        // A run that has begun goes on; what it commits is there for the next question.
        if (place >= 0) line.waiting.splice(place, 1);
        waiter.reject(new VeilgridError("CANCELLED", "cancelled before it was done"));
      };
      const settled = <Value>(then: (value: Value) => void) => {
        return (value: Value): void => {
          signal?.removeEventListener("abort", leave);
          then(value);
        };
      };
      const waiter: Waiter = { ...question, resolve: settled(resolve), reject: settled(reject) };
      signal?.addEventListener("abort", leave);
      if (this.#isRunning(question)) line.running!.waiters.push(waiter);
      else line.waiting.push(waiter);
      if (line.running === undefined) line.done = this.#runAll(line);
    });
  }

  async #runAll(line: Line): Promise<void> {
    while (line.waiting.length > 0) {
      const [{ dataset }] = line.waiting as [Waiter];
      const release = releaseOf(dataset);
      const waiters = line.waiting.filter((each) => releaseOf(each.dataset) === release);
      const others = line.waiting.filter((each) => releaseOf(each.dataset) !== release);
      line.waiting.splice(0, line.waiting.length, ...others);
      line.running = { release, waiters };
      const begun = this.#now();
      const answers = await this.#run(dataset, [...new Set(waiters.map(({ grid }) => grid))]);
      // The next run begins when these answers are given: its own multiples would otherwise tell when this one was done.
      await untilNextBeat({ begun, everyMs: this.#quantumMs, now: this.#now });
      line.running = undefined;
      for (const { grid, resolve, reject } of waiters) {
        const answer = answers.get(grid)!;
        if (typeof answer === "string") resolve({ text: answer, fresh: true });
        else reject(answer);
      }
    }
  }

  /** By grid: its committed text, or why there is none. */
  async #run(dataset: ServedDataset, grids: readonly string[]): Promise<ReadonlyMap<string, string | unknown>> {
    const answers = new Map<string, string | unknown>();
    let refused: ReadonlyMap<string, VeilgridError>;
    try {
      refused = await this.#work.release(await this.#prepare(dataset), grids);
    } catch (error) {
      return new Map(grids.map((grid) => [grid, error]));
    }
    for (const grid of grids) answers.set(grid, refused.get(grid) ?? (await this.#committed(dataset, grid)));
    return answers;
  }

  /** Only what the ledger has is given out. */
  async #committed(dataset: ServedDataset, grid: string): Promise<string | unknown> {
    try {
      const text = await this.#work.released(dataset, grid);
      return (
        text ?? new VeilgridError("INTERNAL", `grid ${quoteForMessage(grid)} was released and is not in the ledger`)
      );
    } catch (error) {
      return error;
    }
  }
}

/** Questions under another plan or key are not released with these. */
function releaseOf({ plan, key }: ServedDataset): string {
  return JSON.stringify([plan, key]);
}

function stopping(): VeilgridError {
  return new VeilgridError("CANCELLED", "the service is stopping; ask again in a minute");
}
