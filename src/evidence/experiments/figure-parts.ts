/** What all figures are put together from: lines with their columns, numbers in words. */
import type { ChartLine } from "../../publish/charts/index.ts";
import type { FigureColumn } from "../../publish/report/index.ts";
import type { Spread } from "./spread.ts";
import type { Study } from "./study.ts";

/** A line of a chart, and what its columns are called. */
export interface Drawn extends Omit<ChartLine, "points" | "detail"> {
  readonly column: string;
  /** Whether the spread is drawn, too; it is in the columns anyway. */
  readonly band?: boolean | undefined;
  readonly values: ReadonlyArray<Spread | null>;
}

export function lineOf({ column: _, band = true, values, ...line }: Drawn, epsilons: readonly string[]): ChartLine {
  const points = epsilons.flatMap((epsilon, index) => {
    const spread = values[index];
    if (!spread) return [];
    const { mean, low, high } = spread;
    return [{ x: Number(epsilon), y: mean, ...(band ? { low, high } : {}) }];
  });
  const last = points[points.length - 1];
  return { ...line, points, detail: last === undefined ? "" : `${short(last.y)} at ε = ${short(last.x)}` };
}

/** ε first; of one draw the number, of several mean, smallest and largest. */
export function columnsOf(study: Study, epsilons: readonly string[], drawn: readonly Drawn[]): FigureColumn[] {
  const ways = study.clipped.length === 1 ? SINGLE : SEVERAL;
  return [
    { name: "epsilon", values: epsilons.map(Number) },
    ...drawn.flatMap(({ column, values }) =>
      ways.map(([suffix, way]) => ({
        name: `${column}${suffix}`,
        values: values.map((spread) => (spread === null ? null : spread[way])),
      })),
    ),
  ];
}

const SINGLE = [["", "mean"]] as const;
const SEVERAL = [
  ["_mean", "mean"],
  ["_min", "low"],
  ["_max", "high"],
] as const;

export function bandNote({ clipped }: Study): string {
  return clipped.length === 1
    ? "One array, so there is no spread to show."
    : `Lines: mean of ${clipped.length} draws. Bands: smallest and largest of them.`;
}

/** Three digits, without a power of ten. */
export function short(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.1 ? 1 : 0)} %`;
}

/** `from 57 % to 78 %`, or one number if they are the same. */
export function percentRange(shares: readonly number[]): string {
  const [least, most] = [percent(Math.min(...shares)), percent(Math.max(...shares))];
  return least === most ? least : `${least} to ${most}`;
}

/** km/h and (km/h)² added up, as the paper's metric does. */
export function errorLabel(what: string, { unit }: Study): string {
  return `${what}, mean + variance${unit === "" ? "" : ` (${unit} + (${unit})²)`}`;
}
