/** Colours a map by its values: a scale that stays in order for colour-blind eyes and in grey print, and its legend. */
import { itemAt } from "../../core/errors/index.ts";
import { escapeMarkup } from "./svg.ts";

/** Matplotlib's viridis at 0, 0.1 … 1. */
const STOPS = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
] as const;

/** The colour of `fraction` in [0, 1], as `#rrggbb`. */
export function viridis(fraction: number): string {
  const place = Math.min(1, Math.max(0, fraction)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(place));
  const rest = place - below;
  const above = itemAt(STOPS, below + 1);
  return `#${itemAt(STOPS, below)
    .map((channel, index) => {
      const mixed = Math.round(channel + rest * (itemAt(above, index) - channel));
      return mixed.toString(16).padStart(2, "0");
    })
    .join("")}`;
}

export interface MapMeasure {
  readonly label: string;
  readonly domain: readonly [low: number, high: number];
  format(value: number): string;
}

const LEGEND_NUMBERS = 5;

/** The palette with its round numbers beneath. `turned`: the bright end stands at the low numbers. */
export function colourLegend(
  { label, domain: [low, high], format }: MapMeasure,
  { turned = false }: { readonly turned?: boolean | undefined } = {},
): string {
  const palette = STOPS.map((_, index) => viridis(index / (STOPS.length - 1)));
  const colours = turned ? palette.reverse() : palette;
  const numbers =
    high > low
      ? Array.from({ length: LEGEND_NUMBERS }, (_, index) => low + (index / (LEGEND_NUMBERS - 1)) * (high - low))
      : [low];
  return (
    `<div class="vg-legend">${escapeMarkup(label)}<i style="background:linear-gradient(90deg,${colours.join(",")})"></i>` +
    `<div>${numbers.map((number) => `<span>${escapeMarkup(format(number))}</span>`).join("")}</div></div>`
  );
}
