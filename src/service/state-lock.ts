/** One service per state folder: a lock that the operating system lets go of with the process, however it ends. */
import path from "node:path";
import Driver from "libsql";
import { VeilgridError } from "../errors/index.ts";

/** Refuses a folder that another process serves. */
export function lockState(folder: string): Disposable {
  const database = new Driver(path.join(folder, "serving.lock"));
  try {
    database.exec("PRAGMA busy_timeout = 200; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw new VeilgridError(
      "LEDGER_UNAVAILABLE",
      "another process serves this state folder; stop it first, or give this one another --state",
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}
