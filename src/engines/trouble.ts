/** What can be wrong with a record, and how a curator is told: by place in the source, never by a protected value. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { Records } from "./engine.ts";
import { placeTrouble } from "./place-trouble.ts";

export const TROUBLES = ["time", "place", "value", "missing"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Where records have no order that one could be named by. */
export function inSoManyRecords(count: number): string {
  return `in ${count.toLocaleString("en-US")} record${count === 1 ? "" : "s"}`;
}

/** `where` names the record as its source can; `shown` is the text at fault, empty where it is protected. */
export function describeTrouble(
  { recipe, source }: Records,
  trouble: Trouble,
  { where, shown }: { where: string; shown: string },
): VeilgridError {
  const column = (name: string): string => `column ${quoteForMessage(name)}`;
  const message = {
    time: () =>
      `${where}: ${column(recipe.time!.column)}: ${quoteForMessage(shown)} is not a time written as ${recipe.time!.format.replace("date:", "")}; see --time-format`,
    place: () => `${where}: ${placeTrouble(recipe.place!, shown)}`,
    value: () =>
      `${where}: ${column(recipe.value)} holds text that is not a number (not shown: values are protected); correct it${source.kind === "csv" ? ", or say how numbers are written with --thousands comma, point, space or apostrophe, or --decimal-comma" : ""}`,
    missing: () =>
      `${where}: ${column(recipe.value)} is empty; use --missing midpoint to count such records as the middle of the range, or --missing drop to leave them out (which makes it public that they were empty)`,
  }[trouble]();
  return new VeilgridError("INPUT_MALFORMED", message);
}
