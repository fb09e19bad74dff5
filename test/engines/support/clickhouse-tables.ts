/** Puts records into ClickHouse tables: of text or of typed columns, on one server or on the shards of a cluster. */
import { CLUSTER } from "../../../scripts/servers/clickhouse.mjs";
import type { SourceTraits } from "../../conformance/harness.ts";
import { JSON_POINT, type RecordsWriter } from "../../conformance/write-records.ts";
import type { RecordRow } from "../../support/reference-records.ts";

export interface TablesOptions {
  /** HTTP addresses; the first is the one that is asked. Several are the shards of the cluster. */
  readonly servers: readonly string[];
  readonly columns: "text" | "typed";
  /** What a row's shard is worked out from; without it the table is on the first server alone. */
  readonly shardedBy?: "user" | "chance" | undefined;
}

/** What is particular to records in tables. */
export const TABLES: SourceTraits = { absentIds: "null", faults: "counted" };
/** Old servers round decimals to a neighbour of the nearest double. */
export const OLD_TABLES: SourceTraits = { ...TABLES, longNumbers: "unsupported" };

const NUMBERS = new Set(["speed", "lat", "lon"]);
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Tests look at a few tables at a time; many make an old server slow to look one up. */
const TABLES_KEPT = 40;

let tables = 0;
const dropLater: Array<() => Promise<unknown>> = [];

/** A statement on a server, which must succeed. */
export async function onServer(
  server: string,
  sql: string,
  { data, settings = {} }: { data?: Buffer; settings?: Record<string, string> } = {},
): Promise<string> {
  const query = new URLSearchParams({ ...settings, ...(data === undefined ? {} : { query: sql }) });
  const response = await fetch(`${server}/?${query}`, {
    method: "POST",
    body: data === undefined ? sql : new Uint8Array(data),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${sql.slice(0, 200)}: ${answer.slice(0, 500)}`);
  return answer;
}

export function tableAddress(server: string, table: string): string {
  return `clickhouse://${new URL(server).host}/default?table=${table}`;
}

/** As the engine takes it: a table of its own for these records. */
export function tableWriter({ servers, columns, shardedBy }: TablesOptions): RecordsWriter {
  return async (records) => {
    tables += 1;
    const name = `records_${process.pid}_${tables}`;
    const layout = layoutOf(records, columns);
    const definition = `(${layout.map(({ column, type }) => `${quoted(column)} ${type}`).join(", ")})`;
    const engine = "ENGINE = MergeTree ORDER BY tuple()";
    const local = shardedBy === undefined ? name : `${name}_local`;
    for (const server of shardedBy === undefined ? servers.slice(0, 1) : servers)
      await onServer(server, `CREATE TABLE ${local} ${definition} ${engine}`);
    const user = quoted(layout.map(({ column }) => column).find((column) => /who|user/.test(column))!);
    const key = shardedBy === "user" ? `cityHash64(ifNull(${user}, ''))` : "rand()";
    if (shardedBy !== undefined)
      await onServer(
        servers[0]!,
        `CREATE TABLE ${name} ${definition} ENGINE = Distributed(${CLUSTER}, default, ${local}, ${key})`,
      );
    const listed = layout.map(({ column }) => quoted(column)).join(", ");
    await onServer(servers[0]!, `INSERT INTO ${name} (${listed}) FORMAT RowBinary`, {
      data: Buffer.concat(
        records.flatMap((record) => layout.map(({ column, write }) => write(record[column] ?? null))),
      ),
      settings: shardedBy === undefined ? {} : { insert_distributed_sync: "1" },
    });
    dropLater.push(() => Promise.all(servers.map((server) => onServer(server, `DROP TABLE IF EXISTS ${local}`))));
    if (local !== name) dropLater.push(() => onServer(servers[0]!, `DROP TABLE IF EXISTS ${name}`));
    while (dropLater.length > TABLES_KEPT) await dropLater.shift()!();
    return tableAddress(servers[0]!, name);
  };
}

interface ColumnLayout {
  readonly column: string;
  readonly type: string;
  write(text: string | null): Buffer;
}

function layoutOf(records: readonly RecordRow[], columns: "text" | "typed"): ColumnLayout[] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return names.map((column) => {
    const texts = records.map((record) => record[column] ?? null);
    // A number that is not there is null, however it was not there.
    const all = (test: (text: string) => boolean): boolean => texts.every((text) => isBlank(text) || test(text!));
    if (columns === "typed" && NUMBERS.has(column) && all((text) => NUMBER.test(text)))
      return { column, type: "Nullable(Float64)", write: orBlank(doubleBytes) };
    if (columns === "typed" && column === "when" && all((text) => /^-?\d{1,15}$/.test(text)))
      return { column, type: "Nullable(Int64)", write: orBlank(integerBytes) };
    if (columns === "typed" && column === "cell" && all((text) => /^\d{18}$/.test(text)))
      return { column, type: "Nullable(UInt64)", write: orBlank(integerBytes) };
    if (columns === "typed" && column === "point" && all((text) => JSON_POINT.test(text)))
      return { column, type: "Array(Float64)", write: listBytes };
    if (columns === "typed" && texts.every((text) => text !== null))
      return { column, type: "String", write: (text) => textBytes(text!) };
    return { column, type: "Nullable(String)", write: orNull(textBytes) };
  });
}

function quoted(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

function orNull(bytes: (text: string) => Buffer): (text: string | null) => Buffer {
  return (text) => (text === null ? Buffer.of(1) : Buffer.concat([Buffer.of(0), bytes(text)]));
}

function orBlank(bytes: (text: string) => Buffer): (text: string | null) => Buffer {
  return (text) => orNull(bytes)(isBlank(text) ? null : text);
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}

function doubleBytes(text: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(text));
  return bytes;
}

function integerBytes(text: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(text));
  return bytes;
}

function listBytes(text: string | null): Buffer {
  const items = isBlank(text) ? [] : JSON_POINT.exec(text!)!.slice(1);
  return Buffer.concat([Buffer.of(items.length), ...items.map(doubleBytes)]);
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length: number[] = [];
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}
