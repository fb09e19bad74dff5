/** Findings beyond the figures: the misprinted theorem, guarantees worth nothing, and what a user really loses. */
import { itemAt } from "../../core/errors/index.ts";
import type { Findings } from "../../publish/report/index.ts";
import type { ClippedPoint } from "./measure.ts";
import { epsilonRange, firstPoint, type Study, series, worthlessBelow } from "./study.ts";

export function findingsOf(study: Study): Findings {
  const { paper } = epsilonRange(study.subject);
  const draws = study.clipped.map((points) => points.filter(({ epsilon }) => paper.includes(String(epsilon))));
  const all = draws.flat();
  const means = (value: (point: ClippedPoint) => number): number[] =>
    series(study.clipped, paper, value).map(({ mean }) => mean);
  const lowered = all.filter(({ gridsBefore, gridsAfterAsPrinted }) => gridsAfterAsPrinted < gridsBefore);
  const lastLowered = Math.max(0, ...lowered.map(({ epsilon }) => epsilon));
  const columns: ReadonlyArray<readonly [string, (point: ClippedPoint) => number]> = [
    ["K_before", ({ gridsBefore }) => gridsBefore],
    ["K", ({ gridsAfter }) => gridsAfter],
    ["K_theorem_as_printed", ({ gridsAfterAsPrinted }) => gridsAfterAsPrinted],
    ["error_before", ({ errorBefore }) => errorBefore],
    ["error_after", ({ errorAfter }) => errorAfter],
    ["data_free", ({ dataFreeError }) => dataFreeError],
    ["mean_error_before", ({ meanErrorBefore }) => meanErrorBefore],
    ["variance_error_before", ({ varianceErrorBefore }) => varianceErrorBefore],
    ["useful_grids_before", ({ usefulGridsBefore }) => usefulGridsBefore],
    ["joint_before", ({ lossBefore }) => lossBefore],
    ["joint_clip_user", ({ lossAfter }) => lossAfter],
    ["joint_clip_user_caps", ({ lossCapped }) => lossCapped],
  ];
  return {
    subject: study.subject,
    name: study.name,
    draws: draws.length,
    gridsBefore: firstPoint(study).gridsBefore,
    printedLowersNothingFrom: paper.map(Number).find((epsilon) => epsilon > lastLowered) ?? null,
    printedTooFar: all.filter(({ gridsAfter, gridsAfterAsPrinted }) => gridsAfterAsPrinted < gridsAfter).length,
    worthlessBelow: worthlessBelow(study),
    useful: all.filter(({ errorBefore, dataFreeError }) => errorBefore < dataFreeError).length,
    usefulWithCaps: all.filter(({ errorAfter, dataFreeError }) => errorAfter < dataFreeError).length,
    jointOfEpsilon: itemAt(
      means(({ lossBefore, epsilon }) => lossBefore / epsilon),
      0,
    ),
    points: all.length,
    raised: all.filter(({ lossBefore, lossAfter }) => lossAfter > lossBefore).length,
    raisedWithCaps: all.filter(({ lossBefore, lossCapped }) => lossCapped > lossBefore).length,
    columns: [
      { name: "epsilon", values: paper.map(Number) },
      ...columns.map(([name, value]) => ({ name, values: means(value) })),
    ],
  };
}
