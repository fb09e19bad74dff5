/** What became of records that were left out, in words: statement, dictionary and page say it from here. */
import { type EstimatorName, STATISTICS, type Statistic } from "../../core/influence/index.ts";
import type { ReleaseResult } from "../release/index.ts";
import { releaseStatistics } from "./released-rows.ts";
import { plural } from "./text-table.ts";

/** Empty where every record was kept: then both estimators give the same. */
export function estimatorSentences(result: ReleaseResult): string[] {
  if (result.rows.every((row) => row.kept === row.samples)) return [];
  const statistics = releaseStatistics(result);
  return statistics[0]!.estimator === "centred" ? centredSentences(result, statistics) : [keptSentence(statistics)];
}

function keptSentence(statistics: readonly Statistic[]): string {
  const general = "Statistics are those of the kept records, as if there were no others (estimator: kept)";
  return `${[general, ...leftOutWords(statistics)].join("; ")}.`;
}

function centredSentences(result: ReleaseResult, statistics: readonly Statistic[]): string[] {
  const emptied = result.rows.filter((row) => row.kept === 0).length;
  return [
    "What was left out counts as the middle of what it could be (estimator: centred). The stated bias is the most by which that can be wrong.",
    ...(statistics.some(({ needsClampedSum }) => needsClampedSum)
      ? [
          "Mean and sum start from each user's total over all its records in a grid, held to what the kept number of them could reach around the middle of the range; where nobody's total was held back, they are as if nothing had been left out.",
        ]
      : []),
    ...leftOutWords(statistics),
    ...(emptied === 0 ? [] : [emptiedSentence(emptied)]),
  ];
}

/** What the statistics say themselves, each kind once, in the order in which people are told of them. */
function leftOutWords(statistics: readonly Statistic[]): string[] {
  return STATISTICS.flatMap((kind) => statistics.find((each) => each.kind === kind)?.words.leftOut ?? []);
}

export function emptiedSentence(grids: number): string {
  return `No record was kept in ${plural(grids, "grid")}: what is published there is the middle of what is possible, without noise, and says nothing about the data.`;
}

/** What `kept` counts. */
export function keptMeaning(estimator: EstimatorName): string {
  return estimator === "centred"
    ? "Records that count in full; the others, if any, were left out by the plan and count as the middle of what they could be."
    : "Records that the statistics are made of; the others, if any, were left out by the plan.";
}
