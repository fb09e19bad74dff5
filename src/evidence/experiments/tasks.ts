/** Splits the experiments into tasks, plain data in and out, that may run in any order, and makes studies of their results. */
import { parseBounds } from "../../core/influence/index.ts";
import { type Occupancy, OccupancyCsvReader } from "../../core/occupancy/index.ts";
import type { LongWork, ResultOf } from "../../core/planning/index.ts";
import type { SubjectName } from "../../publish/report/index.ts";
import { synthesise } from "../simulation/index.ts";
import { type ClippedPoint, type FrontierPoint, measureClipped, measureFrontier, type Subject } from "./measure.ts";
import { epsilonRange, type Study } from "./study.ts";

export interface Task {
  /** A draw of the synthetic model, or the CSV of an array. */
  readonly array: { readonly gamma: number; readonly seed: number } | { readonly csv: Uint8Array };
  /** As `0,65`. */
  readonly bounds: string;
  readonly protectLowest: boolean;
  /** At which ε, as decimals. */
  readonly clipped: readonly string[];
  readonly frontierLosses: readonly string[];
  readonly frontierErrors: readonly string[];
}

export type TaskResult = ResultOf<typeof runTask>;

/** The paper's q. */
const Q = 0.01;

/** How many points a task reports as it gets done. */
export function pointsOf({ clipped, frontierLosses, frontierErrors }: Task): number {
  return clipped.length + new Set([...frontierLosses, ...frontierErrors]).size;
}

export function* runTask(task: Task) {
  const subject: Subject = {
    occupancy: arrayOf(task),
    bounds: parseBounds(task.bounds),
    protectLowest: task.protectLowest,
  };
  const clipped: ClippedPoint[] = [];
  const frontier: FrontierPoint[] = [];
  /** Yields often enough for an abort to get through, and counts whole points. */
  function* counted<Point>(work: LongWork<Point>): LongWork<Point> {
    for (;;) {
      const next = work.next();
      if (next.done) return next.value;
      yield { step: "", done: clipped.length + frontier.length };
    }
  }
  for (const epsilon of task.clipped) clipped.push(yield* counted(measureClipped(subject, epsilon)));
  for (const epsilon of new Set([...task.frontierLosses, ...task.frontierErrors])) {
    const wanted = { loss: task.frontierLosses.includes(epsilon), error: task.frontierErrors.includes(epsilon) };
    frontier.push(yield* counted(measureFrontier(subject, epsilon, wanted)));
  }
  return { clipped, frontier };
}

function arrayOf({ array }: Task): Occupancy {
  if (!("csv" in array)) return synthesise({ ...array, q: Q });
  const reader = new OccupancyCsvReader("occupancy");
  reader.push(array.csv);
  return reader.finish().occupancy;
}

/** The paper's γ. */
export const GAMMAS = [3, 6, 9] as const;

/** A subject before anything is measured: what is said about it, and its arrays. */
export interface StudyOutline extends Pick<Study, "subject" | "name" | "about" | "unit"> {
  readonly arrays: ReadonlyArray<Task["array"]>;
  readonly bounds: string;
  readonly protectLowest: boolean;
}

export function syntheticOutlines({ seed, draws }: { readonly seed: number; readonly draws: number }): StudyOutline[] {
  return GAMMAS.map((gamma) => ({
    subject: `gamma-${gamma}` as SubjectName,
    name: `γ = ${gamma}`,
    about: `synthetic data: 4,095 users in 12 grids, ${draws === 1 ? `one draw, seed ${seed}` : `${draws} draws, seeds ${seed} to ${seed + draws - 1}`}`,
    unit: "km/h",
    arrays: Array.from({ length: draws }, (_, draw) => ({ gamma, seed: seed + draw })),
    bounds: "0,65",
    protectLowest: true,
  }));
}

/** One task per array: before and after at the paper's ε. */
export function paperTasks(outline: StudyOutline): Task[] {
  const { paper } = epsilonRange(outline.subject);
  return tasksOf(outline, { clipped: paper, frontierLosses: [], frontierErrors: [] });
}

/** One task per array: the rest of the wider range, and the frontier. */
export function beyondTasks(outline: StudyOutline): Task[] {
  const { paper, beyond, frontierErrors } = epsilonRange(outline.subject);
  return tasksOf(outline, {
    clipped: beyond.filter((epsilon) => !paper.includes(epsilon)),
    frontierLosses: beyond,
    frontierErrors,
  });
}

function tasksOf(
  { arrays, bounds, protectLowest }: StudyOutline,
  epsilons: Pick<Task, "clipped" | "frontierLosses" | "frontierErrors">,
): Task[] {
  return arrays.map((array) => ({ array, bounds, protectLowest, ...epsilons }));
}

/** Results in the order of the outline's arrays; those of the wider range may still be missing. */
export function studyOf(
  { subject, name, about, unit }: StudyOutline,
  paper: readonly TaskResult[],
  beyond: readonly TaskResult[],
): Study {
  return {
    subject,
    name,
    about,
    unit,
    clipped: paper.map(({ clipped }, draw) => [...clipped, ...(beyond[draw]?.clipped ?? [])]),
    frontier: beyond.map(({ frontier }) => frontier),
  };
}
