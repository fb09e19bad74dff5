/** Describes a released result as the service answers it, and the measures that can be shown of it. */

import type { Released, ReleasedHistogram, ReleasedNumber, ReleasedRow } from "../../../../src/apps/client/index.ts";
import { tryParseExact } from "../../../../src/core/arithmetic/index.ts";
import { itemAt } from "../../../../src/core/errors/index.ts";
import { growsWithRecords, makeBounds, parseStatistic, statisticName } from "../../../../src/core/influence/index.ts";
import { isolateText } from "../../isolate-text.ts";
import { unitOf } from "../../statistics.ts";

export type { Released, ReleasedRow } from "../../../../src/apps/client/index.ts";

type ReleasedStatistic = ReleasedNumber | ReleasedHistogram;

export interface ReleasedInterval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Shown extends ReleasedInterval {
  readonly useful: boolean;
}

/** One number per grid, as people want to see it: a standard deviation in place of a variance. */
export interface Measure {
  /** In the address. */
  readonly key: string;
  readonly label: string;
  /** For a switch. */
  readonly short: string;
  readonly unit: string | undefined;
  /** What one would publish without data. */
  readonly middle: number;
  of(row: ReleasedRow): Shown | null;
  /** One digit more than the noise leaves uncertain. */
  format(value: number): string;
}

type MeasuredParts = Pick<Released, "bounds" | "statistics" | "partition" | "rows">;

export function measuresOf(released: MeasuredParts, unit: string | null): Measure[] {
  const [lower, upper] = released.bounds.map((text) => tryParseExact(text)!);
  const bounds = makeBounds(lower!, upper!);
  const value = released.partition["value"] ?? "values";
  const records = released.rows.reduce((sum, { samples }) => sum + samples, 0) / Math.max(1, released.rows.length);
  return released.statistics.flatMap((key): Measure[] => {
    const statistic = parseStatistic(key, bounds);
    const { hasDeviation } = statistic.kind;
    const middles = statistic.dataFreeValue(1).map((middle) => middle.toNumberNearest());
    const middleOf = (middle: number): number =>
      growsWithRecords(statistic) ? records * middle : hasDeviation ? Math.sqrt(middle) : middle;
    return (statistic.bins?.names ?? [""]).map((bin, index): Measure => {
      const of = (row: ReleasedRow): Shown | null => {
        const found = row.statistics?.[key];
        const number = found === undefined ? undefined : numberOf(found, index);
        const shown = hasDeviation ? number?.sd : number;
        if (found === undefined || shown === undefined) return null;
        return { value: shown.value, low: shown.low, high: shown.high, useful: found.useful };
      };
      return {
        key: key + bin,
        label: startingSmall(statistic.words.label(value, bin)),
        short: hasDeviation ? "standard deviation" : bin || statisticName(key),
        unit: hasDeviation ? (unit ?? undefined) : unitOf(key, unit) || undefined,
        middle: middleOf(itemAt(middles, index)),
        of,
        format: formatFor(released.rows, of),
      };
    });
  });
}

function startingSmall(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** The number, or that of a bin. */
function numberOf(
  statistic: ReleasedStatistic,
  index: number,
): (ReleasedInterval & Pick<ReleasedNumber, "sd">) | undefined {
  return "bins" in statistic ? statistic.bins[index] : statistic;
}

/** What is published of one grid can be this far apart. */
export function widthOf({ low, high }: ReleasedInterval): number {
  return high - low;
}

/** A grid's id as people read it: its parts, times with a space. */
export function gridName(id: string): string {
  return gridParts(id).join(" · ");
}

export interface GridNames {
  /** Only what tells a grid from the others. */
  of(id: string): string;
  /** What all have in common; "" for nothing. */
  readonly common: string;
}

/** Names without the parts that all grids share, such as the only time slot. */
export function gridNames(ids: readonly string[]): GridNames {
  const all = ids.map(gridParts);
  const first = all[0] ?? [];
  const isCommon = first.map(
    (part, index) => all.length > 1 && all.every((parts) => parts.length === first.length && parts[index] === part),
  );
  if (isCommon.every(Boolean)) return { of: gridName, common: "" };
  return {
    of: (id) =>
      gridParts(id)
        .filter((_, index) => isCommon[index] !== true)
        .join(" · "),
    common: first.filter((_, index) => isCommon[index]).join(" · "),
  };
}

function gridParts(id: string): string[] {
  return id
    .split("/")
    .map((part) => isolateText(part.replace(/%2F/gi, "/").replace(/%25/g, "%")))
    .map((part) => part.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?/, "$1 $2$3 ").trim());
}

const MOST_PLACES = 8;

function formatFor(rows: readonly ReleasedRow[], of: (row: ReleasedRow) => Shown | null): (value: number) => string {
  const halves = rows
    .flatMap((row) => of(row) ?? [])
    .map((shown) => widthOf(shown) / 2)
    .filter((half) => half > 0)
    .sort((one, other) => one - other);
  const typical = halves[Math.floor(halves.length / 2)] ?? 0.1;
  const places = Math.min(MOST_PLACES, Math.max(0, 1 - Math.floor(Math.log10(typical))));
  const digits = new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  return (value) => digits.format(value).replace(/^-(?=[0.,]*$)/, "");
}
