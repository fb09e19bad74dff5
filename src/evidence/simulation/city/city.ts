/** A bus city made to measure: map, routes and fleet of a seed, and the days and reporting pace that give the records asked for. */
import { VeilgridError } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { streamOf } from "./draws.ts";
import { type Block, countReports, makeDuty } from "./duty.ts";
import { makeFleet, type Vehicle } from "./fleet.ts";
import { type CityMap, makeMap } from "./map.ts";
import { type CheckedCityOptions, MOST_DAYS, USUAL_VEHICLES } from "./options.ts";
import { layRoutes, type Route } from "./routes.ts";

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

export interface City {
  readonly map: CityMap;
  readonly routes: readonly Route[];
  readonly vehicles: readonly Vehicle[];
  readonly days: number;
  /** Multiplies every device's seconds between reports. */
  readonly pace: number;
}

/** Where every record becomes several rows, the options' records are rows. */
export function makeCity(options: CheckedCityOptions, rowsPerRecord = 1): City {
  if (options.records === undefined) {
    const city = build(options, options.vehicles ?? USUAL_VEHICLES);
    if (dailyCount(options, city) === 0) refuseEmpty(options);
    return { ...city, days: options.days ?? 1 };
  }
  const records = options.records / rowsPerRecord;
  const city = build(options, options.vehicles ?? scaledVehicles(options, records));
  const daily = dailyCount(options, city);
  if (daily === 0) refuseEmpty(options);
  const days = options.days ?? Math.min(MOST_DAYS, Math.ceil(records / (daily / BRISK_PACE)));
  const count = counter(options, { ...city, days });
  const mostRows = Math.floor(count(FASTEST_PACE) * rowsPerRecord);
  if (options.records > mostRows) refuseTooMany(options.records, mostRows);
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
  return { map, routes, vehicles: makeFleet(routes, count, streamOf(seed, FLEET_STREAM)), days: 1, pace: 1 };
}

/** Half of a change in size is vehicles, half is reporting and days. */
function scaledVehicles(options: CheckedCityOptions, records: number): number {
  // A small city tells as much about records per vehicle as a large one, and is quicker to lay out.
  const usual = (dailyCount(options, build(options, SAMPLE_VEHICLES)) / SAMPLE_VEHICLES) * USUAL_VEHICLES;
  if (usual === 0) refuseEmpty(options);
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

function dailyCount(options: CheckedCityOptions, city: City): number {
  return counter(options, { ...city, days: 1 })(1);
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

function refuseEmpty({ fromSecond, toSecond }: CheckedCityOptions): never {
  const hours = `${fromSecond / 3600}-${toSecond / 3600}`;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `hours ${hours} must have a bus on the road; widen them or take more vehicles`,
  );
}

function refuseTooMany(records: number, most: number): never {
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `records ${records} must be at most ${most} for these vehicles, days and hours; allow more of those`,
  );
}
