/** Files appear whole or not at all: written beside their place, synced, then renamed into it. */
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

/** Writes the chunks to `path`; a path that ends in `.gz` is compressed. */
export async function writeFileWhole(path: string, chunks: Iterable<Uint8Array | string>): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, "wx");
    for (const chunk of chunks) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      // A gzip file may hold several members; readers see one stream.
      await file.writeFile(path.endsWith(".gz") ? gzipSync(bytes) : bytes);
    }
    await file.sync();
    await file.close();
    file = undefined;
    await rename(temporary, path);
  } catch (error) {
    await file?.close();
    await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof VeilgridError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    const reason =
      {
        ENOENT: "its folder does not exist",
        EACCES: "no permission",
        EISDIR: "it is a folder",
        ENOSPC: "the disk is full",
        EROFS: "read-only",
      }[code] ?? code;
    throw new VeilgridError("OUTPUT_FAILED", `cannot write ${quoteForMessage(path)}: ${reason}; nothing was written`);
  }
}
