/** What a table's own statement says of its engine. */
import { expect, test } from "vitest";
import { engineIn } from "./describe-table.ts";

test.each([
  [
    "CREATE TABLE d.t ( bus String) ENGINE = Distributed(c, d, l, cityHash64(bus))",
    "Distributed(c, d, l, cityHash64(bus))",
  ],
  ["CREATE TABLE d.t\n(\n    `x` UInt8\n)\nENGINE = MergeTree\nORDER BY x", "MergeTree\nORDER BY x"],
  ["CREATE VIEW d.v (`x` UInt8) AS SELECT 1 AS x", ""],
  ["CREATE TABLE d.t (`a ENGINE = Distributed(b)` String DEFAULT ' ENGINE = \\' Memory') ENGINE = Log", "Log"],
])("%s", (statement, engine) => {
  expect(engineIn(statement)).toBe(engine);
});
