/** Runs asynchronous work at most `places` at a time, in the order it was asked for. */
export class Semaphore {
  #free: number;
  readonly #waiting: Array<() => void> = [];
  readonly #running = new Set<Promise<unknown>>();

  constructor(places: number) {
    this.#free = places;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** Returns when nothing runs. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
