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
  const line: unknown = readOrDamaged(() => JSON.parse(row.text));
  if (typeof line !== "object" || line === null) throw new DamagedRow();
  const fields = line as Readonly<Record<string, unknown>>;
  const checks = Object.entries(FIELDS).find(([kind]) => kind === fields["kind"])?.[1];
  if (checks === undefined || !Object.entries({ ...checks, ...OF_ALL }).every(([name, holds]) => holds(fields[name])))
    throw new DamagedRow();
  return line as JournalLine;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const listOf =
  (isOne: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item) => isOne(item));
const isPair: Check = (value) => listOf(isText)(value) && (value as readonly string[]).length === 2;
const isBudget: Check = (value) => positiveUnits(value) > 0n;

const OF_ALL = { time: isText, dataset: isText };
const FIELDS: { readonly [Kind in JournalEntry["kind"]]: Readonly<Record<string, Check>> } = {
  init: { budget: isBudget, usersKeyCheck: (value) => value === null || isText(value) },
  raise: { budget: isBudget, reason: isText },
  reserve: {
    ...{ key: isText, planHash: isText, headerSha256: isText, chargesSha256: isText, parts: listOf(isText) },
    ...{ largest: (value) => lossUnits(value) >= 0n, users: Number.isSafeInteger },
  },
  commit: { key: isText, parts: listOf(isPair) },
  void: { key: isText, parts: listOf(isText), reservations: listOf(Number.isSafeInteger) },
};
