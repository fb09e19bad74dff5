/** Which pieces of work make which study: the paper's range first, what lies beyond it afterwards. */
import type { SubjectName } from "../../publish/report/index.ts";
import { epsilonRange, type Study } from "./study.ts";
import type { Task, TaskResult } from "./task.ts";

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
