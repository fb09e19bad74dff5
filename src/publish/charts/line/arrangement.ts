/** Arranges a line chart: as much text as leaves room for the plot. */
import { itemAt } from "../../../core/errors/index.ts";
import type { ChartSize, LineChart } from "./definition.ts";
import { type Lines, type Plot, plotOf, type Sheet, sheetOf, type Texts, textsOf } from "./layout.ts";
import { type EndLabel, endLabelsOf, endLabelWidth, type Legend, legendOf, NO_LEGEND } from "./names.ts";

export interface Arrangement {
  readonly sheet: Sheet;
  readonly texts: Texts;
  readonly labels: readonly EndLabel[];
  readonly legend: Legend;
  readonly plot: Plot;
}

/** From what is wanted to the least; the plot must have its share of the height. */
const CHOICES: ReadonlyArray<Lines & { readonly legend: boolean }> = [
  { title: 2, subtitle: 2, label: 2, note: 3, legend: true },
  { title: 2, subtitle: 1, label: 2, note: 1, legend: true },
  { title: 1, subtitle: 0, label: 1, note: 0, legend: true },
  { title: 0, subtitle: 0, label: 1, note: 0, legend: true },
  { title: 0, subtitle: 0, label: 1, note: 0, legend: false },
];
/** Short lines, so more of them. */
const NARROW_CHOICES = [{ title: 3, subtitle: 4, label: 2, note: 6, legend: true }, ...CHOICES];
const SHARE = 0.4;

export function arranged(chart: LineChart, size: ChartSize): Arrangement {
  const sheet = sheetOf(size);
  const atEnds = sheet.names === "ends";
  const labels = atEnds ? endLabelsOf(chart.lines) : [];
  const labelWidth = atEnds ? endLabelWidth(labels) : 0;
  const full = sheet.names === "legend" ? legendOf(chart.lines, sheet) : NO_LEGEND;
  const arrangements = (atEnds ? CHOICES : NARROW_CHOICES).map((choice): Arrangement => {
    const texts = textsOf(chart, sheet, choice);
    const legend = choice.legend ? full : NO_LEGEND;
    return {
      sheet,
      texts,
      labels,
      legend,
      plot: plotOf(chart, texts, { sheet, labelWidth, legendHeight: legend.height }),
    };
  });
  const roomy = arrangements.find(({ plot }) => plot.bottom - plot.top >= SHARE * sheet.height);
  return roomy ?? itemAt(arrangements, arrangements.length - 1);
}
