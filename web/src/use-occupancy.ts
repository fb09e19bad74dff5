/** Loads a dataset's counts for a page, or surveys it first where nobody has. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import type { Progress } from "../../src/core/planning/index.ts";
import { loadOccupancy } from "./occupancy.ts";
import type { Session } from "./session.ts";
import { isNotSurveyed, surveyDataset } from "./survey.ts";

export type OccupancyState =
  | { readonly state: "loading"; readonly progress: Progress | undefined }
  | { readonly state: "surveying"; readonly progress: Progress | undefined }
  | { readonly state: "not surveyed" }
  | { readonly state: "failed"; readonly during: "loading" | "surveying"; readonly error: unknown }
  | { readonly state: "ready"; readonly occupancy: Occupancy };

export interface UsedOccupancy {
  readonly counts: OccupancyState;
  /** Load again, surveying only if there is nothing. */
  load(): void;
  /** Count anew, then load. */
  survey(): void;
  /** Of a survey that runs. */
  cancel(): void;
}

type Request = { readonly what: "load" | "survey" };

export function useOccupancy(session: Session, dataset: string): UsedOccupancy {
  const [counts, setCounts] = useState<OccupancyState>({ state: "loading", progress: undefined });
  const [request, setRequest] = useState<Request>({ what: "load" });
  const job = useRef<string | null>(null);
  useEffect(() => {
    const mine = new AbortController();
    const { signal } = mine;
    let during: "loading" | "surveying" = "loading";
    const tell = (next: OccupancyState): void => {
      if (!signal.aborted) setCounts(next);
    };
    const onProgress = (progress: Progress): void => tell({ state: during, progress });
    const survey = async (): Promise<boolean> => {
      during = "surveying";
      tell({ state: "surveying", progress: undefined });
      const onStart = (id: string): void => {
        job.current = id;
      };
      const end = await surveyDataset(session, dataset, { signal, onProgress, onStart });
      job.current = null;
      during = "loading";
      return end === "done";
    };
    const load = async (): Promise<void> => {
      tell({ state: "loading", progress: undefined });
      tell({ state: "ready", occupancy: await loadOccupancy(session, dataset, { signal, onProgress }) });
    };
    const run = async (): Promise<void> => {
      if (request.what === "survey" || (await lacksSurvey(session, dataset, signal))) {
        if (!(await survey()) && request.what === "load") return tell({ state: "not surveyed" });
      }
      try {
        await load();
      } catch (error) {
        if (!isNotSurveyed(error)) throw error;
        tell({ state: "not surveyed" });
      }
    };
    run().catch((error: unknown) => tell({ state: "failed", during, error }));
    return () => mine.abort();
  }, [session, dataset, request]);
  const load = useCallback(() => setRequest({ what: "load" }), []);
  const survey = useCallback(() => setRequest({ what: "survey" }), []);
  const cancel = useCallback(() => {
    if (job.current !== null) session.service.cancelJob({ params: { job: job.current } }).catch(() => undefined);
  }, [session]);
  return { counts, load, survey, cancel };
}

/** Asked first, so that nothing is asked for that is known not to be there. Without a connection, what is kept may do. */
async function lacksSurvey({ service }: Session, dataset: string, signal: AbortSignal): Promise<boolean> {
  try {
    // `surveyed` is when; null is never.
    const about = await service.getDataset({ params: { dataset }, signal });
    return about.surveyed === null;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
