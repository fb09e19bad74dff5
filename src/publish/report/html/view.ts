/** What the page's sections share: the rows, the measures that can be shown, and how their numbers are written. */
import type { Rational } from "../../../core/arithmetic/index.ts";
import { growsWithRecords, type Statistic } from "../../../core/influence/index.ts";
import type { ReleaseResult } from "../../release/index.ts";
import { percentText } from "../release-columns.ts";
import { type ReleaseShape, releaseShape } from "../release-shape.ts";
import {
  binNames,
  checkConfidence,
  type ReleasedRow,
  type RowOptions,
  releasedRows,
  releaseStatistics,
} from "../released-rows.ts";
import { type NumberStyle, numberStyle } from "./number-style.ts";

/** One number per grid with its interval, as people want to see it: a standard deviation in place of a variance. */
export interface Shown {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly useful: boolean;
}

export interface Measure {
  readonly statistic: number;
  readonly label: string;
  /** For a column head. */
  readonly short: string;
  /** What would be published without data. */
  readonly middle: number;
  readonly middleLabel: string;
  readonly style: NumberStyle;
  of(row: ReleasedRow): Shown | null;
}

export interface View {
  readonly result: ReleaseResult;
  readonly options: RowOptions;
  readonly rows: readonly ReleasedRow[];
  readonly shape: ReleaseShape;
  readonly statistics: readonly Statistic[];
  readonly measures: readonly Measure[];
  readonly confidence: Rational;
  /** `95 %`, kept on one line. */
  readonly confidenceText: string;
  /** The column's name, or `values`. */
  readonly valueName: string;
}

export function viewOf(result: ReleaseResult, options: RowOptions): View {
  const confidence = checkConfidence(options.confidence);
  const rows = releasedRows(result, options);
  const shape = releaseShape(result);
  const statistics = releaseStatistics(result);
  const valueName = shape.value ?? "values";
  const measures = statistics.flatMap((statistic, index) =>
    binNames(statistic).map((bin, coordinate) =>
      measureOf({ statistic, index, bin, coordinate, rows, valueName, result }),
    ),
  );
  return {
    result,
    options,
    rows,
    shape,
    statistics,
    measures,
    valueName,
    confidence,
    confidenceText: percentText(confidence).replace(" ", "\u00a0"),
  };
}

interface Given {
  readonly statistic: Statistic;
  readonly index: number;
  readonly bin: string;
  readonly coordinate: number;
  readonly rows: readonly ReleasedRow[];
  readonly valueName: string;
  readonly result: ReleaseResult;
}

function measureOf({ statistic, index, bin, coordinate, rows, valueName, result }: Given): Measure {
  const of = (row: ReleasedRow): Shown | null => {
    const released = row.statistics?.[index];
    if (released === undefined) return null;
    const { value, low, high } = released.sd ?? released.numbers[coordinate]!;
    return { value, low, high, useful: released.useful };
  };
  const halfWidths = rows.flatMap((row) => {
    const shown = of(row);
    return shown === null ? [] : [(shown.high - shown.low) / 2];
  });
  return {
    statistic: index,
    label: statistic.words.label(valueName, bin),
    short: statistic.words.short(bin),
    middle: middleOf(statistic, coordinate, result),
    middleLabel: growsWithRecords(statistic) ? "without data, average grid:" : "without data:",
    style: numberStyle(halfWidths),
    of,
  };
}

/** Without data: what is published, or its root where that is shown. */
function middleOf(statistic: Statistic, coordinate: number, { rows }: ReleaseResult): number {
  const middle = statistic.dataFreeValue(1)[coordinate]!.toNumberNearest();
  if (growsWithRecords(statistic))
    return middle * (rows.reduce((total, row) => total + row.samples, 0) / Math.max(1, rows.length));
  return statistic.kind.hasDeviation ? Math.sqrt(middle) : middle;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
