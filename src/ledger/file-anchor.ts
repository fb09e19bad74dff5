/** Remembers the head of a ledger's journal in a file, for a service that writes to one ledger from several threads. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { LedgerAnchor } from "./anchored-store.ts";

export function fileAnchor(path: string): LedgerAnchor {
  const read = (): string | undefined => {
    try {
      return readFileSync(path, "utf8").trim();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
      if (code === "ENOENT") return undefined;
      throw new VeilgridError("LEDGER_UNAVAILABLE", `cannot read ${quoteForMessage(path)} (${code})`);
    }
  };
  return {
    read,
    keep(head) {
      const seen = read();
      if (seen !== undefined && Number.parseInt(seen, 10) >= Number.parseInt(head, 10)) return;
      const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
      try {
        writeFileSync(temporary, `${head}\n`, { mode: 0o600, flag: "wx" });
        renameSync(temporary, path);
      } catch {
        // The transaction is committed: a full disk may not make it look failed. The head that is kept stays true, only older.
        rmSync(temporary, { force: true });
      }
    },
  };
}
