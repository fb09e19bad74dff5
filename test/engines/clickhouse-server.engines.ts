/** What is particular to ClickHouse: what servers can do, types, hostile names and texts, shards, limits, cancelling, and who may come in. */
import fc from "fast-check";
import { latLngToCell } from "h3-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killShard, startShard } from "../../scripts/servers/clickhouse.mjs";
import { Database } from "../../src/data/engines/clickhouse/database.ts";
import { identifier, text } from "../../src/data/engines/clickhouse/dialect.ts";
import { type Engine, openEngine } from "../../src/data/engines/index.ts";
import { parseRecipe, type RecipeFlags } from "../../src/data/partition/index.ts";
import { parseDatabaseUrl } from "../../src/data/sources/index.ts";
import { baselinePlan, decidedPlan, KEEP_ALL, PLAIN, recordsAt, refusalOf, triplesOf } from "../conformance/harness.ts";
import { onServer, tableAddress } from "./support/clickhouse-tables.ts";
import { clickhouseFolders, clickhouseShards, currentClickhouse } from "./support/servers.ts";

const shards = clickhouseShards();
const current = currentClickhouse();
const SERVERS = [
  ["of 2018", shards[0]!],
  ["of today", current],
] as const;

let tables = 0;
function freshTable(): string {
  tables += 1;
  return `special_${process.pid}_${tables}`;
}

function databaseAt(server: string): Promise<Database> {
  return Database.open(parseDatabaseUrl(tableAddress(server, "any"))!);
}

/** A table on one server, and what an engine counts in it. */
async function countsIn(server: string, columns: string, rows: string, recipeOptions: RecipeFlags): Promise<unknown[]> {
  const table = freshTable();
  await onServer(server, `CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY tuple()`);
  await onServer(server, `INSERT INTO ${table} SELECT ${rows}`);
  await using engine = await openEngine(tableAddress(server, table));
  const records = await recordsAt(engine, tableAddress(server, table), recipeOptions);
  return triplesOf((await engine.readOccupancy(records)).occupancy);
}

test("capabilities are those of the version", async () => {
  await using old = await databaseAt(shards[0]!);
  expect(old.capabilities).toMatchObject({
    parameters: false,
    windowFunctions: false,
    exactDoubles: false,
    geoToH3: null,
  });
  expect(old.capabilities.settings).not.toHaveProperty("geotoh3_argument_order");
  await using today = await databaseAt(current);
  expect(today.capabilities).toMatchObject({
    parameters: true,
    windowFunctions: true,
    exactDoubles: true,
    geoToH3: "latitude first",
  });
  for (const { settings } of [old.capabilities, today.capabilities])
    expect(settings).toMatchObject({ skip_unavailable_shards: "0", group_by_overflow_mode: "throw" });
});

describe.each(SERVERS)("outside texts on a server %s", (_, server) => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: fc.constantFrom("\\", "'", '"', "`", "\0", "\n", "{", "}", "a", "%", "\ud800"), maxLength: 12 }),
  );

  test("come back as they went, as literals and as parameters", async () => {
    await using database = await databaseAt(server);
    await fc.assert(
      fc.asyncProperty(anyText, async (value) => {
        // Half a surrogate pair has no UTF-8; everything that writes it writes U+FFFD.
        const expected = Buffer.from(value).toString("hex").toUpperCase();
        const [literal] = await database.rows(`SELECT hex(${text(value)})`);
        expect(literal).toEqual([expected]);
        const [parameter] = await database.rows("SELECT hex({value:String})", { parameters: { value } });
        expect(parameter).toEqual([expected]);
      }),
      { numRuns: 60 },
    );
  });

  test("as names of columns lead to these columns and to nothing else", async () => {
    for (const name of [
      "a`b",
      "a\\b",
      "a'b",
      'a"b',
      "v_usr",
      "v_n",
      "v_i",
      "`; DROP TABLE x; --",
      "{value:String}",
      "now()",
      "слово",
      "x\ty",
    ]) {
      const triples = await countsIn(
        server,
        `${identifier(name)} String, ${identifier(`${name} 2`)} String, v Float64, v_usr0 String`,
        "'ann', 'here', 1, 'nobody'",
        { user: name, by: `${name} 2`, value: "v" },
      );
      expect(triples, name).toEqual([["ann", "here", 1]]);
    }
  });

  test("an id that is no text is refused", async () => {
    const refusal = await refusalOf(
      countsIn(server, "u String, g String, v Float64", "unhex('FF61'), 'g', 61.27", {
        user: "u",
        by: "g",
        value: "v",
      }),
      ["61.27"],
    );
    expect(refusal.code).toBe("INPUT_MALFORMED");
    expect(refusal.message).toContain("UTF-8");
  });
});

describe.each(SERVERS)("types on a server %s", (_, server) => {
  const idOf = async (type: string, value: string): Promise<unknown> => {
    const triples = await countsIn(server, `u ${type}, g ${type}, v Float64`, `${value}, ${value}, 1`, {
      user: "u",
      by: "g",
      value: "v",
    });
    return (triples as Array<[string, string, number]>).map(([user, grid]) => [user, decodeURIComponent(grid)]);
  };

  test.each([
    ["UInt8", "7", "7"],
    ["Int64", "toInt64(-9223372036854775807)", "-9223372036854775807"],
    ["UInt64", "toUInt64(18446744073709551615)", "18446744073709551615"],
    ["Nullable(UInt16)", "0", "0"],
    ["FixedString(5)", "toFixedString('ab', 5)", "ab"],
    ["Nullable(FixedString(3))", "toFixedString('ab', 3)", "ab"],
    ["Date", "toDate('2016-12-16')", "2016-12-16"],
    ["UUID", "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ["Enum8('a b' = 1, 'c' = 2)", "'a b'", "a b"],
    ["DateTime('Asia/Kathmandu')", "toDateTime(1481902200)", "2016-12-16 15:30:00"],
  ])("%s is an id", async (type, value, id) => {
    expect(await idOf(type, value)).toEqual([[id, id]]);
  });

  test("a null id of any type is none", async () => {
    const recipeOptions = { user: "u", by: "g,h", value: "v", emptyUser: "one" };
    const columns = "u Nullable(UInt32), g Nullable(UInt32), h Nullable(String), v Float64";
    expect(await countsIn(server, columns, "NULL, NULL, NULL, 1", recipeOptions)).toEqual([["", "%null/%null", 1]]);
    expect(await countsIn(server, columns, "0, 0, '', 1", recipeOptions)).toEqual([["0", "0/", 1]]);
  });

  test.each([
    ["UInt8", "0"],
    ["Nullable(Int64)", "toInt64(0)"],
    ["String", "' '"],
    ["LowCardinality(Nullable(String))", "'null'"],
    ["FixedString(2)", "toFixedString(' ', 2)"],
    ["UUID", "toUUID('00000000-0000-0000-0000-000000000000')"],
  ])("a user of type %s that is %s is one", async (type, user) => {
    if (type.startsWith("LowCardinality") && server !== current) return;
    for (const emptyUser of [undefined, "drop"]) {
      const recipeOptions = { user: "u", by: "g", value: "v", emptyUser };
      expect(await countsIn(server, `u ${type}, g String, v Float64`, `${user}, 'g', 1`, recipeOptions)).toHaveLength(
        1,
      );
    }
  });

  test.each([
    ["Nullable(Int64)", "NULL"],
    ["String", "''"],
    ["Nullable(String)", "NULL"],
    ["FixedString(2)", "toFixedString('', 2)"],
    ["Nullable(UUID)", "NULL"],
  ])("a user of type %s that is %s is none: refused, or left out", async (type, user) => {
    for (const [emptyUser, code] of [
      [undefined, "INPUT_MALFORMED"],
      ["drop", "INPUT_EMPTY"],
    ] as const) {
      const recipeOptions = { user: "u", by: "g", value: "v", emptyUser };
      const counted = countsIn(server, `u ${type}, g String, v Float64`, `${user}, 'g', 1`, recipeOptions);
      expect((await refusalOf(counted)).code).toBe(code);
    }
  });

  test.each([
    "Float64",
    "Decimal(9, 2)",
    "Array(String)",
    "Tuple(String, String)",
  ])("%s is refused as an id", async (type) => {
    const table = freshTable();
    await onServer(server, `CREATE TABLE ${table} (u String, g ${type}, v Float64) ENGINE = Memory`);
    await using engine = await openEngine(tableAddress(server, table));
    const records = await recordsAt(engine, tableAddress(server, table), { user: "u", by: "g", value: "v" });
    const { code, message } = await refusalOf(engine.readOccupancy(records));
    expect(code).toBe("ENGINE_UNSUPPORTED");
    expect(message).toContain("'g' (--by)");
  });

  test.each([
    ["Int8", ["-7", "7", "66"]],
    ["UInt64", ["0", "18446744073709551615", "65"]],
    ["Float32", ["0.1", "22.4901", "64.9999"]],
    ["Nullable(Float64)", ["22.4901", "1e300", "-0.5"]],
    ["Decimal(9, 4)", ["22.4901", "14.9013", "-0.0001"]],
    ["Decimal(18, 6)", ["22.490100", "14.901300", "64.999999"]],
  ])("%s is the nearest double", async (type, values) => {
    const table = freshTable();
    const address = tableAddress(server, table);
    await onServer(server, `CREATE TABLE ${table} (u String, g String, v ${type}) ENGINE = MergeTree ORDER BY tuple()`);
    const written = (value: string): string =>
      type.startsWith("Decimal") ? `toDecimal64('${value}', ${type.slice(-2, -1)})` : floatOrWhole(type, value);
    for (const [at, value] of values.entries())
      await onServer(server, `INSERT INTO ${table} SELECT 'u', 'g${at}', ${written(value)}`);
    await using engine = await openEngine(address);
    const flags = { bounds: "0,65" };
    const records = await recordsAt(engine, address, { user: "u", by: "g", value: "v" });
    const { occupancy } = await engine.readOccupancy(records);
    const { totals } = await engine.readTotals(records, baselinePlan(occupancy, flags));
    const asRead = (value: string): number => (type === "Float32" ? Math.fround(Number(value)) : Number(value));
    const lattice = (x: number): bigint => BigInt(Math.min(Math.max(Math.floor(x / (65 / 2 ** 20) + 0.5), 0), 2 ** 20));
    expect(totals.map(({ sum }) => sum)).toEqual(values.map((value) => lattice(asRead(value))));
  });

  /** By its bytes: a server of 2018 does not read decimals exactly. */
  function floatOrWhole(type: string, value: string): string {
    if (type === "Float32") {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(Number(value));
      return `reinterpretAsFloat32(unhex('${bytes.toString("hex")}'))`;
    }
    if (!type.includes("Float")) return value;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    return `reinterpretAsFloat64(unhex('${bytes.toString("hex")}'))`;
  }

  test.each([
    ["DateTime", "toDateTime(1481902200)", "2016-12-16T09:00-06:00"],
    ["DateTime('Asia/Kathmandu')", "toDateTime(1481902200)", "2016-12-16T09:00-06:00"],
    ["Nullable(DateTime)", "toDateTime(1481902200)", "2016-12-16T09:00-06:00"],
    ["Date", "toDate('2016-12-16')", "2016-12-16T00:00-06:00"],
  ])("%s is a time, whatever the server's zone", async (type, value, grid) => {
    const recipeOptions = { user: "u", time: "t", slot: "1h", tz: "-06:00", value: "v" };
    expect(await countsIn(server, `u String, t ${type}, v Float64`, `'u', ${value}, 1`, recipeOptions)).toEqual([
      ["u", grid, 1],
    ]);
  });

  test("tuples and arrays of every number are points", async () => {
    const recipeOptions = { user: "u", point: "p", h3: "9", value: "v" };
    const cell = latLngToCell(41.5, -87.5, 9);
    for (const [type, value] of [
      ["Tuple(Float64, Float64)", "(-87.5, 41.5)"],
      ["Array(Float32)", "[-87.5, 41.5]"],
      ["Array(Float64)", "[-87.5, 41.5]"],
    ]) {
      const triples = await countsIn(server, `u String, p ${type}, v Float64`, `'u', ${value}, 1`, recipeOptions);
      expect(triples).toEqual([["u", cell, 1]]);
    }
    const three = countsIn(server, "u String, p Array(Float64), v Float64", "'u', [1, 2, 3], 1", recipeOptions);
    expect((await refusalOf(three)).code).toBe("INPUT_MALFORMED");
  });
});

test("types of current servers: dictionaries, finer times, named tuples", async () => {
  const recipeOptions = { user: "u", by: "g", time: "t", slot: "1s", value: "v" };
  const columns =
    "u LowCardinality(String), g LowCardinality(Nullable(String)), t DateTime64(9, 'Asia/Kathmandu'), v Float64";
  const row = (g: string, t: string): string => `'ann', ${g}, toDateTime64('${t}', 9, 'UTC'), 1`;
  expect(await countsIn(current, columns, row("'x'", "2016-12-16 15:30:00.999999999"), recipeOptions)).toEqual([
    ["ann", "x/2016-12-16T15:30+00:00", 1],
  ]);
  expect(await countsIn(current, columns, row("NULL", "1969-12-31 23:59:59.999999999"), recipeOptions)).toEqual([
    ["ann", "%null/1969-12-31T23:59:59+00:00", 1],
  ]);
  const points = await countsIn(
    current,
    "u String, p Tuple(lon Float64, lat Float64), v Float64",
    "'u', (-87.5, 41.5), 1",
    { user: "u", point: "p", h3: "9", value: "v" },
  );
  expect(points).toEqual([["u", latLngToCell(41.5, -87.5, 9), 1]]);
});

describe("numbers written as text on a server of 2018", () => {
  const recipeOptions = { user: "u", by: "g", value: "v" };

  test("are the nearest doubles up to 15 digits", async () => {
    const table = freshTable();
    const address = tableAddress(shards[0]!, table);
    await onServer(
      shards[0]!,
      `CREATE TABLE ${table} (u String, g String, v String) ENGINE = MergeTree ORDER BY tuple()`,
    );
    const texts = [
      "22.4901",
      "14.9013",
      " 45.4060281349862 ",
      "+0.1e1",
      "1e-7",
      "123456789012345e-14",
      "-0",
      ".5",
      "5.",
      "0e999",
      "00000000000000000012.5",
    ];
    const rows = texts.map((written, at) => `('u', 'g${String(at).padStart(2, "0")}', '${written}')`);
    await onServer(shards[0]!, `INSERT INTO ${table} VALUES ${rows.join(", ")}`);
    await using engine = await openEngine(address);
    const records = await recordsAt(engine, address, recipeOptions);
    const { occupancy } = await engine.readOccupancy(records);
    const { totals } = await engine.readTotals(records, baselinePlan(occupancy, PLAIN));
    const lattice = (x: number): bigint => BigInt(Math.max(Math.floor(x / (65 / 2 ** 20) + 0.5), 0));
    expect(totals.map(({ sum }) => sum)).toEqual(texts.map((written) => lattice(Number(written))));
  });

  test("are refused where they are longer, without being shown", async () => {
    const long = countsIn(
      shards[0]!,
      "u String, g String, v String",
      "'u', 'g', '61.27123456789012345'",
      recipeOptions,
    );
    const { code, message } = await refusalOf(long, ["61.27"]);
    expect(code).toBe("ENGINE_UNSUPPORTED");
    expect(message).toContain("Float64");
  });
});

test("points on the edges of hexagons are where every other engine has them", async () => {
  const table = freshTable();
  const address = tableAddress(current, table);
  await onServer(current, `CREATE TABLE ${table} (u String, lat Float64, lon Float64, v Float64) ENGINE = Memory`);
  const { cellToBoundary } = await import("h3-js");
  const corners = Array.from({ length: 60 }, (_, at) => latLngToCell(-85 + at * 2.8, -170 + at * 5.5, 6)).flatMap(
    (cell) => cellToBoundary(cell),
  );
  const bytes = Buffer.concat(
    corners.map(([lat, lon], at) => {
      const row = Buffer.alloc(24);
      [lat, lon, 1].forEach((value, column) => {
        row.writeDoubleLE(value!, 8 * column);
      });
      const id = Buffer.from(String(at).padStart(4, "0"));
      return Buffer.concat([Buffer.of(id.length), id, row]);
    }),
  );
  await onServer(current, `INSERT INTO ${table} FORMAT RowBinary`, { data: bytes });
  await using engine = await openEngine(address);
  const recipeOptions = { user: "u", lat: "lat", lon: "lon", h3: "6", value: "v" };
  const { occupancy, messages } = await engine.readOccupancy(await recordsAt(engine, address, recipeOptions));
  expect(triplesOf(occupancy).map(([, grid]) => grid)).toEqual(corners.map(([lat, lon]) => latLngToCell(lat, lon, 6)));
  expect(messages?.join()).toContain("edge of a hexagon");
});

describe("two shards", () => {
  const recipeOptions = { user: "u", by: "g", value: "v" };
  const makeTable = async (key: string): Promise<string> => {
    const table = freshTable();
    const columns = "(u String, g String, t UInt32, v Float64)";
    for (const shard of shards)
      await onServer(shard, `CREATE TABLE ${table}_local ${columns} ENGINE = MergeTree ORDER BY tuple()`);
    await onServer(
      shards[0]!,
      `CREATE TABLE ${table} ${columns} ENGINE = Distributed(veilgrid, default, ${table}_local, ${key})`,
    );
    return table;
  };

  test("a user on both, though the key says one, is one user: counts, sums, caps", async () => {
    const table = await makeTable("cityHash64(u)");
    for (const [at, shard] of shards.entries())
      await onServer(
        shard,
        `INSERT INTO ${table}_local SELECT 'ann', 'g', number * 2 + ${at}, number * 2 + ${at} FROM system.numbers LIMIT 10`,
      );
    const address = tableAddress(shards[0]!, table);
    await using engine = await openEngine(address);
    const timed = { ...recipeOptions, time: "t", timeFormat: "epoch-s" };
    const records = await recordsAt(engine, address, timed);
    const { occupancy } = await engine.readOccupancy(records);
    expect(triplesOf(occupancy)).toEqual([["ann", "g", 20]]);
    const flags = { bounds: "0,65", step: "1" };
    const { plan } = decidedPlan(occupancy, flags, { ...KEEP_ALL, hasCaps: true, keep: "first", numbers: [3] });
    expect(plan.caps).toEqual([4]);
    const { totals } = await engine.readTotals(records, plan, { clampedSums: true });
    expect(totals).toMatchObject([{ kept: 4, sum: 0n + 1n + 2n + 3n, sumOfSquares: 14n }]);
  });

  test("one that is gone is an error, not half an answer; back again, it is read", async () => {
    const table = await makeTable("cityHash64(u)");
    const rows = "SELECT concat('u', toString(number % 50)), 'g', number, 1 FROM system.numbers LIMIT 1000";
    await onServer(shards[0]!, `INSERT INTO ${table} ${rows}`, { settings: { insert_distributed_sync: "1" } });
    const address = tableAddress(shards[0]!, table);
    await using engine = await openEngine(address);
    const records = await recordsAt(engine, address, recipeOptions);
    const { occupancy } = await engine.readOccupancy(records);
    const plan = baselinePlan(occupancy, PLAIN);
    const second = clickhouseFolders()[1]!;
    await killShard(second);
    try {
      for (const work of [engine.readOccupancy(records), engine.readTotals(records, plan)]) {
        const { code, message } = await refusalOf(work);
        expect(code).toBe("ENGINE_UNAVAILABLE");
        expect(message).toContain("shard");
      }
    } finally {
      await startShard(second);
    }
    expect(triplesOf((await engine.readOccupancy(records)).occupancy)).toEqual(triplesOf(occupancy));
    expect((await engine.readTotals(records, plan)).totals).toMatchObject([{ kept: 1000 }]);
  });
});

describe("what is left behind", () => {
  const recipeOptions = { user: "u", by: "g", value: "v" };
  const left = (server: string): Promise<string> =>
    onServer(server, "SELECT name FROM system.tables WHERE name LIKE 'veilgrid%' OR name LIKE '%groups%'");

  test("nothing, after success and after failure", async () => {
    for (const [, server] of SERVERS) {
      await countsIn(server, "u String, g String, v Float64", "'u', 'g', 1", recipeOptions);
      await refusalOf(countsIn(server, "u String, g String, v String", "'u', 'g', 'x'", recipeOptions));
      expect(await left(server)).toBe("");
    }
  });

  test("no query, after it was cancelled", async () => {
    const server = shards[0]!;
    const table = freshTable();
    const address = tableAddress(server, table);
    await onServer(server, `CREATE TABLE ${table} (u String, g String, v Float64) ENGINE = MergeTree ORDER BY tuple()`);
    await onServer(
      server,
      `INSERT INTO ${table} SELECT toString(rand()), toString(number % 100), 1 FROM system.numbers LIMIT 5000000`,
    );
    await using engine = await openEngine(address);
    const records = await recordsAt(engine, address, recipeOptions);
    const running = (): Promise<string> =>
      onServer(
        server,
        `SELECT count() FROM system.processes WHERE query LIKE '%veilgrid%' AND query LIKE '%${table}%' AND query NOT LIKE '%system.processes%'`,
      );
    const stop = new AbortController();
    const work = refusalOf(engine.readOccupancy(records, { signal: stop.signal }));
    while ((await running()).trim() === "0") await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect((await work).code).toBe("CANCELLED");
    for (const until = Date.now() + 20_000; (await running()).trim() !== "0" && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await running()).trim()).toBe("0");
    expect(triplesOf((await engine.readOccupancy(await smallTable(engine, server))).occupancy)).toEqual([
      ["u", "g", 1],
    ]);
  });

  async function smallTable(engine: Engine, server: string) {
    const table = freshTable();
    await onServer(server, `CREATE TABLE ${table} (u String, g String, v Float64) ENGINE = Memory`);
    await onServer(server, `INSERT INTO ${table} VALUES ('u', 'g', 1)`);
    return { source: await engine.describe(tableAddress(server, table), {}), recipe: parseRecipe(recipeOptions) };
  }
});

describe("who may come in", () => {
  const server = shards[0]!;
  const table = freshTable();
  beforeAll(async () => {
    await onServer(server, `CREATE TABLE ${table} (u String, g String, v Float64) ENGINE = Memory`);
    await onServer(server, `INSERT INTO ${table} VALUES ('u', 'g', 1)`);
  });
  afterAll(() => {
    delete process.env["CLICKHOUSE_PASSWORD"];
  });
  const address = (user: string): string => tableAddress(server, table).replace("//", `//${user}@`);

  test("a wrong password and a user that is not there are refused in our words", async () => {
    process.env["CLICKHOUSE_PASSWORD"] = "wrong-61.27";
    for (const user of ["reader", "curator", "nobody"]) {
      const { code, message } = await refusalOf(openEngine(address(user)), ["wrong-61.27", "DB::Exception"]);
      expect(code).toBe("ENGINE_UNAVAILABLE");
      expect(message).toContain("CLICKHOUSE_PASSWORD");
    }
  });

  test("a user who may read and make temporary tables suffices; one who may only read is told what is missing", async () => {
    process.env["CLICKHOUSE_PASSWORD"] = "only-for-tests";
    await using engine = await openEngine(address("curator"));
    const records = await recordsAt(engine, address("curator"), { user: "u", by: "g", value: "v" });
    expect(triplesOf((await engine.readOccupancy(records)).occupancy)).toEqual([["u", "g", 1]]);
    const { code, message } = await refusalOf(openEngine(address("reader")));
    expect(code).toBe("ENGINE_UNSUPPORTED");
    expect(message).toContain("readonly = 2");
  });

  test("a server that is not there, and one that does not speak, are named, without a stack of the client's", async () => {
    for (const nowhere of [
      "clickhouse://127.0.0.1:1/default?table=t",
      "clickhouse://no-such-host.invalid/default?table=t",
    ]) {
      const { code, message } = await refusalOf(openEngine(nowhere), ["ECONNREFUSED", "ENOTFOUND"]);
      expect(code).toBe("ENGINE_UNAVAILABLE");
      expect(message).toContain("does not answer");
    }
  });

  test("parameters that nobody reads, and values that mean nothing, are refused", async () => {
    process.env["CLICKHOUSE_PASSWORD"] = "";
    for (const [parameters, word] of [
      ["table=t&tabel=u", "tabel"],
      ["table=t&secure=maybe", "secure"],
      ["table=t&timeout=0", "timeout"],
    ]) {
      const { code, message } = await refusalOf(openEngine(`clickhouse://127.0.0.1/default?${parameters}`));
      expect(code).toBe("USAGE");
      expect(message).toContain(word);
    }
    await using engine = await openEngine(tableAddress(server, table));
    const { code } = await refusalOf(engine.describe(`clickhouse://${new URL(server).host}/default`, {}));
    expect(code).toBe("USAGE");
  });

  test("limits of a user's profile do not cut an answer short", async () => {
    process.env["CLICKHOUSE_PASSWORD"] = "only-for-tests";
    const many = freshTable();
    await onServer(server, `CREATE TABLE ${many} (u String, g String, v Float64) ENGINE = MergeTree ORDER BY tuple()`);
    await onServer(server, `INSERT INTO ${many} SELECT toString(number), 'g', 1 FROM system.numbers LIMIT 200000`);
    const limited = tableAddress(server, many).replace("//", "//limited@");
    await using engine = await openEngine(limited);
    const records = await recordsAt(engine, limited, { user: "u", by: "g", value: "v" });
    const { code, message } = await refusalOf(engine.readOccupancy(records));
    expect(code).toBe("ENGINE_UNAVAILABLE");
    expect(message).toContain("limit");
  });
});
