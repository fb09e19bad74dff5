/** Tells the pages about a statistic by its key, from the statistic's own definition. */
import { kindOfKey, parseBounds, parseStatistic, type Statistic } from "../../src/core/influence/index.ts";

const known = new Map<string, Statistic | undefined>();

/** Remembered, since every row of a table asks; undefined where key and bounds do not go together. */
export function statisticOf(key: string, [low, high]: readonly [number, number]): Statistic | undefined {
  const name = `${key} ${low},${high}`;
  if (!known.has(name)) known.set(name, tryStatistic(key, `${low},${high}`));
  return known.get(name);
}

function tryStatistic(key: string, bounds: string): Statistic | undefined {
  try {
    return parseStatistic(key, parseBounds(bounds));
  } catch {
    return undefined;
  }
}

/** `km/h`, `(km/h)²` of a variance, empty for shares. */
export function unitOf(key: string, unit: string | null): string {
  const own = kindOfKey(key).unit;
  if (unit === null || own === "fraction") return "";
  return own === "squared" ? `(${unit})²` : unit;
}
