/** Checks that errors carry their catalogue entry and that quoted text can neither break a line nor steer a terminal. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ERRORS, type ErrorCode } from "./catalogue.ts";
import { escapeControls, invariant, itemAt, quoteForMessage, VeilgridError } from "./veilgrid-error.ts";

/** U+0000–001F, 007F–009F, line and paragraph separator, and Unicode's twelve bidirectional controls. */
const DANGEROUS = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x2028,
  0x2029,
  0x061c,
  0x200e,
  0x200f,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const hostileText = fc
  .array(
    fc.oneof(fc.constantFrom(...DANGEROUS.map((code) => String.fromCharCode(code))), fc.string({ unit: "binary" })),
  )
  .map((parts) => parts.join(""));

test("an error has the statuses of its code, a name, a message and a cause", () => {
  const cause = new Error("underneath");
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const error = new VeilgridError(code, "what happened", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "VeilgridError", code, message: "what happened", cause });
    expect(error.exitStatus).toBe(ERRORS[code].exitStatus);
    expect(error.httpStatus).toBe(ERRORS[code].httpStatus);
  }
});

test("invariant passes what holds and reports what does not as INTERNAL", () => {
  expect(() => invariant(true, "never shown")).not.toThrow();
  expect(() => invariant(false, "two and two is five")).toThrow(
    expect.objectContaining({ code: "INTERNAL", message: expect.stringContaining("two and two is five") }),
  );
});

test("itemAt gives what is there and reports any other index as INTERNAL, with the length", () => {
  expect(itemAt(["a", undefined], 1)).toBeUndefined();
  expect(itemAt(Uint32Array.of(0, 7), 1)).toBe(7);
  for (const index of [-1, 2, 0.5, Number.NaN]) {
    const message = expect.stringContaining(`index ${index} of 2 items`);
    expect(() => itemAt(["a", "b"], index)).toThrow(expect.objectContaining({ code: "INTERNAL", message }));
  }
});

test.each([
  ["\u001b[2J\u001b[31mred", "\\u001b[2J\\u001b[31mred"],
  ["\u009b31m", "\\u009b31m"],
  ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
  ["over\rwritten", "over\\u000dwritten"],
  ["two\nlines", "two\\u000alines"],
  ["two\u2028lines\u2029more\u0085end", "two\\u2028lines\\u2029more\\u0085end"],
  ["user\u202egpj.exe", "user\\u202egpj.exe"],
  ["\u2066isolate\u2069", "\\u2066isolate\\u2069"],
  ["half \ud83d pair", "half \\ud83d pair"],
])("escapeControls(%j)", (text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});

test("escapeControls leaves ordinary text of any script alone", () => {
  const text = "Zürich 007 日本語 עברית 😀 a/b%c 'quoted' \\ \"";
  expect(escapeControls(text)).toBe(text);
});

test("quoteForMessage is one bounded, well-formed line without a dangerous character", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const quoted = quoteForMessage(text);
      for (const character of quoted) expect(DANGEROUS).not.toContain(character.charCodeAt(0));
      expect(quoted.isWellFormed()).toBe(true);
      expect(quoted).toMatch(/^'.*'$/);
      expect(quoted.length).toBeLessThanOrEqual(2 + 6 * 60);
    }),
  );
});

test("quoteForMessage shows up to 60 characters whole and cuts longer text visibly", () => {
  expect(quoteForMessage("")).toBe("''");
  expect(quoteForMessage("x".repeat(60))).toBe(`'${"x".repeat(60)}'`);
  expect(quoteForMessage(`${"x".repeat(61)}.csv`)).toBe(`'${"x".repeat(27)}...${"x".repeat(26)}.csv'`);
  expect(quoteForMessage(`${"x".repeat(26)}😀${"y".repeat(40)}`)).toBe(
    `'${"x".repeat(26)}\\ud83d...${"y".repeat(30)}'`,
  );
});

test.each([
  "mysql://reader:topsecret@db/x",
  "postgres:/reader:topsecret@db/x",
  "https://u:topsecret@host/a.csv",
  "clickhouse://u:12/topsecret@127.0.0.1/db",
  "Postgres//reader:topsecret@localhost/x?table=t",
])("a password in %s is not repeated", (address) => {
  expect(quoteForMessage(address)).not.toContain("topsecret");
});

test("an address is shown but for its password", () => {
  expect(quoteForMessage("mysql://reader:topsecret@db/x")).toBe("'mysql://reader:…@db/x'");
});
