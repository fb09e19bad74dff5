/** Progress on standard error: nothing in the first second, then one live line on a terminal, a line now and then elsewhere. */
import type { Progress } from "../../core/planning/index.ts";

const SILENT_MS = 1000;
const TERMINAL_MS = 100;
const OTHERWISE_MS = 5000;
/** Of the time so far, so that a long run does not fill a log. */
const OTHERWISE_SHARE = 0.1;
const BAR_CELLS = 24;
/** Before that a guess of what is left would jump about. */
const GUESS_AFTER_MS = 5000;

/** What is written to, and the time. */
export interface ProgressTarget {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export class ProgressLine {
  readonly #stream: ProgressTarget;
  readonly #now: () => number;
  readonly #started: number;
  #lastShown = 0;
  #visible = false;
  /** The step under way, since when, and from where on: for what is left of it. */
  #step = { name: "", since: 0, from: 0 };

  constructor(stream: ProgressTarget, now = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#started = now();
  }

  show(progress: Progress): void {
    const now = this.#now();
    if (progress.step !== this.#step.name) this.#step = { name: progress.step, since: now, from: progress.done };
    const elapsed = now - this.#started;
    const every = this.#stream.isTTY ? TERMINAL_MS : Math.max(OTHERWISE_MS, OTHERWISE_SHARE * elapsed);
    if (elapsed < SILENT_MS || elapsed - this.#lastShown < every) return;
    this.#lastShown = elapsed;
    const text = this.#text(progress, now);
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\u001b[2K${[...text].slice(0, this.#columns).join("")}`);
      this.#visible = true;
    } else {
      this.#stream.write(`${text}\n`);
    }
  }

  /** Takes the live line away before anything else is printed. */
  clear(): void {
    if (this.#visible) this.#stream.write("\r\u001b[2K");
    this.#visible = false;
  }

  /** Some terminals say they have none. */
  get #columns(): number {
    return this.#stream.columns || 80;
  }

  #text({ step, done, of }: Progress, now: number): string {
    const seconds = `${((now - this.#started) / 1000).toFixed(0)} s`;
    if (of === undefined || of <= 0) return `${step}: ${done.toLocaleString("en-US")} (${seconds})`;
    const counted = `${done.toLocaleString("en-US")} of ${of.toLocaleString("en-US")} (${[seconds, ...this.#left(done, of, now)].join(", ")})`;
    if (!this.#stream.isTTY) return `${step}: ${counted}`;
    // Numbers say more than the bar: on a narrow terminal it goes first.
    const room = Math.min(BAR_CELLS, this.#columns - step.length - counted.length - 3);
    return room < 4 ? `${step} ${counted}` : `${step} ${bar(done / of, room)} ${counted}`;
  }

  /** As if the rest went as fast as what is done. */
  #left(done: number, of: number, now: number): string[] {
    const { since, from } = this.#step;
    if (now - since < GUESS_AFTER_MS || done <= from || done >= of) return [];
    const seconds = (((now - since) / (done - from)) * (of - done)) / 1000;
    return [seconds < 90 ? `about ${Math.ceil(seconds / 5) * 5} s left` : `about ${Math.round(seconds / 60)} min left`];
  }
}

function bar(share: number, cells: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * cells);
  return `${"█".repeat(full)}${"░".repeat(cells - full)}`;
}
