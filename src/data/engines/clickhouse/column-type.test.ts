/** Types by their names, as servers write them. */
import { expect, test } from "vitest";
import { columnType } from "./column-type.ts";

test.each([
  ["String", { kind: "text", padded: false }],
  ["FixedString(16)", { kind: "text", padded: true }],
  ["UInt8", { kind: "integer", signed: false }],
  ["Int64", { kind: "integer", signed: true }],
  ["Int128", { kind: "other" }],
  ["Float32", { kind: "float" }],
  ["Decimal(18, 4)", { kind: "decimal", precision: 18, scale: 4 }],
  ["Date", { kind: "date" }],
  ["Date32", { kind: "date" }],
  ["DateTime", { kind: "instant", digits: 0 }],
  ["DateTime('Asia/Kathmandu')", { kind: "instant", digits: 0 }],
  ["DateTime64(3)", { kind: "instant", digits: 3 }],
  ["DateTime64(9, 'UTC')", { kind: "instant", digits: 9 }],
  ["Enum8('a' = 1, 'b)' = 2)", { kind: "label" }],
  ["UUID", { kind: "label" }],
  ["Tuple(Float64, Float64)", { kind: "pair" }],
  ["Tuple(lon Float64, lat Float32)", { kind: "pair" }],
  ["Tuple(Float64, Float64, Float64)", { kind: "other" }],
  ["Point", { kind: "pair" }],
  ["Array(Float64)", { kind: "list" }],
  ["Array(Nullable(Float64))", { kind: "other" }],
  ["AggregateFunction(sum, UInt64)", { kind: "other" }],
  ["Map(String, String)", { kind: "other" }],
])("%s", (name, is) => {
  expect(columnType(name)).toEqual({ is, nullable: false, plain: null });
});

test("nulls and dictionaries around a type", () => {
  expect(columnType("Nullable(Int32)")).toEqual({ is: { kind: "integer", signed: true }, nullable: true, plain: null });
  const text = { kind: "text", padded: false };
  expect(columnType("LowCardinality(String)")).toEqual({ is: text, nullable: false, plain: "String" });
  expect(columnType("LowCardinality(Nullable(String))")).toEqual({
    is: text,
    nullable: true,
    plain: "Nullable(String)",
  });
});
