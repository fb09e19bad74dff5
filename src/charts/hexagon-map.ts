/** A map of H3 cells, coloured by one measure at a time, in layers of which one is shown. */
import { cellRing, type Position, type Ring } from "./cell-ring.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { niceStep } from "./ticks.ts";
import { viridis } from "./viridis.ts";

export interface MapMeasure {
  readonly label: string;
  readonly domain: readonly [low: number, high: number];
  format(value: number): string;
}

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

const WIDTH = 1000;
const PADDING = 36;
const WIDEST = 1.75;
const TALLEST = 1.35;
/** Beyond so many hexagons, outlines would hide the colours. */
const MANY = 1500;
const KILOMETRES_PER_DEGREE = 111.195;

/**
 * A figure that fills its width. Equirectangular at the mean latitude: true enough over a city or a region.
 *
 * Every hexagon carries the colour of measure i as the custom property --c{i}; `mapMeasureStyle` says which one is seen.
 */
export function hexagonMap({ label, measures, hexagons }: HexagonMap): string {
  const projection = project(hexagons.map(({ cell }) => cell));
  const layers = new Map<number, string[]>();
  hexagons.forEach((hexagon, index) => {
    const ring = projection.rings[index]!;
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
    `<div class="vg-map${fine}"><svg viewBox="0 0 ${WIDTH} ${round(projection.height)}" role="img" aria-label="${escapeMarkup(label)}">` +
    `${groups.join("")}</svg>${scaleBar(projection.kilometresPerUnit)}</div>`
  );
}

/** CSS that shows measure `index` inside whatever `scope` selects. */
export function mapMeasureStyle(index: number, scope: string): string {
  return `${scope} .vg-hex{fill:var(--c${index},var(--empty))}${scope} .vg-weak-${index}{display:inline}`;
}

function colours(hexagon: MapHexagon, measures: readonly MapMeasure[]): string {
  return hexagon.values
    .map((value, index) => {
      const [low, high] = measures[index]!.domain;
      return value === null ? "" : `--c${index}:${viridis(high > low ? (value - low) / (high - low) : 0.5)}`;
    })
    .filter((each) => each !== "")
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

interface Projection {
  readonly rings: readonly Ring[];
  readonly height: number;
  readonly kilometresPerUnit: number;
}

function project(cells: readonly string[]): Projection {
  const cached = new Map<string, Ring>();
  for (const cell of cells) if (!cached.has(cell)) cached.set(cell, cellRing(cell));
  const rings = turnTowards([...cached.values()]);
  const latitudes = rings.flatMap((ring) => ring.map(([, latitude]) => latitude));
  const meanLatitude = latitudes.reduce((total, latitude) => total + latitude, 0) / latitudes.length;
  const shrink = Math.max(0.05, Math.cos((meanLatitude * Math.PI) / 180));
  const xOf = ([longitude]: Position): number => longitude * shrink;
  const [west, east] = extent(rings.flatMap((ring) => ring.map(xOf)));
  const [south, north] = extent(latitudes);
  const inner = WIDTH - 2 * PADDING;
  const aspect = Math.min(WIDEST, Math.max(TALLEST, (east - west) / (north - south)));
  const height = WIDTH / aspect;
  const unitsPerDegree = Math.min(inner / (east - west), (height - 2 * PADDING) / (north - south));
  const place = (position: Position): Position => [
    WIDTH / 2 + (xOf(position) - (west + east) / 2) * unitsPerDegree,
    height / 2 - (position[1] - (south + north) / 2) * unitsPerDegree,
  ];
  const placed = new Map([...cached.keys()].map((cell, index) => [cell, rings[index]!.map(place)]));
  return {
    rings: cells.map((cell) => placed.get(cell)!),
    height,
    kilometresPerUnit: KILOMETRES_PER_DEGREE / unitsPerDegree,
  };
}

/** Shifts rings by whole turns so that all lie around their common middle, also over the antimeridian. */
function turnTowards(rings: readonly Ring[]): Ring[] {
  const angles = rings.map((ring) => (ring[0]![0] * Math.PI) / 180);
  const total = (of: (angle: number) => number): number => angles.reduce((sum, angle) => sum + of(angle), 0);
  const middle = (Math.atan2(total(Math.sin), total(Math.cos)) * 180) / Math.PI;
  return rings.map((ring) => {
    const turns = Math.round((middle - ring[0]![0]) / 360);
    return turns === 0 ? ring : ring.map(([longitude, latitude]): Position => [longitude + 360 * turns, latitude]);
  });
}

function extent(values: readonly number[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function scaleBar(kilometresPerUnit: number): string {
  const kilometres = niceStep(kilometresPerUnit * WIDTH * 0.22);
  const text = kilometres >= 1 ? `${kilometres} km` : `${Number((kilometres * 1000).toPrecision(6))} m`;
  return `<div class="vg-scale" style="width:${round((100 * kilometres) / (kilometresPerUnit * WIDTH))}%"><span>${text}</span></div>`;
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
