/** The journal: lines are numbered from 1, each hashed together with the one before, and read back whole. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { appendToJournal, type JournalEntry, journalRows, nextLine, readLine } from "./journal.ts";
import { MemoryStore } from "./memory-store.ts";
import type { JournalRow } from "./store.ts";

const at = new Date("2026-01-02T03:04:05Z");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const entry = (reason: string): JournalEntry => ({ kind: "raise", dataset: "buses", budget: "1", reason });

test("each hash is that of the hash before, a line break and the text", () =>
  new MemoryStore().transact(async (state) => {
    expect(await nextLine(state)).toBe(1);
    await appendToJournal(state, at, entry("one"));
    expect(await nextLine(state)).toBe(2);
    await appendToJournal(state, at, entry("two"));
    const text = (reason: string): string =>
      `{"time":"2026-01-02T03:04:05.000Z","kind":"raise","dataset":"buses","budget":"1","reason":"${reason}"}`;
    const first = sha256(`\n${text("one")}`);
    expect(await state.linesAfter(0, 10)).toEqual([
      { line: 1, text: text("one"), hash: first },
      { line: 2, text: text("two"), hash: sha256(`${first}\n${text("two")}`) },
    ]);
  }));

test.each([0, 1, 199, 200, 201, 400, 401])("%i lines are read back in order, each once", (lines) =>
  new MemoryStore().transact(async (state) => {
    for (let line = 1; line <= lines; line++) await appendToJournal(state, at, entry(`${line}`));
    const rows: JournalRow[] = [];
    for await (const row of journalRows(state)) rows.push(row);
    expect(rows.map((row) => readLine(row))).toEqual(
      Array.from({ length: lines }, (_, index) => ({ time: at.toISOString(), ...entry(`${index + 1}`) })),
    );
  }));
