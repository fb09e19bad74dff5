/** Writes SVG elements whose attributes and contents are safe for text from anywhere, also inside HTML. */
import { escapeControls } from "../../core/errors/index.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // XML does not allow these two: one of them would make the whole picture unreadable.
  "\ufffe": "\\ufffe",
  "\uffff": "\\uffff",
};

/** Control and bidirectional characters become visible escapes: they could reorder the text around an id. */
export function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"'\ufffe\uffff]/g, (character) => ENTITIES[character] ?? "");
}

export type SvgAttributes = Readonly<Record<string, string | number>>;
export type TextAnchor = "start" | "middle" | "end";

/** One element; `markup` is inserted unescaped. */
export function svgElement(name: string, attributes: SvgAttributes, markup?: string): string {
  const written = Object.entries(attributes).map(([each, value]) => ` ${each}="${escapeMarkup(String(value))}"`);
  return `<${name}${written.join("")}${markup === undefined ? "/>" : `>${markup}</${name}>`}`;
}

/** A title is shown on hover and read aloud. */
export function svgTitle(text: string): string {
  return `<title>${escapeMarkup(text)}</title>`;
}

/** A text element at a place in pixels. */
export function svgText({ x, y, ...attributes }: SvgAttributes & { x: number; y: number }, content: string): string {
  return svgElement("text", { x: roundPixels(x), y: roundPixels(y), ...attributes }, escapeMarkup(content));
}

/** Pixels to a tenth: finer than an eye sees, and short in text. */
export function roundPixels(value: number): number {
  return Number(value.toFixed(1));
}

/** Rounds to a hundredth, for numbers in percent of a drawing's width. */
export function roundPercent(value: number): number {
  return Number(value.toFixed(2));
}

/** The anchor of a text at a percentage of the width: at its inner end within `edge` percent of either side. */
export function anchorNear(percent: number, edge: number): TextAnchor {
  return percent < edge ? "start" : percent > 100 - edge ? "end" : "middle";
}

/** A percentage of the width for a share of the way between two margins. */
export function marginPercent(share: number, margin: number): number {
  return roundPercent(margin + share * (100 - 2 * margin));
}

/** A chart as wide as its place: coordinates across are in percent, so that its letters do not shrink on a phone. */
export function fluidSvg(
  { label, height, font }: { label: string; height: number; font: string },
  parts: readonly string[],
): string {
  return svgElement(
    "svg",
    { width: "100%", height, role: "img", "aria-label": label, "font-family": font },
    [svgTitle(label), ...parts].join(""),
  );
}

/** A text of a fluid chart. */
export function fluidText(x: string, y: number, content: string, look: SvgAttributes): string {
  return svgElement("text", { x, y, ...look }, escapeMarkup(content));
}

/** An SVG path along points; empty for none. */
export function linePath(points: ReadonlyArray<{ readonly x: number; readonly y: number }>): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}
