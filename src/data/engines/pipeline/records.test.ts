/** Queries as text, in the dialects that print nested steps: what is asked is seen here, what is answered in test/conformance and test/engines. */
import { describe, expect, test } from "vitest";
import type { InputLattice } from "../../../core/planning/index.ts";
import { parseRecipe, type RecipeFlags, recipeColumns } from "../../partition/index.ts";
import { dialect as duckdb } from "../duckdb/dialect.ts";
import { fieldsOf } from "../duckdb/fields.ts";
import { dialect as postgres } from "../postgres/dialect.ts";
import { TableFields } from "../postgres/fields.ts";
import { groupsSql, type RecordsQuery, troubleSql } from "./records.ts";

const LATTICE: InputLattice = { lower: 0, upper: 65, step: 0.5, steps: 130n, midpoint: 65n };
const TYPES = {
  bus: "bigint",
  stop: "text",
  speed: "double precision",
  observed: "timestamp with time zone",
  trip: "uuid",
};

function recipeOf(flags: RecipeFlags) {
  return parseRecipe({ user: "bus", value: "speed", by: "stop", ...flags });
}

const DIALECTS = {
  duckdb: {
    dialect: duckdb,
    parts: (flags: RecipeFlags) =>
      fieldsOf(
        [
          {
            path: "trips.parquet",
            gzip: false,
            layout: { kind: "parquet", paths: new Map(), types: new Map() },
            columns: Object.keys(TYPES),
          },
        ],
        recipeColumns(recipeOf(flags)).map(({ column }) => column),
      ),
  },
  postgres: {
    dialect: postgres,
    parts: (flags: RecipeFlags) => [
      new TableFields({ schema: "public", name: "trips", types: new Map(Object.entries(TYPES)) }, recipeOf(flags)),
    ],
  },
};

describe.each(["duckdb", "postgres"] as const)("%s", (name) => {
  const { dialect, parts } = DIALECTS[name];
  const query = (flags: RecipeFlags, more: Partial<RecordsQuery> = {}): RecordsQuery => ({
    recipe: recipeOf(flags),
    parts: parts(flags),
    lattice: undefined,
    ...more,
  });

  test.each<[string, RecordsQuery, readonly bigint[]]>([
    ["counts by a column", query({}), []],
    ["sums of asked grids, with a threshold", query({ missing: "drop" }, { lattice: LATTICE, asked: "asked" }), [65n]],
    ["slots of distinct records", query({ time: "observed", slot: "1h", dedupe: "trip" }, { lattice: LATTICE }), []],
  ])("%s", (_, asked, thresholds) => {
    expect(
      groupsSql(dialect, asked, thresholds).replace(/ (?=(?:SELECT|FROM|WHERE|GROUP BY) )/g, "\n"),
    ).toMatchSnapshot();
  });

  test("a record at fault is found without a value in the answer", () => {
    for (const trouble of ["value", "missing"] as const) {
      const [fields] = parts({});
      const sql = troubleSql(dialect, { recipe: recipeOf({}), fields: fields!, trouble }, { select: (shown) => shown });
      expect(sql).toMatch(/^SELECT (CAST\(NULL AS text\)|NULL) FROM/);
    }
  });
});
