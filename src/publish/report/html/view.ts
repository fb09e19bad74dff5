/** Prepares what the page's sections share: the rows, the measures that can be shown, names of grids, and how numbers are written. */
import { itemAt } from "../../../core/errors/index.ts";
import { growsWithRecords } from "../../../core/influence/index.ts";
import type { ReleaseResult } from "../../release/index.ts";
import { modelOf } from "../privacy-facts.ts";
import { binNames, percentText, type ReleaseContext, type RowOptions, releaseContext } from "../release-context.ts";
import { type ReleasedRow, rowsOf, type StatisticRow } from "../released-rows.ts";

/** One number per grid with its interval, as people want to see it: a standard deviation in place of a variance. */
export interface Shown {
  readonly value: number;
  /** Ends of the interval: of a balanced plan of that under the model. */
  readonly low: number;
  readonly high: number;
  /** Whether the guarantee, or the typical error of a balanced plan, is better than publishing the middle. */
  readonly useful: boolean;
  readonly modelled?: ShownModel | undefined;
}

/** What only balanced plans have. */
export interface ShownModel {
  readonly smoothed: number;
  /** Ends of the interval that holds whatever the values are. */
  readonly low: number;
  readonly high: number;
}

export interface Measure {
  readonly label: string;
  /** For a column head. */
  readonly short: string;
  /** What would be published without data. */
  readonly middle: number;
  readonly middleLabel: string;
  readonly style: NumberStyle;
  of(row: ReleasedRow): Shown | null;
}

export interface View extends ReleaseContext {
  readonly rows: readonly ReleasedRow[];
  /** At least one. */
  readonly measures: readonly [Measure, ...Measure[]];
  /** `95 %`, kept on one line. */
  readonly confidenceText: string;
  /** `95 % interval`, with what it holds under. */
  readonly intervalText: string;
  /** What typical errors assume, in words; null where there are none. */
  readonly model: string | null;
  /** The column's name, or `values`. */
  readonly valueName: string;
}

export function viewOf(result: ReleaseResult, options: RowOptions): View {
  const context = releaseContext(result, options);
  const rows = rowsOf(context);
  const valueName = context.shape.value ?? "values";
  const [first, ...others] = context.statistics.flatMap((statistic, index) =>
    binNames(statistic).map((bin, coordinate): Measure => {
      const of = (row: ReleasedRow): Shown | null => {
        const released = row.statistics?.[index];
        return released === undefined ? null : shownOf(released, coordinate);
      };
      const grows = growsWithRecords(statistic);
      // Without data the middle is published, or its root where that is shown.
      const middle = itemAt(statistic.dataFreeValue(1), coordinate).toNumberNearest();
      const meanSamples = totalOf(rows, "samples") / Math.max(1, rows.length);
      return {
        label: statistic.words.label(valueName, bin),
        short: statistic.words.short(bin),
        middle: grows ? middle * meanSamples : statistic.kind.hasDeviation ? Math.sqrt(middle) : middle,
        middleLabel: grows ? "without data, average grid:" : "without data:",
        style: numberStyle(halfWidths(rows, of)),
        of,
      };
    }),
  );
  const confidenceText = percentText(context.confidence).replace(" ", "\u00a0");
  const model = result.spread === undefined ? null : modelOf(result, result.spread);
  const intervalText = `${confidenceText} interval${model === null ? "" : " under the model"}`;
  const measures: View["measures"] = [first as Measure, ...others];
  return { ...context, rows, measures, valueName, confidenceText, intervalText, model };
}

function shownOf(released: StatisticRow, coordinate: number): Shown {
  const own = released.sd ?? itemAt(released.numbers, coordinate);
  const { value, low, high, modelLow, modelHigh, smoothed } = own;
  if (modelLow === undefined || modelHigh === undefined || smoothed === undefined)
    return { value, low, high, useful: released.useful };
  const useful = isTypicallyUseful(released);
  return { value, low: modelLow, high: modelHigh, useful, modelled: { smoothed, low, high } };
}

/** Whether the typical error of a balanced plan is below that of publishing the middle. */
export function isTypicallyUseful({ numbers: [first], dataFreeError }: StatisticRow): boolean {
  return (first.typical ?? Infinity) < dataFreeError;
}

export function totalOf(rows: readonly ReleasedRow[], count: "samples" | "kept"): number {
  return rows.reduce((total, row) => total + row[count], 0);
}

/** Half of each interval that is shown. */
export function halfWidths(rows: readonly ReleasedRow[], of: Measure["of"]): number[] {
  return rows.flatMap((row) => {
    const shown = of(row);
    return shown === null ? [] : [(shown.high - shown.low) / 2];
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

const NOTHING = "(none)";

/** A grid's layer of the map: everything but the hexagon, which the map shows by itself. */
export function layerText(row: ReleasedRow, slot: boolean): string {
  return [...row.by.map((part) => part ?? NOTHING), ...(slot ? [slotText(row.slot)] : [])].join(" · ");
}

export function slotText(slot: string | null): string {
  return slot === null ? NOTHING : slot.replace("T", " ");
}

/** A grid as a reader wants it: its parts. */
export function gridText(row: ReleasedRow): string {
  const parts = [
    ...row.by.map((part) => part ?? NOTHING),
    ...(row.cell === null ? [] : [row.cell]),
    ...(row.slot === null ? [] : [slotText(row.slot)]),
  ];
  return parts.length === 0 ? row.grid : parts.join(" · ");
}

/** Writes numbers with one digit more than the noise leaves uncertain. */
export interface NumberStyle {
  nearest(value: number): string;
  down(value: number): string;
  up(value: number): string;
}

const MOST_PLACES = 8;

/** From the typical half-width of the intervals. */
export function numberStyle(widths: readonly number[]): NumberStyle {
  const sorted = widths.filter((each) => each > 0).sort((left, right) => left - right);
  const typical = sorted[Math.floor(sorted.length / 2)] ?? 0.1;
  const places = Math.min(MOST_PLACES, Math.max(0, 1 - Math.floor(Math.log10(typical))));
  const unit = 10 ** places;
  const digits = new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
  const write = (value: number): string => {
    const text = digits.format(value);
    return (/^-[0.,]*$/.test(text) ? text.slice(1) : text).replace("-", "−");
  };
  return {
    nearest: write,
    down: (value) => write(Math.floor(value * unit) / unit),
    up: (value) => write(Math.ceil(value * unit) / unit),
  };
}
