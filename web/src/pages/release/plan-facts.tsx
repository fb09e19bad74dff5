/** Shows what a plan would publish, what it guarantees, and whether that is worth it. */
import type { PlanSummary } from "../../../../src/core/planning/index.ts";
import { formatCount, formatNumber, formatPercent } from "../../format.ts";
import { roughGrids } from "../../how-far-off.ts";
import { Card } from "../../parts/card.tsx";
import { NoiseDots } from "../../parts/dot-plot.tsx";
import { Figures } from "../../parts/figures.tsx";
import { gridName } from "../published/released.ts";
import {
  boundsOf,
  guaranteeWords,
  noiseOfWorstGrid,
  unitOfStatistic,
  usefulGridsOf,
  verdictOf,
  withUnit,
} from "./plan-words.ts";

export interface PlanFactsProps {
  readonly summary: PlanSummary;
  readonly unit: string | null;
  /** `0,65`. */
  readonly bounds: string;
}

export function PlanFacts({ summary, unit, bounds }: PlanFactsProps) {
  const { grids, perStatistic, samples, keptSamples, users, setAside, dataFreeError, metric } = summary;
  const useful = usefulGridsOf(summary);
  const statistics = perStatistic.map(({ statistic }) => statistic);
  const rough = roughGrids(summary.perGrid, statistics, boundsOf(bounds));
  const verdict = verdictOf({ ...summary, rough });
  const noise = noiseOfWorstGrid(summary, boundsOf(bounds));
  const only = perStatistic.length === 1 ? perStatistic[0]! : null;
  return (
    <Card title="What will be published">
      <Figures
        facts={[
          { name: "Statistics", value: statistics.join(", ") },
          {
            name: "Grids",
            value: formatCount(grids),
            note: setAside.length > 0 ? `${formatCount(setAside.length)} of them set aside` : "none set aside",
          },
          {
            name: "Better than no data",
            value: `${formatCount(useful)} of ${formatCount(grids)}`,
            note:
              rough > 0
                ? `${formatCount(rough)} of them roughly`
                : only === null
                  ? "at most, with every statistic"
                  : undefined,
            tone: useful === grids && rough === 0 ? "good" : "weak",
          },
          {
            name: "Records that count in full",
            value: formatPercent(samples > 0 ? keptSamples / samples : 0, 3),
            note: `${formatCount(keptSamples)} of ${formatCount(samples)}, of ${formatCount(users)} users`,
          },
        ]}
      />
      <div class={`message ${verdict.tone === "good" ? "good" : "weak"}`}>
        <b>{verdict.heading}.</b> {verdict.text}
      </div>
      <div>
        <h3>Guaranteed error</h3>
        <ul class="guarantees">
          {perStatistic.map((each) => (
            <li key={each.statistic}>
              <b>{each.statistic}</b>: {guaranteeWords(each, unit)}. Without data one would be off by up to{" "}
              {withUnit(each.dataFreeError, unitOfStatistic(each.statistic, unit))}
              {each.usefulGrids < grids
                ? `; in ${formatCount(grids - each.usefulGrids)} of ${formatCount(grids)} grids that is no worse`
                : ""}
              .
            </li>
          ))}
        </ul>
        {only === null ? (
          <p class="note">
            All statistics of a grid together: at most {formatNumber(summary.worstError ?? Number.POSITIVE_INFINITY)}
            {metric === "relative" ? " as a share of what publishing midpoints risks" : " (added up)"}, against{" "}
            {formatNumber(dataFreeError)} without data.
          </p>
        ) : null}
      </div>
      {noise === undefined ? null : (
        <NoiseDots
          label={`${noise.statistic} of the worst grid`}
          center={noise.center}
          scale={noise.scale}
          bias={noise.bias}
          bounds={noise.bounds}
          unit={unitOfStatistic(noise.statistic, unit)}
        />
      )}
      {setAside.length === 0 ? null : (
        <details class="fold">
          <summary>Grids set aside, because the loss buys nothing there: {formatCount(setAside.length)}</summary>
          <ul class="ids">
            {setAside.slice(0, 200).map((grid) => (
              <li key={grid} class="id">
                {gridName(grid)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}
