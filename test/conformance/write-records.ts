/** Writes records as the files engines read: CSV, gzip CSV, Parquet, JSON lines and JSON arrays. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import type { RecordRow } from "../support/reference-records.ts";

/** Writes one file into a folder and returns its path. */
export type RecordsWriter = (records: readonly RecordRow[], folder: string) => Promise<string>;

/** Columns that hold numbers, and lists of them, where a format tells those from text. */
const NUMBERS = new Set(["speed", "lat", "lon", "when", "cell"]);
/** Of these, numbers that a double cannot hold. */
const NO_DOUBLES = new Set(["when", "cell"]);
const LISTS = new Set(["point"]);
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const JSON_NUMBER = new RegExp(`^${NUMBER}$`);
/** A point whose numbers every format has a type for. */
export const JSON_POINT = new RegExp(`^\\[(${NUMBER}), (${NUMBER})\\]$`);

let files = 0;

function fresh(folder: string, extension: string): string {
  files += 1;
  return path.join(folder, `records-${files}.${extension}`);
}

function columnsOf(records: readonly RecordRow[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

/** Nothing is a blank cell and an empty text a pair of quotes: to ids they are the same. */
function csvText(records: readonly RecordRow[], newline = "\n"): string {
  const columns = columnsOf(records);
  const cell = (text: string | null): string => {
    if (text === null) return "";
    return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = records.map((record) => columns.map((column) => cell(record[column] ?? null)).join(","));
  return [columns.map(cell).join(","), ...rows, ""].join(newline);
}

function jsonObject(record: RecordRow): string {
  const fields = Object.entries(record).map(([column, text]) => {
    const isPlain = text !== null && NUMBERS.has(column) && JSON_NUMBER.test(text);
    const isList = text !== null && LISTS.has(column) && JSON_POINT.test(text);
    return `${JSON.stringify(column)}: ${isPlain || isList ? text : JSON.stringify(text)}`;
  });
  return `{${fields.join(", ")}}`;
}

export const writeCsv: RecordsWriter = async (records, folder) => {
  const file = fresh(folder, "csv");
  await writeFile(file, csvText(records));
  return file;
};

export const writeGzipCsv: RecordsWriter = async (records, folder) => {
  const file = fresh(folder, "csv.gz");
  await writeFile(file, gzipSync(csvText(records, "\r\n"), { level: 1 }));
  return file;
};

export const writeJsonLines: RecordsWriter = async (records, folder) => {
  const file = fresh(folder, "jsonl");
  await writeFile(file, records.map((record) => `${jsonObject(record)}\n`).join(""));
  return file;
};

export const writeJsonArray: RecordsWriter = async (records, folder) => {
  const file = fresh(folder, "json");
  await writeFile(file, `[\n  ${records.map(jsonObject).join(",\n  ")}\n]\n`);
  return file;
};

/** Numbers become doubles where all of a column are some; nothing else is given a type. */
export const writeParquet: RecordsWriter = async (records, folder) => {
  const columns = columnsOf(records).map((name) => {
    const texts = records.map((record) => record[name] ?? null);
    const isNumber = NUMBERS.has(name) && texts.every((text) => text === null || JSON_NUMBER.test(text));
    return { name, texts, isNumber: isNumber && !NO_DOUBLES.has(name) };
  });
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  return writeParquetWith(folder, async (connection) => {
    const types = columns.map(({ name, isNumber }) => `${quoted(name)} ${isNumber ? "DOUBLE" : "VARCHAR"}`);
    await connection.run(`CREATE OR REPLACE TABLE records (${types.join(", ")})`);
    const appender = await connection.createAppender("records");
    for (let row = 0; row < records.length; row++) {
      for (const { texts, isNumber } of columns) {
        const text = texts[row]!;
        if (text === null) appender.appendNull();
        else if (isNumber) appender.appendDouble(Number(text));
        else appender.appendVarchar(text);
      }
      appender.endRow();
    }
    appender.closeSync();
    return "SELECT * FROM records";
  });
};

type Connection = Awaited<ReturnType<DuckDBInstance["connect"]>>;
let shared: Promise<Connection> | undefined;

/** The rows of a query as a Parquet file, written by a database of its own. */
export async function writeParquetWith(
  folder: string,
  prepare: string | ((connection: Connection) => Promise<string>),
): Promise<string> {
  shared ??= DuckDBInstance.create(":memory:", { threads: "1" }).then((instance) => instance.connect());
  const connection = await shared;
  const query = typeof prepare === "string" ? prepare : await prepare(connection);
  const file = fresh(folder, "parquet");
  await connection.run(`COPY (${query}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
  return file;
}
