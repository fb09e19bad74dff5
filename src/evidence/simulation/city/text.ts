/** A bus city's records as CSV, JSON lines or a JSON array, in chunks of bytes: what `simulate city` writes. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { ByteWriter } from "./bytes.ts";
import { makeCity } from "./city.ts";
import { streamOf } from "./draws.ts";
import { CityFeed } from "./feed.ts";
import { type CityOptions, checkCityOptions } from "./options.ts";
import { MEAN_COPIES, Resend } from "./resend.ts";
import { type CityFormat, type CitySchema, PLAIN_HEADER, type RowWriter, rowWriter, WILD_HEADER } from "./rows.ts";

const RESEND_STREAM = 6;

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
  const feed = new CityFeed(checked, city);
  const rows = rowWriter(checked, city.vehicles.length, { schema, format });
  const resend = schema === "wild" ? new Resend(streamOf(checked.seed, RESEND_STREAM)) : undefined;
  return chunksOf(feed, rows, resend, FRAMES[format](schema));
}

export function cityCsvChunks(options: Omit<CityTextOptions, "format">): Generator<Uint8Array, void, undefined> {
  return cityText({ ...options, format: "csv" });
}

export function cityJsonLinesChunks(options: Omit<CityTextOptions, "format">): Generator<Uint8Array, void, undefined> {
  return cityText({ ...options, format: "jsonl" });
}

export function cityJsonArrayChunks(options: Omit<CityTextOptions, "format">): Generator<Uint8Array, void, undefined> {
  return cityText({ ...options, format: "json" });
}

/** What stands before the first row, between rows and after the last. */
interface Frame {
  readonly opening: string;
  readonly between: string;
  readonly closing: string;
}

const FRAMES: Readonly<Record<CityFormat, (schema: CitySchema) => Frame>> = {
  csv: (schema) => ({
    opening: `${schema === "plain" ? PLAIN_HEADER : WILD_HEADER}\n`,
    between: "\n",
    closing: "\n",
  }),
  jsonl: () => ({ opening: "", between: "\n", closing: "\n" }),
  json: () => ({ opening: "[\n", between: ",\n", closing: "\n]\n" }),
};

function* chunksOf(
  feed: CityFeed,
  rows: RowWriter,
  resend: Resend | undefined,
  frame: Frame,
): Generator<Uint8Array, void, undefined> {
  const out = new ByteWriter();
  const encoder = new TextEncoder();
  const between = encoder.encode(frame.between);
  const send = (row: Uint8Array) => {
    out.write(between);
    out.write(row);
  };
  out.write(encoder.encode(frame.opening));
  for (let isFirst = true; feed.next(); isFirst = false) {
    if (!isFirst) out.write(between);
    const start = out.length;
    rows.write(feed, out);
    resend?.after(out.copyFrom(start), send);
    if (out.isFull) yield out.takeChunk();
  }
  resend?.flush(send);
  out.write(encoder.encode(frame.closing));
  yield out.takeChunk();
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const list = choices.join(", ");
  throw new VeilgridError("PARAMETER_INVALID", `${name} ${quoteForMessage(String(value))} must be one of ${list}`);
}
