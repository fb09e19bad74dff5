/** Remembers the head of a ledger's journal in a file, for a service that writes to one ledger from several threads. */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { VeilgridError } from "../../core/errors/index.ts";
import type { LedgerAnchor } from "./anchored-store.ts";
import { linesOf } from "./journal-head.ts";

export function fileAnchor(file: string): LedgerAnchor {
  // Whoever asks over a network need not know the folder.
  const unusable = (why: string): VeilgridError =>
    new VeilgridError(
      "LEDGER_UNAVAILABLE",
      `the file '${path.basename(file)}' in the state folder ${why}; find out what was spent from the ledger, then remove the file`,
    );
  const read = (): string | undefined => {
    let head: string;
    try {
      head = readFileSync(file, "utf8").trim();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
      if (code === "ENOENT") return undefined;
      throw unusable(`cannot be read (${code})`);
    }
    if (linesOf(head) === undefined) throw unusable("is damaged");
    return head;
  };
  return {
    read,
    keep(head) {
      const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
      try {
        const seen = read();
        if (seen !== undefined && linesOf(seen)! >= linesOf(head)!) return;
        writeSynced(temporary, `${head}\n`);
        renameSync(temporary, file);
      } catch {
        // The transaction is committed: a full disk may not make it look failed. The head that is kept stays true, only older.
        rmSync(temporary, { force: true });
      }
    },
  };
}

function writeSynced(file: string, text: string): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
