/** Holds a sender to a pace: who falls silent, or trickles, is dropped, so that a few cannot keep the others out. */
import type { Readable } from "node:stream";

export interface PaceOptions {
  /** Who sends nothing for so long has gone. */
  readonly idleMs: number;
  /** From then on the average since the beginning counts. */
  readonly graceMs: number;
  readonly leastBytesPerSecond: number;
}

export const USUAL_PACE: PaceOptions = { idleMs: 60_000, graceMs: 60_000, leastBytesPerSecond: 1_000 };

/** How many looks at the average there are in a time of grace. */
const LOOKS = 12;

export class Pace implements Disposable {
  readonly #idle: NodeJS.Timeout;
  readonly #average: NodeJS.Timeout;
  #bytes = 0;

  constructor(body: Readable, { idleMs, graceMs, leastBytesPerSecond }: PaceOptions) {
    const began = performance.now();
    this.#idle = setTimeout(() => body.destroy(), idleMs);
    this.#average = setInterval(() => {
      const elapsed = performance.now() - began;
      if (elapsed >= graceMs && this.#bytes < (elapsed / 1000) * leastBytesPerSecond) body.destroy();
    }, graceMs / LOOKS);
  }

  took(bytes: number): void {
    this.#bytes += bytes;
    this.#idle.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    clearInterval(this.#average);
  }
}
