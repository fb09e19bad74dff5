/** Signs that a ledger is an older copy: a ledger beside it that goes on where it ends, or a result that it does not have. */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import { isLedgerAddress, type Ledger } from "../../ledger/index.ts";
import { committedUnder, readResult, resultText } from "../../release/index.ts";
import { newerLedgerBeside } from "./ledgers-beside.ts";

export interface OutdatedLookup {
  /** The ledger's file, or its database's address. */
  readonly place: string;
  readonly dataset: string;
  /** The file or folder that the release goes to; undefined if it is printed. */
  readonly out: string | undefined;
}

/** Refuses to release from a ledger that seems to have forgotten what was spent. */
export async function refuseOutdated(ledger: Ledger, lookup: OutdatedLookup): Promise<void> {
  const sign = (await newerLedgerBeside(ledger, lookup.place)) ?? (await forgottenResult(ledger, lookup));
  if (sign === undefined) return;
  throw new VeilgridError(
    "LEDGER_CONFLICT",
    `${sign}: this ledger is an older copy or another one, and may hold a budget that is spent; release from the ledger that was charged, or add --ledger-is-current if that is this one`,
  );
}

/** Looks through the folders of the ledger and of the output, and through the folders in these. */
async function forgottenResult(ledger: Ledger, { place, dataset, out }: OutdatedLookup): Promise<string | undefined> {
  const places = [...(isLedgerAddress(place) ? [] : [place]), ...(out === undefined ? [] : [out])];
  const folders = new Set(places.map((file) => path.dirname(file)));
  for (const folder of folders)
    for await (const file of resultFilesIn(folder)) {
      const text = await privateResultIn(file, dataset);
      if (text === undefined) continue;
      const { key, rows } = readResult(text);
      const grids = rows.map(({ grid }) => grid);
      const found = await committedUnder(ledger, { dataset, key, parts: grids });
      const texts = grids.flatMap((grid) => found?.texts.get(grid) ?? []);
      if (found !== undefined && texts.length === grids.length && resultText(found.header, texts) === text) continue;
      return `${quoteForMessage(file)} holds release ${quoteForMessage(key)} of dataset ${quoteForMessage(dataset)}, which this ledger does not have`;
    }
  return undefined;
}

async function* resultFilesIn(folder: string, depth = 1): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const file = path.join(folder, entry.name);
    if (/(^|\.)result\.json$/.test(entry.name)) yield file;
    else if (depth > 0 && !entry.isFile()) yield* resultFilesIn(file, depth - 1);
  }
}

/** The text of a result of the dataset, as it was written; undefined if the file is something else or NOT PRIVATE. */
async function privateResultIn(file: string, dataset: string): Promise<string | undefined> {
  try {
    // A pipe would wait for a writer.
    if (!(await stat(file)).isFile()) return undefined;
    const text = `${JSON.stringify(JSON.parse(await readFile(file, "utf8")))}\n`;
    const result = readResult(text);
    return result.dataset === dataset && !result.notPrivate ? text : undefined;
  } catch {
    return undefined;
  }
}
