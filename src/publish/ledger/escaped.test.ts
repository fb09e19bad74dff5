/** Ids as a database can keep them: well-formed, without a NUL, and no two alike. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { escaped, unescaped } from "./escaped.ts";

test("any text comes back, and is kept as text that any database takes", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }), (id) => {
      const kept = escaped(id);
      expect(unescaped(kept)).toBe(id);
      expect(kept.includes("\0") || !kept.isWellFormed()).toBe(false);
    }),
  );
});

test("plain ids stay as they are, others are written as in JSON", () => {
  expect(["ann", "ä 漢", ""].map(escaped)).toEqual(["ann", "ä 漢", ""]);
  expect(["a\0", 'a"', "a\\", "\ud800"].map(escaped)).toEqual(["a\\u0000", 'a\\"', "a\\\\", "\\ud800"]);
  expect(["a\\u0000", 'a\\"', "a\\\\", "\\ud800", 'a"'].map(unescaped)).toEqual(["a\0", 'a"', "a\\", "\ud800", 'a"']);
});
