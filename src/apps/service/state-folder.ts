/** Makes, locks and writes the state folder, which only its owner may read. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { lockFile } from "../../data/sources/index.ts";

const CANNOT_OPEN = "cannot be opened; check that it can be a folder, that the one above it is there, and permissions";
export const NOT_A_STATE = "has a service.db that is not of a service; name another folder, or a new one";
export const DAMAGED = "has a damaged service.db; restore the folder from a backup";

/** By SQLite's primary result codes; any other means damage. */
const SENTENCES: Readonly<Record<number, string>> = {
  5: "is locked by another process; nothing was changed; repeat when that is done",
  6: "is locked by another process; nothing was changed; repeat when that is done",
  8: "cannot be written; nothing was changed; check the permissions of the folder and its files",
  10: "could not be read or written by the disk; check the disk, then repeat",
  13: "cannot grow, the disk is full; nothing was changed; make room and repeat",
  14: CANNOT_OPEN,
  26: NOT_A_STATE,
};

export function stateUnavailable(folder: string, what = CANNOT_OPEN, cause?: unknown): VeilgridError {
  return new VeilgridError("LEDGER_UNAVAILABLE", `service state ${quoteForMessage(folder)} ${what}`, { cause });
}

/** An error of the database as one line; other errors pass unchanged. */
export function asStateError(error: unknown, folder: string): unknown {
  const raw = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof raw === "number" ? stateUnavailable(folder, SENTENCES[raw & 0xff] ?? DAMAGED, error) : error;
}

/** Makes a folder for its owner only; one that exists stays as it is. The folder above must exist. */
export function makeFolder(path: string, state: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw stateUnavailable(state, CANNOT_OPEN, error);
  }
}

/** Makes an empty file for its owner only; one that exists stays as it is. */
export function makePrivateFile(file: string, state: string): void {
  orUnavailable(state, () => closeSync(openSync(file, "a", 0o600)));
}

function orUnavailable(state: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw stateUnavailable(state, CANNOT_OPEN, error);
  }
}

/** Refuses a folder that another process serves. The operating system releases the lock when the process ends, however it ends. */
export function lockState(folder: string): Disposable {
  const file = join(folder, "serving.lock");
  // Earlier versions left it readable for everyone. An existing one is not opened here: POSIX drops all locks of a process on a file that the process closes.
  if (existsSync(file)) orUnavailable(folder, () => chmodSync(file, 0o600));
  else makePrivateFile(file, folder);
  const lock = lockFile(file, { waitMs: 200 });
  if (lock === undefined)
    throw new VeilgridError(
      "LEDGER_UNAVAILABLE",
      "another process serves this state folder; stop it first, or give this one another --state",
    );
  return lock;
}

/** Writes a file that only its owner may read: beside its place, synced, then renamed. Once it returns, the file is on disk, name and all. */
export function writePrivateFile(path: string, content: string | Iterable<Uint8Array>): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    withFile(temporary, "wx", (handle) => {
      for (const chunk of typeof content === "string" ? [content] : content) writeFileSync(handle, chunk);
    });
    renameSync(temporary, path);
    withFile(dirname(path), "r", () => undefined);
  } catch (error) {
    rmSync(temporary, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new VeilgridError("OUTPUT_FAILED", `cannot write ${quoteForMessage(path)} (${code}); nothing was written`, {
      cause: error,
    });
  }
}

/** Opens a file or folder, and syncs it afterwards. */
function withFile(path: string, flags: string, work: (handle: number) => void): void {
  const handle = openSync(path, flags, 0o600);
  try {
    work(handle);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
