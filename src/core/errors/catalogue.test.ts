/** Holds every entry of the catalogue to what a shell and an HTTP client may expect of it. */
import { expect, test } from "vitest";
import { ERRORS, type ErrorEntry } from "./catalogue.ts";

const entries: Array<[string, ErrorEntry]> = Object.entries(ERRORS);

test.each(entries)("%s has a name and statuses that agree", (code, entry) => {
  expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect([1, 2]).toContain(entry.exitStatus);
  expect(Number.isInteger(entry.httpStatus)).toBe(true);
  expect(entry.httpStatus).toBeGreaterThanOrEqual(400);
  expect(entry.httpStatus).toBeLessThan(600);
  // Wrong usage is always the caller's doing; a failure of ours never is.
  if (entry.exitStatus === 2) expect(entry.httpStatus).toBe(400);
});

test.each(entries)("%s is explained in one English sentence", (_, entry) => {
  expect(entry.sentence).toMatch(/^[A-Z][^\n]{10,120}\.$/);
});

test("only failures of ours and of servers we rely on are server errors", () => {
  const serverErrors = entries.filter(([, entry]) => entry.httpStatus >= 500).map(([code]) => code);
  expect(serverErrors.sort()).toEqual([
    "BUSY",
    "ENGINE_UNAVAILABLE",
    "INTERNAL",
    "LEDGER_UNAVAILABLE",
    "OUTPUT_FAILED",
  ]);
});

test("no two codes share a sentence", () => {
  expect(new Set(entries.map(([, entry]) => entry.sentence)).size).toBe(entries.length);
});
