/** Which tables a service reads: the operator's, however an address is written around them. */
import { expect, test } from "vitest";
import { parseDatabaseUrl } from "../../data/sources/index.ts";
import { DataTables } from "./data-folders.ts";

const tables = new DataTables(
  [
    "postgres://reader@db:5432/traffic?table=trips",
    "clickhouse://reader@ch/city?table=*&scratch=tmp",
    "postgres://own/x?schema=a&table=*",
  ].map((each) => parseDatabaseUrl(each)!),
);

test.each([
  "postgres://reader@db:5432/traffic?table=trips",
  "postgresql://reader@db:5432/traffic?table=trips",
  "clickhouse://reader@ch/city?table=any&scratch=tmp",
  "postgres://own/x?schema=a&table=any",
])("%s may be read", (source) => {
  expect(tables.resolve(source)).toBe(source);
});

test.each([
  "postgres://reader@db:5432/traffic?table=people",
  "postgres://reader@db:5432/traffic",
  "postgres://reader@db:5432/traffic?table=trips&schema=other",
  "postgres://reader@db:5432/traffic?table=trips&sslmode=disable",
  "postgres://admin@db:5432/traffic?table=trips",
  "postgres://reader@db/traffic?table=trips",
  "postgres://reader@elsewhere:5432/traffic?table=trips",
  "postgres://reader@db:5432/other?table=trips",
  "clickhouse://reader@ch/city?table=any",
  "clickhouse://reader@ch/city?table=any&scratch=other",
  "clickhouse://reader@db:5432/traffic?table=trips",
  "postgres://own/x?schema=b&table=any",
])("%s may not", (source) => {
  expect(() => tables.resolve(source)).toThrow(expect.objectContaining({ code: "FORBIDDEN_PATH" }));
});

test("a file's name is nobody's address, and a password is refused", () => {
  expect(tables.resolve("trips.csv")).toBeUndefined();
  expect(() => tables.resolve("postgres://reader:secret@db:5432/traffic?table=trips")).toThrow(/has a password/);
});

test("a database without a table is opened only if that is said", () => {
  const open = (address: string): DataTables => new DataTables([parseDatabaseUrl(address)!]);
  expect(() => open("postgres://reader@db/traffic")).toThrow(/names no table; add \?table=NAME, or \?table=\*/);
  expect(open("postgres://reader@db/traffic?table=*").resolve("postgres://reader@db/traffic?table=t")).toContain("=t");
});
