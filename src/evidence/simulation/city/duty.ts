/** One vehicle's day: its blocks of timetabled trips, and when its device reports. */

import type { SeededRandom } from "../seeded-random.ts";
import { between, wholeBetween } from "./draws.ts";
import type { Vehicle } from "./fleet.ts";

export const DAY_SECONDS = 86_400;
const SIGN_ON_SECONDS = 150;
const LAYOVER_SECONDS = { least: 120, most: 360 } as const;
/** Where the layover's mean stands in a cycle's length. */
const MEAN_LAYOVER_SECONDS = 240;

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
  /** Starts and ends of stretches without any report, in order, apart from each other. */
  readonly gaps: readonly number[];
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
  for (let gap = 0; gap < block.gaps.length; gap += 2)
    count -= within(Math.max(least, block.gaps[gap]!), Math.min(most, block.gaps[gap + 1]!));
  return count;
}

function runSeconds(vehicle: Vehicle, goesOut: boolean, second: number): number {
  return vehicle.runSeconds[goesOut ? 0 : 1][Math.floor(second / 3600) % 24]!;
}

/** Dead spots of a minute or three, and now and then a device that is gone for longer. */
function drawGaps(vehicle: Vehicle, start: number, end: number, random: SeededRandom): number[] {
  const gaps: number[] = [];
  const [least, most] = vehicle.isFlaky ? [400, 3000] : [2400, 15_000];
  let from = start + wholeBetween(random, 0, most);
  while (from < end) {
    const isLong = random.uniform() < 0.3;
    const to = from + (isLong ? wholeBetween(random, 300, 1500) : wholeBetween(random, 60, 200));
    gaps.push(from, Math.min(to, end));
    from = to + wholeBetween(random, least, most);
  }
  return gaps;
}
