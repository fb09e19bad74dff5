/** Renders the charts of the page: every measure with its intervals, grids sorted by value. */
import { escapeMarkup, type IntervalPoint, intervalChart } from "../../charts/index.ts";
import { formatCount } from "../text-table.ts";
import { gridText, type Measure, type View } from "./view.ts";

const MOST_POINTS = 60;
/** Further ones are folded away. */
const OPEN_CHARTS = 2;
const MOST_CHARTS = 24;

export function chartSection(view: View): string {
  const candidates = view.rows.filter((row) => row.statistics !== null);
  const rows = [...candidates].sort((left, right) => right.samples - left.samples).slice(0, MOST_POINTS);
  if (rows.length === 0) return "";
  const charts = view.measures.slice(0, MOST_CHARTS).map((measure) => {
    const points = rows
      .flatMap((row): IntervalPoint[] => {
        const shown = measure.of(row);
        if (shown === null) return [];
        const { value, low, high, useful } = shown;
        return [{ label: gridText(row), value, low, high, muted: !useful }];
      })
      .sort((left, right) => right.value - left.value);
    return figure(measure, points);
  });
  const limited =
    candidates.length > rows.length
      ? ` Shown are the ${formatCount(rows.length)} grids with most records, of ${formatCount(candidates.length)}.`
      : "";
  const folded = charts.slice(OPEN_CHARTS);
  return `<section id="charts"><h2>Values and how far off they may be</h2>
<p>A dot is a published value, its bar the ${view.intervalText}. The dashed line is what one would publish without looking at any data. Hollow dots: ${view.model === null ? "the guarantee" : "the typical error"} is no better than that line.${limited}</p>
<div class="charts">${charts.slice(0, OPEN_CHARTS).join("")}</div>
${folded.length === 0 ? "" : `<details><summary>${formatCount(folded.length)} more</summary><div class="charts">${folded.join("")}</div></details>`}
</section>`;
}

function figure(measure: Measure, points: readonly IntervalPoint[]): string {
  const chart = intervalChart({
    label: `${measure.label} of ${points.length} grids with intervals; the table below has the numbers`,
    points,
    reference: { value: measure.middle, label: `${measure.middleLabel} ${measure.style.nearest(measure.middle)}` },
    format: measure.style.nearest,
  });
  return `<figure class="card"><h3>${escapeMarkup(measure.label)}</h3>${chart}</figure>`;
}
