/** Checks the sort of byte strings against Buffer.compare. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sortByBytes } from "./ids.ts";

function sortedBy(strings: readonly Uint8Array[]): Uint8Array[] {
  const bytes = Buffer.concat(strings);
  const starts = new Uint32Array(strings.length + 1);
  strings.forEach((string, index) => {
    starts[index + 1] = starts[index]! + string.length;
  });
  return Array.from(sortByBytes(bytes, starts), (index) => strings[index]!);
}

function expectSorted(strings: readonly Uint8Array[]): void {
  const expected = [...strings].sort(Buffer.compare).map((string) => Buffer.from(string).toString("hex"));
  expect(sortedBy(strings).map((string) => Buffer.from(string).toString("hex"))).toEqual(expected);
}

function distinct(strings: Uint8Array[]): Uint8Array[] {
  return [...new Map(strings.map((string) => [Buffer.from(string).toString("hex"), string])).values()];
}

test("any distinct byte strings, as Buffer.compare orders them", () => {
  const strings = fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 200 }).map(distinct);
  fc.assert(fc.property(strings, expectSorted), { numRuns: 200 });
});

test("strings of few letters, so that many share prefixes or are prefixes", () => {
  const letters = fc.array(fc.constantFrom(0, 1, 0xff), { maxLength: 7 }).map((bytes) => Uint8Array.from(bytes));
  fc.assert(fc.property(fc.array(letters, { maxLength: 400 }).map(distinct), expectSorted), { numRuns: 100 });
});

test("a chain of prefixes thousands of bytes deep does not exhaust the stack", () => {
  const chain = Array.from({ length: 60 }, (_, index) => new Uint8Array(50 * index).fill(0x61));
  expectSorted(chain.toReversed());
});

test("none and one", () => {
  expect(sortedBy([])).toEqual([]);
  expect(sortedBy([new Uint8Array(0)])).toHaveLength(1);
});
