/** Makes a bus city from options: map, routes and fleet of a seed, and the days and pace of reports that give the records asked for. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { checkInteger } from "../synthetic.ts";
import { streamOf } from "./draws.ts";
import { type Block, countReports, makeDuty, makeFleet, type Vehicle } from "./fleet.ts";
import { makeMap } from "./map.ts";
import { layRoutes } from "./routes.ts";

/** Some 400,000 records a day; between nine and ten, the 50 busiest hexagons see about as many vehicles as the paper's. */
const USUAL_VEHICLES = 291;
const MOST_VEHICLES = 20_000;
const MOST_DAYS = 1000;

/** Devices never report twice in a second, the fastest of them every ten seconds by nature. */
const FASTEST_PACE = 0.1;
/** Where more days are added rather than faster reports. */
const BRISK_PACE = 0.5;
const SLOWEST_PACE = 1e6;
/** Days that are counted; further ones are taken to be like them. */
const COUNTED_DAYS = 7;
const SAMPLE_VEHICLES = 60;
const LEAST_SCALED_VEHICLES = 24;
const MOST_SCALED_VEHICLES = 2000;
/** The streams of a seed. */
const MAP_STREAM = 1;
const ROUTES_STREAM = 2;
const FLEET_STREAM = 3;
const DUTY_STREAM = 4;
const TRAFFIC_STREAM = 5;

export interface CityOptions {
  readonly seed: number;
  /** How many records to aim at; vehicles, days and reporting are scaled to it. Unset, each device reports at its own pace. */
  readonly records?: number | undefined;
  readonly vehicles?: number | undefined;
  readonly days?: number | undefined;
  /** The first local day, as 2026-03-10. */
  readonly date?: string | undefined;
  /** The local clock's minutes ahead of UTC; 330 is +05:30. */
  readonly utcOffsetMinutes?: number | undefined;
  /** Only records of these local hours, half-open: [9, 10] is nine to ten. */
  readonly hours?: readonly [from: number, to: number] | undefined;
  /**
   * `paper`: about 223 users, at most some 11 grids each, at 9 to 10 in the 50 busiest hexagons of H3 resolution 8. It keeps
   * the usual fleet whatever `records` says; far fewer than 400,000 a day leave users out of the hour.
   */
  readonly preset?: "paper" | undefined;
}

export type CheckedCityOptions = ReturnType<typeof checkCityOptions>;

/** The options with every default filled in; throws PARAMETER_INVALID for what no city can be. */
export function checkCityOptions(options: CityOptions) {
  const { seed, records, days, preset } = options;
  const { date = "2026-03-10", utcOffsetMinutes = 330, hours = [0, 24] } = options;
  if (preset !== undefined && preset !== "paper")
    throw new VeilgridError("PARAMETER_INVALID", `preset ${quoteForMessage(String(preset))} must be 'paper'`);
  checkInteger("seed", seed, 0, Number.MAX_SAFE_INTEGER);
  if (records !== undefined) checkInteger("records", records, 100, 1_000_000_000);
  if (options.vehicles !== undefined) checkInteger("vehicles", options.vehicles, 1, MOST_VEHICLES);
  if (days !== undefined) checkInteger("days", days, 1, MOST_DAYS);
  checkInteger("utcOffsetMinutes", utcOffsetMinutes, -12 * 60, 14 * 60);
  const [from, to] = hours;
  if (!(from >= 0 && from < to && to <= 24))
    throw new VeilgridError("PARAMETER_INVALID", `hours ${from}-${to} must be two hours of the day, as 9-10`);
  const vehicles = options.vehicles ?? (preset === "paper" ? USUAL_VEHICLES : undefined);
  const [fromSecond, toSecond] = [Math.round(from * 3600), Math.round(to * 3600)];
  return { seed, records, vehicles, days, utcOffsetMinutes, firstSecond: secondOf(date), fromSecond, toSecond };
}

/** The date's first second, as if its days were those of UTC. */
function secondOf(date: string): number {
  const moment = /^(19|20|21)\d\d-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(date))
    throw new VeilgridError("PARAMETER_INVALID", `date ${quoteForMessage(date)} must be a day such as 2026-03-10`);
  return moment / 1000;
}

export interface City {
  readonly vehicles: readonly Vehicle[];
  readonly days: number;
  /** Multiplies every device's seconds between reports. */
  readonly pace: number;
}

/** Where every record becomes several rows, the options' records are rows. */
export function makeCity(options: CheckedCityOptions, rowsPerRecord = 1): City {
  if (options.records === undefined) {
    const city = build(options, options.vehicles ?? USUAL_VEHICLES);
    dailyCount(options, city);
    return { ...city, days: options.days ?? 1 };
  }
  const records = options.records / rowsPerRecord;
  const city = build(options, options.vehicles ?? scaledVehicles(options, records));
  const daily = dailyCount(options, city);
  const days = options.days ?? Math.min(MOST_DAYS, Math.ceil(records / (daily / BRISK_PACE)));
  const count = counter(options, { ...city, days });
  const mostRows = Math.floor(count(FASTEST_PACE) * rowsPerRecord);
  if (options.records > mostRows)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `records ${options.records} must be at most ${mostRows} for these vehicles, days and hours; allow more of those`,
    );
  return { ...city, days, pace: paceFor(records, count) };
}

/** A vehicle's timetable of a day. */
export function dutyOf(seed: number, vehicle: Vehicle, day: number): Block[] {
  return makeDuty(vehicle, streamOf(seed, DUTY_STREAM, day, vehicle.index));
}

/** What meets a vehicle on the way in one block of a day. */
export function trafficOf(seed: number, vehicle: Vehicle, day: number, block: number): SeededRandom {
  return streamOf(seed, TRAFFIC_STREAM, day, vehicle.index, block);
}

/** A city grows with its routes: ten vehicles each, until there are sixty. */
function build({ seed }: CheckedCityOptions, count: number): City {
  const map = makeMap(streamOf(seed, MAP_STREAM));
  const routeCount = Math.min(60, Math.max(1, Math.round(count / 10)), count);
  const routes = layRoutes(map, routeCount, streamOf(seed, ROUTES_STREAM));
  return { vehicles: makeFleet(routes, count, streamOf(seed, FLEET_STREAM)), days: 1, pace: 1 };
}

/** Half of a change in size is vehicles, half is reporting and days. */
function scaledVehicles(options: CheckedCityOptions, records: number): number {
  // A small city tells as much about records per vehicle as a large one, and is quicker to lay out.
  const usual = (dailyCount(options, build(options, SAMPLE_VEHICLES)) / SAMPLE_VEHICLES) * USUAL_VEHICLES;
  const scaled = Math.round(USUAL_VEHICLES * Math.sqrt(records / usual));
  return Math.min(MOST_SCALED_VEHICLES, Math.max(LEAST_SCALED_VEHICLES, scaled));
}

/** The pace whose count is nearest to the target, by bisection: the count falls with the pace but for single reports. */
function paceFor(records: number, count: (pace: number) => number): number {
  let fast = FASTEST_PACE;
  let slow = SLOWEST_PACE;
  let best = FASTEST_PACE;
  let bestMiss = Number.POSITIVE_INFINITY;
  for (let step = 0; step < 40 && bestMiss > records / 1000; step++) {
    const pace = Math.sqrt(fast * slow);
    const counted = count(pace);
    if (Math.abs(counted - records) < bestMiss) [best, bestMiss] = [pace, Math.abs(counted - records)];
    if (counted > records) fast = pace;
    else slow = pace;
  }
  return best;
}

/** The records of one day at the devices' own pace. */
function dailyCount(options: CheckedCityOptions, city: City): number {
  const count = counter(options, { ...city, days: 1 })(1);
  if (count > 0) return count;
  const hours = `${options.fromSecond / 3600}-${options.toSecond / 3600}`;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `hours ${hours} must have a bus on the road; widen them or take more vehicles`,
  );
}

/** Counts records from the timetables alone: nobody has to drive. */
function counter(options: CheckedCityOptions, city: City): (pace: number) => number {
  const { seed, fromSecond, toSecond } = options;
  const days = Math.min(city.days, COUNTED_DAYS);
  const duties = Array.from({ length: days }, (_, day) =>
    city.vehicles.map((vehicle) => ({ vehicle, blocks: dutyOf(seed, vehicle, day) })),
  ).flat();
  return (pace) => {
    let count = 0;
    for (const { vehicle, blocks } of duties)
      for (const block of blocks) count += countReports(block, vehicle.intervalSeconds * pace, fromSecond, toSecond);
    return (count * city.days) / days;
  };
}
