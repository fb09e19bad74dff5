/** Signs that a ledger is an older copy: a copy beside it with changes that it lacks, or a result that it did not commit. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { isLedgerAddress, type Ledger } from "../../../publish/ledger/index.ts";
import { readResult, resultText } from "../../../publish/release/index.ts";
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
    `${sign}: this ledger is an older copy, or a different one, and its budget may be spent already; release from the ledger that was charged; if this is the one to go on with, move that file away or add --ledger-is-current`,
  );
}

/** Looks through the folders of the ledger and of the output, and through the folders in these. */
async function forgottenResult(ledger: Ledger, { place, dataset, out }: OutdatedLookup): Promise<string | undefined> {
  const places = [...(isLedgerAddress(place) ? [] : [place]), ...(out === undefined ? [] : [out])];
  // Links lead elsewhere, and the folder of `..` is not `.`.
  const real = await Promise.all(places.map((each) => realpath(each).catch(() => each)));
  const folders = new Set([...places, ...real].map((each) => path.dirname(path.resolve(each))));
  for (const folder of folders)
    for await (const each of resultFilesIn(folder)) {
      const file = path.relative("", each);
      const { text, trouble } = await privateResultIn(file, dataset);
      if (trouble !== undefined) return `${quoteForMessage(file)} may hold a release and cannot be read (${trouble})`;
      if (text === undefined) continue;
      const { key, rows } = readResult(text);
      const grids = rows.map(({ grid }) => grid);
      const found = await ledger.committed({ dataset, key, parts: grids });
      const texts = grids.flatMap((grid) => found?.texts.get(grid) ?? []);
      if (found !== undefined && resultText(found.header, texts) === text) continue;
      return `${quoteForMessage(file)} holds grids of release ${quoteForMessage(key)} of dataset ${quoteForMessage(dataset)} that this ledger has not committed`;
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

/** The text of a result of the dataset in its canonical form; undefined if the file is something else or NOT PRIVATE. */
async function privateResultIn(
  file: string,
  dataset: string,
): Promise<{ readonly text?: string; readonly trouble?: string }> {
  try {
    // A pipe would wait for a writer.
    if (!(await stat(file)).isFile()) return {};
    const written = (await readFile(file, "utf8")).replace(/^\ufeff/, "");
    const text = `${JSON.stringify(JSON.parse(written))}\n`;
    const result = readResult(text);
    return result.dataset === dataset && !result.notPrivate ? { text } : {};
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    return syscall === undefined || code === "ENOENT" ? {} : { trouble: String(code) };
  }
}
