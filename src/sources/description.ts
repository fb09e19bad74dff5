/** What a source of records holds: files and their layout, columns, a few rows. Samples stay in memory; who prints them leaves out what may be a value. */
import type { CsvDialect } from "./csv-dialect.ts";
import type { FileKind } from "./file-head.ts";

/** A cell of a sampled row, nested fields flattened to dotted names. */
export type Sample = string | number | boolean | null | readonly unknown[];

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

export interface SourceDescription {
  /** As the curator gave it. */
  readonly source: string;
  readonly files: readonly DescribedFile[];
  /** The first rows of the first file. */
  readonly rows: ReadonlyArray<Readonly<Record<string, Sample>>>;
  /** Columns of the first file. */
  readonly columns: readonly string[];
  readonly kind: FileKind;
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
