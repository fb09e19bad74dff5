/** A released result as the service answers it, and the measures that can be looked at in it. */
import { tryParseExact } from "../../../../src/arithmetic/index.ts";

export interface ReleasedInterval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ReleasedStatistic extends Partial<ReleasedInterval> {
  /** Of a variance. */
  readonly sd?: ReleasedInterval;
  /** Of a histogram. */
  readonly bins?: ReadonlyArray<ReleasedInterval & { readonly bin: string }>;
  readonly error: number;
  readonly dataFreeError: number;
  readonly useful: boolean;
}

export interface ReleasedRow {
  readonly grid: string;
  readonly cell: string | null;
  readonly slot: string | null;
  readonly users: number;
  readonly samples: number;
  readonly kept: number;
  /** null where nothing was kept. */
  readonly statistics: Readonly<Record<string, ReleasedStatistic>> | null;
}

export interface Released {
  /** Only where the noise can be drawn again by anyone. */
  readonly warning?: string;
  readonly confidence: string;
  readonly bounds: readonly [string, string];
  readonly statistics: readonly string[];
  readonly estimator: string;
  readonly partition: Readonly<Record<string, string>>;
  readonly grids: number;
  readonly users: number;
  readonly samples: number;
  readonly privacy: {
    readonly loss: { readonly exact: string; readonly roundedUp: string; readonly inWords: string };
    readonly identity: Readonly<Record<string, string>>;
  };
  readonly rows: readonly ReleasedRow[];
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

export function measuresOf(released: Released, unit: string | null): Measure[] {
  const bins = (key: string): readonly string[] =>
    released.rows.find(({ statistics }) => statistics !== null)?.statistics?.[key]?.bins?.map(({ bin }) => bin) ?? [];
  const [low, high] = released.bounds.map(exactNumber) as [number, number];
  const value = released.partition["value"] ?? "values";
  const records = released.rows.reduce((sum, { samples }) => sum + samples, 0) / Math.max(1, released.rows.length);
  return released.statistics.flatMap((key): Measure[] => {
    const [kind, argument = ""] = key.split(":", 2);
    const measure = (
      facts: Pick<Measure, "key" | "label" | "short" | "middle">,
      isInUnit: boolean,
      read: (statistic: ReleasedStatistic) => Partial<ReleasedInterval> | undefined,
    ): Measure => {
      const of = (row: ReleasedRow): Shown | null => {
        const statistic = row.statistics?.[key];
        const found = statistic === undefined ? undefined : read(statistic);
        if (statistic === undefined || found?.value === undefined) return null;
        return { value: found.value, low: found.low!, high: found.high!, useful: statistic.useful };
      };
      return { ...facts, unit: isInUnit ? (unit ?? undefined) : undefined, of, format: formatFor(released.rows, of) };
    };
    if (kind === "mean")
      return [measure({ key, label: `mean ${value}`, short: "mean", middle: (low + high) / 2 }, true, (it) => it)];
    if (kind === "variance") {
      const facts = { key, label: `standard deviation of ${value}`, short: "standard deviation" };
      return [measure({ ...facts, middle: (high - low) / Math.sqrt(8) }, true, ({ sd }) => sd)];
    }
    if (kind === "sum")
      return [
        measure(
          { key, label: `sum of ${value}`, short: "sum", middle: (records * (low + high)) / 2 },
          true,
          (it) => it,
        ),
      ];
    if (kind === "share")
      return [
        measure(
          { key, label: `share of ${value} above ${argument}`, short: `share above ${argument}`, middle: 0.5 },
          false,
          (it) => it,
        ),
      ];
    return bins(key).map((bin, index, { length }) =>
      measure(
        { key: `${key}${bin}`, label: `share of ${value} in ${bin}`, short: bin, middle: 1 / length },
        false,
        ({ bins: all }) => all?.[index],
      ),
    );
  });
}

/** What is published of one grid can be this far apart. */
export function widthOf({ low, high }: ReleasedInterval): number {
  return high - low;
}

/** A grid's id as people read it: its parts, times with a space. */
export function gridName(id: string): string {
  return id
    .split("/")
    .map((part) => part.replace(/%2F/gi, "/").replace(/%25/g, "%"))
    .map((part) => part.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?/, "$1 $2$3 "))
    .map((part) => part.trim())
    .join(" · ");
}

export function exactNumber(text: string): number {
  return tryParseExact(text)?.toNumberNearest() ?? Number(text);
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
