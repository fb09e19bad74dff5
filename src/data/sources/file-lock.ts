/** A lock on a file that the operating system releases with the process that holds it, however that process ends. */
import { createRequire } from "node:module";

/** Locks `file`, which is made where there is none; undefined where it is locked already or cannot be locked. */
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
