/** The head of a journal as one short line: how many lines there are, and the hash of the last, which covers them all. */
import { VeilgridError } from "../../core/errors/index.ts";
import type { JournalRow, LedgerState } from "./store.ts";

/** 128 bits: enough that no other journal has the same head. */
const HASH_DIGITS = 32;

/** Such as `12:9f86d081884c7d659a2feaa0c55ad015`; `0` where nothing was written yet. */
export function headText(last: Pick<JournalRow, "line" | "hash"> | undefined): string {
  return last === undefined ? "0" : `${last.line}:${last.hash.slice(0, HASH_DIGITS)}`;
}

/** The number of lines that a head stands for; undefined if the text is no head. */
export function linesOf(head: string): number | undefined {
  const found = /^(0$|[1-9]\d{0,14}(?=:[0-9a-f]{32}$))/.exec(head);
  return found === null ? undefined : Number(found[0]);
}

/** Refuses a journal that does not contain the head. */
export async function checkHead(state: LedgerState, head: string): Promise<void> {
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
