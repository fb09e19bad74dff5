/** What became of records that were left out, in words: statement, dictionary and page say it from here. */
import type { EstimatorName, StatisticKind } from "../influence/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { releaseStatistics } from "./released-rows.ts";
import { plural } from "./text-table.ts";

/** Empty where every record was kept: then both estimators give the same. */
export function estimatorSentences(result: ReleaseResult): string[] {
  if (result.rows.every((row) => row.kept === row.samples)) return [];
  const statistics = releaseStatistics(result);
  const kinds = new Set(statistics.map(({ kind }) => kind));
  return statistics[0]!.estimator === "centred" ? centredSentences(result, kinds) : keptSentences(kinds);
}

function keptSentences(kinds: ReadonlySet<StatisticKind>): string[] {
  return [
    `Statistics are those of the kept records, as if there were no others (estimator: kept)${kinds.has("sum") ? "; a sum counts each record that was left out as the middle of the range" : ""}.`,
  ];
}

function centredSentences(result: ReleaseResult, kinds: ReadonlySet<StatisticKind>): string[] {
  const emptied = result.rows.filter((row) => row.kept === 0).length;
  return [
    "What was left out counts as the middle of what it could be (estimator: centred). The stated bias is the most by which that can be wrong.",
    ...(kinds.has("mean") || kinds.has("sum")
      ? [
          "Mean and sum start from each user's total over all its records in a grid, held to what the kept number of them could reach around the middle of the range; where nobody's total was held back, they are as if nothing had been left out.",
        ]
      : []),
    ...(kinds.has("variance") ? [LEANING] : []),
    ...(kinds.has("share")
      ? ["For a share, half of the records that were left out count as above the threshold."]
      : []),
    ...(kinds.has("histogram")
      ? ["For a histogram, records that were left out count as spread evenly over the bins."]
      : []),
    ...(emptied === 0 ? [] : [emptiedSentence(emptied)]),
  ];
}

/** For whoever reads a variance or standard deviation. */
export const LEANING =
  "The variance is that of the kept records times their share of all records, plus half of the most that the others can add. Where much was left out it leans towards that half, and may well be further off than the kept records' own variance, but never by more than its stated bias.";

export function emptiedSentence(grids: number): string {
  return `No record was kept in ${plural(grids, "grid")}: what is published there is the middle of what is possible, without noise, and says nothing about the data.`;
}

/** What `kept` counts. */
export function keptMeaning(estimator: EstimatorName): string {
  return estimator === "centred"
    ? "Records that count in full; the others, if any, were left out by the plan and count as the middle of what they could be."
    : "Records that the statistics are made of; the others, if any, were left out by the plan.";
}
