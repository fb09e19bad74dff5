/** Messages without places: operations name files as they were given to them; where they lie is the service's business. */
import { basename } from "node:path";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

/** Of every path in a message the last name stays, be it the source's, one below `folders`, or any that is quoted. */
export function withoutFolders(message: string, source: string, folders: readonly string[] = []): string {
  const plain = message
    .replaceAll(quoteForMessage(source), () => quoteForMessage(basename(source)))
    .replaceAll(source, () => basename(source))
    .replace(/'(\/[^']*[^/'])\/*'/g, (_, path: string) => `'${lastName(path)}'`);
  return [...folders]
    .filter((folder) => folder.startsWith("/") && folder.length > 1)
    .sort((one, other) => other.length - one.length)
    .reduce((text, folder) => text.replace(below(folder), lastName), plain);
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
