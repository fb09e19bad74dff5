/** Renders a plan as a curator reads it in a terminal: what it costs, how exact its numbers are, and whether that is worth anything. */
import { escapeControls } from "../../core/errors/index.ts";
import type { PlanSummary } from "../../core/planning/index.ts";
import { balancedPlanLines, isBalanced } from "./balanced-plan-text.ts";
import { guaranteedPlanLines } from "./guaranteed-plan-text.ts";
import type { Named } from "./model-words.ts";
import { formatNumber, lines, plural } from "./text-table.ts";

export interface PlanTextOptions extends Named {
  /** Rows of the per-grid table, worst error first. */
  readonly gridRows?: number;
  /** Where the plan was written. */
  readonly out?: string | undefined;
}

export function planSummaryText(source: string, summary: PlanSummary, options: PlanTextOptions = {}): string {
  const { out, gridRows = 12, ...named } = options;
  return lines(
    `${escapeControls(source)}: ${plural(summary.users, "user")}, ${plural(summary.grids, "grid")}, ${plural(summary.samples, "record")}`,
    isBalanced(summary) ? balancedPlanLines(summary, { gridRows, ...named }) : guaranteedPlanLines(summary, gridRows),
    lossInWords(summary.loss),
    `Rounding values before use (--step) adds at most ${Object.entries(summary.latticeError)
      .map(([statistic, error]) => `${formatNumber(error)} (${statistic})`)
      .join(", ")} to these errors.`,
    "",
    `plan ${summary.planHash} ${out === undefined ? "(not written; use --out FILE)" : `written to ${escapeControls(out)}`}`,
    "",
  ).join("\n");
}

function lossInWords(loss: number): string {
  const guess = 100 / (1 + Math.exp(-loss));
  const howOften =
    guess > 99.9
      ? "nearly always (over 99.9 % of the time)"
      : `at most ${(Math.ceil(10 * guess) / 10).toFixed(1)} % of the time`;
  return `A loss of ${formatNumber(loss)} means: who would guess one user's values right half of the time can do so ${howOften}.`;
}
