/** Turns DuckDB's errors into ours. Its own messages quote rows, which hold protected values, and are never passed on. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { howToConvert, NOT_UTF8 } from "../../sources/index.ts";

/** Never passes on the engine's text: only line numbers and counts are taken out of it, and paths that we gave it ourselves. */
export function asEngineError(error: unknown, paths: readonly string[]): VeilgridError {
  if (error instanceof VeilgridError) return error;
  const message = error instanceof Error ? error.message : "";
  const path = paths.find((each) => message.includes(each)) ?? paths[0];
  const file =
    paths.length === 1 || (path !== undefined && message.includes(path)) ? quoteForMessage(path!) : "the files";
  const csv = /^Invalid Input Error: CSV Error on Line: (\d{1,15})\n/.exec(message);
  if (csv !== null) return malformed(`${file}: line ${csv[1]}: ${csvTrouble(message)}`);
  const json = /Malformed JSON in file .*? in (?:line|record\/value) (\d{1,15})/s.exec(message);
  // It counts the object it was about to read.
  if (json !== null)
    return malformed(
      `${file}: object ${Number(json[1]) - 1} is not well-formed JSON; correct it, or cut it off if the file ends there`,
    );
  const encoding = /^Invalid Input Error: File is not (utf-16|latin-1) encoded/.exec(message)?.[1];
  if (encoding !== undefined)
    return malformed(
      `${file}: ${encoding === "utf-16" ? "there are characters beyond the 65,536 that can be read from UTF-16" : "there are bytes that Latin-1 has not, such as the € of Windows-1252"}; ${howToConvert(encoding)}`,
    );
  if (isOutOfMemory(error)) {
    return new VeilgridError(
      "INPUT_TOO_LARGE",
      `${file}: the engine's memory does not suffice; give it more with --memory, such as --memory 4GB`,
    );
  }
  if (/No space left|max_temp_directory_size/.test(message))
    return new VeilgridError(
      "INPUT_UNREADABLE",
      `${file}: no room left for temporary files; free some, or give more memory with --memory`,
    );
  if (/^IO Error: No files found|Cannot open file/.test(message))
    return new VeilgridError("INPUT_NOT_FOUND", `${file} does not exist or may not be read; check the path`);
  const kind = /^([A-Za-z ]{3,40}) Error:/.exec(message)?.[1] ?? "unknown";
  return new VeilgridError(
    "INPUT_UNREADABLE",
    `${file} cannot be read (${kind.toLowerCase()} error of the engine; its message is not shown because it may quote values)`,
  );
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Out of Memory Error");
}

function csvTrouble(message: string): string {
  const width = /^Expected Number of Columns: (\d{1,6}) Found: (\d{1,6})$/m.exec(message);
  if (width !== null)
    return `${width[2]} columns where the header has ${width[1]}; correct the row, or check --delimiter`;
  if (message.includes("unterminated quote")) return "a quote is opened and not closed";
  if (message.includes("not utf-8")) return NOT_UTF8;
  if (message.includes("Maximum line size")) return "the line is longer than 2 MB; check --delimiter and quotes";
  return "not a row of this file's form; check --delimiter and quotes";
}

function malformed(message: string): VeilgridError {
  return new VeilgridError("INPUT_MALFORMED", message);
}
