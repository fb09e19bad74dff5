/** One service per state folder. */
import path from "node:path";
import { VeilgridError } from "../errors/index.ts";
import { lockFile } from "../sources/index.ts";

/** Refuses a folder that another process serves. */
export function lockState(folder: string): Disposable {
  const lock = lockFile(path.join(folder, "serving.lock"), { waitMs: 200 });
  if (lock === undefined)
    throw new VeilgridError(
      "LEDGER_UNAVAILABLE",
      "another process serves this state folder; stop it first, or give this one another --state",
    );
  return lock;
}
