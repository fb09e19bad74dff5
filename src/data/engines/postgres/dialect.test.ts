/** Names of others inside a query, and numbers. */
import { expect, test } from "vitest";
import { double, identifier } from "./dialect.ts";

test.each([
  ['a"b', '"a""b"'],
  ["a.b", '"a.b"'],
  ["back\\slash", '"back\\slash"'],
  ['"; DROP TABLE t; --', '"""; DROP TABLE t; --"'],
  ["", '""'],
])("the name %j", (name, sql) => {
  expect(identifier(name)).toBe(sql);
});

test("a zero byte is in none", () => {
  expect(() => identifier("a\0b")).toThrow(expect.objectContaining({ code: "USAGE" }));
});

test("doubles read back as themselves", () => {
  for (const value of [0.1, -0, 5e-324, 1.7976931348623157e308, 1e21])
    expect(Number(/'(.*)'/.exec(double(value))![1])).toBe(value + 0);
});
