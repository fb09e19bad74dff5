/** A thread that releases grids of one dataset, run after run, and keeps between them what is public. */
import { type OpenRelease, openRelease } from "../operations/index.ts";
import { untilNextBeat } from "./beat.ts";
import type { GridTask, GridTaskResult } from "./grid-work.ts";
import { serveThread } from "./serve-thread.ts";

let open: { readonly name: string; readonly release: OpenRelease } | undefined;

/** Another plan, key or source is another release. */
async function opened({ source, options }: GridTask): Promise<OpenRelease> {
  const name = JSON.stringify([source, options]);
  if (open?.name === name) return open.release;
  await open?.release[Symbol.asyncDispose]();
  open = undefined;
  const release = await openRelease(source, options);
  open = { name, release };
  return release;
}

serveThread<GridTask>(async (task, options): Promise<GridTaskResult> => {
  const begun = performance.now();
  const beforeCommit = (): Promise<void> =>
    untilNextBeat({ begun, everyMs: task.beatMs, now: () => performance.now() });
  const release = await opened(task);
  const refused = await release.release(task.grids, task.beatMs > 0 ? { ...options, beforeCommit } : options);
  return [...refused].map(([grid, { code, message }]) => [grid, { code, message }]);
});
