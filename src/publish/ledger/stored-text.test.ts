/** What names and texts may look like, and how databases keep ids. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkLine, checkText, escaped, unescaped } from "./stored-text.ts";

test.each(["a", "monthly 2026-03", "größer", "漢字", "x".repeat(200)])("%s is one line of visible text", (text) => {
  expect(() => checkLine(text, "key")).not.toThrow();
});

test.each([
  ["nothing", ""],
  ["too much", "x".repeat(201)],
  ["a line break", "a\nb"],
  ["a control character", "a\u0007"],
  ["a mark of direction", "a\u202eb"],
  ["half a surrogate pair", "a\ud800"],
  ["a line separator", "a\u2028b"],
  ["a paragraph separator", "a\u2029b"],
  ["a blank before", " a"],
  ["a blank after", "a "],
  ["a wide blank after", "a\u3000"],
])("a line with %s is refused", (_, text) => {
  expect(() => checkLine(text, "release key")).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringMatching(/^release key /) }),
  );
});

test("a line may be given another length", () => {
  expect(() => checkLine("x".repeat(1_000), "reason", 1_000)).not.toThrow();
  expect(() => checkLine("x".repeat(1_001), "reason", 1_000)).toThrow("reason has 1001 characters; give it 1 to 1000");
  expect(() => checkLine("", "reason", 1_000)).toThrow("reason has 0 characters");
});

test("a text may be anything that a store gives back byte for byte", () => {
  for (const text of ["", "a\nb", " 漢字 ", "\u{1f600}"]) expect(() => checkText(text, "header")).not.toThrow();
  for (const text of ["a\0b", "a\ud800", "\udc00"])
    expect(() => checkText(text, "header")).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringMatching(/^header /) }),
    );
});

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
