/** Checks that engines share: a source has every column a recipe reads, and an address names a table. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { recipeColumns } from "../../partition/index.ts";
import {
  checkFileNames,
  type DatabaseUrl,
  type DialectOptions,
  isFileName,
  looksLikeAmount,
  type SourceDescription,
} from "../../sources/index.ts";
import type { Records } from "../engine.ts";

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
  const flags = {
    delimiter: "--delimiter",
    header: "--header",
    decimalComma: "--decimal-comma",
    encoding: "--encoding",
  } as const;
  for (const [name, flag] of Object.entries(flags) as Array<[keyof typeof flags, string]>) {
    if (dialect[name] === undefined) continue;
    throw new VeilgridError("USAGE", `${flag} is about text files; a table has no such thing, so leave it out`);
  }
}

/** What a first look learns of a table; of a sample as long as was asked for there may be more. */
export function describedTable(
  source: string,
  table: { readonly name: string; readonly types: ReadonlyMap<string, string> },
  { rows, most }: { readonly rows: SourceDescription["rows"]; readonly most: number },
): SourceDescription {
  const columns = [...table.types.keys()];
  return { source, files: [], table, rows, isComplete: rows.length < most, columns, kind: "table" };
}
