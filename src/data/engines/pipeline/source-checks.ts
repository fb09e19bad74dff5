/** Checks that engines share: a source has every column a recipe reads, and an address names a table. */
import { itemAt, quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { recipeColumns } from "../../partition/index.ts";
import {
  checkFileNames,
  type DatabaseUrl,
  type DialectOptions,
  isFileName,
  looksLikeAmount,
  type Sample,
  type SourceDescription,
} from "../../sources/index.ts";
import type { DescribeOptions, Records } from "../engine.ts";

/** Every file must have every column, and so must a table; in JSON, among its first thousands of objects. A name written wrong would pass for a missing field. */
export function checkColumns({ source, recipe }: Records): void {
  const usersAreFiles = isFileName(recipe.user, source.files);
  if (usersAreFiles) checkFileNames(source.files);
  const parts =
    source.table === null
      ? source.files.map(({ path, columns }) => ({ name: path, columns }))
      : [{ name: source.table.name, columns: source.columns }];
  for (const { name: part, columns } of parts) {
    for (const { flag, column } of recipeColumns(recipe)) {
      if (columns.includes(column) || (usersAreFiles && flag === "--user")) continue;
      // A first row taken for a header may hold values.
      const names = columns
        .slice(0, 20)
        .map((name) => (looksLikeAmount(name) ? "…" : quoteForMessage(name)))
        .join(", ");
      throw new VeilgridError(
        "INPUT_MALFORMED",
        `${quoteForMessage(part)} has no column ${quoteForMessage(column)} (${flag}); it has ${names}`,
      );
    }
  }
}

export function tableNamed({ parameters, shown, kind }: DatabaseUrl): string {
  const table = parameters.get("table");
  if (table === undefined || table === "")
    throw new VeilgridError(
      "USAGE",
      `${quoteForMessage(shown)} names no table; write ${kind}://user@host/database?table=NAME`,
    );
  return table;
}

export function refuseDialect(dialect: DialectOptions): void {
  for (const name of ["delimiter", "header", "decimalComma", "encoding"] as const) {
    if (dialect[name] === undefined) continue;
    const flag = name === "decimalComma" ? "decimal-comma" : name;
    throw new VeilgridError("USAGE", `--${flag} is about text files; a table has no such thing, so leave it out`);
  }
}

/** What a first look learns of a table from the columns that may be `sampled`; there may be more rows than the sample's. */
export async function describedTable<Cell>(
  source: string,
  table: { readonly name: string; readonly types: ReadonlyMap<string, string> },
  {
    sampled,
    most,
    read,
    sampleOf,
  }: {
    readonly sampled: DescribeOptions["sampled"];
    readonly most: number;
    readonly read: (columns: readonly string[]) => Promise<ReadonlyArray<readonly Cell[]>>;
    readonly sampleOf: (cell: Cell, column: string) => Sample;
  },
): Promise<SourceDescription> {
  const columns = [...table.types.keys()];
  const wanted = columns.filter((column) => sampled?.includes(column) ?? true);
  const cells = wanted.length === 0 ? [] : await read(wanted);
  const rows = cells.map((row) =>
    Object.fromEntries(wanted.map((column, at) => [column, sampleOf(itemAt(row, at), column)])),
  );
  return { source, files: [], table, rows, isComplete: rows.length < most, columns, kind: "table" };
}

/** What stands between the commas of a list outside of parentheses; what follows the list's end is none of it. `tokens` finds quoted names whole. */
export function topLevelParts(list: string, tokens: RegExp): string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of list.matchAll(tokens)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth < 0) break;
    if (token === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}
