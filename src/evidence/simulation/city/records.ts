/** A bus city's records one by one, for programs; text in bulk is quicker by `cityText`. */
import { makeCity } from "./city.ts";
import { clockText, dateAfter, offsetText } from "./date.ts";
import { CityFeed } from "./feed.ts";
import { plainNames } from "./names.ts";
import { type CityOptions, checkCityOptions } from "./options.ts";

export interface CityRecord {
  readonly vehicleId: string;
  readonly routeId: string;
  readonly tripId: string;
  /** Local time with its offset, as 2026-03-10T09:00:03+05:30. */
  readonly timestamp: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
}

/** In order of time, each record an object of its own; options are checked at the call. */
export function cityRecords(options: CityOptions): Generator<CityRecord, void, undefined> {
  const checked = checkCityOptions(options);
  const city = makeCity(checked);
  return records(new CityFeed(checked, city), (day) => {
    const date = dateAfter(checked.date, day);
    return { date, names: plainNames(city.vehicles.length, date), offset: offsetText(checked.utcOffsetMinutes) };
  });
}

function* records(
  feed: CityFeed,
  textsOf: (day: number) => { date: string; names: ReturnType<typeof plainNames>; offset: string },
): Generator<CityRecord, void, undefined> {
  let day = 0;
  let { date, names, offset } = textsOf(day);
  while (feed.next()) {
    if (feed.day !== day) {
      day = feed.day;
      ({ date, names, offset } = textsOf(day));
    }
    yield {
      vehicleId: names.vehicle(feed.bus),
      routeId: names.route(feed.bus),
      tripId: names.trip(feed.bus),
      timestamp: `${date}T${clockText(feed.second)}${offset}`,
      latitude: feed.latitudeMicro / 1e6,
      longitude: feed.longitudeMicro / 1e6,
      speedKmh: feed.speedTenths / 10,
    };
  }
}
