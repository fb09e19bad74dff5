/** The vehicles: the route of each, its timetable of a day, and when its device reports. */
import { itemAt } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { between, shuffle, wholeBetween } from "./draws.ts";
import type { Route } from "./routes.ts";
import { runSecondsByHour } from "./traffic.ts";

const HOUR = 3600;
export const DAY_SECONDS = 24 * HOUR;

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

const SIGN_ON_SECONDS = 150;
const LAYOVER_SECONDS = { least: 120, most: 360 } as const;
/** Where the layover's mean stands in a cycle's length. */
const MEAN_LAYOVER_SECONDS = 240;

export type Vehicle = ReturnType<typeof makeFleet>[number];

export function makeFleet(routes: readonly Route[], count: number, random: SeededRandom) {
  const kinds = shuffle(spread(VEHICLE_KINDS, count), random);
  const services = routes.map((route) => {
    const runSeconds = [runSecondsByHour(route.out), runSecondsByHour(route.back)] as const;
    return { route, share: route.share, runSeconds, vehicles: 0, placed: 0 };
  });
  const serviceOf = spread(services, count);
  for (const service of serviceOf) service.vehicles += 1;
  const vehicles = serviceOf.map((service, drawn) => {
    const kind = itemAt(kinds, drawn);
    const order = service.placed++;
    const isRare = random.uniform() < RARE_REPORTERS && kind.interval[0] > 10;
    return {
      route: service.route,
      /** The timetable's seconds for a trip in each hour, out and back. */
      runSeconds: service.runSeconds,
      shift: kind.shift ?? lightShift(random),
      intervalSeconds: between(random, kind.interval[0], kind.interval[1]) * (isRare ? RARE_FACTOR : 1),
      isFlaky: random.uniform() < FLAKY_DEVICES,
      /** A brisk or a careful driver: multiplies cruising speeds. */
      pace: between(random, 0.92, 1.08),
      /** Where in its route's cycle this vehicle stands, from 0 to 1, so that vehicles follow each other evenly. */
      cyclePhase: (order + between(random, 0, 0.4)) / service.vehicles,
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

/** A piece of work without a break; the device is on from `start` to `end`. All in whole local seconds. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** When each trip leaves, by the timetable. */
  readonly departures: readonly number[];
  /** Trips of the day's earlier blocks. */
  readonly tripsBefore: number;
  /** Whether the first trip goes out; trips alternate. */
  readonly startsOut: boolean;
  /** The first report is this share of an interval after the start. */
  readonly reportPhase: number;
  /** Stretches without any report, in order, apart from each other. */
  readonly gaps: ReadonlyArray<readonly [from: number, to: number]>;
}

export function makeDuty(vehicle: Vehicle, random: SeededRandom): Block[] {
  let goesOut = vehicle.index % 2 === 0;
  let tripsBefore = 0;
  return vehicle.shift.map(([from, to]) => {
    const startsOut = goesOut;
    const cycle = 2 * (runSeconds(vehicle, true, from) + MEAN_LAYOVER_SECONDS);
    let departure = Math.floor(from + vehicle.cyclePhase * cycle + between(random, 0, 60));
    const start = Math.max(0, departure - SIGN_ON_SECONDS);
    const departures: number[] = [];
    do {
      departures.push(departure);
      departure += runSeconds(vehicle, goesOut, departure);
      departure += wholeBetween(random, LAYOVER_SECONDS.least, LAYOVER_SECONDS.most);
      goesOut = !goesOut;
    } while (departure + runSeconds(vehicle, goesOut, departure) < to);
    const end = Math.min(departure, DAY_SECONDS);
    const reportPhase = random.uniform();
    const gaps = drawGaps(vehicle, start, end, random);
    const block = { start, end, departures, tripsBefore, startsOut, reportPhase, gaps };
    tripsBefore += departures.length;
    return block;
  });
}

/** The number of report k, were there no gaps: the first at or after `second`. */
export function reportAtOrAfter(block: Block, intervalSeconds: number, second: number): number {
  return Math.max(0, Math.ceil((second - block.start) / intervalSeconds - block.reportPhase));
}

export function reportSecond(block: Block, intervalSeconds: number, report: number): number {
  return block.start + (report + block.reportPhase) * intervalSeconds;
}

/** How many reports fall in [from, to), without those in gaps. */
export function countReports(block: Block, intervalSeconds: number, from: number, to: number): number {
  const least = Math.max(from, block.start);
  const most = Math.min(to, block.end);
  if (most <= least) return 0;
  const within = (a: number, b: number) =>
    b <= a ? 0 : reportAtOrAfter(block, intervalSeconds, b) - reportAtOrAfter(block, intervalSeconds, a);
  let count = within(least, most);
  for (const [gapStart, gapEnd] of block.gaps) count -= within(Math.max(least, gapStart), Math.min(most, gapEnd));
  return count;
}

/** The timetable's seconds for a trip that leaves then. */
export function runSeconds({ runSeconds }: Vehicle, goesOut: boolean, second: number): number {
  return itemAt(runSeconds[goesOut ? 0 : 1], Math.floor(second / HOUR) % 24);
}

/** Dead spots of a minute or three, and now and then a device that is gone for longer. */
function drawGaps(vehicle: Vehicle, start: number, end: number, random: SeededRandom): Array<[number, number]> {
  const gaps: Array<[number, number]> = [];
  const [least, most] = vehicle.isFlaky ? [400, 3000] : [2400, 15_000];
  let from = start + wholeBetween(random, 0, most);
  while (from < end) {
    const isLong = random.uniform() < 0.3;
    const to = from + (isLong ? wholeBetween(random, 300, 1500) : wholeBetween(random, 60, 200));
    gaps.push([from, Math.min(to, end)]);
    from = to + wholeBetween(random, least, most);
  }
  return gaps;
}
