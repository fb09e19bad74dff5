/** Describes files of records: which there are, how they are written, which columns they have. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import {
  columnsOf,
  type DescribedFile,
  type DialectOptions,
  flatten,
  isPattern,
  plainAmount,
  readFileHead,
  readJsonHead,
  SAMPLE_ROWS,
  type SourceDescription,
  sniffCsv,
} from "../../sources/index.ts";
import { topLevelParts } from "../pipeline/source-checks.ts";
import type { Database } from "./database.ts";
import { text } from "./dialect.ts";
import { asEngineError } from "./engine-errors.ts";
import { parquetFiles } from "./fields.ts";

const PARQUET_SAMPLE_ROWS = 1_000;

/** A file, and as many of its first rows as are looked at. */
interface DescribedHead extends Pick<SourceDescription, "rows" | "isComplete"> {
  readonly file: DescribedFile;
}

export async function describeFiles(
  database: Database,
  source: string,
  stated: DialectOptions,
): Promise<SourceDescription> {
  const paths = await expandSource(database, source);
  const described: DescribedHead[] = [];
  for (const path of paths) described.push(await describeFile(database, path, stated));
  const { file, rows, isComplete } = itemAt(described, 0);
  return {
    source,
    files: described.map((each) => each.file),
    table: null,
    rows,
    isComplete: isComplete && described.length === 1,
    columns: file.columns,
    kind: file.layout.kind,
  };
}

/** A path as it stands if there is such a file, otherwise what the pattern matches, in order. */
export async function expandSource(database: Database, source: string): Promise<string[]> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    throw new VeilgridError(
      "INPUT_NOT_FOUND",
      `${quoteForMessage(source)} is no file and no postgres:// or clickhouse:// address; save what is there as CSV or Parquet first`,
    );
  if (!isPattern(source)) return [source];
  const literal = await readFileHead(source).catch(() => undefined);
  if (literal !== undefined) return [source];
  const found = await database.rows(`SELECT file FROM glob(${text(source)}) ORDER BY file`);
  if (found.length === 0)
    throw new VeilgridError("INPUT_NOT_FOUND", `${quoteForMessage(source)} matches no file; check the pattern`);
  // The engine writes ./ before what was given without it.
  return found.map(([file]) => (source.startsWith("./") ? String(file) : String(file).replace(/^\.\//, "")));
}

async function describeFile(database: Database, path: string, stated: DialectOptions): Promise<DescribedHead> {
  const head = await readFileHead(path, stated.encoding);
  if (head.kind === "parquet") return describeParquet(database, path);
  if (head.kind === "csv") {
    const { dialect: sniffed, rows } = named(path, () => sniffCsv(head.text, head.complete, stated));
    const dialect = { ...sniffed, encoding: head.encoding };
    // As they are read, so that whoever looks at them need not know how they are written.
    const forms = new Map(dialect.amounts?.map((form) => [form.column, form]));
    const objects = rows.map((row) =>
      Object.fromEntries(
        dialect.columns.map((column, index) => {
          const form = forms.get(column);
          const cell = row[index] ?? null;
          return [column, form === undefined || cell === null ? cell : plainAmount(cell, form)];
        }),
      ),
    );
    return {
      file: { path, gzip: head.gzip, layout: { kind: "csv", dialect }, columns: dialect.columns },
      rows: objects,
      isComplete: head.complete && rows.length < SAMPLE_ROWS,
    };
  }
  const { rows, paths } = readJsonHead(head.text);
  if (rows.length === 0) {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(path)} begins like JSON but holds no object that can be read`,
    );
  }
  return {
    file: { path, gzip: head.gzip, layout: { kind: head.kind, paths }, columns: columnsOf(rows) },
    rows,
    isComplete: head.complete && rows.length < SAMPLE_ROWS,
  };
}

async function describeParquet(database: Database, path: string): Promise<DescribedHead> {
  try {
    const relation = parquetFiles([path]);
    const schema = await database.rows(`DESCRIBE SELECT * FROM ${relation}`);
    const paths = new Map<string, readonly string[]>();
    const sampled = await database.objects(`FROM ${relation} LIMIT ${PARQUET_SAMPLE_ROWS}`);
    const rows = sampled.map((row) => flatten(row, new Map()));
    const types = new Map<string, string>();
    for (const leaf of schema.flatMap(([name, type]) => leaves([String(name)], String(type)))) {
      const name = leaf.path.join(".");
      if (types.has(name)) continue;
      types.set(name, leaf.type);
      paths.set(name, leaf.path);
    }
    const columns = [...types.keys()];
    return {
      file: { path, gzip: false, layout: { kind: "parquet", paths, types }, columns },
      rows,
      isComplete: rows.length < PARQUET_SAMPLE_ROWS,
    };
  } catch (error) {
    throw asEngineError(error, [path]);
  }
}

/** `STRUCT("type" VARCHAR, coordinates DOUBLE[])` as its fields; any other type as it is. */
function leaves(path: readonly string[], type: string): Array<{ path: readonly string[]; type: string }> {
  if (!type.startsWith("STRUCT(") || !type.endsWith(")")) return [{ path, type }];
  return topLevelParts(type.slice(7, -1), /"(?:[^"]|"")*"|./gs).flatMap((field) => {
    const match = /^(?:"((?:[^"]|"")*)"|(\S+)) (.*)$/s.exec(field);
    if (match === null) return [];
    return leaves([...path, match[1]?.replaceAll('""', '"') ?? match[2]!], match[3]!);
  });
}

/** Says which file an error without a name is about. */
function named<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof VeilgridError)
      throw new VeilgridError(error.code, `${quoteForMessage(path)}: ${error.message}`);
    throw error;
  }
}
