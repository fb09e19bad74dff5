/** Checks the grammar of numbers against a table, and against the reference that reads it sign by sign. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { numberIn } from "../../../test/support/reference-records.ts";
import { isNoNumber, isWrittenNumber } from "./written-number.ts";

test.each([
  "0",
  "-0",
  "+3",
  " 3\t",
  "\r\n3\v\f",
  ".5",
  "5.",
  "1e3",
  "1E+3",
  "-.5e-07",
  "1e400",
  "9".repeat(1000),
])("%j is a number", (text) => {
  expect([isWrittenNumber(text), isNoNumber(text)]).toEqual([true, false]);
});

test.each([
  "",
  " ",
  "\t\r\n\v\f",
  "NaN",
  "nan",
  "-NAN",
  " +nan ",
  "NA",
  "n/a",
  "#N/A",
  "N.A.",
  "null",
  "None",
  "-",
  "--",
  "\\N",
])("%j says that there is none", (text) => {
  expect([isWrittenNumber(text), isNoNumber(text)]).toEqual([false, true]);
});

test.each([
  ...[
    "1_000",
    "0_3",
    "1,5",
    "1 000",
    "0x10",
    "1f",
    "22.4901d",
    "--3",
    "+-3",
    "1e",
    "e5",
    ".",
    "---",
    "+-",
    "-na",
    "\\n",
    "1.2.3",
    "1e5.5",
  ],
  ...["inf", "Infinity", "nan(1)", "nul", "\uff11", "\u00a03", "\u00a0", "9".repeat(1001), "3\n4"],
])("%j is neither", (text) => {
  expect([isWrittenNumber(text), isNoNumber(text)]).toEqual([false, false]);
});

test("as the reference has it, whatever the text", () => {
  const text = fc.array(fc.constantFrom(..."0123", ..."+-.eE_ \tx,\u00a0", "nan", "/", "na", "null", "none", "\\N"), {
    maxLength: 7,
  });
  fc.assert(
    fc.property(text, (pieces) => {
      const written = pieces.join("");
      const number = numberIn(written);
      expect(isNoNumber(written)).toBe(Number.isNaN(number));
      // Of so few characters none is beyond the largest double but by its exponent.
      if (number !== "refused" || !/e\+?\d{3}/i.test(written))
        expect(isWrittenNumber(written)).toBe(typeof number === "number" && !Number.isNaN(number));
    }),
    { numRuns: 2000 },
  );
});
