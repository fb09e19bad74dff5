/** Whether a source has every column that a recipe reads. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { recipeColumns } from "../partition/index.ts";
import { checkFileNames, isFileName, looksLikeAmount } from "../sources/index.ts";
import type { Records } from "./engine.ts";

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
