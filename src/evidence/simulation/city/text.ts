/** Writes a bus city's records as CSV, JSON lines or a JSON array, in chunks of bytes. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type CityOptions, checkCityOptions, makeCity } from "./city.ts";
import { shuffle, streamOf } from "./draws.ts";
import { CityFeed } from "./feed.ts";
import { type CityFormat, type CitySchema, HEADERS, rowWriter } from "./rows.ts";

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

function* rowsOf(feed: CityFeed, write: (feed: CityFeed) => string): Generator<string, void, undefined> {
  while (feed.next()) yield write(feed);
}

/** Sends every row two to four times, as wild feeds do: at once, or a little later out of a small store. */
function* resent(rows: Iterable<string>, random: SeededRandom): Generator<string, void, undefined> {
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
