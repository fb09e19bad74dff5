/** Bus routes along the streets: through the centre, into it, and around it, with stops every 300 to 500 metres. */
import { invariant, itemAt } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { between } from "./draws.ts";
import { type CityMap, type Crossing, distance, type Point } from "./map.ts";

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
  readonly points: readonly Point[];
  readonly streets: readonly StreetOfPath[];
  /** The ends are stops. */
  readonly stops: readonly Stop[];
  readonly metres: number;
}

/** From one point of a path to the next, in metres from the path's start. */
interface StreetOfPath {
  readonly from: Point;
  readonly to: Point;
  readonly start: number;
  readonly end: number;
}

interface Stop {
  /** From the path's start. */
  readonly metres: number;
  /** How far it is from the city's centre. */
  readonly radius: number;
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
  readonly calls: (draft: Draft) => readonly Crossing[];
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
    return [from, hub(draft), terminal(draft, { leastRadius: 2200, mostRadius: 4400, isWanted: isOpposite })];
  },
};
const INTO_CENTRE: Kind = {
  share: 1,
  leastMetres: 4200,
  mostMetres: 6800,
  calls: (draft) => [terminal(draft, { leastRadius: 3600, mostRadius: 6500 }), hub(draft)],
};
const AROUND: Kind = {
  share: 0.7,
  leastMetres: 3800,
  mostMetres: 5800,
  calls: (draft) => {
    const from = terminal(draft, { leastRadius: 2500, mostRadius: 5500 });
    const isAway = (point: Point) => distance(point, from) > 2500;
    return [from, terminal(draft, { leastRadius: 2500, mostRadius: 5500, isWanted: isAway })];
  },
};
/** Dealt in turn, so that a few routes already are a mixture. */
const KINDS = [THROUGH, INTO_CENTRE, THROUGH, AROUND, INTO_CENTRE];

export function layRoutes(map: CityMap, count: number, random: SeededRandom): Route[] {
  const draft: Draft = { map, random, terminals: [] };
  return Array.from({ length: count }, (_, index) => {
    const route = layRoute(draft, index);
    draft.terminals.push(itemAt(route.out.points, 0), itemAt(route.back.points, 0));
    return route;
  });
}

function layRoute(draft: Draft, index: number): Route {
  const { map, random } = draft;
  const kind = itemAt(KINDS, index % KINDS.length);
  let best: Path | undefined;
  let bestExcess = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && bestExcess > 0; attempt++) {
    const calls = kind.calls(draft);
    // Most draws are too long as the crow flies already, and need no search.
    if (crowMetres(calls) * LEAST_DETOUR > kind.mostMetres) continue;
    const path = pathThrough(map, calls, random);
    if (path === undefined) continue;
    const excess = Math.max(0, kind.leastMetres - path.metres, path.metres - kind.mostMetres);
    if (excess < bestExcess) [best, bestExcess] = [path, excess];
  }
  invariant(best !== undefined, "no route could be laid");
  return { number: index + 1, out: best, back: reversed(best), share: kind.share };
}

function crowMetres(calls: readonly Crossing[]): number {
  return calls.reduce((sum, call, at) => sum + distance(calls[at - 1] ?? call, call), 0);
}

function hub({ map, random }: Draft): Crossing {
  return itemAt(map.hubs, random.below(map.hubs.length));
}

/** Of a few random crossings at that distance from the centre, the one farthest from other routes' terminals. */
function terminal(
  { map, random, terminals }: Draft,
  wanted: { leastRadius: number; mostRadius: number; isWanted?: (point: Point) => boolean },
): Crossing {
  const { leastRadius, mostRadius, isWanted = () => true } = wanted;
  const candidates = map.crossings.filter((point) => {
    const radius = distance(point, { x: 0, y: 0 });
    return radius >= leastRadius && radius <= mostRadius && isWanted(point);
  });
  const few = Array.from({ length: TERMINALS_COMPARED }, () => itemAt(candidates, random.below(candidates.length)));
  const room = few.map((point) => Math.min(...terminals.map((other) => distance(other, point))));
  return itemAt(few, room.indexOf(Math.max(...room)));
}

/** The cheapest way along streets that calls at all of them, under prices that differ a little from route to route. */
function pathThrough(map: CityMap, calls: readonly Crossing[], random: SeededRandom): Path | undefined {
  const prices = Float64Array.from(map.crossings, () => between(random, 0.7, 1.5));
  const way: Crossing[] = calls.slice(0, 1);
  for (const [leg, to] of calls.slice(1).entries()) {
    const part = cheapestWay(map, prices, itemAt(calls, leg), to);
    if (part === undefined) return undefined;
    way.push(...part);
  }
  if (way.length < 3 || new Set(way).size < way.length) return undefined;
  return pathOf(way, (metres) => spacedStops(metres, random));
}

/** Dijkstra without a heap: there are a few hundred crossings. The start is left out of the answer. */
function cheapestWay(map: CityMap, prices: Float64Array, from: Crossing, to: Crossing): Crossing[] | undefined {
  interface Reached {
    readonly crossing: Crossing;
    readonly price: number;
    cost: number;
    previous: Reached | undefined;
    isDone: boolean;
  }
  const reached = map.crossings.map((crossing): Reached => {
    const cost = crossing === from ? 0 : Number.POSITIVE_INFINITY;
    return { crossing, price: itemAt(prices, crossing.number), cost, previous: undefined, isDone: false };
  });
  for (;;) {
    let nearest: Reached | undefined;
    for (const each of reached)
      if (!each.isDone && each.cost < (nearest?.cost ?? Number.POSITIVE_INFINITY)) nearest = each;
    if (nearest === undefined) return undefined;
    if (nearest.crossing === to) return wayTo(nearest);
    nearest.isDone = true;
    for (const street of nearest.crossing.streets) {
      const next = itemAt(reached, street.to.number);
      const cost = nearest.cost + street.metres * (street.isAvenue ? AVENUE_COST : 1) * (nearest.price + next.price);
      if (cost < next.cost) {
        next.cost = cost;
        next.previous = nearest;
      }
    }
  }

  function wayTo(last: Reached): Crossing[] {
    return last.previous === undefined ? [] : [...wayTo(last.previous), last.crossing];
  }
}

function spacedStops(metres: number, random: SeededRandom): number[] {
  const stops = [0];
  let at = 0;
  while (metres - at > 2 * MOST_STOP_METRES) {
    at += between(random, LEAST_STOP_METRES, MOST_STOP_METRES);
    stops.push(at);
  }
  // What is left lies between one and two spacings, or is short enough for one.
  if (metres - at > MOST_STOP_METRES) stops.push((at + metres) / 2);
  stops.push(metres);
  return stops;
}

function pathOf(points: readonly Point[], stopsOf: (metres: number) => number[]): Path {
  let metres = 0;
  const streets = points.slice(1).map((to, index) => {
    const from = itemAt(points, index);
    const start = metres;
    metres += distance(from, to);
    return { from, to, start, end: metres };
  });
  let street = 0;
  const stops = stopsOf(metres).map((stop) => {
    street = streetAt(streets, stop, street);
    const { x, y } = pointOn(itemAt(streets, street), stop);
    return { metres: stop, radius: Math.sqrt(x * x + y * y) };
  });
  return { points, streets, stops, metres };
}

/** The number of the street on which a point of the path lies; it lies on street `from` or a later one. */
export function streetAt(streets: readonly StreetOfPath[], metres: number, from: number): number {
  let street = from;
  while (street < streets.length - 1 && itemAt(streets, street).end <= metres) street += 1;
  return street;
}

export function pointOn({ from, to, start, end }: StreetOfPath, metres: number): Point {
  const share = (metres - start) / (end - start);
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

function reversed({ points, stops }: Path): Path {
  return pathOf(points.toReversed(), (metres) => stops.map((stop) => Math.max(0, metres - stop.metres)).reverse());
}
