/** Progress on standard error: nothing in the first second, then one live line on a terminal, a line now and then elsewhere. */
import type { Progress } from "../planning/index.ts";

const SILENT_MS = 1000;
const TERMINAL_MS = 100;
const OTHERWISE_MS = 5000;

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #started = performance.now();
  #lastShown = 0;
  #visible = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(progress: Progress): void {
    const elapsed = performance.now() - this.#started;
    const every = this.#stream.isTTY ? TERMINAL_MS : OTHERWISE_MS;
    if (elapsed < SILENT_MS || elapsed - this.#lastShown < every) return;
    this.#lastShown = elapsed;
    const done = progress.done.toLocaleString("en-US");
    const of = progress.of === undefined ? "" : ` of ${progress.of.toLocaleString("en-US")}`;
    const text = `${progress.step}: ${done}${of} (${(elapsed / 1000).toFixed(0)} s)`;
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\u001b[2K${text}`);
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
}
