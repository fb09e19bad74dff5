/** How one record is written, for each schema and format: texts around the numbers, made once per trip and second. */
import type { ByteWriter } from "./bytes.ts";
import { clockText, dateAfter, offsetText } from "./date.ts";
import type { CityFeed } from "./feed.ts";
import type { BusMotion } from "./motion.ts";
import { type CityNames, plainNames, wildNames } from "./names.ts";
import type { CheckedCityOptions } from "./options.ts";

export type CitySchema = "plain" | "wild";
export type CityFormat = "csv" | "jsonl" | "json";

export const PLAIN_HEADER = "vehicle_id,route_id,trip_id,timestamp,latitude,longitude,speed";
export const WILD_HEADER =
  "trip_id,route_id,trip_delay,license_plate,observationDateTime,speed,location.type,location.coordinates";

/** One blank in so many rows of the wild schema: 0.5 % of the speeds, 2 % of the routes, 25 % of the delays. */
const BLANK_SPEED_IN = 200;
const BLANK_ROUTE_IN = 50;
const BLANK_DELAY_IN = 4;
/** One wild device in so many has a dead speedometer and always says 0. */
const DEAD_SPEEDOMETER_IN = 50;

const encoder = new TextEncoder();

export interface RowWriter {
  write(feed: CityFeed, out: ByteWriter): void;
}

export function rowWriter(
  options: CheckedCityOptions,
  vehicles: number,
  { schema, format }: { schema: CitySchema; format: CityFormat },
): RowWriter {
  const isCsv = format === "csv";
  return schema === "plain" ? plainRows(options, vehicles, isCsv) : wildRows(options, vehicles, isCsv);
}

function plainRows(options: CheckedCityOptions, vehicles: number, isCsv: boolean): RowWriter {
  const texts = isCsv ? [",", ",", ",", ""] : ['","latitude":', ',"longitude":', ',"speed":', "}"];
  const [afterTime, afterLatitude, afterLongitude, afterSpeed] = texts.map((text) => encoder.encode(text)) as Four;
  const timeOf = timeTexts(options, "T");
  const idsOf = tripTexts(
    vehicles,
    (date) => plainNames(vehicles, date),
    options.date,
    (names, bus) => {
      const [vehicle, route, trip] = [names.vehicle(bus), names.route(bus), names.trip(bus)];
      return isCsv
        ? [`${vehicle},${route},${trip},`]
        : [`{"vehicle_id":"${vehicle}","route_id":"${route}","trip_id":"${trip}","timestamp":"`];
    },
  );
  return {
    write(feed, out) {
      out.write(idsOf(feed)[0]!);
      out.write(timeOf(feed));
      out.write(afterTime);
      out.writeMillionths(feed.latitudeMicro);
      out.write(afterLatitude);
      out.writeMillionths(feed.longitudeMicro);
      out.write(afterLongitude);
      out.writeTenths(feed.speedTenths);
      out.write(afterSpeed);
    },
  };
}

function wildRows(options: CheckedCityOptions, vehicles: number, isCsv: boolean): RowWriter {
  const texts = isCsv
    ? [",", ',Point,"[', ", ", ']"']
    : ['","speed":', ',"location":{"type":"Point","coordinates":[', ",", "]}}"];
  const [afterTime, afterSpeed, afterLongitude, afterLatitude] = texts.map((text) => encoder.encode(text)) as Four;
  const blank = encoder.encode(isCsv ? "" : "null");
  const timeOf = timeTexts(options, " ");
  const idsOf = tripTexts(
    vehicles,
    (date) => wildNames(vehicles, date, options.seed),
    options.date,
    (names, bus) => {
      const [vehicle, route, trip] = [names.vehicle(bus), names.route(bus), names.trip(bus)];
      return isCsv
        ? [`${trip},${route},`, `${trip},,`, `,${vehicle},`]
        : [
            `{"trip_id":"${trip}","route_id":"${route}","trip_delay":`,
            `{"trip_id":"${trip}","route_id":null,"trip_delay":`,
            `,"license_plate":"${vehicle}","observationDateTime":"`,
          ];
    },
  );
  return {
    write(feed, out) {
      const [withRoute, withoutRoute, afterDelay] = idsOf(feed) as Three;
      const { bits } = feed;
      out.write((bits >>> 4) % BLANK_ROUTE_IN === 0 ? withoutRoute : withRoute);
      if ((bits >>> 11) % BLANK_DELAY_IN === 0) out.write(blank);
      else out.writeWhole(feed.bus.delaySeconds);
      out.write(afterDelay);
      out.write(timeOf(feed));
      out.write(afterTime);
      if ((bits >>> 8) % BLANK_SPEED_IN === 0) out.write(blank);
      else out.writeTenths(feed.bus.vehicle.index % DEAD_SPEEDOMETER_IN === 7 ? 0 : feed.speedTenths);
      out.write(afterSpeed);
      out.writeMillionths(feed.longitudeMicro);
      out.write(afterLongitude);
      out.writeMillionths(feed.latitudeMicro);
      out.write(afterLatitude);
    },
  };
}

type Three = [Uint8Array, Uint8Array, Uint8Array];
type Four = [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** The text of the feed's second; records come in order of time, so the last one made is often the one needed. */
function timeTexts(options: CheckedCityOptions, between: "T" | " "): (feed: CityFeed) => Uint8Array {
  const offset = offsetText(options.utcOffsetMinutes);
  let day = -1;
  let date = "";
  let second = -1;
  let text = new Uint8Array();
  return (feed) => {
    if (feed.day !== day) {
      day = feed.day;
      date = dateAfter(options.date, day);
      second = -1;
    }
    if (feed.second !== second) {
      second = feed.second;
      text = encoder.encode(`${date}${between}${clockText(second)}${offset}`);
    }
    return text;
  };
}

/** The texts that hold for a trip, kept per vehicle until its next one. */
function tripTexts(
  vehicles: number,
  namesOf: (date: string) => CityNames,
  firstDate: string,
  textsOf: (names: CityNames, bus: BusMotion) => readonly string[],
): (feed: CityFeed) => readonly Uint8Array[] {
  let day = -1;
  let names = namesOf(firstDate);
  const trips = new Int32Array(vehicles);
  const texts: Array<readonly Uint8Array[]> = new Array(vehicles).fill([]);
  return (feed) => {
    if (feed.day !== day) {
      day = feed.day;
      names = namesOf(dateAfter(firstDate, day));
      trips.fill(0);
    }
    const { index } = feed.bus.vehicle;
    if (trips[index] !== feed.bus.trip) {
      trips[index] = feed.bus.trip;
      texts[index] = textsOf(names, feed.bus).map((text) => encoder.encode(text));
    }
    return texts[index]!;
  };
}
