/** Files appear whole or not at all: written beside their place, synced, then renamed into it. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, type FileHandle, mkdir, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { throwIfCancelled } from "../../core/planning/index.ts";
import { modeByUsersMask } from "../../data/sources/index.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EACCES: "no permission",
  EISDIR: "it is a folder",
  EEXIST: "it is a file",
  EPERM: "no permission",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "files may not be as large here (ulimit -f)",
  EROFS: "read-only",
};

/** Writes the chunks to `path`; a path that ends in `.gz` is compressed. A file that is replaced keeps its permissions. */
export async function writeFileWhole(
  path: string,
  chunks: Iterable<Uint8Array | string>,
  signal?: AbortSignal,
): Promise<void> {
  let file: FileHandle | undefined;
  let temporary: string | undefined;
  try {
    const place = await placeOf(path);
    if (place.replaceable) {
      const name = `${place.path}.${randomBytes(6).toString("hex")}.tmp`;
      file = await open(name, "wx", place.mode);
      temporary = name;
    } else {
      file = await open(place.path, "a");
    }
    for (const chunk of chunks) {
      throwIfCancelled(signal);
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      // A gzip file may hold several members; readers see one stream.
      await file.writeFile(path.endsWith(".gz") ? gzipSync(bytes) : bytes);
    }
    if (temporary !== undefined) await file.sync();
    await file.close();
    file = undefined;
    throwIfCancelled(signal);
    if (temporary !== undefined) {
      await setMode(temporary, place.mode ?? modeByUsersMask(0o666));
      await rename(temporary, place.path);
    }
  } catch (error) {
    await file?.close().catch(() => undefined);
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    throw error instanceof VeilgridError ? error : cannotWrite(path, error);
  }
}

/** Refuses, before anything is spent, a place that cannot be written to, and a file that is in use or is any ledger. */
export async function checkTargets(
  targets: readonly string[],
  { folder, inUse }: { readonly folder: string | undefined; readonly inUse: readonly string[] },
): Promise<void> {
  const used = await Promise.all(inUse.map((file) => realpath(file).catch(() => undefined)));
  for (const target of targets) {
    const real = await realpath(target).catch(() => undefined);
    if (real !== undefined && used.includes(real))
      throw new VeilgridError("USAGE", `${quoteForMessage(target)} is in use; write to another place`);
    if ((await stat(target).catch(() => undefined))?.isDirectory())
      throw cannotWrite(target, Object.assign(new Error(), { code: "EISDIR" }));
    await refuseDatabase(target);
  }
  // A folder that is still to be made needs one above it.
  const made = folder === undefined ? true : (await stat(folder).catch(() => undefined)) !== undefined;
  for (const target of made ? targets : [folder!]) await checkWritable(target);
}

async function checkWritable(target: string): Promise<void> {
  if (target.startsWith("/dev/")) return;
  const above = dirname(resolve(target));
  try {
    if (!(await stat(above)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    await access(above, constants.W_OK);
  } catch (error) {
    throw cannotWrite(target, error);
  }
}

async function refuseDatabase(file: string): Promise<void> {
  if (isDatabase(await firstPage(file)))
    throw new VeilgridError(
      "USAGE",
      `${quoteForMessage(file)} is a ledger or another database; write to another place`,
    );
}

/** Whether a file that begins so is one of SQLite, as ledgers are. */
export function isDatabase(page: string): boolean {
  return page.startsWith("SQLite format 3\0");
}

/** The largest page that a database can have. */
const PAGE_BYTES = 65_536;

/** How a file begins, a character per byte; nothing of one that cannot be read. */
export async function firstPage(file: string): Promise<string> {
  try {
    // A pipe would wait for a writer.
    if (!(await stat(file)).isFile()) return "";
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } catch {
    return "";
  }
}

function cannotWrite(target: string, error: unknown): VeilgridError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  return new VeilgridError(
    "OUTPUT_FAILED",
    `cannot write ${quoteForMessage(target)}: ${REASONS[code] ?? code}; nothing was written`,
  );
}

/** Makes a folder where there is none; the one above it must be there. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
    await setMode(folder, modeByUsersMask(0o777));
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !found?.isDirectory()) throw cannotWrite(folder, error);
  }
}

/** Some file systems know no modes and refuse to set one; there is nothing to set then. */
export async function setMode(path: string, mode: number | undefined): Promise<void> {
  if (mode !== undefined) await chmod(path, mode).catch(() => undefined);
}

/** Refuses, before any work, to write over what is read, or to a file called `-`. */
export async function checkOut(out: string | undefined, source?: string, flag = "--out"): Promise<void> {
  if (out === undefined) return;
  if (out === "-")
    throw new VeilgridError("USAGE", `${flag} - is no file; leave ${flag} away to print to standard output`);
  await refuseDatabase(out);
  if (source === undefined) return;
  const [from, to] = await Promise.all([source, out].map((path) => realpath(path).catch(() => undefined)));
  if (from !== undefined && from === to) {
    throw new VeilgridError("USAGE", `${flag} ${quoteForMessage(out)} is the source itself; write to another file`);
  }
}

/** Refuses a file that holds something, where it could be records that exist only once. */
export async function refuseExisting(out: string): Promise<void> {
  const found = await stat(out).catch(() => undefined);
  if (found?.isFile() && found.size > 0 && !out.startsWith("/dev/"))
    throw new VeilgridError(
      "USAGE",
      `--out ${quoteForMessage(out)} exists already; add --force to replace it, or write to another file`,
    );
}

interface Place {
  readonly path: string;
  /** A device or pipe is written to rather than replaced, and so is /dev/stdout, wherever it leads. */
  readonly replaceable: boolean;
  readonly mode?: number;
}

/** Where a path leads, through links, also through one whose end does not exist yet. */
async function placeOf(path: string): Promise<Place> {
  if (path.startsWith("/dev/")) return { path, replaceable: false };
  try {
    const real = await realpath(path);
    const found = await stat(real);
    return { path: real, replaceable: found.isFile() || found.isDirectory(), mode: found.mode & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const target = await readlink(path).catch(() => undefined);
    return { path: target === undefined ? path : resolve(dirname(path), target), replaceable: true };
  }
}
