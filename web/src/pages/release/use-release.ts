/** Follows a release from the first click to its result: starts, watches, cancels and resumes it after a lost connection. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ServiceFailure } from "../../../../src/apps/client/index.ts";
import { optionProblems, RELEASE_OPTIONS } from "../../../../src/core/options/index.ts";
import { cancelJob, followJob, type Job, type JobProgress } from "../../jobs.ts";
import type { Session } from "../../session.ts";
import { isOwnRelease, rememberRelease } from "./own-releases.ts";
import { type PhaseIndex, phaseAfter } from "./phases.ts";

/** What a finished job tells. */
export interface ReleaseOutcome {
  readonly key: string;
  readonly planHash: string;
  readonly grids: number;
  /** 0: all of it was released before. */
  readonly chargedGrids: number;
  readonly resumed: boolean;
  readonly loss: number;
  readonly warnings: readonly string[];
}

export type ReleaseState =
  | { readonly state: "idle" }
  | {
      readonly state: "running";
      readonly job: Job | null;
      readonly phase: PhaseIndex;
      readonly progress: JobProgress | null;
      readonly isCancelling: boolean;
    }
  | { readonly state: "failed"; readonly error: unknown; readonly job: Job | null; readonly phase: PhaseIndex }
  | { readonly state: "done"; readonly outcome: ReleaseOutcome };

export interface ReleaseOptions {
  readonly plan: string;
  /** Default: the dataset's for this plan. */
  readonly key?: string | undefined;
}

export interface Releasing {
  readonly state: ReleaseState;
  start(options: ReleaseOptions): void;
  /** After a lost connection: the same job is followed on, or the same request is made again; the key makes it the same release. */
  retry(): void;
  cancel(): void;
  reset(): void;
}

export function useRelease(
  session: Session,
  dataset: string,
  {
    onEnd,
  }: {
    /** Not while the connection is lost; `isOwn` if it was begun in this tab, by a click. */
    onEnd(outcome: ReleaseOutcome | null, isOwn: boolean): void;
  },
): Releasing {
  const [state, setState] = useState<ReleaseState>({ state: "idle" });
  const latest = useRef(state);
  latest.current = state;
  const options = useRef<ReleaseOptions | null>(null);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const gone = useRef(new AbortController());

  const run = useCallback(
    async (begin: () => Promise<Job>, known: Job | null): Promise<void> => {
      let phase: PhaseIndex = 0;
      let job = known;
      const running = (progress: JobProgress | null): void =>
        setState((before) => ({
          state: "running",
          job,
          phase,
          progress,
          isCancelling: before.state === "running" && before.isCancelling,
        }));
      running(null);
      const { signal } = gone.current;
      try {
        job = await begin();
        running(null);
        const done = await followJob(session, job, {
          signal,
          onProgress: (progress) => {
            phase = phaseAfter(phase, progress.step);
            running(progress);
          },
        });
        const outcome = done.result as ReleaseOutcome;
        setState({ state: "done", outcome });
        ended.current(outcome, isOwnRelease(dataset, job.id));
      } catch (error) {
        if (signal.aborted) return;
        // A job that ended cannot be followed on, only begun again.
        const isLost = !(error instanceof ServiceFailure);
        setState({ state: "failed", error, job: isLost ? job : null, phase });
        if (!isLost) ended.current(null, false);
      }
    },
    [session, dataset],
  );

  // A release that runs already, perhaps begun before this page was loaded again.
  useEffect(() => {
    gone.current = new AbortController();
    const { signal } = gone.current;
    session.service.listJobs({ signal }).then(
      ({ jobs }) => {
        const live = jobs.find((job) => job.kind === "release" && job.dataset === dataset && job.ended === null);
        if (live !== undefined && !signal.aborted && latest.current.state === "idle") void run(async () => live, live);
      },
      () => undefined,
    );
    return () => gone.current.abort();
  }, [session, dataset]);

  const start = (next: ReleaseOptions): void => {
    options.current = next;
    const { plan, key } = next;
    const begin = async (): Promise<Job> => {
      const [wrong] = optionProblems(RELEASE_OPTIONS, { plan, key });
      if (wrong !== undefined) throw new Error(`${wrong[0]}: ${wrong[1]}`);
      const job = await session.service.startRelease({ params: { dataset }, body: { plan, key } });
      rememberRelease(dataset, job.id);
      return job;
    };
    void run(begin, null);
  };
  return {
    state,
    start,
    retry: () => {
      if (state.state === "failed" && state.job !== null) {
        const { job } = state;
        void run(async () => job, job);
      } else if (options.current !== null) start(options.current);
    },
    cancel: () => {
      if (state.state !== "running" || state.job === null) return;
      const { job } = state;
      setState({ ...state, isCancelling: true });
      // What became of it is told by those who follow it.
      cancelJob(session, job).catch(() =>
        setState((before) => (before.state === "running" ? { ...before, isCancelling: false } : before)),
      );
    },
    reset: () => setState({ state: "idle" }),
  };
}
