/** What a source of records holds: files and their layout, columns, a few rows. Samples stay in memory; who prints them leaves out what may be a value. */
import type { CsvDialect } from "./csv-dialect.ts";
import type { FileKind } from "./file-head.ts";

/** A cell of a sampled row, nested fields flattened to dotted names. */
export type Sample = string | number | boolean | null | readonly unknown[];

export type FileLayout =
  | { readonly kind: "csv"; readonly dialect: CsvDialect }
  /** `keys` are the names at the top level; a dotted name may lead inside one. */
  | { readonly kind: "json lines" | "json array"; readonly keys: ReadonlySet<string> }
  /** `types` are the engine's, by flattened name. */
  | { readonly kind: "parquet"; readonly keys: ReadonlySet<string>; readonly types: ReadonlyMap<string, string> };

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

/** Plain objects inside a row become dotted names; arrays stay. */
export function flatten(row: Readonly<Record<string, unknown>>, prefix = ""): Record<string, Sample> {
  const flat: Record<string, Sample> = {};
  for (const [key, value] of Object.entries(row)) {
    const name = `${prefix}${key}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      Object.assign(flat, flatten(value as Record<string, unknown>, `${name}.`));
    else flat[name] = value as Sample;
  }
  return flat;
}

/** Names in the order in which they first appear. */
export function columnsOf(rows: ReadonlyArray<Readonly<Record<string, Sample>>>): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
