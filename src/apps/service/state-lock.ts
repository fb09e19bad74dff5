/** One service per state folder: a lock that the operating system lets go of with the process, however it ends. */
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import path from "node:path";
import { VeilgridError } from "../../core/errors/index.ts";
import { lockFile } from "../../data/sources/index.ts";
import { CANNOT_OPEN, stateUnavailable } from "./store-errors.ts";

/** Refuses a folder that another process serves. */
export function lockState(folder: string): Disposable {
  const file = path.join(folder, "serving.lock");
  makePrivate(file, folder);
  const lock = lockFile(file, { waitMs: 200 });
  if (lock === undefined)
    throw new VeilgridError(
      "LEDGER_UNAVAILABLE",
      "another process serves this state folder; stop it first, or give this one another --state",
    );
  return lock;
}

/** For its owner only. */
function makePrivate(file: string, folder: string): void {
  try {
    // Earlier versions left it readable for everyone. It is not opened here once it is there: POSIX drops all locks of a process on a file that the process closes.
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw stateUnavailable(folder, CANNOT_OPEN, error);
  }
}
