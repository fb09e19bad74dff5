/** Addresses of databases are taken apart without guessing, and none with a password is taken or shown. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { checkParameters, parseDatabaseUrl } from "./database-url.ts";

test("an address is taken apart, absent parts stay absent", () => {
  expect(parseDatabaseUrl("postgres://ann%40x@db.example:5433/traffic?table=a%2Fb.trips&sslmode=require")).toEqual({
    kind: "postgres",
    host: "db.example",
    port: 5433,
    user: "ann@x",
    database: "traffic",
    parameters: new Map([
      ["table", "a/b.trips"],
      ["sslmode", "require"],
    ]),
    shown: "postgres://ann%40x@db.example:5433/traffic",
  });
  expect(parseDatabaseUrl("postgresql:///traffic?table=t")).toMatchObject({
    ...{ kind: "postgres", host: undefined, port: undefined, user: undefined, database: "traffic" },
  });
  expect(parseDatabaseUrl("clickhouse://[::1]:8123/?table=t")).toMatchObject({
    ...{ kind: "clickhouse", host: "::1", port: 8123, database: undefined },
  });
});

test.each([
  "trips.csv",
  "C://trips.csv",
  "https://example.org/trips.csv",
  "./postgres",
  "postgres:trips.csv",
])("%s is no database address", (text) => {
  expect(parseDatabaseUrl(text)).toBeUndefined();
});

test.each([
  "postgres://ann:s3cret@db/traffic?table=t",
  "postgres://db/traffic?table=t&password=s3cret",
  "postgres:///ada:s3cret@db/traffic?table=t",
  "postgres://db/ada%3As3cret%40db/traffic?table=t",
  "clickhouse://db/traffic?table=t&Passwd=s3cret",
  "postgres://ann:s3cret@db:port/traffic",
  "clickhouse://db/?table=s3cret&table=s3cret",
])("%s is refused and nothing secret is shown", (text) => {
  const refusal = (() => {
    try {
      return parseDatabaseUrl(text);
    } catch (error) {
      return error as VeilgridError;
    }
  })();
  expect(refusal).toBeInstanceOf(VeilgridError);
  expect((refusal as VeilgridError).code).toBe("USAGE");
  expect((refusal as VeilgridError).message).not.toContain("s3cret");
});

test("parameters nobody knows are refused", () => {
  const url = parseDatabaseUrl("postgres://db/traffic?tabel=t")!;
  expect(() => checkParameters(url, ["table", "schema"])).toThrow(/'tabel' is unknown; known are table, schema/);
});
