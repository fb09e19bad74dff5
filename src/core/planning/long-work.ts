/** Long computations as generators of progress: run to the end at once, or cooperatively with progress reports and cancellation. */
import { VeilgridError } from "../errors/index.ts";

export interface Progress {
  /** What is being done, in the words of a curator. */
  readonly step: string;
  /** How far, in whatever the step counts. */
  readonly done: number;
  /** Of how many, where that is known. */
  readonly of?: number;
}

export interface LongWorkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Yields a few dozen times a second at most; between yields it holds the thread. */
export type LongWork<Result> = Generator<Progress, Result, void>;

/** What a function of long work comes to. */
export type ResultOf<Start extends (...args: never[]) => LongWork<unknown>> =
  ReturnType<Start> extends LongWork<infer Result> ? Result : never;

/** Runs without a pause. */
export function runNow<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Runs in slices, letting timers, input and aborts through in between. Rejects with CANCELLED once the signal is aborted. */
export async function runCooperatively<Result>(work: LongWork<Result>, options: LongWorkOptions = {}): Promise<Result> {
  for (;;) {
    throwIfCancelled(options.signal);
    const next = work.next();
    if (next.done) return next.value;
    options.onProgress?.(next.value);
    await nextTurn();
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new VeilgridError("CANCELLED", "cancelled before it was done");
}

/** For the seams between long synchronous steps: lets a pending abort through, then looks. */
export async function checkpoint(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfCancelled(signal);
}

/** `setImmediate` where there is one: timers are clamped to a millisecond or more. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
