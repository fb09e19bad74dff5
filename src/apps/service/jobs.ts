/** Runs jobs, which are long operations: a few at a time, each kept in the store, followed by events, and cancelled on request. */
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { Progress } from "../../core/planning/index.ts";
import { type Log, recordError } from "./failures.ts";
import { withoutFolders } from "./hide-folders.ts";
import type { JobRow } from "./rows.ts";
import type { ServiceStore } from "./store.ts";
import type { JobTask, PlanTaskResult, RunTask } from "./tasks.ts";

export interface JobRunnerOptions {
  readonly store: Pick<ServiceStore, "putJob" | "updateJob" | "job" | "interruptJobs" | "putPlan">;
  /** How many run at once. */
  readonly concurrent: number;
  /** How many may wait. */
  readonly queued: number;
  readonly now?: (() => Date) | undefined;
  readonly runTask: RunTask;
  /** The place of a source as it is when its job begins, or a refusal. */
  readonly resolve?: ((source: string) => Promise<string>) | undefined;
  /** Folders that no failure names, besides the source's. */
  readonly folders?: readonly string[] | undefined;
  /** For what no caller may see. */
  readonly log?: Log | undefined;
}

/** A job that has not ended. */
interface LiveJob {
  row: JobRow;
  readonly task: JobTask;
  readonly stop: AbortController;
  readonly events: JobEvents;
  /** Why it is to stop. */
  stopped: "cancelled" | "interrupted" | undefined;
  /** Settles when it has ended. */
  running: Promise<void> | undefined;
}

export class JobRunner implements AsyncDisposable {
  readonly #options: JobRunnerOptions;
  readonly #now: () => Date;
  readonly #live = new Map<string, LiveJob>();
  readonly #waiting: LiveJob[] = [];
  #isStopping = false;

  /** Ends what a former process left as interrupted. */
  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    options.store.interruptJobs(this.#time());
  }

  get counts(): { readonly running: number; readonly queued: number } {
    return { running: this.#live.size - this.#waiting.length, queued: this.#waiting.length };
  }

  /** Remembers a job and begins it, now or when there is room. */
  start(dataset: string, request: Readonly<Record<string, unknown>>, task: JobTask): JobRow {
    const { concurrent, queued, store } = this.#options;
    if (this.#isStopping) throw new VeilgridError("BUSY", "the service is stopping; ask again in a minute");
    if (this.counts.running >= concurrent && this.counts.queued >= queued)
      throw new VeilgridError(
        "BUSY",
        `as many jobs as may be are running (${concurrent}) and waiting (${queued}); try again later`,
      );
    const row: JobRow = {
      ...{ id: randomUUID(), kind: task.kind, dataset, wishes: request, state: "queued", created: this.#time() },
      ...{ started: null, ended: null, result: null, error: null },
    };
    store.putJob(row);
    const events = new JobEvents();
    const job: LiveJob = { row, task, stop: new AbortController(), events, stopped: undefined, running: undefined };
    events.addState(row);
    this.#live.set(row.id, job);
    this.#waiting.push(job);
    this.#startWaiting();
    return job.row;
  }

  /** True once the job has stopped; false if there is none, or it had ended by itself. */
  async cancel(id: string): Promise<boolean> {
    const job = this.#live.get(id);
    if (job === undefined) return false;
    await this.#stop(job, "cancelled");
    return job.row.state === "cancelled";
  }

  /** Past and future events of a job until it ends; the latest state comes first. */
  events(id: string, signal: AbortSignal): AsyncIterable<JobEvent> {
    const job = this.#live.get(id);
    if (job !== undefined) return job.events.follow(signal);
    const row = this.#options.store.job(id);
    if (row === undefined) throw new VeilgridError("NOT_FOUND", `there is no job ${quoteForMessage(id)}`);
    const ended = new JobEvents();
    ended.addState(row);
    return ended.follow(signal);
  }

  /** Takes no more jobs; those that have not ended are interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#live.values()].reverse().map((job) => this.#stop(job, "interrupted")));
  }

  #startWaiting(): void {
    while (!this.#isStopping && this.counts.running < this.#options.concurrent) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      job.running = this.#run(job);
    }
  }

  async #run(job: LiveJob): Promise<void> {
    let changes: Partial<JobRow>;
    try {
      this.#change(job, { state: "running", started: this.#time() });
      const { runTask, resolve } = this.#options;
      const task = resolve === undefined ? job.task : { ...job.task, source: await resolve(job.task.source) };
      const found = await runTask(task, {
        signal: job.stop.signal,
        onProgress: (progress) => job.events.addProgress(progress),
      });
      changes = job.stopped === undefined ? { state: "done", result: this.#resultOf(job, found) } : {};
    } catch (error) {
      const { code, message: whole, trace } = recordError(error);
      if (trace !== null) this.#options.log?.(`job ${job.row.id}: ${trace}`);
      const message = withoutFolders(whole, job.task.source, this.#options.folders);
      changes = { state: "failed", error: { code, message } };
    }
    this.#end(job, job.stopped === undefined ? changes : { state: job.stopped });
    this.#startWaiting();
  }

  /** A plan is kept in a file of its own. */
  #resultOf({ row }: LiveJob, found: unknown): unknown {
    if (row.kind !== "plan") return found;
    const { summary, text, warnings } = found as PlanTaskResult;
    const { planHash: plan } = summary;
    this.#options.store.putPlan({ hash: plan, dataset: row.dataset, created: this.#time(), summary }, text);
    return { plan, summary, warnings };
  }

  async #stop(job: LiveJob, why: "cancelled" | "interrupted"): Promise<void> {
    job.stopped ??= why;
    const place = this.#waiting.indexOf(job);
    if (place < 0) {
      job.stop.abort();
      await job.running;
      return;
    }
    this.#waiting.splice(place, 1);
    this.#end(job, { state: why });
  }

  /** Whatever happens to the store, a job that has ended is over. */
  #end(job: LiveJob, changes: Partial<JobRow>): void {
    this.#live.delete(job.row.id);
    const ended = { ...changes, ended: this.#time() };
    try {
      this.#change(job, ended);
    } catch (error) {
      const { trace, message } = recordError(error);
      this.#options.log?.(`job ${job.row.id}: its end could not be kept: ${trace ?? message}`);
      job.row = { ...job.row, ...ended };
      job.events.addState(job.row);
    }
  }

  #change(job: LiveJob, changes: Partial<JobRow>): void {
    this.#options.store.updateJob(job.row.id, changes);
    job.row = { ...job.row, ...changes };
    job.events.addState(job.row);
  }

  #time(): string {
    return this.#now().toISOString();
  }
}

export interface JobEvent {
  /** Ascending within a job. */
  readonly id: number;
  readonly type: "state" | "progress";
  readonly data: unknown;
}

/** Events of one job, for any number of followers, each at its own pace. */
class JobEvents {
  readonly #states: JobEvent[] = [];
  /** A slow follower misses progress, never a state. */
  #progress: JobEvent | undefined;
  #id = 0;
  #isOver = false;
  readonly #news = new EventEmitter().setMaxListeners(0);

  /** Without what may be large. */
  addState({ state, started, ended, error }: JobRow): void {
    this.#id += 1;
    this.#states.push({ id: this.#id, type: "state", data: { state, started, ended, error } });
    this.#isOver = ended !== null;
    this.#news.emit("news");
  }

  addProgress(data: Progress): void {
    if (this.#isOver) return;
    this.#id += 1;
    this.#progress = { id: this.#id, type: "progress", data };
    this.#news.emit("news");
  }

  /** The latest state, the progress since, and then everything as it comes, until the job ends or the signal is aborted. */
  async *follow(signal: AbortSignal): AsyncGenerator<JobEvent, void, void> {
    let seen = (this.#states.at(-1)?.id ?? 1) - 1;
    while (!signal.aborted) {
      const news = this.#since(seen);
      for (const event of news) {
        yield event;
        if (signal.aborted) return;
        seen = event.id;
      }
      if (news.length > 0) continue;
      if (this.#isOver) return;
      await once(this.#news, "news", { signal }).catch(() => undefined);
    }
  }

  #since(seen: number): JobEvent[] {
    const all = this.#progress === undefined ? this.#states : [...this.#states, this.#progress];
    return all.filter(({ id }) => id > seen).sort((one, other) => one.id - other.id);
  }
}
