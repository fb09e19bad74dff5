/** The script of every worker thread: runs one task after the other. */
import { parentPort } from "node:worker_threads";
import { type LongWorkOptions, type Progress, planText } from "../../core/planning/index.ts";
import { compare, type OpenRelease, openRelease, plan, releaseFacts, releaseRecords } from "../operations/index.ts";
import { untilNextTick } from "./clock-tick.ts";
import { recordError } from "./failures.ts";
import { lookAtSource } from "./first-looks.ts";
import { surveyDataset } from "./survey.ts";
import type { GridsTask, GridsTaskResult, Task } from "./tasks.ts";
import type { FromWorker, ToWorker } from "./worker-thread.ts";

/** The least time between two reports on the progress of one step. */
const PROGRESS_MS = 100;

const TASKS: {
  readonly [Kind in Task["kind"]]: (task: Extract<Task, { kind: Kind }>, work: LongWorkOptions) => Promise<unknown>;
} = {
  look: lookAtSource,
  survey: surveyDataset,
  plan: async ({ source, options }, work) => {
    const { summary, plan: made, warnings } = await plan(source, options, { ...work, withoutNames: true });
    return { summary, text: planText(made), warnings };
  },
  compare: async ({ source, options }, work) => (await compare(source, options, work)).comparison,
  release: async ({ source, options }, work) => {
    // The service writes no file for a caller, and its noise is never replayed.
    const request = { ...options, out: undefined, format: undefined, replaySeed: undefined };
    const report = await releaseRecords(source, request, work);
    return { ...releaseFacts(report), warnings: report.warnings };
  },
  grids: releaseGrids,
};

/** Kept between tasks: what is public about a dataset's records, and its plan, checked against them. */
let open: { readonly name: string; readonly release: OpenRelease } | undefined;

async function releaseGrids(task: GridsTask, work: LongWorkOptions): Promise<GridsTaskResult> {
  const begun = performance.now();
  const release = await openReleaseOf(task);
  const refused = await release.release(task.grids, {
    ...work,
    beforeCommit: task.tickMs > 0 ? () => untilNextTick(begun, task.tickMs) : undefined,
  });
  return [...refused].map(([grid, error]) => [grid, recordError(error)]);
}

/** Another plan, key or source is another release. */
async function openReleaseOf({ source, options }: GridsTask): Promise<OpenRelease> {
  const name = JSON.stringify([source, options]);
  if (open?.name === name) return open.release;
  await open?.release[Symbol.asyncDispose]();
  open = undefined;
  const release = await openRelease(source, options);
  open = { name, release };
  return release;
}

let stop = new AbortController();
const say = (message: FromWorker): void => parentPort?.postMessage(message);
parentPort?.on("message", async (message: ToWorker) => {
  if ("cancel" in message) {
    stop.abort();
    return;
  }
  stop = new AbortController();
  try {
    const run = TASKS[message.task.kind] as (task: Task, work: LongWorkOptions) => Promise<unknown>;
    const result = await run(message.task, { signal: stop.signal, onProgress: limitedProgress() });
    // Exact numbers become text here, as they do in the JSON that leaves the service.
    say({ result: JSON.parse(JSON.stringify(result)) });
  } catch (error) {
    say({ error: recordError(error) });
  }
});

function limitedProgress(): (progress: Progress) => void {
  let step: string | undefined;
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.step === step && now < next) return;
    step = progress.step;
    next = now + PROGRESS_MS;
    say({ progress });
  };
}
