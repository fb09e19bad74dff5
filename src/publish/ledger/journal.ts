/** Writes and reads the journal: every change is one line of canonical text, hashed together with the hash before it. */

import type { JournalRow, LedgerState } from "./store.ts";
import { DamagedRow, lossUnits, positiveUnits, readOrDamaged } from "./store-failures.ts";
import { sha256 } from "./stored-text.ts";

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
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    line = last.line;
  }
}

/** Of a line that only a ledger can have written. */
export function readLine(row: JournalRow): JournalLine {
  const line = readOrDamaged(() => JSON.parse(row.text) as JournalLine);
  if (!isObject(line) || !isText(line.time) || !isText(line.dataset) || !hasItsFields(line)) throw new DamagedRow();
  return line;
}

function hasItsFields(line: JournalLine): boolean {
  switch (line.kind) {
    case "init":
      positiveUnits(line.budget);
      return line.usersKeyCheck === null || isText(line.usersKeyCheck);
    case "raise":
      positiveUnits(line.budget);
      return isText(line.reason);
    case "reserve":
      lossUnits(line.largest);
      return (
        [line.key, line.planHash, line.headerSha256, line.chargesSha256].every(isText) &&
        isListOf(line.parts, isText) &&
        Number.isSafeInteger(line.users)
      );
    case "commit":
      return isText(line.key) && isListOf(line.parts, (part) => isListOf(part, isText) && part.length === 2);
    case "void":
      return isText(line.key) && isListOf(line.parts, isText) && isListOf(line.reservations, Number.isSafeInteger);
    default:
      return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isListOf<Item>(value: readonly Item[], isOne: (item: Item) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isOne(item));
}
