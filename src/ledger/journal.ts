/** The journal: every change as one line of canonical text, each hashed together with the hash before it. */
import { VeilgridError } from "../errors/index.ts";
import { sha256 } from "./sha256.ts";
import type { JournalRow, LedgerState } from "./store.ts";

const PAGE = 200;

/** Losses are decimal text in units of 10⁻¹⁸. */
export type JournalEntry =
  | { readonly kind: "init"; readonly dataset: string; readonly budget: string; readonly usersKeyCheck: string | null }
  | {
      readonly kind: "reserve";
      readonly dataset: string;
      readonly key: string;
      readonly planHash: string;
      readonly headerSha256: string;
      readonly parts: readonly string[];
      readonly users: number;
      readonly largest: string;
      readonly chargesSha256: string;
    }
  | {
      readonly kind: "commit";
      readonly dataset: string;
      readonly key: string;
      /** Part and SHA-256 of its text. */
      readonly parts: ReadonlyArray<readonly [string, string]>;
    }
  | {
      readonly kind: "void";
      readonly dataset: string;
      readonly key: string;
      readonly parts: readonly string[];
      readonly reservations: readonly number[];
    }
  | { readonly kind: "raise"; readonly dataset: string; readonly budget: string; readonly reason: string };

export type JournalLine = JournalEntry & { readonly time: string };

/** The number that the next line will have. */
export async function nextLine(state: LedgerState): Promise<number> {
  return ((await state.lastLine())?.line ?? 0) + 1;
}

export async function appendToJournal(state: LedgerState, time: Date, entry: JournalEntry): Promise<void> {
  const last = await state.lastLine();
  const text = JSON.stringify({ time: time.toISOString(), ...entry });
  await state.appendLine({ line: (last?.line ?? 0) + 1, text, hash: chainHash(last?.hash, text) });
}

export function chainHash(previous: string | undefined, text: string): string {
  return sha256(previous ?? "", "\n", text);
}

export async function* journalRows(state: LedgerState): AsyncGenerator<JournalRow> {
  for (let line = 0; ; ) {
    const page = await state.linesAfter(line, PAGE);
    if (page.length === 0) return;
    yield* page;
    line = page.at(-1)!.line;
  }
}

export function readLine(row: JournalRow): JournalLine {
  try {
    return JSON.parse(row.text) as JournalLine;
  } catch {
    throw damagedAt(`journal line ${row.line}`);
  }
}

/** What no ledger wrote; it is not quoted. */
export function damagedAt(what: string): VeilgridError {
  return new VeilgridError(
    "LEDGER_UNAVAILABLE",
    `${what} cannot be read: the ledger is damaged; restore it from a backup, and do not release before`,
  );
}
