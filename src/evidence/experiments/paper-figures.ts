/** The paper's eight figures: loss before and after CLIP-USER, worst error before and after caps. */
import { itemAt } from "../../core/errors/index.ts";
import type { Figure } from "../../publish/report/index.ts";
import { columnsOf, errorLabel, figureOf, percentRange, short } from "./figure-parts.ts";
import { epsilonRange, firstPoint, type Study, series } from "./study.ts";

export function paperFigures(study: Study): Figure[] {
  return [lossFigure(study), errorFigure(study)];
}

function lossFigure(study: Study): Figure {
  const { paper } = epsilonRange(study.subject);
  const most = firstPoint(study).gridsBefore;
  const before = series(study.clipped, paper, ({ gridsBefore, epsilon }) => gridsBefore * epsilon);
  const after = series(study.clipped, paper, ({ gridsAfter, epsilon }) => gridsAfter * epsilon);
  const grids = series(study.clipped, paper, ({ gridsAfter }) => gridsAfter);
  return figureOf(study, paper, {
    set: "paper",
    kind: "loss",
    title: "Privacy loss before and after CLIP-USER",
    y: { label: "privacy loss, counted as ε for every grid of a user", scale: "linear" },
    drawn: [
      { ...BEFORE, label: `before, ${most}·ε`, column: "loss_before", values: before },
      { ...AFTER, label: "after CLIP-USER, K·ε", column: "loss_after", values: after },
    ],
    moreColumns: columnsOf(study, paper, [{ ...AFTER, label: "", column: "K", values: grids }]).slice(1),
    claim:
      study.subject === "city"
        ? "On the records of a city's buses the loss after CLIP-USER is clearly smaller than before, for most ε."
        : "CLIP-USER brings the loss far below one ε per grid at the same worst error, the further the larger γ is.",
    seen:
      `K is ${short(itemAt(grids, 0).mean)} of ${most} at ε = ${paper[0]} and ${short(itemAt(grids, grids.length - 1).mean)} at ε = ${paper.at(-1)}` +
      `${study.clipped.length === 1 ? "" : ", on average"}: the loss so counted falls by ${percentRange(after.map(({ mean }, index) => 1 - mean / itemAt(before, index).mean))}.`,
  });
}

function errorFigure(study: Study): Figure {
  const { paper } = epsilonRange(study.subject);
  const before = series(study.clipped, paper, ({ errorBefore }) => errorBefore);
  const after = series(study.clipped, paper, ({ errorAfter }) => errorAfter);
  const gains = after.map(({ mean }, index) => 1 - mean / itemAt(before, index).mean);
  const middle = Math.floor(gains.length / 2);
  return figureOf(study, paper, {
    set: "paper",
    kind: "error",
    title: "Worst guaranteed error before and after caps",
    y: { label: errorLabel("worst error of a grid", study), scale: "log" },
    drawn: [
      { ...BEFORE, label: "before, E", column: "error_before", values: before },
      { ...AFTER, label: "after CLIP-USER and caps, Ē", column: "error_after", values: after },
    ],
    claim:
      study.subject === "city"
        ? "On the records of a city's buses capping contributions (pseudo-users) hardly lowers the worst error."
        : "Capping contributions (pseudo-users) after CLIP-USER lowers the worst error.",
    seen:
      `Ē lies ${percentRange(gains)} below E: ${percentRange(gains.slice(0, 1))} at ε = ${paper[0]}, ${percentRange(gains.slice(-1))} at ε = ${paper.at(-1)}; ` +
      `${percentRange([itemAt(gains, middle)])} at ε = ${paper[middle]}, in between.`,
  });
}

const BEFORE = { colour: 0, dash: "dashed", strong: false, markers: false } as const;
const AFTER = { colour: 1, dash: "solid", strong: true, markers: true } as const;
