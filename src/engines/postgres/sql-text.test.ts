/** Names and texts of others inside a query. */
import { expect, test } from "vitest";
import { double, identifier, text } from "./sql-text.ts";

test.each([
  ['a"b', '"a""b"'],
  ["a.b", '"a.b"'],
  ["back\\slash", '"back\\slash"'],
  ['"; DROP TABLE t; --', '"""; DROP TABLE t; --"'],
  ["", '""'],
])("the name %j", (name, sql) => {
  expect(identifier(name)).toBe(sql);
});

test.each([
  ["it's", "'it''s'"],
  ["back\\' or", "'back\\'' or'"],
])("the text %j", (value, sql) => {
  expect(text(value)).toBe(sql);
});

test("a zero byte is in neither", () => {
  for (const print of [identifier, text])
    expect(() => print("a\0b")).toThrow(expect.objectContaining({ code: "USAGE" }));
});

test("doubles read back as themselves", () => {
  for (const value of [0.1, -0, 5e-324, 1.7976931348623157e308, 1e21])
    expect(Number(/'(.*)'/.exec(double(value))![1])).toBe(value + 0);
});
