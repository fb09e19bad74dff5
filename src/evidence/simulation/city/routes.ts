/** Bus routes along the streets: through the centre, into it, and around it, with stops every 300 to 500 metres. */
import { invariant } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { between } from "./draws.ts";
import { type CityMap, distance, type Point } from "./map.ts";

const ATTEMPTS = 300;
/** Hardly a way along streets is shorter than this times the crow's. */
const LEAST_DETOUR = 1.05;
const TERMINALS_COMPARED = 4;
/** What a metre of avenue costs against a metre of street when a route is laid. */
const AVENUE_COST = 0.8;
const LEAST_STOP_METRES = 300;
const MOST_STOP_METRES = 500;

/** One direction of a route, from its first stop to its last. */
export interface Path {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres from the start to each vertex. */
  readonly along: Float64Array;
  /** Metres from the start to each stop; the ends are stops. */
  readonly stops: Float64Array;
  /** How far each stop is from the city's centre. */
  readonly radiusOfStop: Float64Array;
  readonly metres: number;
}

export interface Route {
  readonly number: number;
  readonly out: Path;
  readonly back: Path;
  /** Its part of the fleet, relative to the other routes'. */
  readonly share: number;
}

interface Kind {
  readonly share: number;
  readonly leastMetres: number;
  readonly mostMetres: number;
  readonly calls: (draft: Draft) => readonly number[];
}

/** What has been laid so far: new routes look for terminals away from the others'. */
interface Draft {
  readonly map: CityMap;
  readonly random: SeededRandom;
  readonly terminals: Point[];
}

const THROUGH: Kind = {
  share: 1.4,
  leastMetres: 5600,
  mostMetres: 7400,
  calls: (draft) => {
    const from = terminal(draft, { leastRadius: 2200, mostRadius: 4400 });
    const isOpposite = (point: Point) => point.x * from.x + point.y * from.y < 0;
    return [
      from.number,
      hub(draft),
      terminal(draft, { leastRadius: 2200, mostRadius: 4400, isWanted: isOpposite }).number,
    ];
  },
};
const INTO_CENTRE: Kind = {
  share: 1,
  leastMetres: 4200,
  mostMetres: 6800,
  calls: (draft) => [terminal(draft, { leastRadius: 3600, mostRadius: 6500 }).number, hub(draft)],
};
const AROUND: Kind = {
  share: 0.7,
  leastMetres: 3800,
  mostMetres: 5800,
  calls: (draft) => {
    const from = terminal(draft, { leastRadius: 2500, mostRadius: 5500 });
    const isAway = (point: Point) => distance(point, from) > 2500;
    return [from.number, terminal(draft, { leastRadius: 2500, mostRadius: 5500, isWanted: isAway }).number];
  },
};
/** Dealt in turn, so that a few routes already are a mixture. */
const KINDS = [THROUGH, INTO_CENTRE, THROUGH, AROUND, INTO_CENTRE];

export function layRoutes(map: CityMap, count: number, random: SeededRandom): Route[] {
  const draft: Draft = { map, random, terminals: [] };
  return Array.from({ length: count }, (_, index) => {
    const route = layRoute(draft, index);
    for (const { x, y } of [route.out, route.back]) draft.terminals.push({ x: x[0]!, y: y[0]! });
    return route;
  });
}

function layRoute(draft: Draft, index: number): Route {
  const { map, random } = draft;
  const kind = KINDS[index % KINDS.length]!;
  let best: Path | undefined;
  let bestExcess = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && bestExcess > 0; attempt++) {
    const calls = kind.calls(draft);
    // Most draws are too long as the crow flies already, and need no search.
    if (crowMetres(map, calls) * LEAST_DETOUR > kind.mostMetres) continue;
    const path = pathThrough(map, calls, random);
    if (path === undefined) continue;
    const excess = Math.max(0, kind.leastMetres - path.metres, path.metres - kind.mostMetres);
    if (excess < bestExcess) [best, bestExcess] = [path, excess];
  }
  invariant(best !== undefined, "no route could be laid");
  return { number: index + 1, out: best, back: reversed(best), share: kind.share };
}

function crowMetres({ crossings }: CityMap, calls: readonly number[]): number {
  return calls.reduce((sum, call, at) => sum + distance(crossings[calls[Math.max(0, at - 1)]!]!, crossings[call]!), 0);
}

function hub({ map, random }: Draft): number {
  return map.hubs[random.below(map.hubs.length)]!;
}

/** Of a few random crossings at that distance from the centre, the one farthest from other routes' terminals. */
function terminal(
  { map, random, terminals }: Draft,
  wanted: { leastRadius: number; mostRadius: number; isWanted?: (point: Point) => boolean },
): Point & { number: number } {
  const { leastRadius, mostRadius, isWanted = () => true } = wanted;
  const candidates = [...map.crossings.keys()].filter((number) => {
    const point = map.crossings[number]!;
    const radius = distance(point, { x: 0, y: 0 });
    return radius >= leastRadius && radius <= mostRadius && isWanted(point);
  });
  const few = Array.from({ length: TERMINALS_COMPARED }, () => candidates[random.below(candidates.length)]!);
  const room = few.map((number) => Math.min(...terminals.map((other) => distance(other, map.crossings[number]!))));
  const number = few[room.indexOf(Math.max(...room))]!;
  return { ...map.crossings[number]!, number };
}

/** The cheapest way along streets that calls at all of them, under prices that differ a little from route to route. */
function pathThrough(map: CityMap, calls: readonly number[], random: SeededRandom): Path | undefined {
  const prices = map.streetsFrom.map(() => between(random, 0.7, 1.5));
  const way: number[] = [calls[0]!];
  for (let leg = 1; leg < calls.length; leg++) {
    const part = cheapestWay(map, prices, calls[leg - 1]!, calls[leg]!);
    if (part === undefined) return undefined;
    way.push(...part);
  }
  if (way.length < 3 || new Set(way).size < way.length) return undefined;
  const points = way.map((number) => map.crossings[number]!);
  return pathOf(points, (metres) => spacedStops(metres, random));
}

/** Dijkstra without a heap: there are a few hundred crossings. The start is left out of the answer. */
function cheapestWay(map: CityMap, prices: readonly number[], from: number, to: number): number[] | undefined {
  const cost = new Float64Array(map.crossings.length).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(map.crossings.length).fill(-1);
  const isDone = new Uint8Array(map.crossings.length);
  cost[from] = 0;
  for (;;) {
    let nearest = -1;
    for (let crossing = 0; crossing < cost.length; crossing++) {
      if (!isDone[crossing] && cost[crossing]! < (nearest < 0 ? Number.POSITIVE_INFINITY : cost[nearest]!))
        nearest = crossing;
    }
    if (nearest < 0) return undefined;
    if (nearest === to) break;
    isDone[nearest] = 1;
    for (const street of map.streetsFrom[nearest]!) {
      const price = street.metres * (street.isAvenue ? AVENUE_COST : 1) * (prices[nearest]! + prices[street.to]!);
      if (cost[nearest]! + price < cost[street.to]!) {
        cost[street.to] = cost[nearest]! + price;
        previous[street.to] = nearest;
      }
    }
  }
  const way: number[] = [];
  for (let crossing = to; crossing !== from; crossing = previous[crossing]!) way.unshift(crossing);
  return way;
}

function spacedStops(metres: number, random: SeededRandom): Float64Array {
  const stops = [0];
  let at = 0;
  while (metres - at > 2 * MOST_STOP_METRES) {
    at += between(random, LEAST_STOP_METRES, MOST_STOP_METRES);
    stops.push(at);
  }
  // What is left lies between one and two spacings, or is short enough for one.
  if (metres - at > MOST_STOP_METRES) stops.push((at + metres) / 2);
  stops.push(metres);
  return Float64Array.from(stops);
}

function pathOf(points: readonly Point[], stopsOf: (metres: number) => Float64Array): Path {
  const along = new Float64Array(points.length);
  for (let vertex = 1; vertex < points.length; vertex++)
    along[vertex] = along[vertex - 1]! + distance(points[vertex - 1]!, points[vertex]!);
  const x = Float64Array.from(points, (point) => point.x);
  const y = Float64Array.from(points, (point) => point.y);
  const metres = along[along.length - 1]!;
  const stops = stopsOf(metres);
  let vertex = 0;
  const radiusOfStop = stops.map((stop) => {
    while (vertex < along.length - 2 && along[vertex + 1]! <= stop) vertex += 1;
    const share = (stop - along[vertex]!) / (along[vertex + 1]! - along[vertex]!);
    const east = x[vertex]! + share * (x[vertex + 1]! - x[vertex]!);
    const north = y[vertex]! + share * (y[vertex + 1]! - y[vertex]!);
    return Math.sqrt(east * east + north * north);
  });
  return { x, y, along, stops, radiusOfStop, metres };
}

function reversed(path: Path): Path {
  const points = Array.from(path.x, (x, vertex) => ({ x, y: path.y[vertex]! })).reverse();
  return pathOf(points, (metres) => path.stops.map((stop) => Math.max(0, metres - stop)).reverse());
}
