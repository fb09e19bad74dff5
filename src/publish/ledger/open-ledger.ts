/** Opens a ledger wherever it is: in a file, or in a database that several machines share. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { parseDatabaseUrl } from "../../data/sources/index.ts";
import type { Ledger, LedgerOptions } from "./ledger.ts";
import { openLedgerDatabase } from "./open-ledger-database.ts";
import { openLedgerFile } from "./open-ledger-file.ts";

/** Whether it is the address of a database, not a file. */
export function isLedgerAddress(place: string): boolean {
  return parseDatabaseUrl(place) !== undefined;
}

export async function openLedgerAt(
  place: string,
  options: LedgerOptions & { readonly create?: boolean | undefined } = {},
): Promise<Ledger> {
  if (isLedgerAddress(place)) return openLedgerDatabase(place, options);
  // A slip in an address must not make a file with fresh budgets.
  if (/^[a-z]+:\/\/|^(postgres|postgresql|clickhouse):/i.test(place))
    throw new VeilgridError(
      "USAGE",
      `--ledger ${quoteForMessage(place)} is no address of a ledger; write postgres://user@host/database, or a file's name (./ before it, if it has a colon)`,
    );
  return openLedgerFile(place, options);
}
