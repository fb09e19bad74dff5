/** Writes a file that only its owner may read, whole or not at all: beside its place, synced, then renamed into it. */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** Once it returns, the file is on disk, name and all. */
export function writePrivateFile(path: string, content: string | Iterable<Uint8Array>): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeSynced(temporary, typeof content === "string" ? [content] : content);
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new VeilgridError("OUTPUT_FAILED", `cannot write ${quoteForMessage(path)} (${code}); nothing was written`, {
      cause: error,
    });
  }
}

function writeSynced(path: string, chunks: Iterable<string | Uint8Array>): void {
  const handle = openSync(path, "wx", 0o600);
  try {
    for (const chunk of chunks) writeFileSync(handle, chunk);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
