/** Describes a PostgreSQL table: its name, its columns and a few rows. Views, partitioned and foreign tables are tables. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { Sample, SourceDescription } from "../../sources/index.ts";
import type { DescribeOptions } from "../engine.ts";
import { describedTable } from "../pipeline/source-checks.ts";
import type { Database } from "./database.ts";
import { identifier } from "./dialect.ts";
import type { Table } from "./fields.ts";

const SAMPLE_ROWS = 1_000;

/** The first that exists of: the whole name in the schema given or in the session's path; what follows the first dot in the schema before it. */
export async function findTable(
  database: Database,
  { table, schema }: { readonly table: string; readonly schema: string | undefined },
  shown: string,
): Promise<Table> {
  if (`${table}${schema ?? ""}`.includes("\0"))
    throw new VeilgridError("USAGE", "the table's name has a zero byte in it, which no name in PostgreSQL can have");
  const schemas = schema === undefined ? database.facts.searchPath : [schema];
  const tries = schemas.map((each) => ({ schema: each, table }));
  const dot = table.indexOf(".");
  if (schema === undefined && dot > 0) tries.push({ schema: table.slice(0, dot), table: table.slice(dot + 1) });
  for (const each of tries) {
    if (/^(pg_.*|information_schema)$/.test(each.schema)) continue;
    const [found] = await database.rows(
      `SELECT c.oid, c.relkind, has_schema_privilege(n.oid, 'USAGE') FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE CAST(c.relname AS text) = $1 AND CAST(n.nspname AS text) = $2`,
      [each.table, each.schema],
    );
    if (found === undefined) continue;
    const [oid, kind, mayUse] = found;
    if (!"rvmfp".includes(kind!))
      throw new VeilgridError(
        "INPUT_UNREADABLE",
        `${quoteForMessage(`${each.schema}.${each.table}`)} is no table or view; name one that is`,
      );
    if (mayUse !== "t")
      throw new VeilgridError(
        "INPUT_UNREADABLE",
        `${quoteForMessage(shown)} does not let this user into schema ${quoteForMessage(each.schema)}; GRANT USAGE on it`,
      );
    return { schema: each.schema, name: each.table, types: await typesOf(database, oid!) };
  }
  const where =
    schema === undefined
      ? `in the schemas that are searched (${database.facts.searchPath.map(quoteForMessage).join(", ") || "none"}); write schema.table, or &schema=NAME`
      : `in schema ${quoteForMessage(schema)}; check both names`;
  throw new VeilgridError(
    "INPUT_NOT_FOUND",
    `${quoteForMessage(shown)} has no table ${quoteForMessage(table)} ${where}`,
  );
}

/** Domains are taken for what they are made of. */
async function typesOf(database: Database, oid: string): Promise<Map<string, string>> {
  const rows = await database.rows(
    `WITH RECURSIVE typed AS (
       SELECT attnum, attname, atttypid AS type FROM pg_attribute WHERE attrelid = CAST($1 AS oid) AND attnum > 0 AND NOT attisdropped
       UNION ALL
       SELECT attnum, attname, typbasetype FROM typed JOIN pg_type ON pg_type.oid = typed.type WHERE typtype = 'd'
     )
     SELECT attname, format_type(type, NULL) FROM typed JOIN pg_type ON pg_type.oid = typed.type WHERE typtype <> 'd' ORDER BY attnum`,
    [oid],
  );
  return new Map(rows.map(([name, type]) => [name!, type!]));
}

export function nameOf({ schema, name }: Table): string {
  return `${schema}.${name}`;
}

export async function describeTable(
  database: Database,
  { source, table }: { source: string; table: Table },
  options: DescribeOptions,
): Promise<SourceDescription> {
  const { types } = table;
  if (types.size === 0) throw new VeilgridError("INPUT_EMPTY", `${quoteForMessage(nameOf(table))} has no columns`);
  const read = (columns: readonly string[]): ReturnType<Database["rows"]> => {
    const listed = columns.map((column) => `CAST(${identifier(column)} AS text)`).join(", ");
    const from = `${identifier(table.schema)}.${identifier(table.name)}`;
    return database.rows(`SELECT ${listed} FROM ${from} LIMIT ${SAMPLE_ROWS}`, [], options);
  };
  return describedTable(
    source,
    { name: nameOf(table), types },
    {
      sampled: options.sampled,
      most: SAMPLE_ROWS,
      read,
      sampleOf: (text, column) => sampleOf(text, types.get(column)!),
    },
  );
}

const NUMBERS = ["smallint", "integer", "bigint", "real", "double precision", "numeric"];

function sampleOf(text: string | null, type: string): Sample {
  if (text === null) return null;
  if (NUMBERS.includes(type) && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean") return text === "true";
  if (type.startsWith("timestamp")) return text.replace(" ", "T").replace(/\+00$/, "Z");
  if (type === "point") return text.slice(1, -1).split(",").map(Number);
  if (type.endsWith("[]") && NUMBERS.includes(type.slice(0, -2)) && /^\{[^{}]*\}$/.test(text))
    return text.slice(1, -1).split(",").map(Number);
  return text;
}
