/** Parquet files whose columns are of any type, with and without values, in any packing: read with every record in its place, or refused. */
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { survey } from "#apps/operations";

/** Types of columns, each with what row `i` holds of it. */
const TYPES = {
  tiny: "CAST(i % 100 AS TINYINT)",
  unsigned: "CAST(i AS UBIGINT)",
  big: "CAST(i AS BIGINT) * 3074457345618258",
  huge: "CAST(i AS HUGEINT) * 1000000000000000000000",
  float: "CAST(i AS FLOAT) / 3",
  double: "CAST(i AS DOUBLE) / 7",
  endless: "CASE WHEN i % 5 = 0 THEN 'inf'::DOUBLE WHEN i % 7 = 0 THEN 'nan'::DOUBLE ELSE i END",
  decimal: "CAST(i AS DECIMAL(9, 2)) / 4",
  wide: "CAST(i AS DECIMAL(38, 10))",
  text: "'b' || (i % 12)",
  number: "(i % 65)::VARCHAR",
  awkward: "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN chr(0) || 'a' WHEN 2 THEN '🚌' ELSE chr(8238) END",
  blob: "('b' || (i % 3))::BLOB",
  bytes: "'\\xFF\\x00'::BLOB",
  truth: "i % 2 = 0",
  date: "DATE '1969-12-30' + CAST(i AS INTEGER)",
  time: "TIME '23:59:59'",
  stamp: "TIMESTAMP '2026-03-29 01:59:59' + INTERVAL 1 SECOND * i",
  zoned: "TIMESTAMPTZ '2026-03-29 01:59:59+00'",
  nanos: "TIMESTAMP_NS '2026-03-29 01:59:59.123456789'",
  interval: "INTERVAL 1 DAY * i",
  uuid: "'00000000-0000-0000-0000-00000000000' || (i % 9)",
  list: "[i, i + 1]",
  struct: "{'a': i, 'b': 'x'}",
  map: "MAP {'a': i}",
  enum: "(['x', 'y'])[1 + i % 2]::ENUM('x', 'y')",
  nothing: "NULL",
  empty: "NULL::VARCHAR",
};
const NAMES = Object.keys(TYPES);
const CODECS = ["uncompressed", "snappy", "zstd", "gzip", "lz4", "brotli"];
const one = (random, items) => items[random.below(items.length)];
/** One that goes well with the column, every other time. */
const typeFor = (random, usual) => (random.below(2) === 0 ? one(random, usual) : one(random, NAMES));

function fileOf(random) {
  return {
    bus: typeFor(random, ["text", "tiny"]),
    stop: typeFor(random, ["text", "number", "enum"]),
    speed: typeFor(random, ["double", "decimal", "float", "number"]),
    rows: one(random, [0, 1, 7, 60, 3000]),
    /** Every so many rows one is without a value, in these columns. */
    missing: random.below(3) === 0 ? one(random, ["bus", "stop", "speed"]) : null,
    every: 1 + random.below(9),
    codec: one(random, CODECS),
    group: one(random, [1, 2048, 100_000]),
  };
}

export const parquet = {
  mayCrash: true,
  prepare: async (folder) => {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    return { instance, connection: await instance.connect(), place: path.join(folder, "records.parquet") };
  },
  generate: (random) => Buffer.from(JSON.stringify(fileOf(random))),
  try: async (bytes, { connection, place }) => {
    const drawn = JSON.parse(bytes.toString("utf8"));
    const columns = ["bus", "stop", "speed"].map((column) => {
      const value = TYPES[drawn[column]];
      return `${drawn.missing === column ? `CASE WHEN i % ${drawn.every} = 0 THEN NULL ELSE ${value} END` : value} AS ${column}`;
    });
    const query = `SELECT ${columns.join(", ")} FROM range(${drawn.rows}) AS t(i)`;
    await connection.run(
      `COPY (${query}) TO '${place.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION ${drawn.codec}, ROW_GROUP_SIZE ${drawn.group})`,
    );
    const { survey: found } = await survey(place, {
      records: { user: "bus", value: "speed", by: "stop", emptyUser: "one" },
    });
    if (found.samples !== drawn.rows) return `has ${found.samples} of ${drawn.rows} records`;
    return found.entries > 0 && found.entries <= found.samples ? undefined : "has no entries";
  },
  finish: async ({ instance }) => instance.closeSync(),
};
