/** Opens the ledger in a file; only `ledger init` makes one. */
import { open, stat } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { Ledger, type LedgerOptions } from "./ledger.ts";
import { CANNOT_OPEN, ledgerUnavailable } from "./sqlite-errors.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

export interface LedgerFileOptions extends LedgerOptions, SqliteStoreOptions {}

export async function openLedgerFile(path: string, options: LedgerFileOptions = {}): Promise<Ledger> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw ledgerUnavailable(path, CANNOT_OPEN, error);
  });
  if (found !== undefined && !found.isFile()) throw ledgerUnavailable(path, CANNOT_OPEN);
  if (found === undefined) {
    if (!options.create) throw noLedgerAt(path);
    await makeFile(path);
  }
  return new Ledger(await SqliteStore.open(path, options), options);
}

function noLedgerAt(path: string): VeilgridError {
  return new VeilgridError(
    "LEDGER_NOT_FOUND",
    `no ledger at ${quoteForMessage(path)}; make one with veilgrid ledger init --ledger ${path} --dataset NAME --budget 1 --occupancy-is-public`,
  );
}

/** Readable by its owner only: it says who lost how much. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw ledgerUnavailable(path, CANNOT_OPEN, error);
  }
}
