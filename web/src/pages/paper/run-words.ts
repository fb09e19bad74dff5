/** Describes the outcome of a run in the page in sentences. */
import { formatNumber, formatPercent } from "../../format.ts";
import type { RunResult } from "./run-draw.ts";

export function runWords({ rows, dataFree }: RunResult): string[] {
  const [before, after, capped] = rows as [RunResult["rows"][0], RunResult["rows"][0], RunResult["rows"][0]];
  const change = after.joint / before.joint - 1;
  const best = Math.min(...rows.map(({ error }) => error ?? Infinity));
  return [
    after.most < before.most
      ? `CLIP-USER lowers K from ${before.most} to ${after.most} at no larger worst error, so the loss as the paper counts it falls by ${formatPercent(1 - after.simple / before.simple)}.`
      : `CLIP-USER cannot lower K from ${before.most} at this error.`,
    Math.abs(change) < 0.0005
      ? `What one user can really move in all grids together, the joint loss, stays at ${formatNumber(before.joint)}.`
      : `What one user can really move in all grids together, the joint loss, ${change > 0 ? "rises" : "falls"} by ${formatPercent(Math.abs(change))}: from ${formatNumber(before.joint)} to ${formatNumber(after.joint)}.`,
    ...(capped.error !== null && after.error !== null
      ? [`Caps bring the worst error from ${formatNumber(after.error)} to ${formatNumber(capped.error)}.`]
      : []),
    best < dataFree
      ? `Publishing midpoints without looking at any data errs by at most ${formatNumber(dataFree)}: the best of the three is better than that.`
      : `Publishing midpoints without looking at any data errs by at most ${formatNumber(dataFree)}: none of the three guarantees more.`,
  ];
}
