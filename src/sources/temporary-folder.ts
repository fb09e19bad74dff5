/** A private folder for temporary files; where none can be made, one line that says what to do. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is a file",
  EACCES: "no permission",
  EPERM: "no permission",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "read-only",
};

export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw noTemporaryFiles(error);
  }
}

/** What the system says of a temporary file, as one line. */
export function noTemporaryFiles(error: unknown): VeilgridError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  return new VeilgridError(
    "OUTPUT_FAILED",
    `no temporary files can be written to ${quoteForMessage(tmpdir())}: ${REASONS[code] ?? code}; make room there, or set TMPDIR to another folder`,
    { cause: error },
  );
}
