/** Runs one draw in a worker. */
import type { Progress } from "../../../../src/core/planning/index.ts";
import { type RunResult, runIt } from "./run-draw.ts";
import type { RunOptions } from "./run-options.ts";

export type RunMessage =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "done"; readonly result: RunResult; readonly milliseconds: number }
  | { readonly kind: "failed"; readonly message: string };

/** The types of pages and of workers exclude each other. */
const scope = globalThis as unknown as {
  postMessage(message: RunMessage): void;
  onmessage: ((event: { readonly data: RunOptions }) => void) | null;
};

const BETWEEN_REPORTS_MS = 60;

scope.onmessage = ({ data }) => {
  const start = performance.now();
  let reportedAt = -Infinity;
  try {
    const work = runIt(data);
    for (;;) {
      const next = work.next();
      if (next.done) {
        scope.postMessage({ kind: "done", result: next.value, milliseconds: performance.now() - start });
        return;
      }
      if (performance.now() - reportedAt < BETWEEN_REPORTS_MS) continue;
      reportedAt = performance.now();
      scope.postMessage({ kind: "progress", progress: next.value });
    }
  } catch (error) {
    scope.postMessage({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};
