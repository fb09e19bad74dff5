/** An array with its plan, and who is attacked in it: the worst user of the whole release, the heaviest one of every number. */
import type { Occupancy } from "../../core/occupancy/index.ts";
import type { MadePlan, PlanEvaluation } from "../../core/planning/index.ts";

/** The two datasets. */
export type Side = "before" | "after";
export type BySide<Value> = Readonly<Record<Side, Value>>;

/** A plan for an array, worked out. */
export interface PlannedArray extends MadePlan {
  readonly occupancy: Occupancy;
}

/** Whose values are flipped, and what is looked at: everything published, or one statistic of one grid. */
export interface Victim {
  readonly name: string;
  readonly user: number;
  readonly only?: { readonly grid: number; readonly statistic: number } | undefined;
}

/** Everything that is published, against the user who loses most. */
export function wholeRelease({ evaluation: { joint } }: PlannedArray): Victim {
  let user = 0;
  for (let other = 1; other < joint.length; other++) if (joint.of(other).compare(joint.of(user)) > 0) user = other;
  return { name: "whole release", user };
}

/** Every number that can be moved on its own, against the heaviest user of its grid. */
export function singleNumbers({ plan, evaluation }: PlannedArray): Victim[] {
  return plan.grids.flatMap((id, grid) =>
    plan.objective.statistics.flatMap((statistic, index) => {
      if (plan.noise[grid]!.epsilons[index]!.isZero()) return [];
      const only = { grid, statistic: index };
      return [{ user: heaviestOf(evaluation, grid), name: `${statistic.key} of ${id}`, only }];
    }),
  );
}

function heaviestOf({ kept }: PlanEvaluation, grid: number): number {
  const { byGrid } = kept.occupancy;
  let heaviest = byGrid.start[grid]!;
  for (let position = heaviest + 1; position < byGrid.start[grid + 1]!; position++) {
    if (kept.ofEntry[byGrid.entry[position]!]! > kept.ofEntry[byGrid.entry[heaviest]!]!) heaviest = position;
  }
  return byGrid.user[heaviest]!;
}
