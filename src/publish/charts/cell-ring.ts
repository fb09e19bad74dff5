/** An H3 cell as rings of [longitude, latitude], as RFC 7946 wants them: counter-clockwise, closed, cut at the antimeridian. */
import { cellToBoundary, isValidCell } from "h3-js";

export type Position = readonly [longitude: number, latitude: number];
export type Ring = readonly Position[];

export function isCell(text: string): boolean {
  return isValidCell(text);
}

/** One closed ring without jumps: longitudes may leave [−180, 180]. A cell around a pole is closed along the pole's parallel. */
export function cellRing(cell: string): Ring {
  const boundary = cellToBoundary(cell, true).slice(0, -1);
  const ring: Position[] = [];
  let turn = 0;
  boundary.forEach(([longitude, latitude], index) => {
    if (index > 0) turn += jump(boundary[index - 1]![0], longitude);
    ring.push([longitude + turn, latitude]);
  });
  const first = ring[0]!;
  const returned = first[0] + turn + jump(boundary.at(-1)![0], boundary[0]![0]);
  if (returned !== first[0]) {
    const pole = first[1] > 0 ? 90 : -90;
    ring.push([returned, first[1]], [returned, pole], [first[0], pole]);
  }
  if (twiceArea(ring) < 0) ring.reverse();
  return [...ring, ring[0]!];
}

/** ±360 where the step from one longitude to the next crosses the antimeridian. */
function jump(from: number, to: number): number {
  return to - from > 180 ? -360 : to - from < -180 ? 360 : 0;
}

/** Positive for a counter-clockwise ring. */
function twiceArea(ring: Ring): number {
  return ring.reduce((area, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
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
    if (part.length >= 3 && twiceArea(part) > 0) parts.push([...part, part[0]!]);
  }
  return parts;
}

/** What of an open ring lies east (side 1) or west (side −1) of a meridian. */
function cut(ring: Ring, meridian: number, side: 1 | -1): Position[] {
  const inside = ([longitude]: Position): boolean => side * (longitude - meridian) >= 0;
  return ring.flatMap((position, index) => {
    const next = ring[(index + 1) % ring.length]!;
    const kept = inside(position) ? [position] : [];
    if (inside(position) === inside(next)) return kept;
    const fraction = (meridian - position[0]) / (next[0] - position[0]);
    const crossing: Position = [meridian, position[1] + fraction * (next[1] - position[1])];
    return [...kept, crossing];
  });
}
