/** The legend of a coloured map: the palette with its round numbers beneath. */
import { escapeMarkup } from "./escape-markup.ts";
import type { MapMeasure } from "./hexagon-map.ts";
import { viridis } from "./viridis.ts";

const STOPS = 11;
const NUMBERS = 5;

/** `turned`: the bright end stands at the low numbers. */
export function colourLegend(
  { label, domain: [low, high], format }: MapMeasure,
  { turned = false }: { readonly turned?: boolean | undefined } = {},
): string {
  const palette = Array.from({ length: STOPS }, (_, index) => viridis(index / (STOPS - 1)));
  const colours = turned ? palette.reverse() : palette;
  const numbers =
    high > low ? Array.from({ length: NUMBERS }, (_, index) => low + (index / (NUMBERS - 1)) * (high - low)) : [low];
  return (
    `<div class="vg-legend">${escapeMarkup(label)}<i style="background:linear-gradient(90deg,${colours.join(",")})"></i>` +
    `<div>${numbers.map((number) => `<span>${escapeMarkup(format(number))}</span>`).join("")}</div></div>`
  );
}
