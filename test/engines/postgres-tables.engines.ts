/** The PostgreSQL engine and tables as they come: names, kinds of tables, column types, and everything that can be wrong with one. */
import fc from "fast-check";
import { latLngToCell } from "h3-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSource } from "../../src/apps/operations/index.ts";
import { isKeptRank } from "../../src/data/engines/index.ts";
import { keptRank } from "../../src/data/engines/pipeline/formulas.ts";
import { dialect } from "../../src/data/engines/postgres/dialect.ts";
import type { PostgresEngine } from "../../src/data/engines/postgres/postgres-engine.ts";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import { baselinePlan, recordsAt, refusalOf, type Triple, triplesOf } from "../conformance/harness.ts";
import { openPostgres, quoted, setUpClient, sourceOf } from "./support/postgres-tables.ts";
import { postgresAddress } from "./support/servers.ts";

const client = setUpClient();
let engine: PostgresEngine;
beforeAll(async () => {
  engine = await openPostgres();
  await client().query("DROP SCHEMA IF EXISTS tables_test CASCADE; CREATE SCHEMA tables_test");
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await client().query("DROP SCHEMA tables_test CASCADE");
});

const BY_SHOP = { user: "who", value: "speed", by: "shop" };
const FLAGS = { bounds: "0,100", step: "0.01" };

async function countsIn(source: string, recipeOptions: RecipeFlags = BY_SHOP): Promise<Triple[]> {
  return triplesOf((await engine.readOccupancy(await recordsAt(engine, source, recipeOptions))).occupancy);
}

/** Σ i of each grid with bounds 0 … 100 and steps of 0.01: hundredths. */
async function sumsIn(source: string, recipeOptions: RecipeFlags = BY_SHOP): Promise<Record<string, number>> {
  const records = await recordsAt(engine, source, recipeOptions);
  const { occupancy } = await engine.readOccupancy(records);
  const { totals } = await engine.readTotals(records, baselinePlan(occupancy, FLAGS));
  return Object.fromEntries(totals.map(({ grid, sum }) => [grid, Number(sum)]));
}

/** A fresh table of a query's rows; the SOURCE that names it. */
let made = 0;
async function tableOf(query: string): Promise<string> {
  made += 1;
  await client().query(`CREATE TABLE tables_test.t${made} AS ${query}`);
  return sourceOf(`tables_test.t${made}`);
}

const HOSTILE = [
  'quo"ted',
  '""',
  "it's",
  "back\\slash",
  "semi;colon--",
  "x; DROP TABLE tables_test.victim; --",
  "UPPER",
  "a.b.c",
  "$1",
  "%s",
  " spaces ",
  "new\nline",
  "é🚌",
  "select",
  "source0",
  "usr",
  "a".repeat(63),
];

describe("names", () => {
  test.each(HOSTILE)("%j as table, schema and column", async (name) => {
    const table = `${quoted("tables_test")}.${quoted(name)}`;
    await client().query("CREATE TABLE IF NOT EXISTS tables_test.victim (x int)");
    await client().query(`CREATE TABLE ${table} (${quoted(name)} text, "the value" int, shop text)`);
    await client().query(`INSERT INTO ${table} VALUES ('u', 3, 's')`);
    const recipeOptions = { user: name, value: "the value", by: "shop" };
    const source = `${postgresAddress()}?${new URLSearchParams({ table: name, schema: "tables_test" })}`;
    expect(await countsIn(source, recipeOptions)).toEqual([["u", "s", 1]]);
    expect(await sumsIn(source, recipeOptions)).toEqual({ s: 300 });
    // Lists are cut at commas and spaces around names are not theirs.
    if (name === name.trim())
      expect(await countsIn(source, { user: "shop", value: "the value", by: name })).toHaveLength(1);
    await client().query(`CREATE SCHEMA ${quoted(`s${name}`.slice(0, 60))}`);
    await client().query(`CREATE TABLE ${quoted(`s${name}`.slice(0, 60))}.t AS SELECT * FROM ${table}`);
    const inSchema = `${postgresAddress()}?${new URLSearchParams({ table: "t", schema: `s${name}`.slice(0, 60) })}`;
    expect(await countsIn(inSchema, recipeOptions)).toEqual([["u", "s", 1]]);
    await client().query(`DROP SCHEMA ${quoted(`s${name}`.slice(0, 60))} CASCADE`);
    expect((await client().query("SELECT to_regclass('tables_test.victim') AS still")).rows[0].still).not.toBeNull();
  });

  test("one with a dot is taken whole first, then as schema and table", async () => {
    await client().query(
      `CREATE TABLE tables_test.dotted AS SELECT 'inner' AS who, 1 AS speed, 's' AS shop;
       DROP TABLE IF EXISTS public."tables_test.dotted"; CREATE TABLE public."tables_test.dotted" AS SELECT 'whole' AS who, 1 AS speed, 's' AS shop`,
    );
    expect(await countsIn(sourceOf("tables_test.dotted"))).toEqual([["whole", "s", 1]]);
    await client().query('DROP TABLE public."tables_test.dotted"');
    expect(await countsIn(sourceOf("tables_test.dotted"))).toEqual([["inner", "s", 1]]);
  });

  test("a name too long is not cut to one that exists; a zero byte is refused", async () => {
    const long = "b".repeat(63);
    await client().query(`CREATE TABLE public.${long} AS SELECT 'u' AS who, 1 AS speed, 's' AS shop`);
    try {
      expect(await countsIn(sourceOf(long))).toEqual([["u", "s", 1]]);
      expect((await refusalOf(countsIn(sourceOf(`${long}b`)))).code).toBe("INPUT_NOT_FOUND");
    } finally {
      await client().query(`DROP TABLE public.${long}`);
    }
    expect((await refusalOf(countsIn(sourceOf("a\0b")))).code).toBe("USAGE");
  });

  test("a table that is not there, an index, no table, a parameter that nobody reads", async () => {
    const missing = await refusalOf(countsIn(sourceOf("no_such_table")));
    expect(missing.code).toBe("INPUT_NOT_FOUND");
    expect(missing.message).toContain("'no_such_table'");
    expect(missing.message).toContain("'public'");
    await client().query("CREATE TABLE tables_test.indexed (x int PRIMARY KEY)");
    expect((await refusalOf(countsIn(sourceOf("tables_test.indexed_pkey")))).message).toContain("no table or view");
    expect((await refusalOf(countsIn(postgresAddress()))).code).toBe("USAGE");
    expect((await refusalOf(countsIn(`${sourceOf("x")}&tabel=y`))).message).toContain("'tabel'");
    const columns = await tableOf("SELECT 'u' AS who, 1 AS speed");
    expect((await refusalOf(countsIn(columns))).message).toContain("no column 'shop' (--by); it has 'who', 'speed'");
    expect((await refusalOf(engine.describe(columns, { delimiter: ";" }))).code).toBe("USAGE");
  });

  test.each([
    "pg_catalog.pg_class",
    "information_schema.tables",
    "pg_class",
    "*",
  ])("%s is none of the tables that hold records", async (name) => {
    expect((await refusalOf(countsIn(sourceOf(name)))).code).toBe("INPUT_NOT_FOUND");
  });

  test("views, materialized views and partitioned tables are tables", async () => {
    await client().query(
      `CREATE TABLE tables_test.parted (who text, speed int, shop text) PARTITION BY LIST (shop);
       CREATE TABLE tables_test.part_s PARTITION OF tables_test.parted FOR VALUES IN ('s');
       CREATE TABLE tables_test.part_t PARTITION OF tables_test.parted FOR VALUES IN ('t');
       INSERT INTO tables_test.parted VALUES ('u', 1, 's'), ('u', 2, 't'), ('v', 3, 't');
       CREATE VIEW tables_test.seen AS SELECT * FROM tables_test.parted;
       CREATE MATERIALIZED VIEW tables_test.kept AS SELECT * FROM tables_test.parted`,
    );
    for (const name of ["parted", "seen", "kept"])
      expect(await sumsIn(sourceOf(`tables_test.${name}`))).toEqual({ s: 100, t: 500 });
  });

  test("a view of constants is read like any other: nothing in a query fails before there is a row", async () => {
    const view = async (columns: string, where = ""): Promise<string> => {
      made += 1;
      await client().query(
        `CREATE VIEW tables_test.v${made} AS SELECT ${columns} FROM generate_series(1, 3) AS t(x)${where}`,
      );
      return sourceOf(`tables_test.v${made}`);
    };
    const timed = { user: "who", value: "speed", time: "when", slot: "1h" };
    expect(await sumsIn(await view("'u' AS who, '2.5' AS speed, 's' AS shop"))).toEqual({ s: 750 });
    expect(await countsIn(await view(`'u' AS who, 1 AS speed, '2016-12-16T09:30Z' AS "when"`), timed)).toEqual([
      ["u", "2016-12-16T09:00+00:00", 3],
    ]);
    for (const [columns, recipeOptions] of [
      ["'u' AS who, 'text' AS speed, 's' AS shop", BY_SHOP],
      ["'u' AS who, CAST(NULL AS text) AS speed, 's' AS shop", BY_SHOP],
      ["CAST(NULL AS text) AS who, CAST('NaN' AS numeric) AS speed, 's' AS shop", BY_SHOP],
      [`'u' AS who, 1 AS speed, '2017-02-29' AS "when"`, timed],
      [`'u' AS who, 1 AS speed, CAST('infinity' AS date) AS "when"`, timed],
    ] as const) {
      expect((await refusalOf(countsIn(await view(columns), recipeOptions))).message).toContain("in 3 records: ");
      expect((await refusalOf(countsIn(await view(columns, " WHERE x > 3"), recipeOptions))).code).toBe("INPUT_EMPTY");
    }
  });

  test("an empty table, and one without columns", async () => {
    await client().query(
      "CREATE TABLE tables_test.bare (); CREATE TABLE tables_test.empty (who text, speed int, shop text)",
    );
    expect((await refusalOf(countsIn(sourceOf("tables_test.empty")))).code).toBe("INPUT_EMPTY");
    expect((await refusalOf(countsIn(sourceOf("tables_test.bare")))).code).toBe("INPUT_EMPTY");
  });
});

describe("ids", () => {
  test("of any type are their text", async () => {
    const source = await tableOf(
      `SELECT CAST(9007199254740993 AS bigint) AS who, 1 AS speed, true AS flag, DATE '2016-12-16' AS day, CAST(7 AS smallint) AS line,
         CAST('00000000-0000-0000-0000-00000000ABCD' AS uuid) AS uuid, CAST(1.50 AS numeric(9, 2)) AS price,
         CAST('2016-12-16 09:30' AS timestamp) AS clock, CAST('2016-12-16 09:30-06' AS timestamptz) AS instant, CAST(0.1 AS double precision) AS share`,
    );
    expect(
      await countsIn(source, { user: "who", value: "speed", by: "flag,day,line,uuid,price,clock,instant,share" }),
    ).toEqual([
      [
        "9007199254740993",
        "true/2016-12-16/7/00000000-0000-0000-0000-00000000abcd/1.50/2016-12-16 09:30:00/2016-12-16 15:30:00+00/0.1",
        1,
      ],
    ]);
  });

  test("are what they are whatever the column's collation takes for the same", async () => {
    await client().query(
      `CREATE COLLATION tables_test.careless (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
       CREATE TABLE tables_test.careless_ids (who text COLLATE tables_test.careless, speed int, shop text COLLATE tables_test.careless, key text COLLATE tables_test.careless);
       INSERT INTO tables_test.careless_ids SELECT who, 1, shop, key FROM unnest(ARRAY['a', 'A', 'á', 'a']) AS w(who), unnest(ARRAY['b', 'B']) AS s(shop), unnest(ARRAY['k', 'K', 'ķ', 'k']) AS k(key)`,
    );
    const expected: Triple[] = ["A", "a", "á"].flatMap((who) =>
      ["B", "b"].map((shop): Triple => [who, shop, who === "a" ? 8 : 4]),
    );
    const source = sourceOf("tables_test.careless_ids");
    expect(await countsIn(source)).toEqual(expected);
    expect(await countsIn(source, { ...BY_SHOP, dedupe: "key" })).toEqual(
      expected.map(([who, shop]) => [who, shop, 3]),
    );
  });

  test("of a fixed width lose the blanks they are filled up with; those of citext keep their letters", async () => {
    const source = await tableOf(
      "SELECT CAST(x AS char(5)) AS who, 1 AS speed, CAST('s' AS varchar(3)) AS shop FROM unnest(ARRAY['a', 'a  ', ' a']) AS t(x)",
    );
    expect(await countsIn(source)).toEqual([
      [" a", "s", 1],
      ["a", "s", 2],
    ]);
    const { rows } = await client().query("SELECT 1 FROM pg_available_extensions WHERE name = 'citext'");
    if (rows.length === 0) return;
    await client().query("CREATE EXTENSION IF NOT EXISTS citext SCHEMA public");
    const folded = await tableOf(
      "SELECT CAST(x AS public.citext) AS who, CAST('1' AS public.citext) AS speed, 's' AS shop FROM unnest(ARRAY['a', 'A', 'a']) AS t(x)",
    );
    expect(await countsIn(folded)).toEqual([
      ["A", "s", 1],
      ["a", "s", 2],
    ]);
  });

  test("domains and enumerations", async () => {
    await client().query(
      `CREATE DOMAIN tables_test.plate AS text; CREATE DOMAIN tables_test.pace AS numeric(6, 2) CHECK (VALUE >= 0);
       CREATE DOMAIN tables_test.limited AS tables_test.pace; CREATE TYPE tables_test.shop AS ENUM ('s', 't')`,
    );
    const source = await tableOf(
      "SELECT CAST('u' AS tables_test.plate) AS who, CAST(1.25 AS tables_test.limited) AS speed, CAST('t' AS tables_test.shop) AS shop",
    );
    expect(await sumsIn(source)).toEqual({ t: 125 });
  });
});

describe("values", () => {
  const valuesAs = (type: string, ...texts: string[]): Promise<string> =>
    tableOf(
      `SELECT 'u' AS who, CAST(x AS ${type}) AS speed, 's' AS shop FROM unnest(ARRAY[${texts.map((text) => `'${text}'`).join(", ")}, NULL]) AS t(x)`,
    );

  test.each([
    "double precision",
    "real",
    "numeric",
    "numeric(9, 2)",
    "text",
    "varchar(20)",
    "char(9)",
    "jsonb",
  ])("as %s", async (type) => {
    expect(await sumsIn(await valuesAs(type, "0.25", "99.5"), { ...BY_SHOP, missing: "drop" })).toEqual({
      s: 25 + 9950,
    });
  });

  test.each(["smallint", "integer", "bigint", "numeric"])("whole as %s", async (type) => {
    expect(await sumsIn(await valuesAs(type, "0", "1", "2", "40"), { ...BY_SHOP, missing: "drop" })).toEqual({
      s: 4300,
    });
  });

  test("true is 1 and false 0", async () => {
    expect(await sumsIn(await valuesAs("boolean", "true", "false", "true"), { ...BY_SHOP, missing: "drop" })).toEqual({
      s: 200,
    });
  });

  test.each(["double precision", "real", "numeric", "text"])("NaN of %s is a missing value", async (type) => {
    const source = await valuesAs(type, "NaN", "1");
    expect(await countsIn(source, { ...BY_SHOP, missing: "drop" })).toEqual([["u", "s", 1]]);
    expect(await sumsIn(source, { ...BY_SHOP, missing: "midpoint" })).toEqual({ s: 100 + 2 * 5000 });
    const { message } = await refusalOf(countsIn(source));
    expect(message).toContain("in 2 records: column 'speed' is empty");
  });

  test.each([
    "double precision",
    "real",
    "numeric",
    "text",
  ])("infinity of %s is refused, and so is text that is none", async (type) => {
    const { rows } = await client().query("SHOW server_version_num");
    if (type === "numeric" && Number(rows[0].server_version_num) < 140_000) return;
    const source = await valuesAs(type, "1", "Infinity", "-Infinity", "2");
    const { code, message } = await refusalOf(countsIn(source, { ...BY_SHOP, missing: "drop" }), ["nfinity"]);
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("in 2 records: column 'speed' holds text that is not a number");
  });

  test.each([
    ["money", "CAST('12.34' AS money)"],
    ["date", "DATE '2016-12-16'"],
    ["interval", "INTERVAL '1 hour'"],
    ["bytea", "CAST('7' AS bytea)"],
  ])("of type %s are refused", async (type, sql) => {
    const { code, message } = await refusalOf(
      countsIn(await tableOf(`SELECT 'u' AS who, ${sql} AS speed, 's' AS shop`)),
    );
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain(`column 'speed' is of type ${type}`);
  });

  test.each([
    "bigint",
    "integer",
    "text",
    "character(3)",
    "uuid",
    "date",
  ])("a user of type %s that is null is none: refused, or left out and counted", async (type) => {
    const some = { uuid: "00000000-0000-0000-0000-000000000000", date: "2016-12-16" }[type] ?? "0";
    const source = await tableOf(
      `SELECT CAST(x AS ${type}) AS who, 1 AS speed, 's' AS shop FROM unnest(ARRAY['${some}', NULL, NULL]) AS t(x)`,
    );
    expect((await refusalOf(countsIn(source))).message).toContain("column 'who' is empty in 2 records");
    for (const [emptyUser, users] of [
      ["drop", 1],
      ["one", 2],
    ] as const) {
      const records = await recordsAt(engine, source, { ...BY_SHOP, emptyUser });
      const { occupancy, notes } = await engine.readOccupancy(records);
      expect([occupancy.users.length, notes.withoutUser]).toEqual([users, 2]);
    }
  });

  test("a view that fails on a value does not show it", async () => {
    await client().query(
      `CREATE TABLE tables_test.raw AS SELECT 'u' AS who, 'secret61' AS speed, 's' AS shop;
       CREATE VIEW tables_test.failing AS SELECT who, CAST(speed AS double precision) AS speed, shop FROM tables_test.raw`,
    );
    const { code } = await refusalOf(countsIn(sourceOf("tables_test.failing")), ["secret61"]);
    expect(code).toBe("INPUT_MALFORMED");
  });

  /** Lattice integers of values as they stand in the table, one grid each. */
  const integersOf = async (
    type: string,
    texts: readonly string[],
    flags: { bounds: string; step?: string },
  ): Promise<bigint[]> => {
    await client().query(
      `DROP TABLE IF EXISTS tables_test.values; CREATE TABLE tables_test.values (who text, shop text, speed ${type})`,
    );
    await client().query(
      `INSERT INTO tables_test.values SELECT 'u', lpad(at::text, 6, '0'), x::${type} FROM unnest($1::text[]) WITH ORDINALITY AS t(x, at)`,
      [texts],
    );
    const records = await recordsAt(engine, sourceOf("tables_test.values"), BY_SHOP);
    const { occupancy } = await engine.readOccupancy(records);
    const { totals } = await engine.readTotals(records, baselinePlan(occupancy, flags));
    return totals.map(({ sum }) => sum);
  };

  test.each(["numeric", "text"])("decimals as %s become the doubles that JavaScript reads", async (type) => {
    const flags = { bounds: "0,1048576", step: "1" };
    const decimal = fc.oneof(
      fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 40 })).map(([digits, places]) => {
        const text = String(digits).padStart(places + 1, "0");
        return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
      }),
      // Halves of steps and their closest neighbours, where the last bit decides.
      fc
        .tuple(
          fc.nat({ max: 1_048_575 }),
          fc.constantFrom("49999999999", "5", "50000000000000000000001", "4999999999999999999999"),
        )
        .map(([whole, rest]) => `${whole}.${rest}`),
      fc.double({ min: 0, max: 2e6, noNaN: true }).map(String),
      fc.constantFrom(
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "0e-999",
        "1e-9999",
        "-1e-400",
        "-5",
      ),
    );
    const texts = fc.sample(decimal, { numRuns: 2000, seed: 7 });
    const expected = texts.map((text) => BigInt(Math.min(Math.max(Math.floor(Number(text) + 0.5), 0), 1_048_576)));
    expect(await integersOf(type, texts, flags)).toEqual(expected);
  });

  test("where steps are longer than the smallest double, too", async () => {
    const flags = { bounds: "0,1024", step: "4" };
    const texts = ["5e-324", "1e-320", "1", "1.9999999999999998", "2", "5.999999999999999", "6", "1e300", "-1e300"];
    const expected = texts.map((text) => BigInt(Math.min(Math.max(Math.floor(Number(text) / 4 + 0.5), 0), 256)));
    expect(await integersOf("double precision", texts, flags)).toEqual(expected);
  });
});

describe("times", () => {
  test.each([
    ["timestamp", "2016-12-16T09:00-06:00"],
    ["timestamp(0)", "2016-12-16T09:00-06:00"],
    ["timestamptz", "2016-12-16T03:00-06:00"],
    ["date", "2016-12-16T00:00-06:00"],
    ["text", "2016-12-16T09:00-06:00"],
  ])("as %s, whatever the server's and the role's own settings", async (type, slot) => {
    await client().query(
      "ALTER ROLE CURRENT_USER SET TimeZone = 'Asia/Kathmandu'; ALTER ROLE CURRENT_USER SET DateStyle = 'SQL, DMY'; ALTER ROLE CURRENT_USER SET statement_timeout = '5min'",
    );
    try {
      await using other = await openPostgres();
      const source = await tableOf(
        `SELECT 'u' AS who, 1 AS speed, CAST('2016-12-16 09:30:00${type === "timestamptz" ? "+00" : ""}' AS ${type}) AS "when"`,
      );
      const recipeOptions = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00" };
      const records = await recordsAt(other, source, recipeOptions);
      expect(triplesOf((await other.readOccupancy(records)).occupancy)).toEqual([["u", slot, 1]]);
    } finally {
      await client().query("ALTER ROLE CURRENT_USER RESET ALL");
    }
  });

  test.each([
    ["epoch-s", "CAST(1481902200 AS bigint)"],
    ["epoch-s", "CAST(1481902200 AS integer)"],
    ["epoch-s", "CAST(1481902200.25 AS double precision)"],
    ["epoch-s", "CAST(1481902200.999999 AS numeric)"],
    ["epoch-ms", "CAST(1481902200000 AS bigint)"],
    ["epoch-ms", "CAST(1481902200000.5 AS double precision)"],
  ])("%s in %s", async (timeFormat, value) => {
    const source = await tableOf(`SELECT 'u' AS who, 1 AS speed, ${value} AS "when"`);
    const recipeOptions = { user: "who", value: "speed", time: "when", slot: "1h", tz: "-06:00", timeFormat };
    expect(await countsIn(source, recipeOptions)).toEqual([["u", "2016-12-16T09:00-06:00", 1]]);
  });

  test("microseconds of a double are those its decimal says", async () => {
    const source = await tableOf(
      `SELECT 'u' AS who, 1 AS speed, CAST('1481902199.999999' AS double precision) AS "when"`,
    );
    const recipeOptions = { user: "who", value: "speed", time: "when", slot: "15m", timeFormat: "epoch-s" };
    expect(await countsIn(source, recipeOptions)).toEqual([["u", "2016-12-16T15:15+00:00", 1]]);
  });

  test.each([
    ["timestamp", "infinity"],
    ["timestamptz", "-infinity"],
    ["date", "infinity"],
    ["timestamp", "0044-03-15 12:00:00 BC"],
    ["date", "5874897-12-31"],
    ["timestamp", "10000-01-01 00:00:00"],
    ["bigint", "9223372036854775807"],
    ["numeric", "1e30"],
    ["double precision", "NaN"],
    ["double precision", "1e300"],
  ])("of type %s that are %s are refused, naming them", async (type, when) => {
    const source = await tableOf(`SELECT 'u' AS who, 1 AS speed, CAST('${when}' AS ${type}) AS "when"`);
    const { code, message } = await refusalOf(
      countsIn(source, { user: "who", value: "speed", time: "when", slot: "1d", timeFormat: "epoch-s" }),
    );
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("1 record: column 'when'");
  });

  test("the first and last microseconds of what has a name", async () => {
    const source = await tableOf(
      `SELECT 'u' AS who, 1 AS speed, CAST(x AS timestamp) AS "when" FROM unnest(ARRAY['0100-01-01 00:00:00', '1969-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999']) AS t(x)`,
    );
    const recipeOptions = { user: "who", value: "speed", time: "when", slot: "1h", from: "0100-01-01" };
    expect((await countsIn(source, recipeOptions)).map(([, grid]) => grid)).toEqual([
      "0100-01-01T00:00+00:00",
      "1969-12-31T23:00+00:00",
      "9999-12-31T23:00+00:00",
    ]);
  });
});

describe("places", () => {
  test.each([
    ["double precision[]", "'{-87.5, 41.5}'"],
    ["real[]", "'{-87.5, 41.5}'"],
    ["numeric[]", "'{-87.5, 41.5}'"],
    ["text[]", "'{-87.5, 41.5}'"],
    ["point", "'(-87.5, 41.5)'"],
    ["jsonb", "'[-87.5, 41.5]'"],
    ["text", `' [ "-87.5" , 41.5 ] '`],
  ])("points as %s", async (type, value) => {
    const source = await tableOf(`SELECT 'u' AS who, 1 AS speed, CAST(${value} AS ${type}) AS point`);
    const recipeOptions = { user: "who", value: "speed", point: "point", h3: "7" };
    const records = await recordsAt(engine, source, recipeOptions);
    const { occupancy, messages } = await engine.readOccupancy(records);
    expect(triplesOf(occupancy)).toEqual([["u", latLngToCell(41.5, -87.5, 7), 1]]);
    expect(messages?.join()).toContain("1 distinct places were mapped to hexagons here");
  });

  test.each([
    ["double precision[]", "'{1, 2, 3}'"],
    ["double precision[]", "'{}'"],
    ["double precision[]", "'{{1, 2}}'"],
    ["double precision[]", "'[0:1]={1,2}'"],
    ["double precision[]", "'{NULL, 2}'"],
    ["point", "'(1, 91)'"],
    ["point", "'(NaN, 9)'"],
    ["text", "'[1, 2, 3]'"],
    ["text", "'1, 2'"],
  ])("points as %s that are none: %s", async (type, value) => {
    const source = await tableOf(`SELECT 'u' AS who, 1 AS speed, CAST(${value} AS ${type}) AS point`);
    const { code, message } = await refusalOf(
      countsIn(source, { user: "who", value: "speed", point: "point", h3: "7" }),
    );
    expect(code).toBe("INPUT_MALFORMED");
    expect(message).toContain("1 record: column 'point'");
  });

  test("more distinct places than are mapped at a time, some of them often", async () => {
    const source = await tableOf(
      `SELECT 'u' || x % 3 AS who, 1 AS speed, 41 + (x % 70000) * 1e-5 AS lat, -87.5 AS lon FROM generate_series(1, 90000) AS t(x)`,
    );
    const records = await recordsAt(engine, source, { user: "who", value: "speed", lat: "lat", lon: "lon", h3: "5" });
    const { occupancy, messages } = await engine.readOccupancy(records);
    const expected = new Map<string, number>();
    for (let x = 1; x <= 90_000; x++) {
      const cell = latLngToCell(Number((41 + (x % 70_000) * 1e-5).toFixed(5)), -87.5, 5);
      expected.set(cell, (expected.get(cell) ?? 0) + 1);
    }
    const found = new Map(Array.from(occupancy.grids, (grid, index) => [grid, occupancy.samplesOfGrid[index]]));
    expect(found).toEqual(new Map([...expected].sort(([left], [right]) => (left < right ? -1 : 1))));
    expect(messages?.join()).toContain("70,000 distinct places");
  });
});

test("sums of more user–grid pairs than are handed over at a time", async () => {
  const source = await tableOf(
    `SELECT 'u' || x % 50000 AS who, x % 101 AS speed, 's' || x % 3 AS shop FROM generate_series(1, 200000) AS t(x)`,
  );
  const records = await recordsAt(engine, source, BY_SHOP);
  const { occupancy } = await engine.readOccupancy(records);
  expect(occupancy.entries).toBe(150_000);
  const plan = baselinePlan(occupancy, { bounds: "0,100", step: "1" });
  const only = { grids: plan.grids, occupancy };
  const { sums } = await engine.readSums(records, plan, { only, thresholds: [60n] });
  const expected = occupancy.byUser.count.map(() => 0);
  const above = expected.slice();
  for (let x = 1; x <= 200_000; x++) {
    const entry = occupancy.entryOf(occupancy.users.indexOf(`u${x % 50_000}`), occupancy.grids.indexOf(`s${x % 3}`));
    expected[entry]! += x % 101;
    above[entry]! += x % 101 >= 60 ? 1 : 0;
  }
  expect(expected.map((_, entry) => Number(sums.sum(entry)))).toEqual(expected);
  expect(above.map((_, entry) => sums.atLeast(0, entry))).toEqual(above);
});

describe("somebody else's functions and operators", () => {
  test("are not called, however well they fit", async () => {
    await client().query(
      `CREATE FUNCTION public.btrim(text, text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
       CREATE FUNCTION public.left(text, integer) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
       CREATE FUNCTION public.floor(double precision) RETURNS double precision LANGUAGE sql AS 'SELECT 0::double precision';
       CREATE FUNCTION public.same(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
       CREATE FUNCTION public.times(bigint, integer) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint';
       CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = public.same);
       CREATE OPERATOR public.* (LEFTARG = bigint, RIGHTARG = integer, FUNCTION = public.times);
       CREATE TABLE public.pg_class (oid oid, relname text, relkind text, relnamespace oid)`,
    );
    try {
      await using other = await openPostgres();
      const source = await tableOf("SELECT who, ' 2.5 ' AS speed, 's' AS shop FROM unnest(ARRAY['a', 'b']) AS t(who)");
      const records = await recordsAt(other, source, BY_SHOP);
      const { occupancy } = await other.readOccupancy(records);
      expect(triplesOf(occupancy)).toEqual([
        ["a", "s", 1],
        ["b", "s", 1],
      ]);
      const plan = { ...baselinePlan(occupancy, FLAGS), caps: [1] };
      const { totals } = await other.readTotals(records, plan, { clampedSums: true });
      expect(totals[0]).toMatchObject({ kept: 2, sum: 500n, sumOfSquares: 125_000n, doubledClampedSum: 1000n });
    } finally {
      await client().query(
        `DROP OPERATOR public.= (text, text); DROP OPERATOR public.* (bigint, integer); DROP TABLE public.pg_class;
         DROP FUNCTION public.btrim(text, text), public.left(text, integer), public.floor(double precision), public.same(text, text), public.times(bigint, integer)`,
      );
    }
  });
});

test("ranks are kept by the rule, in both widths of integers", async () => {
  const cases = fc.sample(
    fc.tuple(
      fc.bigInt({ min: 1n, max: 2n ** 30n }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
    ),
    { numRuns: 500, seed: 3 },
  );
  const small = Array.from({ length: 12 }, (_, m) => m + 1).flatMap((m) =>
    Array.from({ length: m }, (_, c) => c + 1).flatMap((c) =>
      Array.from({ length: m }, (_, r) => [m, c, r].map(BigInt) as [bigint, bigint, bigint]),
    ),
  );
  const large = cases.map(([m, share, at]): [bigint, bigint, bigint] => {
    const c = BigInt(Math.max(1, Math.floor(Number(m) * share)));
    return [m, c, BigInt(Math.floor(Number(m) * at))];
  });
  const huge = large.map(([m, c, r]): [bigint, bigint, bigint] => [4n * m, 4n * c, 4n * r + 3n]);
  for (const keep of ["spread", "first"] as const) {
    for (const { largest, rows } of [
      { largest: 2n ** 62n, rows: [...small, ...large] },
      { largest: 2n ** 66n, rows: [...small, ...large, ...huge] },
    ]) {
      const columns = [0, 1, 2].map((index) => rows.map((row) => String(row[index])));
      const { rows: found } = await client().query({
        text: `SELECT ${dialect.integers(largest).condition(keptRank(keep))} FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS t(m, c, r, at) ORDER BY at`,
        values: columns,
        rowMode: "array",
      });
      expect(found.map(([kept]) => kept)).toEqual(
        rows.map(([m, c, r]) => isKeptRank(r, { records: m, kept: c, keep })),
      );
    }
  }
});

test("mistakes are noticed in a table as in a file, from users and times of its first rows", async () => {
  const reports = `SELECT 'bus ' || bus AS who, 's' || (report / 10) AS shop, report AS speed, bus || '-' || (report / 20) AS trip,
    timestamptz '2026-03-10 08:00Z' + report * interval '20 seconds' AS at
    FROM generate_series(0, 39) AS report, generate_series(1, 6) AS bus ORDER BY report`;
  const source = await tableOf(reports);
  const timed = { ...BY_SHOP, time: "at", tz: "UTC" };
  const { warnings } = await readSource(source, timed);
  expect(warnings).toEqual([expect.stringMatching(/^records of a user come about every 20 s /)]);
  expect((await readSource(source, { ...timed, dedupe: "trip" })).warnings).toEqual([]);
  expect((await readSource(source, BY_SHOP)).warnings).toEqual([]);
});
