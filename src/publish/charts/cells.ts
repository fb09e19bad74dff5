/** H3 cells as rings of [longitude, latitude], and on the plane of a map. */
import { cellToBoundary, isValidCell } from "h3-js";
import { itemAt } from "../../core/errors/index.ts";

export type Position = readonly [longitude: number, latitude: number];
export type Ring = readonly Position[];

export function isCell(text: string): boolean {
  return isValidCell(text);
}

/**
 * One closed ring as RFC 7946 wants it, counter-clockwise and without jumps: longitudes may leave [−180, 180]. A cell around a pole is closed
 * along the pole's parallel.
 */
export function cellRing(cell: string): Ring {
  const boundary = cellToBoundary(cell, true).slice(0, -1);
  const start = itemAt(boundary, 0);
  let turn = 0;
  let before = start[0];
  const ring = boundary.map(([longitude, latitude]): Position => {
    turn += jump(before, longitude);
    before = longitude;
    return [longitude + turn, latitude];
  });
  const first = itemAt(ring, 0);
  const returned = first[0] + turn + jump(before, start[0]);
  if (returned !== first[0]) {
    const pole = first[1] > 0 ? 90 : -90;
    ring.push([returned, first[1]], [returned, pole], [first[0], pole]);
  }
  if (twiceArea(ring) < 0) ring.reverse();
  return [...ring, itemAt(ring, 0)];
}

/** ±360 where the step from one longitude to the next crosses the antimeridian. */
function jump(from: number, to: number): number {
  return to - from > 180 ? -360 : to - from < -180 ? 360 : 0;
}

/** Positive for a counter-clockwise ring. */
function twiceArea(ring: Ring): number {
  return ring.reduce((area, [x, y], index) => {
    const [nextX, nextY] = itemAt(ring, (index + 1) % ring.length);
    return area + x * nextY - nextX * y;
  }, 0);
}

/** The parts of a ring in each turn of the globe, each shifted into [−180, 180]. */
export function splitAtAntimeridian(ring: Ring): Ring[] {
  const longitudes = ring.map(([longitude]) => longitude);
  const first = Math.floor((Math.min(...longitudes) + 180) / 360);
  const last = Math.ceil((Math.max(...longitudes) - 180) / 360);
  if (first === 0 && last <= 0) return [ring];
  const parts: Ring[] = [];
  for (let turn = first; turn <= last; turn += 1) {
    const west = 360 * turn - 180;
    const part = cut(cut(ring.slice(0, -1), west, 1), west + 360, -1).map(
      ([longitude, latitude]): Position => [longitude - 360 * turn, latitude],
    );
    if (part.length >= 3 && twiceArea(part) > 0) parts.push([...part, itemAt(part, 0)]);
  }
  return parts;
}

/** What of an open ring lies east (side 1) or west (side −1) of a meridian. */
function cut(ring: Ring, meridian: number, side: 1 | -1): Position[] {
  const inside = ([longitude]: Position): boolean => side * (longitude - meridian) >= 0;
  return ring.flatMap((position, index) => {
    const next = itemAt(ring, (index + 1) % ring.length);
    const kept = inside(position) ? [position] : [];
    if (inside(position) === inside(next)) return kept;
    const fraction = (meridian - position[0]) / (next[0] - position[0]);
    const crossing: Position = [meridian, position[1] + fraction * (next[1] - position[1])];
    return [...kept, crossing];
  });
}

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
  const distinct = [...new Set(cells)];
  const rings = turnTowards(distinct.map(cellRing));
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
  const placed = new Map(rings.map((ring, index) => [distinct[index], ring.map(place)]));
  return {
    rings: cells.map((cell) => placed.get(cell) ?? []),
    width: WIDTH,
    height,
    kilometresPerUnit: KILOMETRES_PER_DEGREE / unitsPerDegree,
  };
}

/** Shifts rings by whole turns so that all lie around their common middle, also over the antimeridian. */
export function turnTowards(rings: readonly Ring[]): Ring[] {
  const starts = rings.map((ring) => itemAt(ring, 0)[0]);
  const angles = starts.map((longitude) => (longitude * Math.PI) / 180);
  const total = (of: (angle: number) => number): number => angles.reduce((sum, angle) => sum + of(angle), 0);
  const middle = (Math.atan2(total(Math.sin), total(Math.cos)) * 180) / Math.PI;
  return rings.map((ring, index) => {
    const turns = Math.round((middle - itemAt(starts, index)) / 360);
    return turns === 0 ? ring : ring.map(([longitude, latitude]): Position => [longitude + 360 * turns, latitude]);
  });
}

/** The least and the largest of values that may be too many for a call. */
function extent(values: readonly number[]): [number, number] {
  return [
    values.reduce((least, each) => Math.min(least, each), Infinity),
    values.reduce((most, each) => Math.max(most, each), -Infinity),
  ];
}
