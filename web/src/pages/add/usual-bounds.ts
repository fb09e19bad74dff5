/** Lists usual ranges of quantities by name: shown as examples, never filled in. */

export interface UsualBounds {
  readonly lower: string;
  readonly upper: string;
  readonly unit: string;
}

const USUAL: ReadonlyArray<readonly [RegExp, UsualBounds]> = [
  [/speed|velocity|kmh|mph/i, { lower: "0", upper: "120", unit: "km/h" }],
  [/temp/i, { lower: "-20", upper: "50", unit: "°C" }],
  [/pm2|pm10|no2|ozone/i, { lower: "0", upper: "500", unit: "µg/m³" }],
  [/amount|price|spend|cost|fare|total|paid/i, { lower: "0", upper: "200", unit: "€" }],
  [/duration|seconds|wait/i, { lower: "0", upper: "3600", unit: "s" }],
  [/score|rating|level/i, { lower: "0", upper: "10", unit: "points" }],
];

export function usualBounds(column: string): UsualBounds | undefined {
  return USUAL.find(([pattern]) => pattern.test(column))?.[1];
}
