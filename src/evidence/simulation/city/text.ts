/** Writes a bus city's records in each schema as CSV, JSON lines or a JSON array, in chunks of bytes. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type CheckedCityOptions, type CityOptions, checkCityOptions, makeCity } from "./city.ts";
import { shuffle, streamOf } from "./draws.ts";
import { CityFeed } from "./feed.ts";
import { DAY_SECONDS } from "./fleet.ts";
import type { BusMotion } from "./motion.ts";

const RESEND_STREAM = 6;
const CHUNK_CHARACTERS = 1 << 17;
/** How often wild rows are sent. Dealt from a shuffled deck, so that the rows of even a small file come out at the mean. */
const COPIES = [2, 2, 2, 2, 2, 3, 3, 3, 3, 4];
const MEAN_COPIES = 2.6;
/** A later copy waits for one of these places to be drawn again: some dozens of rows. */
const STORE = 48;
const SENT_AT_ONCE = 0.5;

export interface CityTextOptions extends CityOptions {
  /**
   * `plain`: one clean row per record. `wild`: as city feeds are, each row two to four times, some values blank or dead;
   * equal rows agree in trip_id and observationDateTime and different ones do not. `records` counts rows, copies included.
   */
  readonly schema?: CitySchema | undefined;
  readonly format?: CityFormat | undefined;
}

/** Options are checked at the call, before the first chunk is asked for. */
export function cityText(options: CityTextOptions): Generator<Uint8Array, void, undefined> {
  const { schema = "plain", format = "csv" } = options;
  checkChoice("schema", schema, ["plain", "wild"]);
  checkChoice("format", format, ["csv", "jsonl", "json"]);
  const checked = checkCityOptions(options);
  const city = makeCity(checked, schema === "wild" ? MEAN_COPIES : 1);
  const plainRows = rowsOf(new CityFeed(checked, city), rowWriter(checked, city.vehicles.length, { schema, format }));
  const rows = schema === "wild" ? resent(plainRows, streamOf(checked.seed, RESEND_STREAM)) : plainRows;
  return chunksOf(rows, FRAMES[format](schema));
}

/** What stands before the first row, between rows and after the last. */
const FRAMES: Readonly<Record<CityFormat, (schema: CitySchema) => readonly [string, string, string]>> = {
  csv: (schema) => [`${HEADERS[schema]}\n`, "\n", "\n"],
  jsonl: () => ["", "\n", "\n"],
  json: () => ["[\n", ",\n", "\n]\n"],
};

function* rowsOf(feed: CityFeed, write: (feed: CityFeed) => string): Iterable<string> {
  while (feed.next()) yield write(feed);
}

/** Sends every row two to four times, as wild feeds do: at once, or a little later out of a small store. */
function* resent(rows: Iterable<string>, random: SeededRandom): Iterable<string> {
  const deck = [...COPIES];
  let dealt = deck.length;
  const store: Array<string | undefined> = new Array(STORE).fill(undefined);
  for (const row of rows) {
    yield row;
    if (dealt === deck.length) {
      shuffle(deck, random);
      dealt = 0;
    }
    const copies = itemAt(deck, dealt);
    dealt += 1;
    for (let copy = 1; copy < copies; copy++) {
      if (random.uniform() < SENT_AT_ONCE) yield row;
      else {
        const place = random.below(STORE);
        const leaving = store[place];
        store[place] = row;
        if (leaving !== undefined) yield leaving;
      }
    }
  }
  for (const row of store) if (row !== undefined) yield row;
}

function* chunksOf(
  rows: Iterable<string>,
  [opening, between, closing]: readonly [string, string, string],
): Generator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let text = opening;
  let before = "";
  for (const row of rows) {
    text += before + row;
    before = between;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text + closing);
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const list = choices.join(", ");
  throw new VeilgridError("PARAMETER_INVALID", `${name} ${quoteForMessage(String(value))} must be one of ${list}`);
}

export type CitySchema = "plain" | "wild";
export type CityFormat = "csv" | "jsonl" | "json";

const HEADERS: Readonly<Record<CitySchema, string>> = {
  plain: "vehicle_id,route_id,trip_id,timestamp,latitude,longitude,speed",
  wild: "trip_id,route_id,trip_delay,license_plate,observationDateTime,speed,location.type,location.coordinates",
};

/** One blank in so many rows of the wild schema: 0.5 % of the speeds, 2 % of the routes, 25 % of the delays. */
const BLANK_SPEED_IN = 200;
const BLANK_ROUTE_IN = 50;
const BLANK_DELAY_IN = 4;
/** One wild device in so many has a dead speedometer and always says 0. */
const DEAD_SPEEDOMETER_IN = 50;
/** Letters of licence plates; those that look like digits are left out, as on real ones. */
const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";
const PLATES_PER_SERIES = 9000;
/** Prime to all plates there are, so that counting in steps of it meets each once. */
const PLATE_STEP = 1_000_003;

/** What identifies a trip. */
type TripNames = Readonly<Record<"vehicle" | "route" | "trip", string>>;

/** The fields of a record as text; "" where the feed leaves one blank. */
type RowTexts = TripNames & Readonly<Record<"delay" | "time" | "speed" | "latitude" | "longitude", string>>;

const LAYOUTS: Readonly<Record<CitySchema, Readonly<Record<"csv" | "json", (row: RowTexts) => string>>>> = {
  plain: {
    csv: (row) => `${row.vehicle},${row.route},${row.trip},${row.time},${row.latitude},${row.longitude},${row.speed}`,
    json: (row) =>
      `{"vehicle_id":"${row.vehicle}","route_id":"${row.route}","trip_id":"${row.trip}","timestamp":"${row.time}",` +
      `"latitude":${row.latitude},"longitude":${row.longitude},"speed":${row.speed}}`,
  },
  wild: {
    csv: (row) =>
      `${row.trip},${row.route},${row.delay},${row.vehicle},${row.time},${row.speed},Point,"[${row.longitude}, ${row.latitude}]"`,
    json: (row) =>
      `{"trip_id":"${row.trip}","route_id":${row.route === "" ? "null" : `"${row.route}"`},"trip_delay":${row.delay || "null"},` +
      `"license_plate":"${row.vehicle}","observationDateTime":"${row.time}","speed":${row.speed || "null"},` +
      `"location":{"type":"Point","coordinates":[${row.longitude},${row.latitude}]}}`,
  },
};

/** Writes the record at which the feed stands. */
function rowWriter(
  options: CheckedCityOptions,
  vehicles: number,
  { schema, format }: { schema: CitySchema; format: CityFormat },
): (feed: CityFeed) => string {
  const layout = LAYOUTS[schema][format === "csv" ? "csv" : "json"];
  const isWild = schema === "wild";
  const namesOf = tripNames(options, vehicles, isWild ? wildNames : plainNames);
  const timeOf = timeTexts(options, isWild ? " " : "T");
  return (feed) => {
    const { bits, bus } = feed;
    const { vehicle, route, trip } = namesOf(feed);
    const isDead = isWild && bus.vehicle.index % DEAD_SPEEDOMETER_IN === 7;
    // Not spread from the names: that would be ten times slower.
    return layout({
      vehicle,
      trip,
      route: isWild && (bits >>> 4) % BLANK_ROUTE_IN === 0 ? "" : route,
      delay: isWild && (bits >>> 11) % BLANK_DELAY_IN === 0 ? "" : String(bus.delaySeconds),
      time: timeOf(feed),
      speed: isWild && (bits >>> 8) % BLANK_SPEED_IN === 0 ? "" : ((isDead ? 0 : feed.speedTenths) / 10).toFixed(1),
      latitude: (feed.latitudeMicro / 1e6).toFixed(6),
      longitude: (feed.longitudeMicro / 1e6).toFixed(6),
    });
  };
}

/** The local moment of the feed; records come in order of time, so the last text made is often the one needed. */
function timeTexts(options: CheckedCityOptions, between: "T" | " "): (feed: CityFeed) => string {
  const { utcOffsetMinutes: offset } = options;
  const offsetText = `${offset < 0 ? "-" : "+"}${iso(60 * Math.abs(offset)).slice(11, 16)}`;
  let last = -1;
  let text = "";
  return ({ day, second }) => {
    if (day * DAY_SECONDS + second !== last) {
      last = day * DAY_SECONDS + second;
      const moment = iso(options.firstSecond + last);
      text = `${moment.slice(0, 10)}${between}${moment.slice(11, 19)}${offsetText}`;
    }
    return text;
  };
}

function iso(second: number): string {
  return new Date(1000 * second).toISOString();
}

/** The names of the feed's trip, kept per vehicle until its next one. */
function tripNames(
  options: CheckedCityOptions,
  vehicles: number,
  nameTrip: (bus: BusMotion, parts: TripParts) => TripNames,
): (feed: CityFeed) => TripNames {
  const digits = Math.max(4, String(vehicles).length);
  const known: Array<{ readonly day: number; readonly trip: number; readonly names: TripNames } | undefined> = [];
  return ({ day, bus }) => {
    const { index } = bus.vehicle;
    const last = known[index];
    if (last?.day === day && last.trip === bus.trip) return last.names;
    const date = iso(options.firstSecond + day * DAY_SECONDS)
      .slice(0, 10)
      .replaceAll("-", "");
    const number = String(index + 1).padStart(digits, "0");
    const names = nameTrip(bus, { date, number, trip: String(bus.trip).padStart(2, "0"), seed: options.seed });
    known[index] = { day, trip: bus.trip, names };
    return names;
  };
}

type TripParts = Readonly<Record<"date" | "number" | "trip", string>> & { readonly seed: number };

/** As bus-0042, R07 and 20260310-0042-07: a day's seventh trip of that bus. */
function plainNames({ vehicle }: BusMotion, { date, number, trip }: TripParts): TripNames {
  const route = `R${String(vehicle.route.number).padStart(2, "0")}`;
  return { vehicle: `bus-${number}`, route, trip: `${date}-${number}-${trip}` };
}

/** As GJ05BX1234, 107U or 107D by direction, and a trip number of digits only. */
function wildNames({ vehicle, goesOut }: BusMotion, { date, number, trip, seed }: TripParts): TripNames {
  const place = (vehicle.index * PLATE_STEP + (seed % 1_000_000)) % (LETTERS.length ** 2 * PLATES_PER_SERIES);
  const series = Math.floor(place / PLATES_PER_SERIES);
  const letters = LETTERS.charAt(Math.floor(series / LETTERS.length)) + LETTERS.charAt(series % LETTERS.length);
  return {
    vehicle: `GJ05${letters}${1000 + (place % PLATES_PER_SERIES)}`,
    route: `${100 + vehicle.route.number}${goesOut ? "U" : "D"}`,
    trip: `${date.slice(2)}${number}${trip}`,
  };
}
