/** Files appear whole or not at all: written beside their place, synced, then renamed into it. */
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

/** Writes the chunks to `path`; a path that ends in `.gz` is compressed. */
export async function writeFileWhole(path: string, chunks: Iterable<Uint8Array | string>): Promise<void> {
  let file: FileHandle | undefined;
  let temporary: string | undefined;
  try {
    const place = await placeOf(path);
    if (place.replaceable) temporary = `${place.path}.${process.pid}.tmp`;
    file = await open(temporary ?? place.path, temporary === undefined ? "a" : "wx");
    for (const chunk of chunks) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      // A gzip file may hold several members; readers see one stream.
      await file.writeFile(path.endsWith(".gz") ? gzipSync(bytes) : bytes);
    }
    if (temporary !== undefined) await file.sync();
    await file.close();
    file = undefined;
    if (temporary !== undefined) await rename(temporary, place.path);
  } catch (error) {
    await file?.close().catch(() => undefined);
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof VeilgridError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    const reason =
      {
        ENOENT: "its folder does not exist",
        ENOTDIR: "its folder is a file",
        EACCES: "no permission",
        EISDIR: "it is a folder",
        ENOSPC: "the disk is full",
        EROFS: "read-only",
      }[code] ?? code;
    throw new VeilgridError("OUTPUT_FAILED", `cannot write ${quoteForMessage(path)}: ${reason}; nothing was written`);
  }
}

/** Refuses to write over what is being read. */
export async function refuseSameFile(source: string, out: string | undefined): Promise<void> {
  if (out === undefined) return;
  const [from, to] = await Promise.all([source, out].map((path) => realpath(path).catch(() => undefined)));
  if (from !== undefined && from === to) {
    throw new VeilgridError("USAGE", `--out ${quoteForMessage(out)} is the source itself; write to another file`);
  }
}

/** Where a link leads; a device or pipe is written to rather than replaced, and so is /dev/stdout, wherever it leads. */
async function placeOf(path: string): Promise<{ path: string; replaceable: boolean }> {
  if (path.startsWith("/dev/")) return { path, replaceable: false };
  try {
    const real = await realpath(path);
    const found = await stat(real);
    return { path: real, replaceable: found.isFile() || found.isDirectory() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { path, replaceable: true };
  }
}
