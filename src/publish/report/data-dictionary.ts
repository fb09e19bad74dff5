/** The data dictionary that lies beside every released file: each column, what it means, its unit and its range. */
import type { ReleaseResult } from "../release/index.ts";
import { escapeMarkdown, markdownTable } from "./markdown.ts";
import { warningOf } from "./not-private.ts";
import { releaseColumns } from "./release-columns.ts";
import { hasFormulas } from "./release-csv.ts";
import type { RowOptions } from "./released-rows.ts";

export function dataDictionary(result: ReleaseResult, options: RowOptions = {}): string {
  const warning = warningOf(result);
  const columns = releaseColumns(result, options);
  return `${[
    ...(warning === undefined ? [] : [`**${warning}**`]),
    `# Data dictionary: ${escapeMarkdown(result.dataset)}`,
    dictionaryNote(result) + (hasFormulas(result) ? FORMULAS : ""),
    markdownTable([
      ["column", "type", "meaning", "unit", "range"],
      ...columns.map(({ name, type, meaning, unit, range }) => [name, type, meaning, unit, range]),
    ]),
  ].join("\n\n")}\n`;
}

/** JSON and Parquet have every text as it is. */
const FORMULAS =
  " In the CSV a text that a spreadsheet would take for a formula (it begins with =, +, - or @) has a ' before it.";

export function dictionaryNote({ estimator }: Pick<ReleaseResult, "estimator">): string {
  const emptied =
    estimator === "centred"
      ? "Where no record was kept, statistics are the middle of what is possible and say nothing about the data."
      : "Statistics are empty where no record was kept.";
  return `One row per grid. Ids are text, also where they look like numbers. ${emptied} Intervals hold for each number by itself, for the records of the data, not for a larger population.`;
}
