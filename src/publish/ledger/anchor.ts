/** Remembers the head of a ledger's journal outside the ledger, so that an older copy in its place is refused. */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { VeilgridError } from "../../core/errors/index.ts";
import type { JournalRow, LedgerState, LedgerStore } from "./store.ts";

export interface LedgerAnchor {
  /** The head that the ledger must contain; undefined if none was seen yet. */
  read(): string | undefined;
  /** Called after each transaction that may have written. */
  keep(head: string): void;
}

/** 128 bits: enough that no other journal has the same head. */
const HASH_DIGITS = 32;

/** How many lines a journal has and the hash of the last, which covers them all: `12:9f86d081884c7d659a2feaa0c55ad015`; `0` where nothing was written yet. */
export function headText(last: Pick<JournalRow, "line" | "hash"> | undefined): string {
  return last === undefined ? "0" : `${last.line}:${last.hash.slice(0, HASH_DIGITS)}`;
}

/** The number of lines that a head stands for; undefined if the text is no head. */
function linesOf(head: string): number | undefined {
  const found = /^(0$|[1-9]\d{0,14}(?=:[0-9a-f]{32}$))/.exec(head);
  return found === null ? undefined : Number(found[0]);
}

/** Refuses a journal that does not contain the head. */
async function checkHead(state: LedgerState, head: string): Promise<void> {
  const line = linesOf(head);
  if (line === undefined)
    throw new VeilgridError(
      "USAGE",
      "the head of a ledger is a line such as 12:9f86d081884c7d659a2feaa0c55ad015; veilgrid ledger show --head prints it",
    );
  if (line === 0 || headText((await state.linesAfter(line - 1, 1))[0]) === head) return;
  throw new VeilgridError(
    "LEDGER_CONFLICT",
    `the ledger does not contain journal line ${head}, which was seen in it before: it is an older copy, or another ledger, and has forgotten what was spent since; restore the newest copy, and release nothing from this one`,
  );
}

/** A store that refuses a journal without the anchor's head. */
export class AnchoredStore implements LedgerStore {
  readonly #store: LedgerStore;
  readonly #anchor: LedgerAnchor;
  #isChecked = false;

  constructor(store: LedgerStore, anchor: LedgerAnchor) {
    this.#store = store;
    this.#anchor = anchor;
  }

  /** Looks before the first transaction and before each that writes. */
  async transact<Result>(
    work: (state: LedgerState) => Promise<Result>,
    mode: "write" | "read" = "write",
  ): Promise<Result> {
    if (mode === "read" && this.#isChecked) return this.#store.transact(work, mode);
    const { result, head } = await this.#store.transact(async (state) => {
      const seen = this.#anchor.read();
      if (seen !== undefined) await checkHead(state, seen);
      return { result: await work(state), head: headText(await state.lastLine()) };
    }, mode);
    this.#isChecked = true;
    this.#anchor.keep(head);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}

/** Keeps the head in a file, for a service that writes to one ledger from several threads. */
export function fileAnchor(file: string): LedgerAnchor {
  // Whoever asks over a network need not know the folder.
  const unusable = (why: string): VeilgridError =>
    new VeilgridError(
      "LEDGER_UNAVAILABLE",
      `the file '${path.basename(file)}' in the state folder ${why}; find out what was spent from the ledger, then remove the file`,
    );
  const read = (): { readonly head: string; readonly lines: number } | undefined => {
    let head: string;
    try {
      head = readFileSync(file, "utf8").trim();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
      if (code === "ENOENT") return undefined;
      throw unusable(`cannot be read (${code})`);
    }
    const lines = linesOf(head);
    if (lines === undefined) throw unusable("is damaged");
    return { head, lines };
  };
  return {
    read: () => read()?.head,
    keep(head) {
      const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
      try {
        const seen = read();
        if (seen !== undefined && seen.lines >= (linesOf(head) ?? 0)) return;
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
