/** Describes a source of records: files and their layout, or a table; its columns and a few rows. Samples stay in memory; whoever prints them leaves out what may be a value. */

import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { SAMPLE_ROWS, type Sample } from "./cell-patterns.ts";
import type { CsvDialect } from "./csv-dialect.ts";
import type { FileKind } from "./file-head.ts";

export type FileLayout =
  | { readonly kind: "csv"; readonly dialect: CsvDialect }
  | { readonly kind: "json lines" | "json array"; readonly paths: FieldPaths }
  /** `types` are the engine's, by flattened name. */
  | { readonly kind: "parquet"; readonly paths: FieldPaths; readonly types: ReadonlyMap<string, string> };

/** Where a flattened name leads: `a.b` may be one key or two. */
export type FieldPaths = ReadonlyMap<string, readonly string[]>;

export interface DescribedFile {
  readonly path: string;
  readonly gzip: boolean;
  readonly layout: FileLayout;
  /** Columns as flags name them. In JSON others may follow later in the file. */
  readonly columns: readonly string[];
}

/** A table or view in a database. */
export interface DescribedTable {
  /** As messages call it. */
  readonly name: string;
  /** The database's own types, by column. */
  readonly types: ReadonlyMap<string, string>;
}

export interface SourceDescription {
  /** As the curator gave it. */
  readonly source: string;
  /** Empty for a table. */
  readonly files: readonly DescribedFile[];
  /** Null for files. */
  readonly table: DescribedTable | null;
  /** The first rows of the first file; some rows of a table, times in them as ISO text. */
  readonly rows: ReadonlyArray<Readonly<Record<string, Sample>>>;
  /** Whether these rows are all there are. */
  readonly isComplete: boolean;
  /** Columns of the first file, or of the table. */
  readonly columns: readonly string[];
  readonly kind: FileKind | "table";
}

/**
 * Plain objects inside a row become dotted names; arrays stay. Where each name leads is added to `paths`; of two fields that would
 * have one name the first keeps it, and the other has none.
 */
export function flatten(
  row: Readonly<Record<string, unknown>>,
  paths: Map<string, readonly string[]>,
  outer: readonly string[] = [],
): Record<string, Sample> {
  const flat: Record<string, Sample> = {};
  for (const [key, value] of Object.entries(row)) {
    const path = [...outer, key];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      Object.assign(flat, flatten(value as Record<string, unknown>, paths, path));
      continue;
    }
    const name = path.join(".");
    const known = paths.get(name);
    if (known === undefined) paths.set(name, path);
    if (known === undefined || samePath(known, path)) flat[name] = value as Sample;
  }
  return flat;
}

function samePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index]);
}

/** Names in the order in which they first appear. */
export function columnsOf(rows: ReadonlyArray<Readonly<Record<string, Sample>>>): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

export interface JsonHead {
  readonly rows: Array<Record<string, Sample>>;
  readonly paths: FieldPaths;
}

/** The first objects of a JSON file. Those that stand whole in `text`; a cut one at the end is left out. */
export function readJsonHead(text: string): JsonHead {
  const rows: Array<Record<string, Sample>> = [];
  const paths = new Map<string, readonly string[]>();
  let at = text.indexOf("{");
  while (at >= 0 && rows.length < SAMPLE_ROWS) {
    const end = endOfObject(text, at);
    if (end < 0) break;
    try {
      rows.push(flatten(JSON.parse(text.slice(at, end)) as Record<string, unknown>, paths));
    } catch {
      break; // the engine will say where
    }
    at = text.indexOf("{", end);
  }
  return { rows, paths };
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** `--user filename`: the user of a record is the name of its file, without folder and extension. */
export const FILE_NAME = "filename";

/** The name in a path, as JavaScript and DuckDB read it alike: `cabs/new_abboip.txt.gz` gives `new_abboip`. */
export const NAME_IN_PATH = "([^/\\\\]+?)(?:[.][^./\\\\]*)?(?:[.][gG][zZ])?$";

/** Whether a column is the name of the file: a real column of that name in any file wins. */
export function isFileName(column: string, files: readonly DescribedFile[]): boolean {
  return column === FILE_NAME && files.length > 0 && files.every(({ columns }) => !columns.includes(FILE_NAME));
}

/** Refuses files whose names cannot be users: a single one, or two of one name in different folders. */
export function checkFileNames(files: readonly DescribedFile[]): void {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0)
    throw new VeilgridError(
      "USAGE",
      `--user filename needs one file per user; ${quoteForMessage(only.path)} is a single file without a column 'filename'; name the column that holds the user`,
    );
  const pathOf = new Map<string, string>();
  for (const { path } of files) {
    const user = new RegExp(NAME_IN_PATH).exec(path)?.[1] ?? path;
    const other = pathOf.get(user);
    if (other !== undefined)
      throw new VeilgridError(
        "INPUT_MALFORMED",
        `--user filename: ${quoteForMessage(other)} and ${quoteForMessage(path)} would be one user, ${quoteForMessage(user)}; rename one of the files, or merge them if they are of one user`,
      );
    pathOf.set(user, path);
  }
}
