/** Describes in sentences which records are not among the counts, or not as they were written. */
import { formatCount, formatPercent, plural } from "../../format.ts";
import type { ShownDataset } from "./recipe-card.tsx";

export type AboutCounting = Pick<ShownDataset, "counted" | "recipe">;

/** Empty where all records count as they are, or where that was not kept. */
export function leftOut({ counted, recipe }: AboutCounting): string[] {
  if (counted === null) return [];
  const { records, repeated, missing, withoutUser, withoutGrid, inOtherGrids } = counted;
  const of = (count: number): string => `${plural(count, "record")} (${formatPercent(count / records)})`;
  const fate = recipe.missing === "drop" ? "left out" : "counted as the middle of the bounds";
  return [
    ...(inOtherGrids > 0 ? [`${of(inOtherGrids)} lie in other grids and are left out: ${whichCount(recipe)}.`] : []),
    ...(repeated > 0 ? [`${of(repeated)} repeat another and are counted once.`] : []),
    ...(missing > 0 ? [`${of(missing)} have no number and are ${fate}.`] : []),
    ...(withoutUser > 0
      ? [
          recipe.emptyUser === "drop"
            ? `${plural(withoutUser, "more record")} say no user and are left out.`
            : `${of(withoutUser)} say no user; together they count as one.`,
        ]
      : []),
    ...(withoutGrid > 0 ? [`${of(withoutGrid)} lack a place, a time or a group and are in grids of their own.`] : []),
  ];
}

function whichCount({ minUsers, top }: ShownDataset["recipe"]): string {
  const rules = [
    ...(minUsers === undefined ? [] : [`grids with at least ${formatCount(Number(minUsers))} users`]),
    ...(top === undefined ? [] : [`the ${formatCount(Number(top))} grids with most records`]),
  ];
  return `only ${rules.join(", and of them ")} count`;
}
