/** Writes what a chart says at one place, in words and numbers. */
import type { LineReading } from "../../../../src/publish/charts/index.ts";
import { formatNumber } from "../../format.ts";

/** `≈` where it is read between two points; nothing where the line is not. */
export function readingText({ y, exact }: LineReading): string {
  return y === null ? "–" : `${exact ? "" : "≈ "}${formatNumber(y)}`;
}

/** null without a spread worth telling. */
export function spreadText({ y, low, high }: LineReading): string | null {
  if (y === null || low === undefined || high === undefined || low === high) return null;
  return `${formatNumber(low)} … ${formatNumber(high)}`;
}

/** For those who listen. */
export function spokenReadout(xLabel: string, x: number, readings: readonly LineReading[]): string {
  const values = readings.map((reading) => `${reading.line.label}: ${readingText(reading).replace("≈", "about")}`);
  return `${xLabel} ${formatNumber(x)}. ${values.join("; ")}.`;
}

/** The place nearest to a pixel. */
export function nearest(
  positions: readonly number[],
  pixelOf: (value: number) => number,
  pixel: number,
): number | null {
  let found: number | null = null;
  for (const each of positions)
    if (found === null || Math.abs(pixelOf(each) - pixel) < Math.abs(pixelOf(found) - pixel)) found = each;
  return found;
}

/** Right of the pointer while there is room, otherwise left of it, never outside. */
export function besidePointer(pointer: number, { own, room, gap }: { own: number; room: number; gap: number }): number {
  const right = pointer + gap;
  const wanted = right + own <= room ? right : pointer - gap - own;
  return Math.max(0, Math.min(room - own, wanted));
}
