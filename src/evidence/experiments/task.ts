/** Pieces of the experiments that can be done in any order and on any core: plain data in, plain data out. */
import { parseBounds } from "../../core/influence/index.ts";
import { type Occupancy, OccupancyCsvReader } from "../../core/occupancy/index.ts";
import type { LongWork } from "../../core/planning/index.ts";
import { synthesise } from "../simulation/index.ts";
import { type ClippedPoint, type FrontierPoint, measureClipped, measureFrontier, type Subject } from "./measure.ts";

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

export interface TaskResult {
  readonly clipped: readonly ClippedPoint[];
  readonly frontier: readonly FrontierPoint[];
}

/** The paper's q. */
const Q = 0.01;

/** How many points a task reports as it gets done. */
export function pointsOf({ clipped, frontierLosses, frontierErrors }: Task): number {
  return clipped.length + new Set([...frontierLosses, ...frontierErrors]).size;
}

export function* runTask(task: Task): LongWork<TaskResult> {
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
