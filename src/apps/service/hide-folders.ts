/** Removes folders from messages: operations name files by their paths, callers read the last name only. */
import { basename } from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { isPattern, parseDatabaseUrl } from "../../data/sources/index.ts";

/** Of every path in a message the last name stays, be it the source's, one below `folders`, or any that is quoted. */
export function withoutFolders(message: string, source: string, folders: readonly string[] = []): string {
  const shown = shownSource(source);
  const plain = message
    .replaceAll(quoteForMessage(source), () => quoteForMessage(shown))
    .replaceAll(source, () => shown)
    .replace(/'(\/[^']*[^/'])\/*'/g, (_, path: string) => `'${lastName(path)}'`);
  return [...folders]
    .filter((folder) => folder.startsWith("/") && folder.length > 1)
    .sort((one, other) => other.length - one.length)
    .reduce((text, folder) => text.replace(below(folder), lastName), plain);
}

/** A source as callers read it: a file by its name, a table by its address. */
export function shownSource(source: string): string {
  return parseDatabaseUrl(source) === undefined ? source.replace(/^.*[\\/]/s, "") : source;
}

/** A file that a source means, by the names below the folder that the source begins with: of `/data/*\/a.csv` each `x/a.csv`. */
export function fileBelow(file: string, source: string): string {
  if (parseDatabaseUrl(file) !== undefined) return file;
  const names = source.split("/");
  const pattern = names.findIndex(isPattern);
  const folder = names.slice(0, pattern < 0 ? -1 : Math.min(pattern, names.length - 1)).join("/");
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : basename(file);
}

export function errorWithoutFolders(error: unknown, source: string, folders?: readonly string[]): unknown {
  if (!(error instanceof VeilgridError)) return error;
  return new VeilgridError(error.code, withoutFolders(error.message, source, folders), { cause: error });
}

/** The folder and what follows of a path. */
function below(folder: string): RegExp {
  return new RegExp(`${folder.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(/[^\\s'"]*)?(?![\\w-])`, "g");
}

/** A quoted path may have lost its middle; what is left before that is of a folder, too. */
function lastName(path: string): string {
  return basename(path).replace(/^.*?\.{3}/, "...");
}
