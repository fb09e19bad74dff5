/** From the numbers along an axis to pixels, evenly or by their logarithms. */
import { roundPixels } from "./round-pixels.ts";

export type ScaleKind = "linear" | "log";

/** The domain's ends land on the range's ends; on a logarithmic scale domain and values are positive. */
export function pixelScale(
  kind: ScaleKind,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const share =
    kind === "log"
      ? (value: number): number => Math.log(value / low) / Math.log(high / low)
      : (value: number): number => (value - low) / (high - low);
  return (value) => roundPixels(from + (to - from) * share(value));
}
