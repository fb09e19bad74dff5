/** The vehicles: which route each serves, when it is on duty, and how often its device reports. */

import type { SeededRandom } from "../seeded-random.ts";
import { between, shuffle } from "./draws.ts";
import type { Route } from "./routes.ts";
import { runSecondsByHour } from "./traffic.ts";

const HOUR = 3600;

/** Hours on duty, as local seconds from and to. */
type Shift = ReadonlyArray<readonly [from: number, to: number]>;

interface VehicleKind {
  readonly share: number;
  /** None is fixed for light users: a few hours somewhere in the day. */
  readonly shift?: Shift;
  /** Seconds between reports, drawn per device. */
  readonly interval: readonly [least: number, most: number];
}

const ALL_DAY: Shift = [[5.3 * HOUR, 22.8 * HOUR]];
/** From heavy users, who report every ten seconds all day, to light ones with few trips and slow devices. */
const VEHICLE_KINDS: readonly VehicleKind[] = [
  { share: 0.08, shift: ALL_DAY, interval: [10, 10] },
  { share: 0.23, shift: ALL_DAY, interval: [18, 50] },
  { share: 0.16, shift: [[4.9 * HOUR, 14 * HOUR]], interval: [18, 50] },
  { share: 0.15, shift: [[13 * HOUR, 23.3 * HOUR]], interval: [18, 50] },
  // The extra vehicles of the two rush hours: what shortens the headways then.
  {
    share: 0.28,
    shift: [
      [6.6 * HOUR, 10 * HOUR],
      [15.7 * HOUR, 19.6 * HOUR],
    ],
    interval: [20, 75],
  },
  { share: 0.07, interval: [60, 180] },
  {
    share: 0.03,
    shift: [
      [0.1 * HOUR, 5 * HOUR],
      [22.2 * HOUR, 23.9 * HOUR],
    ],
    interval: [20, 60],
  },
];
/** The share of devices that report six times more rarely than their like. */
const RARE_REPORTERS = 0.06;
const RARE_FACTOR = 6;
/** The share of devices that lose their connection again and again. */
const FLAKY_DEVICES = 0.1;

export interface Vehicle {
  readonly index: number;
  readonly route: Route;
  /** The timetable's seconds for a trip in each hour, out and back. */
  readonly runSeconds: readonly [out: readonly number[], back: readonly number[]];
  readonly shift: Shift;
  readonly intervalSeconds: number;
  readonly isFlaky: boolean;
  /** A brisk or a careful driver: multiplies cruising speeds. */
  readonly pace: number;
  /** Where in its route's cycle this vehicle stands, from 0 to 1, so that vehicles follow each other evenly. */
  readonly cyclePhase: number;
}

export function makeFleet(routes: readonly Route[], count: number, random: SeededRandom): Vehicle[] {
  const kinds = shuffle(spread(VEHICLE_KINDS, count), random);
  const routeOf = spread(routes, count);
  const sizes = new Map<Route, number>();
  for (const route of routeOf) sizes.set(route, (sizes.get(route) ?? 0) + 1);
  const runSecondsOf = new Map(
    routes.map((route) => [route, [runSecondsByHour(route.out), runSecondsByHour(route.back)] as const]),
  );
  const seen = new Map<Route, number>();
  const vehicles = routeOf.map((route, drawn) => {
    const kind = kinds[drawn]!;
    const order = seen.get(route) ?? 0;
    seen.set(route, order + 1);
    const isRare = random.uniform() < RARE_REPORTERS && kind.interval[0] > 10;
    return {
      route,
      runSeconds: runSecondsOf.get(route)!,
      shift: kind.shift ?? lightShift(random),
      intervalSeconds: between(random, kind.interval[0], kind.interval[1]) * (isRare ? RARE_FACTOR : 1),
      isFlaky: random.uniform() < FLAKY_DEVICES,
      pace: between(random, 0.92, 1.08),
      cyclePhase: (order + between(random, 0, 0.4)) / sizes.get(route)!,
    };
  });
  // Ids say nothing about routes.
  return shuffle(vehicles, random).map((vehicle, index) => ({ index, ...vehicle }));
}

function lightShift(random: SeededRandom): Shift {
  const from = between(random, 6, 18) * HOUR;
  return [[from, from + between(random, 1.5, 3) * HOUR]];
}

/** Deals the items by their shares: exact up to rounding, whatever the count, so that a small fleet is a mixture too. */
function spread<T extends { readonly share: number }>(items: readonly T[], count: number): T[] {
  const whole = items.reduce((sum, item) => sum + item.share, 0);
  const dealt: T[] = [];
  let shares = 0;
  for (const item of items) {
    shares += item.share;
    const upTo = Math.round((shares / whole) * count);
    while (dealt.length < upTo) dealt.push(item);
  }
  return dealt;
}
