/** Events of one job, for any number of followers, each at its own pace. */
import { EventEmitter, once } from "node:events";
import type { Progress } from "../../core/planning/index.ts";
import type { JobRow } from "./rows.ts";

export interface JobEvent {
  /** Ascending within a job. */
  readonly id: number;
  readonly type: "state" | "progress";
  readonly data: unknown;
}

export class JobEvents {
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
