/** `--user filename`: the user of a record is the name of its file, without folder and extension. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { DescribedFile } from "./description.ts";

export const FILE_NAME = "filename";

/** The name in a path, as JavaScript and DuckDB read it alike: `cabs/new_abboip.txt.gz` gives `new_abboip`. */
export const NAME_IN_PATH = "([^/\\\\]+?)(?:[.][^./\\\\]*)?(?:[.][gG][zZ])?$";

/** Whether a column is the name of the file: a real column of that name in any file wins. */
export function isFileName(column: string, files: readonly DescribedFile[]): boolean {
  return column === FILE_NAME && files.length > 0 && files.every(({ columns }) => !columns.includes(FILE_NAME));
}

/** Refuses files whose names cannot be users: a single one, or two of one name in different folders. */
export function checkFileNames(files: readonly DescribedFile[]): void {
  if (files.length === 1)
    throw new VeilgridError(
      "USAGE",
      `--user filename needs one file per user; ${quoteForMessage(files[0]!.path)} is a single file without a column 'filename'; name the column that holds the user`,
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
