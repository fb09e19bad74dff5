/** H3 cells on a plane that a map of a given shape is drawn on. */
import { cellRing, type Position, type Ring } from "./cell-ring.ts";

const WIDTH = 1000;
const PADDING = 36;
const WIDEST = 1.75;
const TALLEST = 1.35;
const KILOMETRES_PER_DEGREE = 111.195;

export interface CellProjection {
  /** One per cell, in the same order, y downwards. */
  readonly rings: readonly Ring[];
  readonly width: number;
  readonly height: number;
  readonly kilometresPerUnit: number;
}

/** Equirectangular at the mean latitude: true enough over a city or a region. */
export function projectCells(cells: readonly string[]): CellProjection {
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
    width: WIDTH,
    height,
    kilometresPerUnit: KILOMETRES_PER_DEGREE / unitsPerDegree,
  };
}

/** Shifts rings by whole turns so that all lie around their common middle, also over the antimeridian. */
export function turnTowards(rings: readonly Ring[]): Ring[] {
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
