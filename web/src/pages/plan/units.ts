/** Writes errors with their units: one statistic has its own, several are shares of what publishing midpoints would give. */
import { statisticName } from "../../../../src/core/influence/index.ts";
import { formatNumber } from "../../format.ts";
import { unitOf } from "../../statistics.ts";

export function withUnit(value: number, unit: string): string {
  return unit === "" ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

export interface ErrorUnit {
  /** For axes: "guaranteed error of the mean, km/h". */
  readonly axis: string;
  format(error: number): string;
  /** In a sentence: "2.7 km/h", "38 % of what midpoints could be off". */
  inWords(error: number): string;
  /** From what is shown to the metric. */
  readonly factor: number;
  readonly suffix: string;
}

export function errorUnit(statistics: string, unit: string | null): ErrorUnit {
  if (statistics.includes(","))
    return {
      axis: "worst guaranteed error, % of publishing midpoints",
      format: (error) => `${formatNumber(100 * error)} %`,
      inWords: (error) => `${formatNumber(100 * error)} % of what midpoints could be off`,
      factor: 100,
      suffix: "% of midpoints",
    };
  const suffix = unitOf(statistics, unit);
  const format = (error: number): string => withUnit(error, suffix);
  return {
    axis: `worst guaranteed error of the ${statisticName(statistics)}${suffix === "" ? "" : `, ${suffix}`}`,
    format,
    inWords: format,
    factor: 1,
    suffix,
  };
}

export function statisticsName(text: string): string {
  const names = text.split(",").map((key) => statisticName(key.trim()));
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
