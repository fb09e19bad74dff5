/** A result in the way of a new one that the ledger knows nothing of: the ledger may be an old copy, or another one. */
import { open } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../errors/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { type ReleaseHeader, readHeader } from "../../release/index.ts";

/** Far more than a header has. */
const HEAD_BYTES = 1 << 18;

/** Read before it is written over. `file` is the canonical result that lies where the new one goes. */
export async function forgottenRelease(ledger: Ledger, dataset: string, file: string | undefined): Promise<string[]> {
  const text = file === undefined ? undefined : await headerIn(file);
  if (text === undefined) return [];
  const header = readHeader(text);
  if (header.dataset !== dataset || header.notPrivate || (await headerUnder(ledger, header)) === text) return [];
  return [
    `${quoteForMessage(file!)} held release ${quoteForMessage(header.key)} of dataset ${quoteForMessage(dataset)}, which this ledger has never made: it is an old copy or another ledger, and what it takes for left may be spent; release no more before you have found the one that was charged`,
  ];
}

async function headerUnder(ledger: Ledger, { dataset, key }: ReleaseHeader): Promise<string | undefined> {
  try {
    return (await ledger.committed({ dataset, key, parts: [] })).header;
  } catch (error) {
    if (error instanceof VeilgridError && error.code === "LEDGER_NOT_FOUND") return undefined;
    throw error;
  }
}

/** As it was written, and sound; undefined if there is no such file, or it is something else. */
async function headerIn(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [head, ...rows] = buffer.toString("utf8", 0, bytesRead).split(',"rows":[');
    if (rows.length === 0) return undefined;
    readHeader(`${head}}`);
    return `${head}}`;
  } catch {
    return undefined;
  }
}
