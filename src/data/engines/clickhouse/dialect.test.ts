/** Quoting, doubles by their bytes, and definitions that are used. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bound, Definitions, double, identifier, namesBeside, text } from "./dialect.ts";

/** What a server makes of a quoted text: a backslash and what follows it are one character. */
function unquoted(sql: string): string {
  return sql.slice(1, -1).replace(/\\(.)/gs, (_, character: string) => (character === "0" ? "\0" : character));
}

test("a literal ends where it should, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("\\", "'", "`", '"', "\0", "0", "a", "\n") }), (value) => {
      for (const [sql, quote] of [
        [text(value), "'"],
        [identifier(value), "`"],
      ] as const) {
        expect(sql[0]).toBe(quote);
        expect(unquoted(sql)).toBe(value);
        // No quote of its own kind but after a backslash that is not one itself.
        expect(sql.slice(1, -1).replace(/\\./gs, "")).not.toContain(quote);
        expect(sql).not.toContain("\0");
      }
    }),
  );
});

test("a double is written by its bytes", () => {
  expect(double(65)).toBe("toFloat64(65)");
  expect(double(0.1)).toBe("reinterpretAsFloat64(unhex('9A9999999999B93F'))");
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const bytes = /'([0-9A-F]{16})'/.exec(double(value))?.[1];
      const read =
        bytes === undefined ? Number(/\((-?\d+)\)/.exec(double(value))![1]) : Buffer.from(bytes, "hex").readDoubleLE();
      expect(Object.is(read, value)).toBe(true);
    }),
  );
});

test("names of ours are unlike the table's", () => {
  expect(namesBeside(["user", "v"])("usr")).toBe("v_usr");
  expect(namesBeside(["v_usr", "v1_x"])("usr")).toBe("v2_usr");
});

describe("definitions", () => {
  test("only those that are used, and what they use, in the order in which they were made", () => {
    const definitions = new Definitions(namesBeside([]));
    const a = definitions.define("a", "`x` + 1");
    const b = definitions.define("b", `${a} * 2`);
    definitions.define("c", `${b} + \`unused\``);
    expect(definitions.define("one", "1")).toBe("1");
    expect(definitions.define("again", b)).toBe(b);
    expect(definitions.before(`SELECT ${b}`)).toBe("WITH `x` + 1 AS v_a, v_a * 2 AS v_b SELECT v_b");
    expect(definitions.before("SELECT 1")).toBe("SELECT 1");
  });
});

test("a bound value is written once", () => {
  expect(bound([["x", "`a` + 1"]], "x * x")).toBe("arrayMap(x -> x * x, [`a` + 1])[1]");
  expect(
    bound(
      [
        ["x", "1"],
        ["y", "2"],
      ],
      "x + y",
    ),
  ).toBe("arrayMap((x, y) -> x + y, [1], [2])[1]");
});
