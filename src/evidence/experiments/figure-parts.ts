/** Builds figures from lines and columns of the same numbers, and writes numbers in words. */
import type { ChartLine, LineChart } from "../../publish/charts/index.ts";
import type { Figure, FigureColumn } from "../../publish/report/index.ts";
import type { Spread, Study } from "./study.ts";

/** A line of a chart, and what its columns are called. */
export interface Drawn extends Omit<ChartLine, "points" | "detail"> {
  readonly column: string;
  /** Whether the spread is drawn, too; it is in the columns anyway. */
  readonly band?: boolean | undefined;
  readonly values: ReadonlyArray<Spread | null>;
}

/** A figure over some ε; lines and columns are the same numbers. */
export function figureOf(
  study: Study,
  epsilons: readonly string[],
  given: Pick<Figure, "set" | "kind" | "claim" | "seen"> &
    Partial<Pick<LineChart, "regions" | "rules">> & {
      readonly title: string;
      readonly about?: string;
      readonly x?: string;
      readonly y: LineChart["y"];
      readonly note?: string;
      readonly drawn: readonly Drawn[];
      /** Where some draws need no loss at all a mean on a logarithmic axis would mislead: lines begin where all of them do. */
      readonly hasGaps?: boolean;
      readonly moreColumns?: readonly FigureColumn[];
    },
): Figure {
  const { set, kind, drawn, claim, seen } = given;
  const id = `${set}-${kind}-${study.subject}`;
  return {
    id,
    set,
    kind,
    subject: study.subject,
    chart: {
      id,
      title: `${given.title}, ${study.name}`,
      subtitle: `${study.about}${given.about ?? ""}`,
      x: { label: given.x ?? "ε per grid", scale: "log", domain: ends(epsilons) },
      y: given.y,
      lines: drawn.map((each) =>
        lineOf(given.hasGaps ? { ...each, values: each.values.map(ifEverywhere) } : each, epsilons),
      ),
      regions: given.regions ?? [],
      rules: given.rules ?? [],
      note: `${bandNote(study)}${given.note ?? ""}`,
    },
    columns: [...columnsOf(study, epsilons, drawn), ...(given.moreColumns ?? [])],
    claim,
    seen,
  };
}

function ifEverywhere(spread: Spread | null): Spread | null {
  return spread !== null && spread.low > 0 ? spread : null;
}

/** First and last ε. */
export function ends(epsilons: readonly string[]): [number, number] {
  return [Number(epsilons[0]), Number(epsilons.at(-1))];
}

function lineOf({ column: _, band = true, values, ...line }: Drawn, epsilons: readonly string[]): ChartLine {
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

function bandNote({ clipped }: Study): string {
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
