/** Maps values to colours, and picks letters that can be read on them. */
import { viridis } from "../../../src/publish/charts/index.ts";

export interface ColourScale {
  readonly domain: readonly [low: number, high: number];
  /** The bright end stands at the low values. */
  readonly turned: boolean;
}

export function domainOf(values: ReadonlyArray<number | null>): [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** `#rrggbb`, or null for what is empty. What lies outside the domain has the colour of its end. */
export function colourOf(value: number | null, { domain: [low, high], turned }: ColourScale): string | null {
  if (value === null || Number.isNaN(value)) return null;
  const fraction = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
  return viridis(turned ? 1 - fraction : fraction);
}

/** Black or white, whichever stands out more on `#rrggbb`. */
export function inkOn(colour: string): "#000000" | "#ffffff" {
  const luminance = relativeLuminance(colour);
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
}

export function channelsOf(colour: string): [red: number, green: number, blue: number] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
}

/** As WCAG 2 defines it. */
export function relativeLuminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
