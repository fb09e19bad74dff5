/** One SVG text element, with whatever attributes, safe for text from anywhere. */
import { escapeMarkup } from "./escape-markup.ts";
import { roundPixels } from "./round-pixels.ts";

export interface SvgTextPlace {
  readonly x: number;
  readonly y: number;
  readonly [attribute: string]: string | number;
}

export function svgText({ x, y, ...attributes }: SvgTextPlace, content: string): string {
  const rest = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  return `<text x="${roundPixels(x)}" y="${roundPixels(y)}"${rest.join("")}>${escapeMarkup(content)}</text>`;
}
