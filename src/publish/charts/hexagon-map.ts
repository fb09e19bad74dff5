/** Draws a map of H3 cells, coloured by one measure at a time, in layers of which one is shown. */
import { itemAt } from "../../core/errors/index.ts";
import { type CellProjection, projectCells, type Ring } from "./cells.ts";
import { type MapMeasure, viridis } from "./colour-scale.ts";
import { distanceText, niceStep } from "./scales.ts";
import { escapeMarkup } from "./svg.ts";

export interface MapHexagon {
  readonly cell: string;
  /** Index of its layer, such as a time slot. */
  readonly layer: number;
  /** Shown on hover; several lines. */
  readonly title: string;
  /** One per measure; null where there is none. */
  readonly values: ReadonlyArray<number | null>;
  /** One per measure: whether the value is marked as not to be relied on. */
  readonly weak: readonly boolean[];
}

export interface HexagonMap {
  readonly label: string;
  readonly measures: readonly MapMeasure[];
  readonly hexagons: readonly MapHexagon[];
}

/** Beyond so many hexagons, outlines would hide the colours. */
const MANY = 1500;

/**
 * A figure that fills its width. Equirectangular at the mean latitude: true enough over a city or a region.
 *
 * Every hexagon carries the colour of measure i as the custom property --c{i}; `mapMeasureStyle` says which one is seen.
 */
export function hexagonMap({ label, measures, hexagons }: HexagonMap): string {
  const projection = projectCells(hexagons.map(({ cell }) => cell));
  const layers = new Map<number, string[]>();
  hexagons.forEach((hexagon, index) => {
    const ring = itemAt(projection.rings, index);
    const shape = `<path class="vg-hex" style="${colours(hexagon, measures)}" d="${pathOf(ring)}"><title>${escapeMarkupLines(hexagon.title)}</title></path>`;
    const parts = layers.get(hexagon.layer) ?? [];
    parts.push(shape, weakMark(hexagon, ring));
    layers.set(hexagon.layer, parts);
  });
  const groups = [...layers]
    .sort(([left], [right]) => left - right)
    .map(
      ([layer, parts], index) =>
        `<g data-layer="${layer}"${index === 0 ? "" : ' class="vg-off"'}>${parts.join("")}</g>`,
    );
  const fine = hexagons.length > MANY * layers.size ? " vg-fine" : "";
  return (
    `<div class="vg-map${fine}"><svg viewBox="0 0 ${projection.width} ${round(projection.height)}" role="img" aria-label="${escapeMarkup(label)}">` +
    `${groups.join("")}</svg>${scaleBar(projection)}</div>`
  );
}

/** CSS that shows measure `index` inside whatever `scope` selects. */
export function mapMeasureStyle(index: number, scope: string): string {
  return `${scope} .vg-hex{fill:var(--c${index},var(--empty))}${scope} .vg-weak-${index}{display:inline}`;
}

function colours(hexagon: MapHexagon, measures: readonly MapMeasure[]): string {
  return measures
    .flatMap(({ domain: [low, high] }, index) => {
      const value = hexagon.values[index] ?? null;
      return value === null ? [] : [`--c${index}:${viridis(high > low ? (value - low) / (high - low) : 0.5)}`];
    })
    .join(";");
}

/** Line breaks are wanted in a tooltip; everything else that an id may carry is not. */
function escapeMarkupLines(text: string): string {
  return text.split("\n").map(escapeMarkup).join("\n");
}

function weakMark(hexagon: MapHexagon, ring: Ring): string {
  const classes = hexagon.weak.flatMap((weak, index) => (weak ? [`vg-weak-${index}`] : []));
  if (classes.length === 0) return "";
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  const middle = (values: number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  const [x, y] = [middle(xs), middle(ys)];
  const arm = round((Math.max(...xs) - Math.min(...xs)) / 12);
  return `<path class="vg-weak ${classes.join(" ")}" d="M${round(x - arm)} ${round(y - arm)}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}"/>`;
}

function scaleBar({ kilometresPerUnit, width }: CellProjection): string {
  const kilometres = niceStep(kilometresPerUnit * width * 0.22);
  const text = distanceText(kilometres);
  return `<div class="vg-scale" style="width:${round((100 * kilometres) / (kilometresPerUnit * width))}%"><span>${text}</span></div>`;
}

function pathOf(ring: Ring): string {
  return `M${ring
    .slice(0, -1)
    .map(([x, y]) => `${round(x)} ${round(y)}`)
    .join("L")}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
