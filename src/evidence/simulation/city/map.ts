/** The streets of a fictional city: a bent grid, avenues out of the centre, a ring road, and a river with few bridges. */
import { itemAt } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { between } from "./draws.ts";

/** Where the origin of the map's metres lies; the place is made up, the latitude is not extreme. */
export const CENTRE = { latitude: 21.17, longitude: 72.83 } as const;
export const METRES_PER_DEGREE_LATITUDE = 110_730;
/** At the centre's latitude; a constant, since no two engines owe us the same cosine. */
export const METRES_PER_DEGREE_LONGITUDE = 103_860;

/** Streets each side of the centre. */
const REACH = 9;
const RING = 5;
const CITY_RADIUS_METRES = 6200;
const BLOCK_METRES = 500;
/** Blocks grow outwards: street i lies at 500·i + 16·i² metres. */
const BLOCK_GROWTH_METRES = 16;
const MISSING_STREETS = 0.13;
const BRIDGE_EVERY = 3;
/** The market, the station, and so on, by their streets' numbers. */
const HUBS = ["0,0", "1,1", "-2,1", "2,-1", "0,2", "-1,-1"] as const;

/** Metres east and north of the centre. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where streets meet. */
export interface Crossing extends Point {
  readonly number: number;
  readonly streets: Street[];
}

interface Street {
  readonly to: Crossing;
  readonly metres: number;
  /** Avenues and the ring are what buses prefer, so that routes come to share them. */
  readonly isAvenue: boolean;
}

export interface CityMap {
  readonly crossings: readonly Crossing[];
  /** The crossings around the centre where routes meet. */
  readonly hubs: readonly Crossing[];
}

export function makeMap(random: SeededRandom): CityMap {
  const across = linePositions(random);
  const upwards = linePositions(random);
  const river = makeRiver(random);
  const crossings: Crossing[] = [];
  const crossingAt = new Map<string, Crossing>();
  for (let i = -REACH; i <= REACH; i++) {
    for (let j = -REACH; j <= REACH; j++) {
      const point = bend(
        itemAt(across, i + REACH) + between(random, -45, 45),
        itemAt(upwards, j + REACH) + between(random, -45, 45),
      );
      if (distance(point, { x: 0, y: 0 }) > CITY_RADIUS_METRES * between(random, 0.93, 1.04)) continue;
      const crossing = { ...point, number: crossings.length, streets: [] };
      crossingAt.set(`${i},${j}`, crossing);
      crossings.push(crossing);
    }
  }
  const join = (i: number, j: number, k: number, l: number, isAvenue: boolean) => {
    const from = crossingAt.get(`${i},${j}`);
    const to = crossingAt.get(`${k},${l}`);
    if (from === undefined || to === undefined) return;
    const isMissing = random.uniform() < MISSING_STREETS && !isAvenue;
    const needsBridge = crosses(from, to, river);
    const hasBridge = isAvenue || (i === k && i % BRIDGE_EVERY === 0);
    if (isMissing || (needsBridge && !hasBridge)) return;
    const metres = distance(from, to);
    from.streets.push({ to, metres, isAvenue });
    to.streets.push({ to: from, metres, isAvenue });
  };
  // Of the four diagonal avenues out of the centre two always exist, the others by chance.
  const hasDiagonal = [true, random.below(2) === 0, true, random.below(2) === 0];
  for (let i = -REACH; i <= REACH; i++) {
    for (let j = -REACH; j <= REACH; j++) {
      const isOnRing = (n: number, other: number) => Math.abs(n) === RING && Math.abs(other) <= RING;
      join(i, j, i + 1, j, j === 0 || (isOnRing(j, i) && isOnRing(j, i + 1)));
      join(i, j, i, j + 1, i === 0 || (isOnRing(i, j) && isOnRing(i, j + 1)));
      if (i === j && hasDiagonal[i >= 0 ? 0 : 1]) join(i, j, i + 1, j + 1, true);
      if (i === -j && hasDiagonal[i >= 0 ? 2 : 3]) join(i, j, i + 1, j - 1, true);
    }
  }
  return { crossings, hubs: HUBS.flatMap((key) => crossingAt.get(key) ?? []) };
}

export function distance(a: Point, b: Point): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}

function linePositions(random: SeededRandom): number[] {
  return Array.from({ length: 2 * REACH + 1 }, (_, line) => {
    const i = line - REACH;
    return BLOCK_METRES * i + BLOCK_GROWTH_METRES * i * Math.abs(i) + between(random, -70, 70);
  });
}

/** Turns the grid by some 11°, and the part east of the centre the other way, as where an old town meets a new one. */
function bend(x: number, y: number): Point {
  const slope = x > 0 ? 0.19 - 0.00003 * x : 0.19;
  return { x: x - slope * y * 0.98, y: y + slope * x * 0.98 };
}

/** A meander from the west to the east, south of the centre. */
function makeRiver(random: SeededRandom): Point[] {
  const bends = Array.from({ length: 9 }, (_, step) => ({
    x: (step - 4) * 2000,
    y: -1500 + (step % 2 === 0 ? -1 : 1) * between(random, 150, 650) + 120 * (step - 4),
  }));
  return rounded(rounded(bends));
}

/** Cuts every corner at a quarter of its sides (Chaikin). */
function rounded(points: readonly Point[]): Point[] {
  return points.slice(1).flatMap((to, step) => {
    const from = itemAt(points, step);
    const at = (share: number) => ({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) });
    return [at(0.25), at(0.75)];
  });
}

function crosses(a: Point, b: Point, river: readonly Point[]): boolean {
  return river.some((c, bank) => {
    const d = river[bank + 1];
    return d !== undefined && side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
  });
}

function side(a: Point, b: Point, p: Point): boolean {
  return (b.x - a.x) * (p.y - a.y) > (b.y - a.y) * (p.x - a.x);
}
