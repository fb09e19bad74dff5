/** One SVG text element, with whatever attributes, safe for text from anywhere. */
import { escapeMarkup } from "./escape-markup.ts";
import { roundPixels } from "./round-pixels.ts";
import { type SvgAttributes, svgElement } from "./svg-element.ts";

export function svgText({ x, y, ...attributes }: SvgAttributes & { x: number; y: number }, content: string): string {
  return svgElement("text", { x: roundPixels(x), y: roundPixels(y), ...attributes }, escapeMarkup(content));
}
