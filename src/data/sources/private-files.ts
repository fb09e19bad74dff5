/** Keeps files that nobody else may read: modes of new files, locks, and temporary folders for rows. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

const PREFIX = "veilgrid-rows-";
const NAME = /^veilgrid-rows-[A-Za-z0-9]{6}$/;
/** Held locked by the process that the folder belongs to. Ids of processes do not tell who is alive: they come again, and containers may share a folder. */
const LOCK = "lock";
const ATTEMPTS = 5;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is a file",
  EACCES: "no permission",
  EPERM: "no permission",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "read-only",
};

/** A folder of this process alone. It goes away with its process or, after a kill, with the next process that makes one. */
export class TemporaryFolder implements Disposable {
  static readonly #open = new Set<TemporaryFolder>();
  /** When the program ends without waiting for who made the folders. One listener: Node warns of more than ten. */
  static readonly #removeAll = (): void => {
    for (const folder of TemporaryFolder.#open) folder.#remove();
  };

  readonly path: string;
  readonly #lock: Disposable;

  private constructor(path: string, lock: Disposable) {
    this.path = path;
    this.#lock = lock;
    if (TemporaryFolder.#open.size === 0) process.once("exit", TemporaryFolder.#removeAll);
    TemporaryFolder.#open.add(this);
  }

  /** Removes what killed processes left, then makes a folder. Where none can be made, one line says what to do. */
  static make(): TemporaryFolder {
    try {
      removeLeftFolders();
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const path = mkdtempSync(join(tmpdir(), PREFIX));
        const lock = lockFile(join(path, LOCK), { waitMs: 0 });
        // Before the lock was taken, another process may have taken the folder for one that was left, and removed it.
        if (lock !== undefined && existsSync(join(path, LOCK))) return new TemporaryFolder(path, lock);
        lock?.[Symbol.dispose]();
      }
    } catch (error) {
      throw noTemporaryFiles(error);
    }
    throw noTemporaryFiles({ code: "files cannot be locked there" });
  }

  [Symbol.dispose](): void {
    TemporaryFolder.#open.delete(this);
    if (TemporaryFolder.#open.size === 0) process.removeListener("exit", TemporaryFolder.#removeAll);
    this.#remove();
  }

  #remove(): void {
    this.#lock[Symbol.dispose]();
    removeFolder(this.path);
  }
}

/** Removes the folders of this user whose processes are gone. */
export function removeLeftFolders(): void {
  for (const name of namesIn(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!NAME.test(name) || !isOurs(path)) continue;
    using lock = lockFile(join(path, LOCK), { waitMs: 0 });
    if (lock !== undefined) removeFolder(path);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Anyone may put links and folders of such names into a folder that all share. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}

/** What cannot be removed now, such as a folder that another process is removing, is left to the next. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
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

/**
 * Locks `file`, which is made where there is none; undefined where it is locked already or cannot be locked. The operating system
 * releases the lock with the process that holds it, however that process ends.
 */
export function lockFile(file: string, { waitMs }: { readonly waitMs: number }): Disposable | undefined {
  // Loaded when there is something to lock: the library by itself loads no native code.
  const Driver = createRequire(import.meta.url)("libsql") as typeof import("libsql");
  let database: InstanceType<typeof Driver> | undefined;
  try {
    database = new Driver(file);
    database.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
  } catch {
    database?.close();
    return undefined;
  }
  const held = database;
  return { [Symbol.dispose]: () => held.close() };
}

let usersMask: number | undefined;

/** From here on new files of this process are for their owner only: nothing else tells an engine how to create its files. For programs, not for a library. */
export function keepNewFilesPrivate(): void {
  usersMask ??= process.umask(0o077);
}

/** The mode that the user's own umask gives a new file or folder; undefined where it is in force anyway. */
export function modeByUsersMask(mode: number): number | undefined {
  return usersMask === undefined ? undefined : mode & ~usersMask;
}
