/** One SVG element, its attributes safe for text from anywhere. */
import { escapeMarkup } from "./escape-markup.ts";

export type SvgAttributes = Readonly<Record<string, string | number>>;

/** `markup` goes in as it is. */
export function svgElement(name: string, attributes: SvgAttributes, markup?: string): string {
  const written = Object.entries(attributes).map(([each, value]) => ` ${each}="${escapeMarkup(String(value))}"`);
  return `<${name}${written.join("")}${markup === undefined ? "/>" : `>${markup}</${name}>`}`;
}

/** Shown on hover, and read aloud. */
export function svgTitle(text: string): string {
  return `<title>${escapeMarkup(text)}</title>`;
}
